// The permission to type one secret: a link that admits one browser once, and
// the pass for which it is exchanged. Contains only values; knows nothing of
// requests. Single-threaded.
//
// Life: unused -> entered -> typed, and from the first two also -> left (the
// program no longer asks). After its time nothing is permitted, whatever its
// life.
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
  // As long as a question to a person may stay open (mcp/questions.h).
  static constexpr Duration kTime = std::chrono::minutes(10);

  enum class Life { kUnused, kEntered, kTyped, kLeft };

  explicit SecretGrant(Time now);

  Life life() const { return life_; }
  const std::string& token() const { return token_; }
  Time expires() const { return expires_; }
  // Exchanges the token for a pass; returns nullopt if the token is wrong or
  // was used, or if nothing may be typed any more.
  std::optional<Pass> Enter(std::string_view token, Time now);
  // Returns the pass if this is its key, or else null. Also after the end,
  // because its page is told how it ended.
  const Pass* Find(std::string_view key) const;
  // Returns whether whoever has the pass may type the secret now.
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
