// A client of an HTTP server on the loopback interface, for raw requests, whole
// answers, and streams of lines. Blocking, with a deadline on everything.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "support/json.h"

namespace glasstty::testing {

struct HttpAnswer {
  int status = 0;                              // 0: none arrived
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// Sends `request` unchanged on a connection of its own, and reads to its end.
// The body of a stream includes the sizes of its chunks.
HttpAnswer AskHttp(uint16_t port, std::string_view request);

// Returns a connection whose reads give up after ten seconds; invalid: nobody
// listens.
UniqueFd ConnectHttp(uint16_t port);

// A GET whose answer is lines of JSON and does not end by itself.
class JsonStream {
 public:
  JsonStream(uint16_t port, std::string_view request);
  // Returns the next message whose `member` is `value`; nullopt: ten seconds
  // have passed, or the stream has ended.
  std::optional<Json> Await(const std::string& member, const Json& value);
  // Everything that has arrived so far.
  const std::string& received() const { return all_; }

 private:
  std::optional<Json> Next();

  UniqueFd socket_;
  std::string received_;  // and not returned yet
  std::string all_;
};

}  // namespace glasstty::testing
