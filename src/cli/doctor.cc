// `glasstty doctor`: what this machine offers, and what is missing for
// glasstty to do all it can.
//
// Checks the things whose absence makes glasstty worse instead of making it
// fail, or makes it fail late. Each check does what the server would do, with
// the same functions, and says in one line what it found. Starts no session and
// changes nothing.
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
#include "record/state_dir.h"
#include "session/environment.h"
#include "support/status.h"
#include "wire/launch.h"

namespace glasstty {
namespace {

// What a check found: good, or a word on what does not work without it.
struct Finding {
  bool good;
  std::string text;
};

// "" when it cannot be read; the files in /proc/sys hold one line.
std::string FirstLine(const char* path) {
  std::string text;
  if (!ReadFileAt(AT_FDCWD, path, 4096, &text)) return "";
  return text.substr(0, text.find('\n'));
}

// All three steps: each of them can be the one that fails in a container.
Finding CheckPty() {
  UniqueFd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  // No program is started, so the pseudoterminal goes when `master` closes.
  if (!master.valid() || grantpt(master.get()) != 0 ||
      unlockpt(master.get()) != 0) {
    return {false, Message(ErrnoStatus("no terminals: open", "/dev/ptmx"))};
  }
  return {true, absl::StrFormat("%s in use of %s",
                                FirstLine("/proc/sys/kernel/pty/nr"),
                                FirstLine("/proc/sys/kernel/pty/max"))};
}

// The file behind all evidence: proc(5) names the system call that a thread is
// blocked in. Kernels without CONFIG_HAVE_ARCH_TRACEHOOK, hardened ones and
// some containers do not show it.
Finding CheckProc() {
  std::string text;
  if (!ReadFileAt(AT_FDCWD, "/proc/self/syscall", 4096, &text)) {
    return {false,
            "/proc/PID/syscall cannot be read: what a program waits for is "
            "guessed from quiet time"};
  }
  // Yama (ptrace_scope): 1 allows to look into descendants, which all programs
  // of a session are of their holder; 2 asks for a capability, 3 forbids it.
  std::string scope = FirstLine("/proc/sys/kernel/yama/ptrace_scope");
  if (scope == "2" || scope == "3") {
    return {false, absl::StrFormat("yama ptrace_scope is %s: what a program "
                                   "waits for is guessed from quiet time",
                                   scope)};
  }
  return {true, "what a program waits for is read from the kernel"};
}

// The path that was tried last is the one to look at.
Finding CheckHolder() {
  std::string path;
  UniqueFd holder = OpenHolderExecutable(&path);
  if (!holder.valid()) return {false, "cannot open " + path};
  return {true, path};
}

Finding CheckStateDir() {
  auto place = StateDir::Place();
  if (!place.ok()) return {false, Message(place.status())};
  bool is_there = access(place->c_str(), F_OK) == 0;
  return {true, *place + (is_there ? "" : " (made by the first session)")};
}

// The hard limit: the soft one can be raised up to it.
Finding CheckDescriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  // Server side of a session: directory, lock, mark, log segment, socket.
  uint64_t sessions = limit.rlim_max / 6;
  // 64 sessions is the default of GLASSTTY_MAX_SESSIONS.
  return {sessions >= 64, absl::StrFormat("%d descriptors: about %d sessions",
                                          limit.rlim_max, sessions)};
}

// What term_open starts when it is given no program.
Finding CheckShell() {
  std::string shell = UserShell();
  return {access(shell.c_str(), X_OK) == 0, shell};
}

Finding CheckSettings() {
  auto settings = LoadSettings({});
  if (!settings.ok()) return {false, Message(settings.status())};
  return {true, "they make sense (glasstty config shows them)"};
}

// In the order of printing: what nothing works without comes first.
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
  // So that scripts can ask.
  return bad == 0 ? 0 : 1;
}

}  // namespace glasstty
