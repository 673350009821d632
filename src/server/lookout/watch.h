// A permanent condition: each time that it begins to hold, there is an event.
//
// The Sentry passes whole lines and redrawn rows, in which texts are looked
// for, and states. An UntilCheck checks all other conditions. After an event a
// watch rests, to limit the number of events: everything that it finds
// meanwhile becomes one event when the rest is over. Owns its condition. Loop
// thread only; the session must outlive it.
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

  // Only output from here on counts.
  void Begin(const session::Session* session);
  bool wants_text() const { return pattern_.has_value(); }
  bool Matches(std::string_view line) const;

  // The following functions store what they find for TakeHit. TakeLine returns
  // whether the line matches.
  bool TakeLine(const terminal::Line& line);
  // Takes the rows of the current screen. A matching row counts unless it was
  // on the screen at the last call, perhaps with other numbers.
  void TakeRows(const std::vector<std::string>& rows);
  void TakeState(session::Activity state, std::string text);
  void Look(Time now);

  // The content of an event.
  struct Hit {
    // The first texts that matched, separated by " | ". A condition of another
    // kind replaces them by its own description.
    std::string text;
    int64_t line = -1;  // the number of the last line that matched; -1: only
                        // rows of a screen or other conditions did
    int64_t more = 0;   // the number of hits that `text` does not show
    int texts = 1;      // the number of those that it shows
  };
  // Returns everything that was found, and begins a rest. Returns nullopt
  // during a rest, except at the end of the session.
  std::optional<Hit> TakeHit(Time now, bool is_end = false);
  // Returns when to look again, even if nothing is drawn.
  Time again() const { return again_; }

 private:
  explicit Watch(waits::Until until) : until_(std::move(until)) {}

  // The condition holds.
  void Found(std::string text);
  // A line or row matches.
  void FoundText(const std::string& text, int64_t line = -1);
  std::string TextOf(const Reason& reason) const;
  void Renew();

  waits::Until until_;  // without texts and states
  std::optional<Pattern> pattern_;
  std::vector<session::Activity> states_;
  const session::Session* session_ = nullptr;
  std::optional<waits::UntilCheck> check_;
  std::shared_ptr<motion::Memory> memory_ = std::make_shared<motion::Memory>();
  // The hashes of the shapes of lines and rows that match; bounded.
  std::unordered_set<size_t> matching_;
  std::optional<Hit> hit_;  // until it is taken
  Time rests_until_ = Time::min();
  Time again_ = Time::max();
  bool holds_ = false;  // the condition held at the last look
};

}  // namespace glasstty::lookout
