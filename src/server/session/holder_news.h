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

  // Returns false if the packet takes effect only later: when output has been
  // fed, or when a report is complete.
  bool Take(const wire::Packet& packet);

 private:
  void On(const wire::Welcome& welcome);
  void On(const wire::Started& started);
  void On(const wire::Data& data);
  void On(const wire::Inline& output);
  void On(const wire::Consumed& consumed);
  void On(const wire::Wanted&);
  void On(const wire::Refused& refused);
  void On(const wire::State& state);
  void On(const wire::Lease& lease);
  void On(const wire::Exit& exit);
  void On(const wire::Resized& resized);
  void On(const wire::TreeRow& row);
  void On(const wire::TreeEnd& end);
  void On(const wire::Empty&);
  void On(const wire::Away& away);
  void On(const wire::Lost& lost);
  // Ignores all other messages.
  void On(const auto&) {}

  Parts& parts_;
  Replay& replay_;
  std::vector<ProcessInfo> arriving_processes_;
};

}  // namespace glasstty::session
