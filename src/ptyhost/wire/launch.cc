// Starting a holder takes a socketpair, a memfd with the spec, the lock, two
// clones and execveat. The first clone ends as soon as the second one has
// executed the holder, which makes the holder an orphan. All three processes
// share memory, and each is suspended while the next one runs. Errors are
// therefore returned in a structure, without a pipe.
#include "wire/launch.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/limits.h"
#include "wire/fields.h"
#include "wire/own_socket.h"
#include "wire/programs.h"
#include "wire/session_files.h"
#include "wire/start_fds.h"

namespace glasstty::wire {
namespace {

constexpr char kSpecMagic[] = "glasstty-spec-3";
// A server that was started before an upgrade sends neither umask nor limits.
constexpr char kOldSpecMagic[] = "glasstty-spec-2";

// The input of the two clones, and their result, `error`.
struct LaunchContext {
  int executable_fd;
  int fds[kStartFds];  // become kFirstStartFd and following, in this order
  char* inner_stack_top;
  std::optional<rlimit> descriptors;  // the holder's limit on descriptors, if
                                      // it differs from the caller's
  int error = 0;
};

constexpr size_t kCloneStack = 64 << 10;

#if defined(GLASSTTY_SANITIZES_THREAD)
// The sanitizer's own clone() treats the child as a copy of the process. Both
// processes would then revert the sanitizer's records in their shared memory,
// and signals would never be delivered again.
extern "C" int __clone(int (*)(void*), void*, int, void*, ...);
constexpr auto* kClone = __clone;
#else
constexpr auto* kClone = clone;
#endif

// Runs in the process that becomes the holder. Allocates nothing and takes no
// lock, because the process still shares the caller's memory.
__attribute__((no_sanitize("address"), no_sanitize("thread"))) int ExecHolder(
    void* argument) {
  auto* context = static_cast<LaunchContext*>(argument);
  // Move the descriptors away from their final numbers first, or one could
  // overwrite another.
  constexpr int kAbove = kFirstStartFd + kStartFds;
  int executable = fcntl(context->executable_fd, F_DUPFD_CLOEXEC, kAbove);
  bool ok = executable >= 0 && setsid() >= 0;
  for (int& fd : context->fds) {
    fd = fcntl(fd, F_DUPFD_CLOEXEC, kAbove);
    ok = ok && fd >= 0;
  }
  for (int i = 0; ok && i < kStartFds; ++i) {
    ok = dup2(context->fds[i], kFirstStartFd + i) >= 0;
  }
  if (context->descriptors) {
    ok = ok && setrlimit(RLIMIT_NOFILE, &*context->descriptors) == 0;
  }
  if (ok) {
    CloseOnExecFrom(kAbove);
    char name[] = "glasstty-holder";
    char* const argv[] = {name, nullptr};
    syscall(SYS_execveat, executable, "", argv, environ, AT_EMPTY_PATH);
    // Emulators and some sandboxes lack execveat, but have /proc.
    if (errno == ENOSYS) {
      char path[32];
      snprintf(path, sizeof path, "/proc/self/fd/%d", executable);
      execve(path, argv, environ);
    }
  }
  context->error = errno;
  _exit(127);
}

__attribute__((no_sanitize("address"), no_sanitize("thread"))) int Detach(
    void* argument) {
  auto* context = static_cast<LaunchContext*>(argument);
  int pid = kClone(ExecHolder, context->inner_stack_top,
                   CLONE_VM | CLONE_VFORK | SIGCHLD, context);
  if (pid < 0) context->error = errno;
  _exit(0);
}

// Clones twice, so that the holder is not a child of the caller. With
// CLONE_VFORK, clone() returns when the inner clone has executed the holder or
// failed. Unlike fork(), clone() copies no page tables; the cost of that would
// grow with the server.
bool CloneHolder(LaunchContext* context) {
  auto stack = std::make_unique<char[]>(2 * kCloneStack);
  context->inner_stack_top = stack.get() + kCloneStack;
  // The caller's signal handlers must not run in a clone, on the caller's
  // memory.
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  pid_t pid = kClone(Detach, stack.get() + 2 * kCloneStack,
                     CLONE_VM | CLONE_VFORK | SIGCHLD, context);
  if (pid < 0) context->error = errno;
  while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = context->error;
  return context->error == 0;
}

UniqueFd OpenLock(int dir_fd, int flags) {
  return UniqueFd(
      openat(dir_fd, kLockName, O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
}

// Takes the lock on behalf of the holder, which inherits it, so the session
// does not look dead before the holder runs.
UniqueFd TakeLock(int dir_fd) {
  UniqueFd lock = OpenLock(dir_fd, O_CREAT);
  if (!lock.valid() || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return UniqueFd();
  }
  return lock;
}

UniqueFd ConnectTo(int dir_fd, const char* name) {
  return ConnectAt(dir_fd, name, SOCK_SEQPACKET | SOCK_NONBLOCK);
}

}  // namespace

std::string EncodeSpec(const LaunchSpec& spec) {
  std::string out;
  AppendField(kSpecMagic, &out);
  for (uint64_t number :
       {uint64_t{spec.rows}, uint64_t{spec.cols}, uint64_t{spec.pipe},
        uint64_t{spec.record_input}, spec.grace_ms, spec.log_cap}) {
    AppendField(number, &out);
  }
  AppendField(spec.cwd, &out);
  AppendFields(spec.argv, &out);
  AppendFields(spec.environment, &out);
  AppendField(spec.umask ? std::to_string(*spec.umask) : "", &out);
  AppendField(spec.limits.size(), &out);
  for (const rlimit& limit : spec.limits) {
    AppendField(limit.rlim_cur, &out);
    AppendField(limit.rlim_max, &out);
  }
  return out;
}

namespace {

bool TakeUmaskAndLimits(FieldReader* reader, LaunchSpec* spec) {
  std::string mask;
  size_t count = 0;
  if (!reader->Take(&mask) || !reader->TakeNumber(&count)) return false;
  if (count > RLIM_NLIMITS) return false;
  if (!mask.empty()) {
    mode_t bits = 0;
    const char* end = mask.data() + mask.size();
    auto result = std::from_chars(mask.data(), end, bits);
    if (result.ec != std::errc() || result.ptr != end) return false;
    spec->umask = bits;
  }
  spec->limits.resize(count);
  for (rlimit& limit : spec->limits) {
    bool whole = reader->TakeNumber(&limit.rlim_cur) &&
                 reader->TakeNumber(&limit.rlim_max);
    if (!whole) return false;
  }
  return true;
}

}  // namespace

bool DecodeSpec(const std::string& text, LaunchSpec* spec) {
  FieldReader reader(text);
  std::string magic;
  int pipe = 0, record_input = 0;
  bool whole =
      reader.Take(&magic) && (magic == kSpecMagic || magic == kOldSpecMagic) &&
      reader.TakeNumber(&spec->rows) && reader.TakeNumber(&spec->cols) &&
      reader.TakeNumber(&pipe) && reader.TakeNumber(&record_input) &&
      reader.TakeNumber(&spec->grace_ms) && reader.TakeNumber(&spec->log_cap) &&
      reader.Take(&spec->cwd) && reader.TakeList(&spec->argv) &&
      reader.TakeList(&spec->environment) &&
      (magic == kOldSpecMagic || TakeUmaskAndLimits(&reader, spec)) &&
      reader.done();
  spec->pipe = pipe != 0;
  spec->record_input = record_input != 0;
  return whole && !spec->argv.empty();
}

UniqueFd OpenHolderExecutable(std::string* path) {
  return OpenProgram(kHolderProgram, path);
}

bool MakeStart(int dir_fd, const std::string& text, StartDescriptors* start) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
                 ends) != 0) {
    return false;
  }
  start->ours.Reset(ends[0]);
  start->theirs.Reset(ends[1]);
  // In a memory file, the spec appears neither in a command line nor on disk.
  start->spec = MemoryFile(text);
  if (!start->spec.valid()) return false;
  start->lock = TakeLock(dir_fd);
  return start->lock.valid();
}

// Waits only until the new process executes the holder's program.
UniqueFd LaunchWith(int executable_fd, int dir_fd, const std::string& text) {
  StartDescriptors start;
  if (!MakeStart(dir_fd, text, &start)) return UniqueFd();
  LaunchContext context{
      .executable_fd = executable_fd,
      .fds = {start.theirs.get(), dir_fd, start.spec.get(), start.lock.get()},
      .inner_stack_top = nullptr,
      .descriptors = OriginalDescriptorLimit()};
  if (!CloneHolder(&context)) return UniqueFd();
  return std::move(start.ours);
}

UniqueFd LaunchHolder(int executable_fd, int dir_fd, const LaunchSpec& spec) {
  return LaunchWith(executable_fd, dir_fd, EncodeSpec(spec));
}

UniqueFd ConnectHolder(int dir_fd) { return ConnectTo(dir_fd, kControlName); }

UniqueFd ConnectObserver(int dir_fd) { return ConnectTo(dir_fd, kWatchName); }

bool HolderIsDead(int dir_fd) {
  // Try to lock: looking for the owner in /proc/locks would be slower and need
  // a parser.
  UniqueFd lock = OpenLock(dir_fd, 0);
  if (!lock.valid()) return errno == ENOENT;
  // Use a shared lock, so that two servers that try at the same time do not
  // block each other.
  return flock(lock.get(), LOCK_SH | LOCK_NB) == 0;
}

bool IsOver(int dir_fd) { return HolderIsDead(dir_fd) && !IsElsewhere(dir_fd); }

}  // namespace glasstty::wire
