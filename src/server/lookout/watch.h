// A condition that stays: each time that it begins to hold, there is an event.
//
// Texts are looked for in whole lines and in rows that are drawn anew, which
// the Sentry passes; so are states. Everything else is left to an UntilCheck.
// After an event a watch rests, so that it floods nobody: what it finds
// meanwhile is one event when the rest is over. Owns its condition. Loop thread
// only; the session must outlive it.
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

  // Error: a pattern does not compile, or the condition cannot stay.
  static absl::StatusOr<Watch> Compile(waits::Until until);

  // Only what comes from here on counts.
  void Begin(const session::Session* session);
  bool wants_text() const { return pattern_.has_value(); }
  bool Matches(std::string_view line) const;

  // Each keeps what is found for TakeHit. TakeLine returns whether the line
  // matches.
  bool TakeLine(const terminal::Line& line);
  // Takes the rows that are there now. A row that matches is found unless it
  // was among the last ones, with whatever numbers.
  void TakeRows(const std::vector<std::string>& rows);
  void TakeState(session::Activity state, std::string text);
  void Look(Time now);

  // This makes an event.
  struct Hit {
    std::string text;   // what ended the wait, or the condition
    int64_t line = -1;  // -1: it is about no line
    int64_t more = 0;   // others that were found before it
  };
  // Returns what was found, and begins a rest; nothing while it rests, except
  // at the end of the session.
  std::optional<Hit> TakeHit(Time now, bool is_end = false);
  // When to look again, though nothing is drawn.
  Time again() const { return again_; }

 private:
  explicit Watch(waits::Until until) : until_(std::move(until)) {}

  void Found(std::string text, int64_t line = -1);
  void Renew();

  waits::Until until_;  // without texts and states
  std::optional<Pattern> pattern_;
  std::vector<session::Activity> states_;
  const session::Session* session_ = nullptr;
  std::optional<waits::UntilCheck> check_;
  std::shared_ptr<motion::Memory> memory_ = std::make_shared<motion::Memory>();
  // The hashes of the shapes of lines and rows that match; bounded.
  std::unordered_set<size_t> matching_;
  std::optional<Hit> hit_;  // the last one, until it is taken
  Time rests_until_ = Time::min();
  Time again_ = Time::max();
  bool holds_ = false;  // the condition held at the last look
};

}  // namespace glasstty::lookout
