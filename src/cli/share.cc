#include "cli/share.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "record/state_dir.h"
#include "support/status.h"
#include "wire/own_socket.h"
#include "wire/programs.h"
#include "wire/shared_server.h"

namespace glasstty {

absl::StatusOr<UniqueFd> JoinServer() {
  ASSIGN_OR_RETURN(std::string base, record::StateDir::Place());
  UniqueFd server = wire::ConnectServer(base);
  if (server.valid()) return server;
  if (wire::SocketsAreRefused()) {
    return FailedPrecondition("unix sockets are refused here, as in a sandbox");
  }
  if (errno == EPERM) return ErrnoStatus("use", base + "/serve");
  std::string self = wire::OwnExecutable();
  if (!wire::StartServer(self)) return ErrnoStatus("start", "glasstty serve");
  server = wire::ConnectServer(base);
  if (!server.valid()) return ErrnoStatus("connect to", base + "/serve/socket");
  return server;
}

// The relay is a separate program, because it lives as long as the client and
// needs a tenth of the memory.
absl::Status BecomeRelay() {
  ASSIGN_OR_RETURN(std::string base, record::StateDir::Place());
  ASSIGN_OR_RETURN(UniqueFd server, JoinServer());
  std::string path;
  UniqueFd relay = wire::OpenProgram(wire::kRelayProgram, &path);
  std::string number = std::to_string(server.get());
  std::string self = wire::OwnExecutable();
  // Clear the flag only now, because a process that continues must not pass the
  // socket to programs.
  fcntl(server.get(), F_SETFD, 0);
  execl(path.c_str(), "glasstty-relay", number.c_str(), base.c_str(),
        self.c_str(), nullptr);
  return ErrnoStatus("execute", path);
}

}  // namespace glasstty
