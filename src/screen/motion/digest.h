// Says what happened in a stretch of a session, in at most kMostBytes.
//
// Takes lines, screens and commands with their times, in seconds since the
// session began and in their order, and says what a reader who was away would
// ask for first: how commands ended, what mattered, the first failure in full,
// how far things have come, the kinds of lines by their number, and key frames
// of screens; it counts what does not fit. Owns everything, bounded. It
// belongs to one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motion/line_tally.h"
#include "motion/screen_tally.h"
#include "terminal/snapshot.h"

namespace glasstty::motion {

class Digest {
 public:
  static constexpr size_t kMostBytes = 2'000;

  void AddLine(std::string_view line, double seconds) {
    lines_.AddLine(line, seconds);
  }
  void AddOverwritten(std::string_view line, double seconds) {
    lines_.AddOverwritten(line, seconds);
  }
  // Somebody was, or could have been, told of this.
  void AddEvent(std::string_view text, double seconds);
  void AddScreen(const terminal::Snapshot& screen, double seconds);
  void BeginCommand(std::string_view text, double seconds);
  // Without a status if it is unknown.
  void EndCommand(std::optional<int> status, double seconds);
  // Forgets the command that runs: it has ended before the stretch begins.
  void ForgetCommand();

  // Contains what only the caller knows.
  struct About {
    double begin_s = 0, end_s = 0;
    int64_t started_ms = 0;  // the wall clock at second 0
    int64_t zone_s = 0;      // how far local time is ahead of UTC
    uint64_t bytes = 0;
    uint64_t lost = 0;      // bytes that are no longer in the log
    std::string end;        // how the program ended; "": it runs
    std::string open_line;  // the text behind the last line
  };
  std::string Text(const About& about) const;

 private:
  static constexpr size_t kMostCommands = 2'000;

  struct Command {
    std::string text;
    double begin_s = 0;
    std::optional<double> end_s;
    std::optional<int> status;
  };

  LineTally lines_;
  ScreenTally screens_;
  std::vector<Command> commands_;  // the oldest are dropped
  int64_t commands_ever_ = 0;
  struct Event {
    std::string text;
    double seconds = 0;
  };
  std::vector<Event> events_;

  friend class DigestText;
};

}  // namespace glasstty::motion
