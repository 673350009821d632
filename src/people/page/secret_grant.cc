#include "page/secret_grant.h"

#include "http/guard.h"

namespace glasstty::page {

SecretGrant::SecretGrant(Time now)
    : token_(http::NewSecret()), expires_(now + kTime) {}

std::optional<Pass> SecretGrant::Enter(std::string_view token, Time now) {
  bool is_open = life_ == Life::kUnused && now < expires_;
  if (!http::SameSecret(token_, token) || !is_open) return std::nullopt;
  life_ = Life::kEntered;
  pass_ = {.key = http::NewSecret(), .proof = http::NewSecret()};
  return pass_;
}

const Pass* SecretGrant::Find(std::string_view key) const {
  return pass_ && http::SameSecret(pass_->key, key) ? &*pass_ : nullptr;
}

bool SecretGrant::MayType(Time now) const {
  return life_ == Life::kEntered && now < expires_;
}

void SecretGrant::Typed() { life_ = Life::kTyped; }

void SecretGrant::Left() {
  if (life_ != Life::kTyped) life_ = Life::kLeft;
}

}  // namespace glasstty::page
