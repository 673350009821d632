// Remembers why sessions were closed by something else than a call, to tell
// callers who still name them. A value that keeps the last kMost reasons.
#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace glasstty::session {

class Tombstones {
 public:
  struct Stone {
    std::string name;
    std::string epitaph;  // "was closed after 30 minutes without use"
  };

  // Replaces an older epitaph of the same name.
  void Put(std::string name, std::string epitaph);
  // Forgets the epitaph, because the name is used again.
  void Remove(std::string_view name);
  // Returns the epitaph, or "" if there is none.
  std::string Of(std::string_view name) const;
  // Oldest first.
  const std::deque<Stone>& all() const { return stones_; }

 private:
  static constexpr size_t kMost = 100;
  std::deque<Stone> stones_;
};

}  // namespace glasstty::session
