#include "session/tombstones.h"

#include <utility>

namespace glasstty::session {

void Tombstones::Put(std::string name, std::string epitaph) {
  Remove(name);
  stones_.push_back({std::move(name), std::move(epitaph)});
  if (stones_.size() > kMost) stones_.pop_front();
}

void Tombstones::Remove(std::string_view name) {
  std::erase_if(stones_, [name](const Stone& s) { return s.name == name; });
}

std::string Tombstones::Of(std::string_view name) const {
  for (const Stone& stone : stones_) {
    if (stone.name == name) return stone.epitaph;
  }
  return "";
}

}  // namespace glasstty::session
