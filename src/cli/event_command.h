// The setting `on-event`: a command that the server runs for each event, so
// that the user hears of it: a notification, a message to a telephone.
//
// The text of a program reaches the command in environment variables only, and
// never in a shell's line. It is rate limited: of what happens meanwhile, the
// next run tells the last, or the last question if there was one, and how many
// others there were. Borrows the loop, which must outlive it. Loop thread only.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lookout/event_log.h"
#include "support/loop.h"

namespace glasstty {

class EventCommand {
 public:
  // Two runs are so far apart.
  static constexpr Duration kRest = std::chrono::seconds(5);
  // A command that runs for longer is killed.
  static constexpr Duration kLongest = std::chrono::seconds(30);

  // `command` is a line for /bin/sh.
  EventCommand(Loop* loop, std::string command);
  ~EventCommand();
  EventCommand(const EventCommand&) = delete;
  EventCommand& operator=(const EventCommand&) = delete;

  // Runs the command for an event of the session with this name.
  void Tell(const std::string& session, const lookout::Event& event);

 private:
  struct Kept {
    std::string session;
    lookout::Event event;
  };
  // Keeps the event for later. Nobody answers a question of which nobody has
  // been told.
  void Keep(Kept kept);
  void Start(const Kept& told);
  // Runs the command for what was kept, as soon as it may.
  void StartKept();
  // Reaps the command, or kills it when its time is up.
  void Look();

  Loop* const loop_;
  const std::string command_;
  Timer timer_;
  pid_t pid_ = -1;  // of the command that runs
  Time started_{};
  Time rests_until_{};
  std::optional<Kept> kept_;
  int64_t left_out_ = 0;  // beside the one that is kept
};

}  // namespace glasstty
