#include "page/access.h"

#include "http/guard.h"

namespace glasstty::page {

std::string Access::NewLink() {
  if (links_.size() == kMostLinks) links_.erase(links_.begin());
  links_.push_back(http::NewSecret());
  return links_.back();
}

// Compares with all links, so that the time reveals nothing. Find does the same
// with passes.
std::optional<Pass> Access::Enter(std::string_view token) {
  auto found = links_.end();
  for (auto link = links_.begin(); link != links_.end(); ++link) {
    if (http::SameSecret(*link, token)) found = link;
  }
  if (found == links_.end()) return std::nullopt;
  links_.erase(found);
  passes_.push_back({.key = http::NewSecret(), .proof = http::NewSecret()});
  return passes_.back();
}

const Pass* Access::Find(std::string_view key) const {
  const Pass* found = nullptr;
  for (const Pass& pass : passes_) {
    if (http::SameSecret(pass.key, key)) found = &pass;
  }
  return found;
}

}  // namespace glasstty::page
