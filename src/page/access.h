// Decides who may use the page: one-time links, and the cookies for which they
// are exchanged. Values only; knows no requests. Single-threaded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::page {

class Access {
 public:
  // Links that have not been opened yet; the oldest makes room for another.
  static constexpr size_t kMostLinks = 8;
  // After so many wrong tokens and cookies somebody is guessing.
  static constexpr int kMostWrong = 20;

  // A token that lets one visitor in, once.
  std::string NewLink();
  // The cookie's value for a token, which is used up by this; "" when it is
  // wrong.
  std::string Enter(std::string_view token);
  // Whether the cookie is valid. A missing cookie does not count as a guess.
  bool Admits(std::string_view cookie);

  // Too many guesses: the page has to shut down.
  bool guessed() const { return wrong_ >= kMostWrong; }

 private:
  std::vector<std::string> links_;
  std::vector<std::string> cookies_;
  int wrong_ = 0;
};

}  // namespace glasstty::page
