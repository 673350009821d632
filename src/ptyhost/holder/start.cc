#include "holder/start.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/scheduling.h"
#include "holder/holder.h"
#include "wire/launch.h"
#include "wire/start_fds.h"

namespace glasstty::holder {
namespace {

constexpr size_t kMaxSpecBytes = 16u << 20;

// A holder must not keep a terminal or a pipe of the server open.
bool OpenNullStdio() {
  UniqueFd null(open("/dev/null", O_RDWR));
  if (!null.valid()) return false;
  for (int i = 0; i < 3; ++i) {
    if (null.get() != i && dup2(null.get(), i) < 0) return false;
  }
  if (null.get() < 3) null.Release();
  return true;
}

// SIGXFSZ would end the holder when the log reaches a file size limit.
UniqueFd SetUpSignals() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  sigset_t none, read;
  sigemptyset(&none);
  for (int number = 1; number <= SIGRTMAX; ++number) {
    sigaction(number, &action, nullptr);
  }
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
  sigaction(SIGXFSZ, &action, nullptr);
  sigemptyset(&read);
  for (int number : {SIGCHLD, SIGTERM, SIGHUP, SIGINT}) {
    sigaddset(&read, number);
  }
  sigprocmask(SIG_SETMASK, &read, nullptr);
  return UniqueFd(signalfd(-1, &read, SFD_NONBLOCK | SFD_CLOEXEC));
}

// Returns true if the directory is accessible to this user alone.
bool IsPrivateDirectory(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == geteuid() && (info.st_mode & 077) == 0;
}

// Makes this process a holder: orphans of the program become its children, and
// other processes of the user cannot read its memory. qemu-user does not
// support PR_SET_CHILD_SUBREAPER; tests that run in it set GLASSTTY_EMULATED.
bool BecomeHolder() {
  bool emulated = getenv("GLASSTTY_EMULATED") != nullptr;
  return (prctl(PR_SET_CHILD_SUBREAPER, 1) == 0 || emulated) &&
         prctl(PR_SET_DUMPABLE, 0) == 0;
}

}  // namespace

bool HasStartDescriptors() {
  for (int fd = wire::kFirstStartFd; fd < wire::kFirstStartFd + wire::kStartFds;
       ++fd) {
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return false;
  }
  return true;
}

// Closes the descriptor after reading, so that no other process can read the
// spec.
std::optional<std::string> ReadStartSpec() {
  UniqueFd fd(wire::kSpecFd);
  std::string text;
  char buffer[16384];
  ssize_t n;
  while ((n = ReadSome(fd.get(), buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<size_t>(n));
    if (text.size() > kMaxSpecBytes) return std::nullopt;
  }
  if (n < 0) return std::nullopt;
  return text;
}

UniqueFd LeaveLauncher() {
  UniqueFd signals = SetUpSignals();
  bool left =
      IsPrivateDirectory(wire::kDirFd) && OpenNullStdio() && chdir("/") == 0;
  return left ? std::move(signals) : UniqueFd();
}

int RunHolder(const std::string& spec) {
  Holder::Start start;
  start.server = UniqueFd(wire::kControlFd);
  start.dir_fd = wire::kDirFd;
  // The program's directory may be relative to the launcher's working
  // directory. O_PATH needs no permission to read that directory.
  start.start_dir.Reset(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!wire::DecodeSpec(spec, &start.spec)) return 1;
  start.signals = LeaveLauncher();
  if (!start.signals.valid() || !BecomeHolder()) return 1;
  PreferShortSlices();
  Holder holder(std::move(start));
  holder.Run();
  return 0;
}

}  // namespace glasstty::holder
