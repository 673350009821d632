#include "page/access.h"

#include <algorithm>

#include "http/guard.h"

namespace glasstty::page {
namespace {

// Looks at all of them, so that the time tells nothing.
size_t Find(const std::vector<std::string>& secrets, std::string_view secret) {
  size_t found = secrets.size();
  for (size_t i = 0; i < secrets.size(); ++i) {
    if (http::SameSecret(secrets[i], secret)) found = i;
  }
  return found;
}

}  // namespace

std::string Access::NewLink() {
  if (links_.size() == kMostLinks) links_.erase(links_.begin());
  links_.push_back(http::NewSecret());
  return links_.back();
}

std::string Access::Enter(std::string_view token) {
  size_t found = Find(links_, token);
  if (found == links_.size()) {
    ++wrong_;
    return "";
  }
  links_.erase(links_.begin() + static_cast<long>(found));
  cookies_.push_back(http::NewSecret());
  return cookies_.back();
}

bool Access::Admits(std::string_view cookie) {
  if (cookie.empty()) return false;
  if (Find(cookies_, cookie) < cookies_.size()) return true;
  ++wrong_;
  return false;
}

}  // namespace glasstty::page
