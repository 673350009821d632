// Decides who may use the page: one-time links, and the passes for which they
// are exchanged. Contains only values and handles no requests. Single-threaded.
//
// The page's script keeps a pass and sends it with each of its requests. A pass
// is not a cookie, because a browser sends the cookies of 127.0.0.1 to every
// port there, and thus to servers of other users.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::page {

// A pass consists of two secrets of one browser, which are valid as long as
// this server runs.
struct Pass {
  std::string key;  // the page sends it to be admitted
  // The server sends this to prove that it has issued the pass, and that no
  // other program listens on its port.
  std::string proof;
};

class Access {
 public:
  // At most this many links can be unused at a time; a new one replaces the
  // oldest.
  static constexpr size_t kMostLinks = 8;

  // Returns a token that admits one visitor, once.
  std::string NewLink();
  // Exchanges a token for a pass and invalidates the token; returns nullopt if
  // it is wrong.
  std::optional<Pass> Enter(std::string_view token);
  // Returns the pass with this key, or null. The result is valid until the next
  // Enter. The number of attempts is not limited: 128 bits cannot be guessed,
  // and a limit would let any user of the machine disable the page.
  const Pass* Find(std::string_view key) const;

 private:
  std::vector<std::string> links_;
  std::vector<Pass> passes_;
};

}  // namespace glasstty::page
