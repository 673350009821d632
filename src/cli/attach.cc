// `glasstty attach NAME`: a person looks over an agent's shoulder, and may take
// the keyboard.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "attach/attachment.h"
#include "attach/outer_terminal.h"
#include "base/fd.h"
#include "cli/command.h"
#include "cli/options.h"
#include "record/recording.h"
#include "support/loop.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/keys.h"
#include "watch/watched.h"

namespace glasstty {
namespace {

// As the kernel cuts it (TASK_COMM_LEN).
constexpr char kHolderName[] = "glasstty-holder";

// "PID (name) S PARENT ...", as in proc(5); the name may hold anything.
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

// An agent could attach to its own session and type "as a person". A hurdle and
// not a wall: a program that wants to can leave its parents behind.
bool IsInsideSession() {
  std::string name;
  int parent = 0;
  for (int pid = getpid(); pid > 1; pid = parent) {
    if (!ReadStat(pid, &name, &parent)) return false;
    if (name == kHolderName) return true;
  }
  return false;
}

// "attach pts/3".
std::string Label() {
  const char* path = ttyname(STDIN_FILENO);
  std::string terminal = path == nullptr ? "" : path;
  if (terminal.starts_with("/dev/")) terminal.erase(0, 5);
  return ("attach " + terminal).substr(0, wire::kMaxLabel);
}

// Error: not the name of a key, or one that says nothing by itself.
absl::Status SetPrefix(const std::string& name, attach::Options* options) {
  ASSIGN_OR_RETURN(terminal::Key key, terminal::ParseKey(name));
  std::string bytes = terminal::EncodeKey(key, {});
  if (bytes.empty() || key.repeat != 1) {
    return InvalidArgument("--detach-key '%s': give one key", name);
  }
  options->prefix = bytes;
  options->prefix_name = name;
  return absl::OkStatus();
}

absl::Status RunAttachWith(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one session (glasstty ls lists them)");
  }
  attach::Options attach;
  attach.read_only = options.Has("r");
  attach.take = options.Has("take") || options.Has("steal");
  attach.steal = options.Has("steal");
  attach.resize = options.Has("resize");
  if (attach.read_only && (attach.take || attach.resize)) {
    return InvalidArgument("-r only watches: leave the other flags out");
  }
  RETURN_IF_ERROR(SetPrefix(options.Get("detach-key", "C-\\"), &attach));
  if (IsInsideSession()) {
    return FailedPrecondition(
        "this terminal is itself a glasstty session; attach from one of your "
        "own");
  }
  ASSIGN_OR_RETURN(record::RecordedSession found,
                   record::FindRecorded(options.operands[0]));
  std::string name = found.origin.name;
  ASSIGN_OR_RETURN(auto outer, attach::OuterTerminal::Open());
  MonotonicClock clock;
  Loop loop(&clock);
  // A write to a connection that has just ended is an error and no end.
  signal(SIGPIPE, SIG_IGN);
  ASSIGN_OR_RETURN(auto session,
                   watch::Watched::Open(&loop, std::move(found), Label()));
  std::string farewell;
  {
    attach::Attachment attachment(&loop, session.get(), outer.get(), attach);
    loop.Run();
    farewell = attachment.farewell();
  }
  outer->Leave();
  std::printf("[%s: %s]\n", name.c_str(), farewell.c_str());
  return absl::OkStatus();
}

}  // namespace

int RunAttach(const Options& options) {
  return Report(*FindCommand("attach"), RunAttachWith(options));
}

}  // namespace glasstty
