// A permanent condition, which causes an event each time that it is met anew.
//
// The Sentry passes lines and redrawn rows, which the watch searches for its
// text or pattern, and the program's states. A waits::UntilCheck checks all
// other conditions. After an event, the watch rests, to limit the number of
// events: everything that it finds meanwhile becomes one event after the rest.
// Owns its condition. Loop thread only; the session must outlive it.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/pattern.h"
#include "waits/until.h"

namespace glasstty::lookout {

class Watch {
 public:
  static constexpr Duration kRest = std::chrono::seconds(5);

  // Error: a pattern does not compile, or the condition cannot be permanent.
  static absl::StatusOr<Watch> Compile(waits::Until until);

  // Except for texts and states, only output after this call counts.
  void Begin(const session::Session* session);
  bool wants_text() const { return pattern_.has_value(); }
  bool Matches(std::string_view line) const;

  // The following functions keep their hits until TakeHit. TakeLine returns
  // whether the line matches.
  bool TakeLine(const terminal::Line& line);
  // Takes the rows of the current screen. A matching row counts unless the last
  // call or a later TakeLine had a match of the same shape (shape.h).
  void TakeRows(const std::vector<std::string>& rows);
  void TakeState(session::Activity state, std::string text);
  // Checks the other conditions.
  void Look(Time now);

  // The content of an event.
  struct Hit {
    // The first texts that matched, separated by " | ". A condition of another
    // kind replaces them by its own description.
    std::string text;
    int64_t line = -1;  // the number of the last line that matched; -1: only
                        // rows of a screen or other conditions did
    int64_t more = 0;   // the number of hits that `text` does not show
    int texts = 1;      // the number of hits that `text` shows
  };
  // Returns everything that was found, and begins a rest. Returns nullopt if
  // nothing was found, and during a rest unless `is_end`.
  std::optional<Hit> TakeHit(Time now, bool is_end = false);
  // Returns when to call Look again even if nothing changes.
  Time again() const { return again_; }

 private:
  explicit Watch(waits::Until until) : until_(std::move(until)) {}

  // Keeps a hit of a state or another condition.
  void Found(std::string text);
  // Keeps a line or row that matches.
  void FoundText(const std::string& text, int64_t line = -1);
  std::string TextOf(const Reason& reason) const;
  void Renew();

  waits::Until until_;  // without the texts and states
  std::optional<Pattern> pattern_;
  std::vector<session::Activity> states_;
  const session::Session* session_ = nullptr;
  std::optional<waits::UntilCheck> check_;
  std::shared_ptr<motion::Memory> memory_ = std::make_shared<motion::Memory>();
  // The hashes of the shapes of the last lines and rows that matched; bounded.
  std::unordered_set<size_t> matching_;
  std::optional<Hit> hit_;  // what was found since the last TakeHit
  Time rests_until_ = Time::min();
  Time again_ = Time::max();
  bool holds_ = false;  // the condition has held since its last hit
};

}  // namespace glasstty::lookout
