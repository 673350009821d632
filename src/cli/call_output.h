// Prints what a tool has answered: its output on stdout, and on stderr what is
// said about it. Single-threaded.
#pragma once

#include <string>

#include "cli/call_arguments.h"
#include "cli/command.h"
#include "cli/shared_call.h"
#include "mcp/tool.h"

namespace glasstty {

// A command line that has been read, and what it calls.
struct Call {
  const CommandRow* command;
  const mcp::Tool* tool;
  const WordRules* rules;
  CallWords words;

  bool Has(const std::string& flag) const { return words.flags.contains(flag); }
};

// Prints the facts as JSON, or the output and what is said about the call. A
// refusal goes to stderr.
void PrintAnswer(const Call& call, const CallAnswer& answer);

}  // namespace glasstty
