#include "far/plug.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/clock.h"
#include "base/fd.h"
#include "base/poll_loop.h"
#include "wire/own_socket.h"
#include "wire/place_control.h"

namespace glasstty::far {
namespace {

// If a relay was killed, the plug waits kRelayPatienceMs for the next one, but
// only kNamePatienceMs while there is no socket. It tries every kRelayLookMs.
constexpr int kRelayPatienceMs = 5000;
constexpr int kNamePatienceMs = 300;
constexpr int kRelayLookMs = 50;

// The plug gives up after this many relays in a row that start no client.
constexpr int kSilentRelays = 3;

// The time from SIGTERM to SIGKILL for a client that the relay has
// disconnected.
constexpr std::chrono::milliseconds kPatience{1000};

// If the name of the socket is missing, the relay has ended and there is no
// next one. A killed relay leaves the name behind. It is then missing only for
// a moment, while the next relay replaces the socket.
UniqueFd ConnectRelay(int directory) {
  int missing = 0;
  for (int waited = 0; waited < kRelayPatienceMs; waited += kRelayLookMs) {
    UniqueFd fd = wire::ConnectAt(directory, wire::kPlugName, SOCK_STREAM);
    if (fd.valid()) return fd;
    missing = errno == ENOENT ? missing + kRelayLookMs : 0;
    if (missing > kNamePatienceMs) break;
    poll(nullptr, 0, kRelayLookMs);
  }
  return UniqueFd();
}

// Starts the client in the terminal's foreground, as a shell would, so that the
// client may read a password there.
pid_t StartClient(int relay, char** client) {
  pid_t pid = fork();
  if (pid != 0) return pid;
  setpgid(0, 0);
  signal(SIGTTOU, SIG_IGN);
  tcsetpgrp(STDERR_FILENO, getpid());
  for (int number : {SIGTTOU, SIGPIPE, SIGXFSZ, SIGINT, SIGTERM}) {
    signal(number, SIG_DFL);
  }
  dup2(relay, STDIN_FILENO);
  dup2(relay, STDOUT_FILENO);
  execvp(client[0], client);
  fprintf(stderr, "%s: %s\n", client[0], strerror(errno));
  _exit(127);
}

// Returns true when the process has ended; false if the relay closes the
// connection earlier, or at `limit`. `relay` may be -1.
bool AwaitEnd(int relay, int process, Time limit) {
  bool ended = false;
  PollLoop loop;
  do {
    loop.Watch(process, POLLIN, [&](short) { ended = true; });
    loop.Watch(relay, 0, [](short) {});
  } while (loop.Turn(limit) < 0 && errno == EINTR);
  return ended;
}

// Returns the client's status as waitpid(2) returns it.
int RunClient(int relay, char** client) {
  pid_t pid = StartClient(relay, client);
  if (pid < 0) return 127 << 8;
  UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  if (!AwaitEnd(relay, process.get(), Time::max())) {
    kill(-pid, SIGTERM);
    kill(-pid, SIGCONT);
    Time limit = MonotonicNow() + kPatience;
    if (!AwaitEnd(-1, process.get(), limit)) kill(-pid, SIGKILL);
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

// Reports the status of the last client to the relay, and waits until the next
// one should start. Returns false if the relay has ended instead.
bool AwaitsClient(int relay, int32_t last_status) {
  char go;
  return WriteAll(relay, {reinterpret_cast<char*>(&last_status),
                          sizeof last_status}) &&
         ReadSome(relay, &go, 1) == 1;
}

}  // namespace

int RunPlug(const std::string& directory, char** client) {
  // Keys such as Ctrl-C are for the client (SIGINT), and taking the terminal
  // back must not stop this process (SIGTTOU).
  for (int number : {SIGINT, SIGQUIT, SIGTSTP, SIGTTOU, SIGPIPE}) {
    signal(number, SIG_IGN);
  }
  // Open the directory once: if the place were removed and created again, its
  // new relay must not get this client.
  UniqueFd place(open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  int32_t status = -1;
  // The kernel accepts connections for a killed relay until its descriptors are
  // closed. So if a relay does not answer, try again: another may follow.
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
