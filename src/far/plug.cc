#include "far/plug.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/fd.h"
#include "wire/place_control.h"

namespace glasstty::far {
namespace {

// For how long the next relay is waited for when one was killed, and how often
// it is looked for.
constexpr int kRelayPatienceMs = 5000;
constexpr int kNamePatienceMs = 300;
constexpr int kRelayLookMs = 50;

// How many relays in a row may end before they say that the client should run.
constexpr int kSilentRelays = 3;

// Between SIGTERM and SIGKILL, for a client that its relay has let go of.
constexpr int kPatienceMs = 1000;

UniqueFd TryRelay(int directory) {
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Through the descriptor: the path may be longer than sun_path takes.
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           directory, wire::kPlugName);
  if (fd.valid() && connect(fd.get(), reinterpret_cast<sockaddr*>(&address),
                            sizeof address) != 0) {
    fd.Reset();
  }
  return fd;
}

// One that has ended takes its socket's name along; of one that was killed it
// stays until the next one replaces it, so it is missing for a moment.
UniqueFd ConnectRelay(int directory) {
  int missing = 0;
  for (int waited = 0; waited < kRelayPatienceMs; waited += kRelayLookMs) {
    UniqueFd fd = TryRelay(directory);
    if (fd.valid()) return fd;
    missing = errno == ENOENT ? missing + kRelayLookMs : 0;
    if (missing > kNamePatienceMs) break;
    poll(nullptr, 0, kRelayLookMs);
  }
  return UniqueFd();
}

// In the terminal's foreground, as a shell would do it: so it may read a
// password there.
pid_t StartClient(int relay, char** client) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);
  tcsetpgrp(STDERR_FILENO, getpid());
  for (int number : {SIGTTOU, SIGPIPE, SIGINT, SIGTERM}) {
    signal(number, SIG_DFL);
  }
  dup2(relay, STDIN_FILENO);
  dup2(relay, STDOUT_FILENO);
  execvp(client[0], client);
  fprintf(stderr, "%s: %s\n", client[0], strerror(errno));
  _exit(127);
}

// True when it has ended by itself.
bool AwaitEnd(int relay, int process, int limit_ms) {
  pollfd set[] = {{process, POLLIN, 0}, {relay, 0, 0}};
  while (poll(set, relay < 0 ? 1 : 2, limit_ms) < 0 && errno == EINTR) {
  }
  return set[0].revents != 0;
}

// Returns its status as waitpid(2) gives it.
int RunClient(int relay, char** client) {
  pid_t pid = StartClient(relay, client);
  if (pid < 0) return 127 << 8;
  UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!AwaitEnd(relay, process.get(), -1)) {
    kill(-pid, SIGTERM);
    kill(-pid, SIGCONT);
    if (!AwaitEnd(-1, process.get(), kPatienceMs)) kill(-pid, SIGKILL);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  tcsetpgrp(STDERR_FILENO, getpid());
  return status;
}

void Report(const char* name, int status) {
  if (WIFSIGNALED(status)) {
    fprintf(stderr, "[%s was ended by signal %d]\n", name, WTERMSIG(status));
  } else {
    fprintf(stderr, "[%s ended with %d]\n", name, WEXITSTATUS(status));
  }
}

// Says how the last client ended, and waits until the next one should run.
// False: the relay has ended instead.
bool AwaitsClient(int relay, int32_t last_status) {
  char go;
  return WriteAll(relay, {reinterpret_cast<char*>(&last_status),
                          sizeof last_status}) &&
         ReadSome(relay, &go, 1) == 1;
}

}  // namespace

int RunPlug(const std::string& directory, char** client) {
  // Chords are for the client; taking the terminal back must not stop us.
  for (int number : {SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGPIPE}) {
    signal(number, SIG_IGN);
  }
  // Opened once: of a place that was removed and made again, the relay would
  // have a client that it does not know.
  UniqueFd place(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  int32_t status = -1;
  // The kernel accepts for a relay that is being killed until its descriptors
  // are closed, so silence does not mean that there is no next one.
  int silent = 0;
  while (silent < kSilentRelays) {
    UniqueFd relay = ConnectRelay(place.get());
    if (!relay.valid()) return 0;
    if (AwaitsClient(relay.get(), status)) {
      status = RunClient(relay.get(), client);
      Report(client[0], status);
      silent = 0;
    } else {
      ++silent;
      poll(nullptr, 0, kRelayLookMs);
    }
  }
  return 0;
}

}  // namespace glasstty::far
