// Finds the few members of a message that a relay must know to pass the message
// on, such as the id and the method.
//
// Parses only as much JSON as necessary and reports no errors, because the
// server answers malformed messages. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::relay {

struct Peeked {
  std::string id;      // as written: `7`, `"7"`; "" if there is none
  std::string method;  // without quotes; "" if there is none
  std::string uri;     // for resources/*: `uri` in params, as written; else ""
  std::string error;   // as written: `{"code":...}`; "" if there is none

  bool is_request() const { return !id.empty() && !method.empty(); }
  bool is_response() const { return !id.empty() && method.empty(); }
};

// Returns the message of a line, or all messages of an array.
std::vector<Peeked> Peek(std::string_view line);

}  // namespace glasstty::relay
