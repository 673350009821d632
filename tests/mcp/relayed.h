// Runs a relay process between a test that plays the client and the same test
// that plays the server.
//
// Blocking: awaits at one end what it has sent into the other. Owns the
// process.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/fd.h"

namespace glasstty::testing {

class RelayProcess {
 public:
  RelayProcess();
  ~RelayProcess();
  RelayProcess(const RelayProcess&) = delete;
  RelayProcess& operator=(const RelayProcess&) = delete;

  // These send one line of the client and return it as the server gets it, and
  // vice versa. They return "(lost)" if it does not arrive.
  std::string ToServer(std::string_view line);
  std::string ToClient(std::string_view line);

  // The relay's introduction of itself.
  const std::string& introduction() const { return introduction_; }

 private:
  static std::string ReadLine(int fd, std::string* pending);

  pid_t pid_ = -1;
  UniqueFd stdin_, stdout_, socket_;
  std::string from_relay_, from_stdout_;
  std::string introduction_;
};

}  // namespace glasstty::testing
