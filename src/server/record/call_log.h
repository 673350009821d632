// The calls that agents have made on a session, so that people can see what an
// agent did: the file `calls` in the session's directory, a line of JSON for
// each call.
//
// Servers append to it. When it has grown to 256 KiB, it becomes `calls.old`,
// which replaces the previous one. Callers must leave out what was typed and
// other secrets (tools/call_record.h). Single thread.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"

namespace glasstty::record {

struct AgentCall {
  Time begin{};
  Time end{};
  std::string client;  // "claude-code 2.1.330"; "" if unknown
  std::string tool;
  std::string arguments;
  std::string reply;  // its first line
  bool failed = false;
};

// Appends a call. If it cannot be written, it is lost, because no call may fail
// for this.
void AppendCall(int directory, const AgentCall& call);
// Returns the calls in the order in which they ended.
std::vector<AgentCall> ReadCalls(int directory);

}  // namespace glasstty::record
