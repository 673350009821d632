// An sshd of the test's own on a free port of the loopback, and an `ssh` that
// knows it as the host `db`.
//
// Owns the sshd (ended with it) and a folder with keys and configuration.
// Single thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "testing/system.h"

namespace glasstty::testing {

class SshServer {
 public:
  // `passphrase` protects the key that the client must offer; empty: none.
  // `known`: the client has met the server before and does not ask about it.
  SshServer(const std::string& passphrase, bool known);
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;
  ~SshServer();

  // Empty if it runs, otherwise the reason.
  const std::string& problem() const { return problem_; }
  // The folder of `ssh`, to be put at the front of PATH.
  std::string bin() const { return folder_.Join("bin"); }
  // Returns the processes that sshd has started for connections, and the
  // clients at this end.
  std::vector<pid_t> Connections() const;
  std::vector<pid_t> Clients() const;

 private:
  void WriteKeys(const std::string& passphrase, bool known);
  void WriteConfigurations();
  void WriteClient();
  void Start();

  TempDir folder_;
  int port_ = 0;
  std::string problem_;
};

}  // namespace glasstty::testing
