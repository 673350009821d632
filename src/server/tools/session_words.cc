#include "tools/session_words.h"

#include <limits.h>
#include <unistd.h>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "support/text.h"

namespace glasstty {

// An exit takes precedence, because the kernel's last answer is older.
std::string StateWord(const session::Session& session) {
  if (session.verdict().exited()) {
    std::string exit = session::ExitText(session.life().exit_status());
    // A code gives "exited=0". A signal gives "exited signal=KILL", because its
    // text already contains a '='.
    bool code = exit[0] >= '0' && exit[0] <= '9';
    return (code ? "exited=" : "exited ") + exit;
  }
  if (session.verdict().holder_lost()) {
    std::string why = session.verdict().WhyLost();
    if (why.empty()) return "exited (holder lost, status unknown)";
    return "exited (" + why + "; its status is lost)";
  }
  return session::StateText(session.verdict().LastState());
}

std::string DescribeLeft(const session::LeftSessions::Left& left) {
  return absl::StrFormat(
      "an earlier server had it, and it cannot be taken over now: %s; its "
      "program keeps running, and it is tried again",
      left.why);
}

// The last known foreground process may be gone, so alternatives follow.
std::vector<int> DirectoryProcesses(const session::Session& session) {
  const wire::ProbeAnswer* probe = session.questions().prober().last();
  bool shell =
      session.verdict().LastState().evidence == session::Evidence::kShell;
  std::vector<int> pids;
  if (!shell && probe != nullptr) pids.push_back(probe->foreground_pid);
  pids.push_back(session.life().leader_pid());
  std::erase_if(pids, [](int pid) { return pid <= 0; });
  return pids;
}

// Reads /proc/PID/cwd (proc(5)). Returns the session's initial directory if
// that cannot be read or the program has exited.
std::string WorkingDirectory(const session::Session& session) {
  if (session.finished()) return session.origin().program.cwd;
  // The processes are on another machine, so the shell has to report its
  // directory.
  if (!session.origin().place.empty())
    return session.events().commands().directory();
  for (int pid : DirectoryProcesses(session)) {
    char path[PATH_MAX];
    std::string link = absl::StrFormat("/proc/%d/cwd", pid);
    ssize_t n = readlink(link.c_str(), path, sizeof path);
    if (n > 0) return {path, static_cast<size_t>(n)};
  }
  return session.origin().program.cwd;
}

std::string CurrentDirectory(const session::Session& session) {
  std::string path = WorkingDirectory(session);
  return path.empty() ? "" : QuotedUnlessPlain(path, kMostPath);
}

std::string DescribeProcess(const session::ProcessInfo& process) {
  std::string text = absl::StrFormat("pid %d", process.pid);
  std::vector<std::string> ports;
  for (int port : process.ports) ports.push_back(absl::StrFormat("%d", port));
  if (!ports.empty()) text += " listening on " + Join(ports, ", ");
  // Without a note, the reader would conclude that it listens on no port.
  if (!process.ports_known) text += " (ports unknown)";
  return text + ": " + Quoted(process.command);
}

}  // namespace glasstty
