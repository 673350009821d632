// A client of an HTTP server on the loopback interface: raw requests, whole
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
  int status = 0;                              // 0: none came
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

// Sends `request` as it is on a connection of its own, and reads to its end.
// The body of a stream has the sizes of its chunks in it.
HttpAnswer AskHttp(uint16_t port, std::string_view request);

// A connection whose reads give up after ten seconds; invalid: nobody listens.
UniqueFd ConnectHttp(uint16_t port);

// A GET whose answer is lines of JSON and does not end by itself.
class JsonStream {
 public:
  JsonStream(uint16_t port, std::string_view request);
  // The next message for which `member` is `value`; nullopt: ten seconds have
  // passed, or it has ended.
  std::optional<Json> Await(const std::string& member, const Json& value);
  // All that has come so far.
  const std::string& received() const { return all_; }

 private:
  std::optional<Json> Next();

  UniqueFd socket_;
  std::string received_;  // and not taken yet
  std::string all_;
};

}  // namespace glasstty::testing
