#include "mcp/relayed.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "testing/system.h"

namespace glasstty::testing {
namespace {

constexpr int kPatienceMs = 20'000;

}  // namespace

RelayProcess::RelayProcess() {
  std::string path = BuildPath("src/gateway/relay/glasstty-relay");
  int in[2], out[2], ends[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 ||
      socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    std::abort();
  }
  std::string number = std::to_string(ends[1]);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    fcntl(ends[1], F_SETFD, 0);
    execl(path.c_str(), "glasstty-relay", number.c_str(), "/nonexistent",
          "/bin/false", nullptr);
    _exit(127);
  }
  for (int fd : {in[0], out[1], ends[1]}) close(fd);
  stdin_.Reset(in[1]);
  stdout_.Reset(out[0]);
  socket_.Reset(ends[0]);
  introduction_ = ReadLine(socket_.get(), &from_relay_);
}

RelayProcess::~RelayProcess() {
  stdin_.Reset();
  socket_.Reset();
  waitpid(pid_, nullptr, 0);
}

std::string RelayProcess::ReadLine(int fd, std::string* pending) {
  size_t end;
  while ((end = pending->find('\n')) == std::string::npos) {
    pollfd in{fd, POLLIN, 0};
    char buffer[65536];
    ssize_t n = poll(&in, 1, kPatienceMs) == 1
                    ? ReadSome(fd, buffer, sizeof buffer)
                    : 0;
    if (n <= 0) return "(lost)";
    pending->append(buffer, static_cast<size_t>(n));
  }
  std::string line = pending->substr(0, end);
  pending->erase(0, end + 1);
  return line;
}

std::string RelayProcess::ToServer(std::string_view line) {
  WriteAll(stdin_.get(), std::string(line) + "\n");
  return ReadLine(socket_.get(), &from_relay_);
}

std::string RelayProcess::ToClient(std::string_view line) {
  WriteAll(socket_.get(), std::string(line) + "\n");
  return ReadLine(stdout_.get(), &from_stdout_);
}

}  // namespace glasstty::testing
