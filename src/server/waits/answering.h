// Tells whether a program has dealt with what was typed last, so that the
// screen shows its answer.
//
// A program that waits for the next key may still have something to draw for
// the last one: when a timer expires, in another thread, or when a program that
// it has started is done. The holder detects this (wire::PendingWork). Rules:
//
//   - The answer is not complete while a thread runs, or while a process lives
//     that the key has started.
//   - Nor is it complete while a thread sleeps with a short time-out. After
//     that, the next time-out counts as well, up to kMostFrames in all, because
//     a program that limits its redraws sets a timer again for the rest of the
//     time. But a time-out of the same length is a tick, and does not count, if
//     the program slept for as long before the key, unless it is at most a
//     frame and something has been drawn. If the program drew by itself before
//     the key, time-outs up to its usual one (Typing::habit_ms) count only if
//     they are at most a frame, or if nothing has changed yet.
//   - Threads wake each other, so if there are several, they must have rested
//     for a moment.
//   - Even without pending work, the program may wait for another one that
//     cannot be seen (a server). So if the key has changed nothing on the
//     screen, the program is examined a second time.
//   - Some programs always wait for the terminal in one thread or process while
//     another evaluates what was entered (jshell, erl, iex), or check for input
//     while they work. If such a program was at a prompt, and its cursor is now
//     on an empty line further down, the next prompt is still to come; the
//     program gets kPromptTime for this, or kLongComputation while it uses a
//     processor or waits for one.
//   - A line editor that waits with a time-out on the line that was typed last
//     has not read on yet if, before the key, it waited without one or with one
//     of the other kind (short or long): readline shows the opening parenthesis
//     for half a second after a closing one. The editor gets kPromptTime from
//     its last output, but no longer than kLongComputation.
//
// Spinners and clocks never rest, so all rules but the last two hold for at
// most kLongest. This time restarts while the program computes, unless it
// computed before the key. In any case it ends InputQueue::kAnswerTime after
// the first wait for a key, or kLongComputation after it if there was no pause.
// A program that reads whole lines (canonical mode) has answered when it reads
// the next one. Borrows the session. Loop thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "session/session.h"

namespace glasstty::waits {

class Answering {
 public:
  // Programs that draw frames draw at least 30 in a second.
  static constexpr int kFrameMs = 35;
  // A timer may expire a little late.
  static constexpr Duration kTimerSlack = std::chrono::milliseconds(2);
  static constexpr int kMostFrames = 3;
  // A thread that is woken runs within this time, even on a busy machine.
  static constexpr Duration kRest = std::chrono::milliseconds(3);
  static constexpr Duration kLongest = std::chrono::milliseconds(300);
  // The libraries of a completion can take this long to load.
  static constexpr Duration kLongComputation = std::chrono::seconds(3);
  // Between two frames, a spinner rests for longer than this; threads that hand
  // work to each other rest for less.
  static constexpr Duration kPause = std::chrono::milliseconds(50);
  static constexpr Duration kPromptTime = std::chrono::seconds(1);
  // In each window, a program that works uses at least 1/kLeastShare of the
  // processor, or has a thread that is ready to run.
  static constexpr Duration kWindow = std::chrono::milliseconds(150);
  static constexpr uint64_t kLeastShare = 20;
  // The time before the second examination, for a key that has changed nothing.
  static constexpr Duration kSecondLook = std::chrono::milliseconds(30);

  // Must be called before anything is typed, to note the program's earlier
  // state. Unless `asks`, pending work is known only while others ask for it.
  void Begin(const session::Session* session, bool asks = true);
  // Met if the program has dealt with what was typed, or if nothing was typed
  // since Begin or shortly before. REQUIRES: Begin, and the program waits.
  Look IsOver();
  // Met unless the next prompt is still to come. Also works without a settled
  // answer about the program. REQUIRES: Begin.
  Look HasPrompt() const;

 private:
  void NoteWork(const wire::PendingWork& work, Time now);
  bool IsAtRest(const wire::PendingWork& work);
  bool IsTick(int ms) const;
  bool IsDue(const wire::PendingWork& work);
  bool HasChanged() const;
  bool IsPromptDue(const wire::ProbeAnswer& answer) const;
  bool IsLineUnread(const wire::ProbeAnswer& answer) const;

  const session::Session* session_ = nullptr;
  session::Questions::Kept interest_;
  wire::PendingWork before_;  // the last report from before anything was typed
  // The line of the prompt before anything was typed; null: no prompt.
  std::optional<int64_t> prompt_line_;
  bool polled_before_ = false;  // before typing, it waited with a time-out
  // The time of the input that the members below describe.
  Time typed_at_ = Time::min();
  // Since when the program waits for a key; null: nothing was typed.
  std::optional<Time> waits_since_;
  // When a thread was last seen running, if none ran before the key.
  Time last_ran_at_;
  bool has_paused_ = false;  // no thread ran for kPause
  Time window_since_;
  uint64_t window_cpu_ns_ = 0;  // used until window_since_; 0: not known yet
  bool works_ = false;          // the program worked in the last window
  std::optional<Time> due_;     // the end of the time-out that counts now
  int due_ms_ = 0;              // the length of that time-out
  uint64_t drawn_ = 0;          // the screen's revision when due_ was set
  int frames_ = 0;              // the number of time-outs that have counted
  uint64_t turns_ = 0;
  Time rests_since_;  // since when turns_ has not changed
};

}  // namespace glasstty::waits
