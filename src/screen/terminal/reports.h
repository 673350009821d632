// Keeps what the terminal reports to its owner: events, replies owed to the
// program, the titles, the status of the program, counts of dropped sequences.
//
// Keeps at most 4,096 events (the oldest are dropped), of which 1,024 may be
// bells (further bells are dropped), and 4 KiB of replies (further replies are
// dropped and counted). Replies contain only constants and numbers, never text
// that the program chose, because they arrive as typed input.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/program_status.h"
#include "terminal/terminal.h"
#include "terminal/titles.h"

namespace glasstty::terminal {

class Reports {
 public:
  void Add(TerminalEvent event);
  std::vector<TerminalEvent> TakeEvents();

  // Adds the whole reply, or drops it if it does not fit.
  void Reply(std::string_view reply);
  std::string TakeReplies();
  void Mute(bool muted) { muted_ = muted; }
  bool muted() const { return muted_; }

  void DropSequence() { ++drops_.sequences; }
  void DropString() { ++drops_.strings; }
  const DropCounts& drops() const { return drops_; }

  Titles* titles() { return &titles_; }
  ProgramStatuses* statuses() { return &statuses_; }

 private:
  static constexpr size_t kMaxBells = 1024;
  // Each event except a bell takes at least four bytes, so 16 KiB of output
  // cannot cause more events apart from bells.
  static constexpr size_t kMaxEvents = 4096;
  static constexpr size_t kMaxReplies = 4096;

  std::deque<TerminalEvent> events_;
  size_t bells_ = 0;  // bells since the last TakeEvents
  std::string replies_;
  Titles titles_;
  ProgramStatuses statuses_;
  DropCounts drops_;
  bool muted_ = false;
};

}  // namespace glasstty::terminal
