// Manages the facts that a session finds out only on request: in which facts
// callers keep an interest, and when to ask the holder for them.
//
// Readers see the object as const: they can keep an interest but not ask. The
// session asks, after each change and when a timer expires. Borrows the loop
// and the link to the holder, which must outlive this object. Loop thread only.
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
  // Texts that are visible only for a moment. For them, output is fed in
  // moments (terminal/moment.h), which costs time in a flood.
  kText,
  kState,  // Verdict::settled_state()
  // Like kState, while the program draws screens.
  kScreenState,
  // The kernel's report on the foreground (prober()), even while the shell's
  // marks make it unnecessary.
  kForeground,
  kPorts,  // which processes listen on a TCP port (listeners())
  // Every probe of the foreground also finds out what the program is about to
  // do by itself (wire::PendingWork), and probes follow each other quickly
  // while the program may still answer the last input.
  kWork,
};
inline constexpr size_t kInterests = 6;

class Questions {
 public:
  // The interval between probes while the program may still answer.
  static constexpr Duration kAnswerPace = std::chrono::milliseconds(3);

  // `wanted` is called when somebody begins to keep an interest.
  Questions(Loop* loop, HolderLink* link, std::function<void()> wanted);

  // The session keeps finding out about `interest` while anybody holds the
  // result. Questions that are due are asked immediately.
  using Kept = std::shared_ptr<const void>;
  Kept Keep(Interest interest) const;
  bool IsWanted(Interest interest) const;
  // Returns when a newer answer about the foreground can be expected.
  Time NextAnswer() const;
  const Prober& prober() const { return prober_; }
  const Listeners& listeners() const { return listeners_; }

  Prober* prober() { return &prober_; }
  Listeners* listeners() { return &listeners_; }
  // There is a new connection: unanswered questions were lost with the old one.
  void ConnectedAgain();
  // Asks the questions that are due: about the foreground if
  // `about_foreground`, and about ports if anybody wants to know. `is_urgent`:
  // the program may still answer the last input. Returns when to call again;
  // Time::max(): only after a change.
  Time Ask(bool about_foreground, bool is_urgent);

 private:
  Loop* const loop_;
  const std::function<void()> wanted_;
  Prober prober_;
  Listeners listeners_;
  // Mutable because keeping an interest does not change what is known.
  mutable std::array<std::weak_ptr<const void>, kInterests> kept_;
};

}  // namespace glasstty::session
