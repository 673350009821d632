// `glasstty doctor`: what this machine offers, and what is missing for
// glasstty to do all it can.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>
#include <string>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "cli/command.h"
#include "cli/settings.h"
#include "holder/launch.h"
#include "session/environment.h"
#include "session/state_dir.h"
#include "support/status.h"

namespace glasstty {
namespace {

// What a check found: good, or a word on what does not work without it.
struct Finding {
  bool good;
  std::string text;
};

std::string FirstLine(const char* path) {
  std::string text;
  if (!ReadFileAt(AT_FDCWD, path, 4096, &text)) return "";
  return text.substr(0, text.find('\n'));
}

Finding CheckPty() {
  UniqueFd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!master.valid() || grantpt(master.get()) != 0 ||
      unlockpt(master.get()) != 0) {
    return {false, Message(ErrnoStatus("no terminals: open", "/dev/ptmx"))};
  }
  return {true, absl::StrFormat("%s in use of %s",
                                FirstLine("/proc/sys/kernel/pty/nr"),
                                FirstLine("/proc/sys/kernel/pty/max"))};
}

Finding CheckProc() {
  std::string text;
  if (!ReadFileAt(AT_FDCWD, "/proc/self/syscall", 4096, &text)) {
    return {false,
            "/proc/PID/syscall cannot be read: what a program waits for is "
            "guessed from quiet time"};
  }
  std::string scope = FirstLine("/proc/sys/kernel/yama/ptrace_scope");
  if (scope == "2" || scope == "3") {
    return {false, absl::StrFormat("yama ptrace_scope is %s: what a program "
                                   "waits for is guessed from quiet time",
                                   scope)};
  }
  return {true, "what a program waits for is read from the kernel"};
}

Finding CheckHolder() {
  std::string path;
  UniqueFd holder = OpenHolderExecutable(&path);
  if (!holder.valid()) return {false, "cannot open " + path};
  return {true, path};
}

Finding CheckStateDir() {
  auto dir = StateDir::Open();
  if (!dir.ok()) return {false, Message(dir.status())};
  return {true, dir->path()};
}

Finding CheckDescriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  // Server side of a session: directory, lock, mark, log segment, socket.
  uint64_t sessions = limit.rlim_max / 6;
  return {sessions >= 64, absl::StrFormat("%d descriptors: about %d sessions",
                                          limit.rlim_max, sessions)};
}

Finding CheckShell() {
  std::string shell = UserShell();
  return {access(shell.c_str(), X_OK) == 0, shell};
}

Finding CheckSettings() {
  auto settings = SettingsFromEnvironment();
  if (!settings.ok()) return {false, Message(settings.status())};
  return {true, "GLASSTTY_* variables make sense"};
}

struct Check {
  const char* name;
  Finding (*run)();
};
constexpr Check kChecks[] = {
    {"terminals", CheckPty},      {"evidence", CheckProc},
    {"holder", CheckHolder},      {"logs", CheckStateDir},
    {"limits", CheckDescriptors}, {"shell", CheckShell},
    {"settings", CheckSettings},
};

}  // namespace

int RunDoctor(const CommandArguments&) {
  utsname system{};
  uname(&system);
  std::printf("glasstty %s on %s %s %s\n", GLASSTTY_VERSION, system.sysname,
              system.release, system.machine);
  int bad = 0;
  for (const Check& check : kChecks) {
    Finding finding = check.run();
    if (!finding.good) ++bad;
    std::printf("%-4s %-10s %s\n", finding.good ? "ok" : "BAD", check.name,
                finding.text.c_str());
  }
  return bad == 0 ? 0 : 1;
}

}  // namespace glasstty
