// Two users with passwords of their own, alice and bob, on a machine that has
// no such users: a server of alice's in a mount namespace in which /etc is a
// copy, with sudo allowed for her and an sshd.
//
// Owns the copy and the sshd; outlives the clients that it is given to. Takes
// root. Single thread.
#pragma once

#include <string>

#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {

class PrivateEtc {
 public:
  // Says whether sudo runs its command on a terminal of its own (use_pty).
  enum class Sudo { kSameTerminal, kOwnTerminal };
  explicit PrivateEtc(Sudo sudo);
  PrivateEtc(const PrivateEtc&) = delete;
  PrivateEtc& operator=(const PrivateEtc&) = delete;
  ~PrivateEtc();

  // Empty if it can be used, otherwise the reason.
  const std::string& problem() const { return problem_; }
  // The options of a server to start as alice. Her variables PASSWORD and
  // OTHER_PASSWORD hold her own and one that she may change it to, `ssh host`
  // reaches the sshd; bob has her password, too.
  const ServerOptions& options() const { return options_; }

 private:
  void WriteUsers(Sudo sudo);
  void WriteSsh();
  void WriteServer();

  TempDir folder_;
  ServerOptions options_;
  std::string problem_;
};

}  // namespace glasstty::testing
