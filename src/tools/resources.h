// Sessions as resources: term://sessions and, for each session,
// term://NAME/screen, /log, /history and /command/N.
//
// Reading a resource does not mark anything as read. Only the index is listed,
// because the list must not vary; the others are templates. Owns the watches on
// behalf of subscribers. Borrows the workbench, which must outlive it; it must
// itself outlive the server. Loop thread only.
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

  // The rows for the server's catalog.
  std::vector<mcp::Resource> Rows();

 private:
  // What is compared to know whether a resource has changed: any text that
  // differs then.
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

// The names of the sessions that begin so; what `session` is completed to.
std::vector<std::string> CompleteSession(Workbench* bench,
                                         const std::string& typed);

}  // namespace glasstty
