// Runs the command of the setting `on-event` for each event. It may inform the
// user, for example by a notification or a message to a telephone.
//
// The text of a program reaches the command in environment variables only, and
// never in a shell's line. The rate of runs is limited: a run reports the last
// event since the previous run, or the last question if there was one, and the
// number of the other events. Borrows the loop, which must outlive it. Loop
// thread only.
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
  // The minimum time between the beginnings of two runs.
  static constexpr Duration kRest = std::chrono::seconds(5);
  // A command that runs for longer is killed.
  static constexpr Duration kLongest = std::chrono::seconds(30);

  // `command` is a line for /bin/sh.
  EventCommand(Loop* loop, std::string command);
  ~EventCommand();
  EventCommand(const EventCommand&) = delete;
  EventCommand& operator=(const EventCommand&) = delete;

  // Runs the command for an event of this session once the rate limit allows.
  void Tell(const std::string& session, const lookout::Event& event);

 private:
  struct Kept {
    std::string session;
    lookout::Event event;
  };
  // Keeps the event for the next run. A question is replaced only by another
  // question, because the user must hear of it.
  void Keep(Kept kept);
  void Start(const Kept& told);
  // Runs the command for the kept event as soon as the rate limit allows.
  void StartKept();
  // Reaps the command, or kills it when its time is up.
  void Look();
  // Warns at the first failure only, because a command may fail for each event.
  void TellFailure(int status);

  Loop* const loop_;
  const std::string command_;
  Timer timer_;
  pid_t pid_ = -1;  // the running command; -1: none
  Time started_{};
  Time rests_until_{};
  std::optional<Kept> kept_;
  bool failure_told_ = false;
  int64_t left_out_ = 0;  // events since the last run, without the kept one
};

}  // namespace glasstty
