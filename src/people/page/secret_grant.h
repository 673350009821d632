// The permission to type one secret: a link that admits one browser once, and
// the pass for which it is exchanged. Contains only values and handles no
// requests. Single-threaded.
//
// The states are unused -> entered -> typed. The first two may also change to
// left (the program no longer asks). After kTime, nothing is permitted in any
// state.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "page/access.h"

namespace glasstty::page {

class SecretGrant {
 public:
  // A question to a person may stay open for the same time (mcp/questions.h).
  static constexpr Duration kTime = std::chrono::minutes(10);

  enum class Life { kUnused, kEntered, kTyped, kLeft };

  explicit SecretGrant(Time now);

  Life life() const { return life_; }
  const std::string& token() const { return token_; }
  Time expires() const { return expires_; }
  // Exchanges the token for a pass; returns nullopt if the token is wrong or
  // was used, or if typing is no longer permitted.
  std::optional<Pass> Enter(std::string_view token, Time now);
  // Returns the pass if this is its key, or else null. Works after the end,
  // too, because the page shows how the prompt ended.
  const Pass* Find(std::string_view key) const;
  // Returns true if the holder of the pass may type the secret now.
  bool MayType(Time now) const;

  void Typed();
  // Does nothing once the secret was typed.
  void Left();

 private:
  const std::string token_;
  const Time expires_;
  Life life_ = Life::kUnused;
  std::optional<Pass> pass_;
};

}  // namespace glasstty::page
