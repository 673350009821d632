#include "cli/attaching.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "base/fd.h"
#include "cli/print.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/keys.h"
#include "watch/watched.h"

namespace glasstty {
namespace {

// The kernel truncates names to this length (TASK_COMM_LEN).
constexpr char kHolderName[] = "glasstty-holder";

// Parses "PID (name) S PARENT ...", as in proc(5); the name may contain
// anything.
bool ReadStat(int pid, std::string* name, int* parent) {
  std::string text;
  std::string path = absl::StrFormat("/proc/%d/stat", pid);
  constexpr size_t kMost = 4096;
  if (!ReadFileAt(AT_FDCWD, path, kMost, &text)) return false;
  size_t begin = text.find('('), end = text.rfind(')');
  if (begin == std::string::npos || end == std::string::npos) return false;
  *name = text.substr(begin + 1, end - begin - 1);
  char state = 0;
  return std::sscanf(text.c_str() + end + 1, " %c %d", &state, parent) == 2;
}

bool IsInsideSession() {
  std::string name;
  int parent = 0;
  for (int pid = getpid(); pid > 1; pid = parent) {
    if (!ReadStat(pid, &name, &parent)) return false;
    if (name == kHolderName) return true;
  }
  return false;
}

// Returns a label such as "attach pts/3".
std::string Label() {
  const char* path = ttyname(STDIN_FILENO);
  std::string terminal = path == nullptr ? "" : path;
  if (terminal.starts_with("/dev/")) terminal.erase(0, 5);
  return ("attach " + terminal).substr(0, wire::kMaxLabel);
}

}  // namespace

absl::Status CheckOutsideSessions() {
  if (!IsInsideSession()) return absl::OkStatus();
  return FailedPrecondition(
      "this terminal is itself a glasstty session; attach from one of your "
      "own");
}

absl::Status ReadDetachKey(const Options& options, attach::Options* attach) {
  std::string name = options.Get("detach-key", "C-\\");
  ASSIGN_OR_RETURN(terminal::Key key, terminal::ParseKey(name));
  std::string bytes = terminal::EncodeKey(key, {});
  if (bytes.empty() || key.repeat != 1) {
    return InvalidArgument("--detach-key '%s': give one key", name);
  }
  attach->prefix = bytes;
  attach->prefix_name = name;
  return absl::OkStatus();
}

absl::Status ShowSession(Loop* loop, attach::OuterTerminal* outer,
                         record::RecordedSession session,
                         const attach::Options& options,
                         const std::string& hint) {
  std::string name = session.origin.name;
  ASSIGN_OR_RETURN(auto watched,
                   watch::Watched::Open(loop, std::move(session), Label()));
  std::string farewell;
  {
    attach::Attachment attachment(loop, watched.get(), outer, options);
    loop->Run();
    farewell = attachment.farewell();
  }
  outer->Leave();
  bool is_left = !hint.empty() && !watched->exited();
  Print("[%s: %s]\n", name, farewell + (is_left ? "; " + hint : ""));
  return absl::OkStatus();
}

}  // namespace glasstty
