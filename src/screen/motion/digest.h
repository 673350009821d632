// Summarises a part of a session in at most kMostBytes.
//
// Takes lines, screens and commands in order, with their times in seconds since
// the session began. The text contains what a reader who was away needs first:
// how commands ended, important events, the first failure with the lines after
// it, the state of progress, the kinds of lines by frequency, and key frames of
// screens. Items that do not fit are counted. Owns everything; memory is
// bounded, except for the events. Single-threaded.
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
  // Adds an event that was, or could have been, reported.
  void AddEvent(std::string_view text, double seconds);
  void AddScreen(const terminal::Snapshot& screen, double seconds);
  void BeginCommand(std::string_view text, double seconds);
  // `status` is nullopt if it is unknown.
  void EndCommand(std::optional<int> status, double seconds);
  // Drops the command without an end: it ended before the summarised part.
  void ForgetCommand();

  // Facts that the caller provides.
  struct About {
    double begin_s = 0, end_s = 0;
    int64_t started_ms = 0;  // the wall clock at second 0
    int64_t zone_s = 0;      // how far local time is ahead of UTC
    uint64_t bytes = 0;
    uint64_t lost = 0;         // bytes that are no longer in the log
    uint64_t error_bytes = 0;  // of a separate stderr, which is not summarised
    std::string end;           // how the program ended; "" if it runs
    std::string open_line;     // the text after the last line end
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
