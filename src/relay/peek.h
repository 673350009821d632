// What a relay must know of a message that it passes on: its id and its method.
//
// Reads JSON as far as that takes and judges nothing: what is malformed is the
// server's to answer. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

struct Peeked {
  std::string id;      // as it is written: `7`, `"7"`; "" when there is none
  std::string method;  // without quotes; "" when there is none

  bool is_request() const { return !id.empty() && !method.empty(); }
  bool is_response() const { return !id.empty() && method.empty(); }
};

// The message of a line; those of an array, one for each.
std::vector<Peeked> Peek(std::string_view line);

}  // namespace glasstty
