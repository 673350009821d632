#include "session/orphans.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "base/fd.h"
#include "base/visible.h"
#include "support/status.h"

namespace glasstty::session {
namespace {

// Longer environments and command lines are truncated.
constexpr size_t kMostEnvironment = 1 << 20;
constexpr size_t kMostCommand = 4096;

struct Process {
  ProcessInfo info;
  int parent = 0;
  int session = 0;
  bool has_variable = false;
};

// Returns true if this process lacks a resource. After any other error, the
// examined process is not ours or is gone.
bool IsShort(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

// Returns false for a process that is gone or a zombie.
bool ReadStat(int directory, Process* process) {
  std::string stat;
  if (!ReadFileAt(directory, "stat", kMostCommand, &stat)) return false;
  // The name in parentheses may hold anything, even parentheses (proc(5)).
  size_t end = stat.rfind(')');
  if (end == std::string::npos) return false;
  char state = 0;
  int group = 0;
  if (std::sscanf(stat.c_str() + end + 1, " %c %d %d %d", &state,
                  &process->parent, &group, &process->session) != 4) {
    return false;
  }
  process->info.process_state = state;
  return state != 'Z' && state != 'X';
}

// Returns the arguments, separated by blanks; "?" if they cannot be read.
std::string CommandOf(int directory) {
  std::string command;
  if (!ReadFileAt(directory, "cmdline", kMostCommand, &command)) return "?";
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::replace(command.begin(), command.end(), '\0', ' ');
  return ShowOnOneLine(command, kMostQuoted);
}

bool HasVariable(int directory, const std::string& variable) {
  std::string environment;
  if (!ReadFileAt(directory, "environ", kMostEnvironment, &environment)) {
    return false;
  }
  environment.insert(0, 1, '\0');
  environment.push_back('\0');
  return environment.find('\0' + variable + '\0') != std::string::npos;
}

// Returns nullopt for a process that is gone or a zombie.
absl::StatusOr<std::optional<Process>> ReadProcess(int proc, const char* name,
                                                   const std::string& id) {
  Process process;
  process.info.pid = std::atoi(name);
  errno = 0;
  UniqueFd directory(openat(proc, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  bool is_read = directory.valid() && ReadStat(directory.get(), &process);
  if (is_read) {
    process.has_variable =
        HasVariable(directory.get(), "GLASSTTY_SESSION=" + id);
    process.info.command = CommandOf(directory.get());
  }
  if (IsShort(errno)) return ErrnoStatus("read", std::string("/proc/") + name);
  if (!is_read) return std::nullopt;
  return process;
}

absl::StatusOr<std::vector<Process>> AllProcesses(const std::string& id) {
  std::unique_ptr<DIR, int (*)(DIR*)> proc(opendir("/proc"), closedir);
  if (!proc) return ErrnoStatus("read", "/proc");
  std::vector<Process> all;
  while (const dirent* entry = readdir(proc.get())) {
    if (std::atoi(entry->d_name) <= 0) continue;
    ASSIGN_OR_RETURN(auto process,
                     ReadProcess(dirfd(proc.get()), entry->d_name, id));
    if (process) all.push_back(*std::move(process));
  }
  return all;
}

// Returns the id of the leader's session (setsid(2)); 0 if it is not known, or
// if another process has it as its pid by now. The kernel does not reuse the id
// while any process is in the session.
int LedSession(const std::vector<Process>& all, const Traces& traces) {
  bool is_reused =
      traces.leader_ended &&
      std::any_of(all.begin(), all.end(), [&traces](const Process& process) {
        return process.info.pid == traces.leader;
      });
  return is_reused ? 0 : traces.leader;
}

}  // namespace

absl::StatusOr<std::vector<ProcessInfo>> FindOrphans(const Traces& traces) {
  ASSIGN_OR_RETURN(std::vector<Process> all, AllProcesses(traces.id));
  int led = LedSession(all, traces);
  std::set<int> found;
  // A parent may have a higher pid than its child, so one pass is not enough.
  for (bool grows = true; std::exchange(grows, false);) {
    for (const Process& process : all) {
      bool is_one = process.has_variable || found.contains(process.parent) ||
                    (led > 0 && process.session == led);
      if (is_one) grows = found.insert(process.info.pid).second || grows;
    }
  }
  std::vector<ProcessInfo> orphans;
  for (Process& process : all) {
    if (found.contains(process.info.pid)) {
      orphans.push_back(std::move(process.info));
    }
  }
  return orphans;
}

// Signals each process through a descriptor (pidfd_open(2)) that is opened
// before a second search. If a pid was reused after the first search, the
// second search does not find the new process, which is then spared.
absl::Status KillOrphans(const Traces& traces) {
  constexpr size_t kMostAtOnce = 64;
  struct Target {
    int pid;
    UniqueFd fd;
  };
  std::vector<Target> targets;
  ASSIGN_OR_RETURN(std::vector<ProcessInfo> orphans, FindOrphans(traces));
  for (const ProcessInfo& orphan : orphans) {
    if (targets.size() == kMostAtOnce) break;
    UniqueFd fd(static_cast<int>(syscall(SYS_pidfd_open, orphan.pid, 0)));
    if (!fd.valid() && IsShort(errno)) {
      return ErrnoStatus("open", "a process to be killed");
    }
    if (fd.valid()) targets.push_back({orphan.pid, std::move(fd)});
  }
  std::set<int> still;
  ASSIGN_OR_RETURN(orphans, FindOrphans(traces));
  for (const ProcessInfo& orphan : orphans) still.insert(orphan.pid);
  for (const Target& target : targets) {
    if (!still.contains(target.pid)) continue;
    syscall(SYS_pidfd_send_signal, target.fd.get(), SIGKILL, nullptr, 0);
  }
  return absl::OkStatus();
}

}  // namespace glasstty::session
