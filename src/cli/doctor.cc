// `glasstty doctor`: says what this machine offers, and what glasstty lacks to
// work at its best.
//
// It checks things whose absence makes glasstty worse instead of making it
// fail, or makes it fail late. Each check does what the server would do, with
// the same functions, and reports its result on one line. Starts no session and
// changes nothing.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "cli/client_state.h"
#include "cli/clients.h"
#include "cli/command.h"
#include "cli/print.h"
#include "cli/settings.h"
#include "record/recording.h"
#include "record/state_dir.h"
#include "session/environment.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/programs.h"

namespace glasstty {
namespace {

// The result of a check: good, or a text about what does not work.
struct Finding {
  bool good;
  std::string text;
};

// Returns "" if the file cannot be read; the files in /proc/sys contain one
// line.
std::string FirstLine(const char* path) {
  std::string text;
  if (!ReadFileAt(AT_FDCWD, path, 4096, &text)) return "";
  return text.substr(0, text.find('\n'));
}

// Tries all steps of opening a terminal: each can fail in a container.
Finding CheckPty() {
  UniqueFd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  // No program is started, so closing `master` removes the pseudoterminal.
  if (!master.valid() || grantpt(master.get()) != 0 ||
      unlockpt(master.get()) != 0) {
    return {false, Message(ErrnoStatus("no terminals: open", "/dev/ptmx"))};
  }
  return {true, absl::StrFormat("%s in use of %s",
                                FirstLine("/proc/sys/kernel/pty/nr"),
                                FirstLine("/proc/sys/kernel/pty/max"))};
}

// Checks the file on which all evidence is based: /proc/PID/syscall (proc(5))
// names the system call in which a thread is blocked. Kernels without
// CONFIG_HAVE_ARCH_TRACEHOOK, hardened kernels and some containers do not show
// it.
Finding CheckProc() {
  std::string text;
  if (access("/proc/self", F_OK) != 0) {
    return {false,
            "/proc is not mounted: mount -t proc proc /proc; sessions need it"};
  }
  if (!ReadFileAt(AT_FDCWD, "/proc/self/syscall", 4096, &text)) {
    return {false,
            "/proc/PID/syscall cannot be read: what a program waits for is "
            "guessed from silence"};
  }
  // In Yama, ptrace_scope 1 allows access to descendants, and all programs of a
  // session are descendants of their holder; 2 requires a capability, 3 forbids
  // access.
  std::string scope = FirstLine("/proc/sys/kernel/yama/ptrace_scope");
  if (scope == "2" || scope == "3") {
    return {false, absl::StrFormat("yama ptrace_scope is %s: what a program "
                                   "waits for is guessed from quiet time",
                                   scope)};
  }
  return {true, "what a program waits for is read from the kernel"};
}

// Returns the machine of an ELF file (e_machine of elf(5)); -1 if it is not an
// ELF file or cannot be read.
int MachineOf(const std::string& path) {
  std::string header;
  ReadFileAt(AT_FDCWD, path, 1 << 26, &header);
  constexpr size_t kMachineAt = 18;
  if (header.size() < kMachineAt + 2 || header.compare(0, 4,
                                                       "\x7f"
                                                       "ELF") != 0) {
    return -1;
  }
  auto byte = [&header](size_t at) {
    return static_cast<unsigned char>(header[at]);
  };
  return byte(kMachineAt) | byte(kMachineAt + 1) << 8;
}

// Checks the holder's program. A server with such a problem answers
// `initialize`, but fails at the first session. Reports the last path that was
// tried.
Finding CheckHolder() {
  std::string path;
  UniqueFd holder = wire::OpenHolderExecutable(&path);
  if (!holder.valid()) {
    return {false, absl::StrFormat(
                       "glasstty-holder is missing (looked for %s): install it "
                       "beside glasstty or in ../libexec, or name it in "
                       "GLASSTTY_HOLDER",
                       path)};
  }
  struct statvfs mount;
  if (statvfs(path.c_str(), &mount) == 0 && (mount.f_flag & ST_NOEXEC) != 0) {
    return {false, absl::StrFormat("%s lies on a file system mounted noexec: "
                                   "move the installation elsewhere",
                                   path)};
  }
  if (faccessat(AT_FDCWD, path.c_str(), X_OK, 0) != 0) {
    return {false,
            absl::StrFormat("%s may not be executed: chmod +x %s", path, path)};
  }
  if (MachineOf(path) != MachineOf(OwnPath())) {
    return {false, absl::StrFormat("%s is for a different processor: install "
                                   "it and glasstty from one package",
                                   path)};
  }
  return {true, path};
}

// Checks by the version whether the kernel has close_range(2) with
// CLOSE_RANGE_CLOEXEC, without which no program is started.
Finding CheckKernel() {
  constexpr int kMajor = 5, kMinor = 11;
  utsname system{};
  uname(&system);
  int major = 0, minor = 0;
  std::sscanf(system.release, "%d.%d", &major, &minor);
  if (major > kMajor || (major == kMajor && minor >= kMinor)) {
    return {true, absl::StrFormat("Linux %s", system.release)};
  }
  return {false, absl::StrFormat("Linux %s: sessions need Linux %d.%d or newer",
                                 system.release, kMajor, kMinor)};
}

Finding CheckStateDir() {
  auto place = record::StateDir::Place();
  if (!place.ok()) return {false, Message(place.status())};
  bool is_there = access(place->c_str(), F_OK) == 0;
  return {true, *place + (is_there ? "" : " (the first session creates it)")};
}

Finding CheckSessions() {
  std::vector<std::string> bad;
  absl::Status status = record::ForEachRecorded(
      [](const record::RecordedSession&) {},
      [&bad](const record::UnreadableSession& session) {
        bad.push_back(record::DescribeUnreadable(session));
      });
  if (!status.ok()) return {false, Message(status)};
  return {bad.empty(), bad.empty() ? "all can be shown" : Join(bad, "; ")};
}

// Checks the hard limit, because the soft one can be raised up to it.
Finding CheckDescriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  // The server needs for each session: the directory, the socket, and for each
  // of two streams a segment of the log and a file of lines.
  uint64_t sessions = limit.rlim_max / 6;
  // 64 sessions is the default of GLASSTTY_MAX_SESSIONS.
  return {sessions >= 64, absl::StrFormat("%d descriptors: about %d sessions",
                                          limit.rlim_max, sessions)};
}

// Checks the program that term_open starts by default.
Finding CheckShell() {
  std::string shell = session::UserShell();
  return {access(shell.c_str(), X_OK) == 0, shell};
}

Finding CheckSettings() {
  auto settings = LoadSettings({});
  if (!settings.ok()) return {false, Message(settings.status())};
  if (!settings->invalid.ok()) return {false, Message(settings->invalid)};
  if (!settings->ignored.empty()) {
    return {false, Join(settings->ignored, "; ")};
  }
  return {true, "they are valid (glasstty config shows them)"};
}

struct Check {
  const char* name;
  Finding (*run)();
};
// If one of these programs is missing, everything else works.
Finding CheckPrograms() {
  struct Part {
    const wire::OwnProgram& program;
    const char* what;
  };
  const Part kParts[] = {{wire::kRelayProgram, "joining a shared server"},
                         {wire::kHttpProgram, "serve --http"},
                         {wire::kViewProgram, "view"},
                         {wire::kPictureProgram, "pictures"}};
  std::vector<std::string> there, missing;
  for (const Part& part : kParts) {
    std::string path;
    bool found = wire::OpenProgram(part.program, &path).valid();
    (found ? there : missing)
        .push_back(found ? part.program.name
                         : absl::StrFormat("%s is missing (%s), looked for %s",
                                           part.program.name, part.what, path));
  }
  return {missing.empty(), Join(missing.empty() ? there : missing, ", ")};
}

// The checks are printed in this order; the indispensable ones come first.
constexpr Check kChecks[] = {
    {"kernel", CheckKernel},      {"terminals", CheckPty},
    {"evidence", CheckProc},      {"holder", CheckHolder},
    {"programs", CheckPrograms},  {"logs", CheckStateDir},
    {"limits", CheckDescriptors}, {"shell", CheckShell},
    {"settings", CheckSettings},  {"sessions", CheckSessions},
};

// Prints how each client has glasstty; returns the number of those that cannot
// start it.
int ReportClients() {
  int bad = 0;
  bool is_any = false;
  for (const ClientRow& client : ClientTable()) {
    auto state = StateOf(client);
    if (!state) continue;
    is_any = true;
    if (!state->works) ++bad;
    Print("%-4s %-10s %s: %s\n", state->works ? "ok" : "BAD", "client",
          client.title, state->how);
  }
  if (!is_any) Print("ok   %-10s none has glasstty yet\n", "clients");
  return bad;
}

}  // namespace

int RunDoctor(const Options&) {
  utsname system{};
  uname(&system);
  Print("glasstty %s on %s %s %s\n", GLASSTTY_VERSION, system.sysname,
        system.release, system.machine);
  int bad = 0;
  for (const Check& check : kChecks) {
    Finding finding = check.run();
    if (!finding.good) ++bad;
    Print("%-4s %-10s %s\n", finding.good ? "ok" : "BAD", check.name,
          finding.text);
  }
  bad += ReportClients();
  Print(
      "\nTo add it to a client: glasstty setup CLIENT (one of: %s)\n"
      "or start it as: %s mcp\n",
      Join(ClientNames(), ", "), OwnPath());
  return bad == 0 ? 0 : 1;
}

}  // namespace glasstty
