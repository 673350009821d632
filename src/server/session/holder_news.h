// Takes the packets of a session's holder and updates the session's parts.
//
// Borrows the parts and the replay, which must outlive this object. Owns only
// the rows of a process report that is not complete yet. Loop thread only.
#pragma once

#include <vector>

#include "session/parts.h"
#include "session/process_info.h"
#include "session/replay.h"
#include "wire/messages.h"

namespace glasstty::session {

class HolderNews {
 public:
  HolderNews(Parts* parts, Replay* replay) : parts_(*parts), replay_(*replay) {}

  // Returns false if the packet has no visible effect yet, because output must
  // be fed first, or a report is not complete.
  bool Take(const wire::Packet& packet);

 private:
  // The source file has a specialization for each message of FromHolder.
  template <typename Message>
  void On(const Message&);

  Parts& parts_;
  Replay& replay_;
  std::vector<ProcessInfo> arriving_processes_;
};

}  // namespace glasstty::session
