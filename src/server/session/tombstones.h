// Remembers why sessions were closed that no call has closed, for messages to
// callers who still name them. A value that keeps the last few.
#pragma once

#include <deque>
#include <string>
#include <string_view>

namespace glasstty::session {

class Tombstones {
 public:
  struct Stone {
    std::string name;
    std::string epitaph;  // "closed after 30 minutes without use"
  };

  // A newer one of the same name replaces the older.
  void Put(std::string name, std::string epitaph);
  // The name is used again.
  void Remove(std::string_view name);
  // Empty: none.
  std::string Of(std::string_view name) const;
  // Oldest first.
  const std::deque<Stone>& all() const { return stones_; }

 private:
  static constexpr size_t kMost = 100;
  std::deque<Stone> stones_;
};

}  // namespace glasstty::session
