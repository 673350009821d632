// A condition that stays: each time that it begins to hold, there is an event.
//
// Texts are looked for in whole lines and in rows that are drawn anew, which
// the Sentry passes; so are states. Everything else is left to an UntilCheck.
// After an event a watch rests, so that it floods nobody. Owns its condition.
// Loop thread only; the session must outlive it.
#pragma once

#include <chrono>
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

  // Error: a pattern does not compile, or the condition cannot stay.
  static absl::StatusOr<Watch> Compile(waits::Until until);

  // Only what comes from here on counts.
  void Begin(const session::Session* session);
  bool wants_text() const { return pattern_.has_value(); }

  // Each returns whether there is an event, TakeRows the row that makes one.
  bool TakeLine(const std::string& line, Time now);
  // The rows that are there now. One that matches is no event if the last rows
  // had it, with whatever numbers.
  std::optional<std::string> TakeRows(const std::vector<std::string>& rows,
                                      Time now);
  bool TakeState(session::Activity state, Time now);
  // Returns the text of an event: what ended the wait, or the condition.
  std::optional<std::string> Look(Time now);
  // When to look again, though nothing is drawn.
  Time again() const { return again_; }

 private:
  explicit Watch(waits::Until until) : until_(std::move(until)) {}

  bool Matches(std::string_view line) const;
  // Returns true, and begins a rest, unless it rests.
  bool IsDue(Time now);
  void Renew();

  waits::Until until_;  // without texts and states
  std::optional<Pattern> pattern_;
  std::vector<session::Activity> states_;
  const session::Session* session_ = nullptr;
  std::optional<waits::UntilCheck> check_;
  // The hashes of the shapes of lines and rows that match; bounded.
  std::unordered_set<size_t> matching_;
  Time rests_until_ = Time::min();
  Time again_ = Time::max();
  bool holds_ = false;  // the condition held at the last look
};

}  // namespace glasstty::lookout
