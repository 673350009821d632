// The order in the child matters. The child becomes dumpable before it opens
// anything in /proc/self. It resets the signal actions before the mask, so that
// a pending signal meets the default action. It creates the session before it
// takes the terminal. Nothing between fork and exec allocates.
#include "holder/spawn.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fd.h"

namespace glasstty::holder {
namespace {

// exec(3) searches here if PATH is not set.
constexpr std::string_view kDefaultPath = "/bin:/usr/bin";
// When memory runs out, the kernel ends these programs before other processes
// of the user.
constexpr int kOomScore = 200;

// The child reports this if it cannot start the program.
struct Failure {
  wire::StartStage stage;
  int error;
};

// The arrays for execve(2). They are made before the fork, because the child
// must not allocate.
struct ExecArrays {
  std::vector<std::string> candidates;  // paths to try, in order
  std::vector<char*> argv;
  std::vector<char*> envp;
  // For a script without "#!": /bin/sh, the path (added later), the arguments.
  std::vector<char*> shell_argv;
};

char* Mutable(const std::string& text) {
  return const_cast<char*>(text.c_str());
}

// Uses the PATH of the program's environment, because the holder has the PATH
// of the server.
std::vector<std::string> Candidates(const wire::LaunchSpec& spec) {
  const std::string& name = spec.argv[0];
  if (name.find('/') != std::string::npos) return {name};
  std::string_view path = kDefaultPath;
  for (const std::string& variable : spec.environment) {
    if (variable.starts_with("PATH="))
      path = std::string_view(variable).substr(5);
  }
  std::vector<std::string> found;
  for (;;) {
    size_t end = path.find(':');
    std::string file(path.substr(0, end));
    // An empty element means the working directory.
    if (file.empty()) file = ".";
    file += "/";
    file += name;
    found.push_back(std::move(file));
    if (end == std::string_view::npos) return found;
    path.remove_prefix(end + 1);
  }
}

ExecArrays MakeArrays(const wire::LaunchSpec& spec) {
  static char shell[] = "/bin/sh";
  ExecArrays arrays;
  arrays.candidates = Candidates(spec);
  arrays.shell_argv = {shell, nullptr};
  for (size_t i = 0; i < spec.argv.size(); ++i) {
    arrays.argv.push_back(Mutable(spec.argv[i]));
    if (i > 0) arrays.shell_argv.push_back(Mutable(spec.argv[i]));
  }
  arrays.argv.push_back(nullptr);
  arrays.shell_argv.push_back(nullptr);
  for (const std::string& variable : spec.environment) {
    arrays.envp.push_back(Mutable(variable));
  }
  arrays.envp.push_back(nullptr);
  return arrays;
}

// ---- From here on in the child, between fork and exec. ----

// If SIGINT stayed ignored, as in a script's background job, ^C would not work.
void ResetSignals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number <= SIGRTMAX; ++number) {
    sigaction(number, &standard, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Calls setsid first, because only a session leader without a controlling
// terminal may take one.
bool TakeStdio(const SpawnPlan& plan) {
  if (setsid() < 0) return false;
  if (plan.terminal && ioctl(plan.stdio[0], TIOCSCTTY, 0) != 0) return false;
  for (int i = 0; i < 3; ++i) {
    if (dup2(plan.stdio[i], i) < 0) return false;
  }
  // The descriptors are not closed now, because the errno pipe must stay open
  // until exec.
  return CloseOnExecFrom(3);
}

// A limit above the holder's own hard limit cannot be set, so it is lowered to
// that one.
void SetLimit(int resource, rlimit wanted) {
  auto which = static_cast<__rlimit_resource_t>(resource);
  if (setrlimit(which, &wanted) == 0) return;
  rlimit own;
  if (getrlimit(which, &own) != 0) return;
  wanted.rlim_max = std::min(wanted.rlim_max, own.rlim_max);
  wanted.rlim_cur = std::min(wanted.rlim_cur, wanted.rlim_max);
  setrlimit(which, &wanted);
}

// Ignores failures, because the program can run without these limits.
void LimitResources(const wire::LaunchSpec& spec) {
  if (spec.umask) umask(*spec.umask);
  for (size_t i = 0; i < spec.limits.size(); ++i) {
    SetLimit(static_cast<int>(i), spec.limits[i]);
  }
  rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  UniqueFd fd(open("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC));
  char text[16] = {};
  if (ReadSome(fd.get(), text, sizeof text - 1) > 0 && atoi(text) < kOomScore) {
    (void)!pwrite(fd.get(), "200", 3, 0);
  }
}

// The holder itself is in "/", in order to keep no file system busy.
bool EnterDirectory(const SpawnPlan& plan) {
  const std::string& cwd = plan.spec->cwd;
  // Do not call fchdir for an absolute directory: it would fail if this user
  // may not enter the launcher's directory.
  if (!cwd.starts_with('/') && fchdir(plan.start_dir) != 0) return false;
  return cwd.empty() || chdir(cwd.c_str()) == 0;
}

// Tries each candidate as execvpe(3) does: if a file is missing or may not be
// executed, tries the next folder. Returns only on failure, with errno.
void Execute(ExecArrays* arrays) {
  bool denied = false;
  for (const std::string& path : arrays->candidates) {
    execve(path.c_str(), arrays->argv.data(), arrays->envp.data());
    if (errno == ENOEXEC) {
      arrays->shell_argv[1] = Mutable(path);
      execve(arrays->shell_argv[0], arrays->shell_argv.data(),
             arrays->envp.data());
      return;
    }
    if (errno == EACCES) {
      denied = true;
    } else if (errno != ENOENT && errno != ENOTDIR && errno != ESTALE &&
               errno != ENODEV && errno != ETIMEDOUT) {
      return;
    }
  }
  if (denied) errno = EACCES;
}

wire::StartStage RunChild(const SpawnPlan& plan, ExecArrays* arrays) {
  // The holder is not dumpable. Until exec, this would make the files in
  // /proc/self unwritable for an ordinary user.
  prctl(PR_SET_DUMPABLE, 1);
  ResetSignals();
  if (!TakeStdio(plan)) return wire::StartStage::kTerminal;
  LimitResources(*plan.spec);
  if (!EnterDirectory(plan)) return wire::StartStage::kDirectory;
  Execute(arrays);
  return wire::StartStage::kExec;
}

}  // namespace

SpawnResult Spawn(const SpawnPlan& plan) {
  ExecArrays arrays = MakeArrays(*plan.spec);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {0, wire::StartStage::kFork, errno};
  UniqueFd report(ends[0]), report_in_child(ends[1]);
  // Use fork, not vfork, because the child does much before exec, and the
  // holder is small.
  pid_t pid = fork();
  if (pid < 0) return {0, wire::StartStage::kFork, errno};
  if (pid == 0) {
    wire::StartStage stage = RunChild(plan, &arrays);
    Failure failure{stage, errno};
    (void)!write(report_in_child.get(), &failure, sizeof failure);
    _exit(127);
  }
  report_in_child.Reset();
  return AwaitExec(report.get(), pid);
}

SpawnResult AwaitExec(int report, pid_t pid) {
  Failure failure{};
  // End of file means that exec closed the pipe: the program runs.
  ssize_t n = ReadSome(report, &failure, sizeof failure);
  if (n == 0) return {pid, {}, 0};
  bool is_report = n == sizeof failure;
  if (!is_report) failure = {wire::StartStage::kFork, n < 0 ? errno : EIO};
  // Without a report, the program may be running. Kill it, because waiting for
  // its end could take for ever.
  if (!is_report && kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {0, failure.stage, failure.error};
}

}  // namespace glasstty::holder
