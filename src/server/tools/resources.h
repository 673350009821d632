// Sessions as resources: term://sessions and, for each session,
// term://NAME/screen, /log, /history and /command/N.
//
// Reading a resource does not mark anything as read. Only the index is listed,
// because the list must not vary; the others are templates. Looks for changes
// on behalf of subscribers. The workbench must outlive this object, which must
// outlive the server. Loop thread only.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "mcp/resource.h"
#include "support/loop.h"
#include "tools/workbench.h"

namespace glasstty {

class SessionResources {
 public:
  explicit SessionResources(Workbench* bench);
  SessionResources(const SessionResources&) = delete;
  SessionResources& operator=(const SessionResources&) = delete;

  // Returns the rows for the server's catalog.
  std::vector<mcp::Resource> Rows();

 private:
  // Returns a text that differs whenever the resource has changed.
  using Fingerprint = std::function<std::string()>;
  struct Look {
    Fingerprint fingerprint;
    std::string last;
    std::function<void()> changed;
  };

  mcp::Watching Watch(Fingerprint fingerprint, std::function<void()> changed);
  void LookAtAll();

  Workbench* const bench_;  // borrowed
  // State.
  std::list<Look> looks_;
  Timer timer_;  // armed while there are looks
};

// Returns the names of sessions that begin with `typed`, to complete the
// argument `session`.
std::vector<std::string> CompleteSession(Workbench* bench,
                                         const std::string& typed);

}  // namespace glasstty
