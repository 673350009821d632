#include "cli/share.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "base/limits.h"
#include "record/state_dir.h"
#include "relay/relay.h"
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

namespace {

// Executes the program `glasstty-relay`, which lives as long as the client and
// needs a tenth of this one's memory. Returns if that is impossible.
void HandOver(const relay::Relay& relay, const std::string& base,
              const std::string& self) {
  UniqueFd agreed = MemoryFile(relay.agreements());
  std::string path;
  UniqueFd program = wire::OpenProgram(wire::kRelayProgram, &path);
  if (!agreed.valid() || !program.valid()) return;
  int server = relay.server_fd();
  fcntl(server, F_SETFD, 0);
  fcntl(agreed.get(), F_SETFD, 0);
  execl(path.c_str(), "glasstty-relay", std::to_string(server).c_str(),
        base.c_str(), self.c_str(), std::to_string(agreed.get()).c_str(),
        nullptr);
  fcntl(server, F_SETFD, FD_CLOEXEC);
}

}  // namespace

absl::Status BecomeRelay() {
  ASSIGN_OR_RETURN(std::string base, record::StateDir::Place());
  ASSIGN_OR_RETURN(UniqueFd server, JoinServer());
  std::string self = wire::OwnExecutable();
  SurviveFailedWrites();
  relay::Relay relay(std::move(server), base, self);
  _exit(relay.Run([&] { HandOver(relay, base, self); }));
}

}  // namespace glasstty
