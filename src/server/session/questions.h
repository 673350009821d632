// Knows what a session finds out only on request: who keeps an interest in what
// and the schedules by which the holder is asked.
//
// Readers see it as const: they can keep an interest but not ask. The session
// asks, after each change and when a timer says so. Borrows the loop and the
// link to the holder, which must outlive it. Loop thread only.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

#include "session/holder_link.h"
#include "session/listeners.h"
#include "session/prober.h"
#include "support/loop.h"

namespace glasstty::session {

enum class Interest {
  // Texts that are there for a moment only: output is fed in moments
  // (terminal/moment.h), which costs time in a flood.
  kText,
  kState,  // Session::settled_state()
  // The same, while the program draws screens.
  kScreenState,
  // The kernel's word on the foreground (prober()), even if the shell has said
  // enough for the state.
  kForeground,
  kPorts,  // who listens on a TCP port (listeners())
  // Every look at the foreground also finds out what it is about to do by
  // itself (wire::PendingWork), and looks follow each other quickly while the
  // program may still answer what was typed last.
  kWork,
};
inline constexpr size_t kInterests = 6;

class Questions {
 public:
  // The program is looked at this often while it may answer.
  static constexpr Duration kAnswerPace = std::chrono::milliseconds(3);

  // `wanted` is called when somebody begins to keep an interest.
  Questions(Loop* loop, HolderLink* link, std::function<void()> wanted);

  // While anybody keeps the result, the session finds out about it; the first
  // question is asked at once.
  using Kept = std::shared_ptr<const void>;
  Kept Keep(Interest interest) const;
  bool IsWanted(Interest interest) const;
  // Returns when the next answer about the foreground may be there.
  Time NextAnswer() const;
  const Prober& prober() const { return prober_; }
  const Listeners& listeners() const { return listeners_; }

  Prober* prober() { return &prober_; }
  Listeners* listeners() { return &listeners_; }
  // Asks what is due: about the foreground if `about_foreground`, about ports
  // if somebody is interested. `is_urgent`: the program may be about to answer.
  // Returns when to come back; Time::max(): not by itself.
  Time Ask(bool about_foreground, bool is_urgent);

 private:
  Loop* const loop_;
  const std::function<void()> wanted_;
  Prober prober_;
  Listeners listeners_;
  // Interests are no part of what is known.
  mutable std::array<std::weak_ptr<const void>, kInterests> kept_;
};

}  // namespace glasstty::session
