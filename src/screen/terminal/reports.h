// Keeps what the terminal reports to its owner: events, replies owed to the
// program, the titles, counts of dropped sequences.
//
// Bounded: 1,024 bells among at most 4,096 events (the oldest are dropped), 4
// KiB of replies (the newest are dropped and counted). Replies contain only
// constants and numbers, never text that the program chose, because they arrive
// as typed input.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/terminal.h"
#include "terminal/titles.h"

namespace glasstty::terminal {

class Reports {
 public:
  void Add(TerminalEvent event);
  std::vector<TerminalEvent> TakeEvents();

  // Adds the whole reply or nothing.
  void Reply(std::string_view reply);
  std::string TakeReplies();
  void Mute(bool muted) { muted_ = muted; }
  bool muted() const { return muted_; }

  void DropSequence() { ++drops_.sequences; }
  void DropString() { ++drops_.strings; }
  const DropCounts& drops() const { return drops_; }

  Titles* titles() { return &titles_; }

 private:
  static constexpr size_t kMaxBells = 1024;
  // More than 16 KiB of output can cause, because all events except bells take
  // at least four bytes.
  static constexpr size_t kMaxEvents = 4096;
  static constexpr size_t kMaxReplies = 4096;

  std::deque<TerminalEvent> events_;
  size_t bells_ = 0;  // since TakeEvents
  std::string replies_;
  Titles titles_;
  DropCounts drops_;
  bool muted_ = false;
};

}  // namespace glasstty::terminal
