// Records the calls that agents make on a session, so that people can see what
// an agent did: in the file `calls` of the session's directory, with a line of
// JSON for each call.
//
// Servers append to it. When it has grown to 256 KiB, it is renamed to
// `calls.old` and replaces the previous file of that name. Callers must leave
// out what was typed and other secrets (tools/call_record.h). Single thread.
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
  std::string reply;  // the first line of the reply
  bool failed = false;
};

// Appends a call. If it cannot be written, it is lost, because no call may fail
// for this.
void AppendCall(int directory, const AgentCall& call);
// Returns the calls in the order in which they ended.
std::vector<AgentCall> ReadCalls(int directory);

}  // namespace glasstty::record
