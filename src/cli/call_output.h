// Prints what a tool has answered: output on stdout, and what the answer says
// about the output on stderr. Single-threaded.
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

// Prints the facts as JSON, or the output and what the answer says about it. A
// refusal goes to stderr.
void PrintAnswer(const Call& call, const CallAnswer& answer);

}  // namespace glasstty
