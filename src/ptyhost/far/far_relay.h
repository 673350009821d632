// The far end of the connection to a place: starts holders on the other
// machine, and carries their logs and packets to the near end.
//
// A later far relay needs no state of this one, because sessions live in their
// holders. So a far relay may die at any moment; it ends when its stream ends.
// Each near end has at most one far relay: a new one kills an older one that a
// network failure has left behind. Single-threaded, with one PollLoop.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/poll_loop.h"
#include "far/far_session.h"
#include "far/frame_stream.h"

namespace glasstty::far {

struct FarOptions {
  std::string sessions;  // the directory of the sessions; created if missing
  std::string token;     // printed on a line of its own before the first frame
  std::string near_id;   // identifies the near end; 32 lower-case hex digits
};

class FarRelay {
 public:
  FarRelay(FarOptions options, UniqueFd in, UniqueFd out);

  // Returns the exit status of the process: 0 at the end of the stream, 1 if
  // the relay cannot start.
  int Run();

 private:
  bool Prepare();
  bool TakePlaceOfOlder();
  void Greet();
  // Runs one turn of the loop.
  void Wait();
  // Sends output of the sessions. Returns true if there is more to send and the
  // stream has room for it.
  bool Pump();
  bool ReadFrames();
  // Take, Open and Attach return false if the connection must end.
  bool Take(const Frame& frame);
  bool Open(uint32_t number, const wire::OpenInfo& info);
  bool Attach(uint32_t number, const wire::AttachInfo& info);
  void RemoveOld(int days);
  // Tells the near end that it must give up the session. Returns true.
  bool Refuse(uint32_t number, int error, const std::string& what);
  // Reports errno to the person. Returns false.
  bool Fail(const std::string& what);

  const FarOptions options_;
  FrameStream stream_;
  UniqueFd directory_;  // the directory of the sessions
  UniqueFd lock_;
  UniqueFd executable_;
  PollLoop loop_;
  std::map<uint32_t, std::unique_ptr<FarSession>> sessions_;
  // The session that sends first in the next turn. The sessions take turns,
  // because the stream may have no room for the last ones.
  uint32_t next_ = 0;
};

}  // namespace glasstty::far
