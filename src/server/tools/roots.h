// The directories in which clients work, as they report them (the roots of
// MCP).
//
// A graphical client starts its servers in the home directory or in a plugin's
// folder, so its roots are the only way to learn where its user works. A client
// that has roots is asked for them before it opens its first session without an
// absolute directory, and again once it has reported a change. The workbench
// owns this object, which must outlive all calls. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/tool.h"
#include "support/json.h"
#include "support/task.h"

namespace glasstty {

class Roots {
 public:
  // Clients answer immediately, without asking their user. A client that does
  // not answer must not delay the call for longer.
  static constexpr Duration kPatience = std::chrono::seconds(3);

  // Returns the directory in which the client's new sessions start: the one
  // that it has handed over if that lies in one of its roots, or else its first
  // root on this machine. A client without roots: the directory that it has
  // handed over, or "" if it has handed over none. Error: the call must end
  // now; the client will repeat the call.
  Task<absl::StatusOr<std::string>> StartDirectory(mcp::ToolCall* call);
  // Call when the connection has ended.
  void Forget(uint64_t connection) { known_.erase(connection); }
  size_t size() const { return known_.size(); }

 private:
  struct Known {
    int changes = 0;  // RequestContext::roots_changes of the call that asked
    std::vector<std::string> directories;
  };

  std::map<uint64_t, Known> known_;  // by connection
};

// Returns the directories of this machine in the result of roots/list; skips
// everything else.
std::vector<std::string> DirectoriesOf(const Json& result);

// Chooses a directory from a client's roots, as described at StartDirectory.
std::string ChooseStart(const std::string& handed_over,
                        const std::vector<std::string>& roots);

}  // namespace glasstty
