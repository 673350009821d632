// The page on which a person types the secret that a session asks for. A
// separate process (page/secret_server.h) serves it: one link for one session.
//
// The process reports the link and the outcome through a pipe, but not the
// secret, which the page sends to the session's holder. The process ends with
// this object, or when the link expires. Owns the process; the loop must
// outlive this object. Loop thread only.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "base/fd.h"
#include "support/loop.h"

namespace glasstty::session {

class SecretPage {
 public:
  // The process's descriptor of the session's directory. The process's stdin is
  // closed once this object or this server is gone. To its stdout, the process
  // writes the link and then words (WordOf), each on a line of its own.
  static constexpr int kDirectoryFd = 3;

  enum class Life {
    kStarting,
    kOpen,     // there is a link, and the person has not typed yet
    kTyped,    // the person has typed the secret
    kLeft,     // the program no longer asks for a secret
    kExpired,  // nobody typed it in time
    kEnded,    // the process could not serve, or has ended
  };
  // Returns the word by which the process reports `life`.
  static std::string_view WordOf(Life life);

  // `directory` is the session's directory. `changed` is called from the loop
  // after each change of the life, and may destroy this object. Error: the
  // program is not installed or cannot be started.
  static absl::StatusOr<std::unique_ptr<SecretPage>> Start(
      Loop* loop, int directory, std::function<void()> changed);
  ~SecretPage();
  SecretPage(const SecretPage&) = delete;
  SecretPage& operator=(const SecretPage&) = delete;

  Life life() const { return life_; }
  // Returns true once nothing can be typed on the page any more.
  bool is_over() const { return life_ > Life::kOpen; }
  // The link admits one visitor, once. Empty before kOpen.
  const std::string& link() const { return link_; }

 private:
  explicit SecretPage(std::function<void()> changed);
  void Read();
  // Returns true if the life has changed.
  bool Take(std::string_view line);

  const std::function<void()> changed_;
  pid_t pid_ = -1;
  UniqueFd lifeline_;  // the process's stdin
  UniqueFd words_;
  std::optional<FdWatch> watch_;
  std::string rest_;  // an incomplete line
  std::string link_;
  Life life_ = Life::kStarting;
};

}  // namespace glasstty::session
