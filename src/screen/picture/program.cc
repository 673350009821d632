// There can be no deadlock, because the program reads a file, writes a file and
// ends; no pipe has to be fed meanwhile.
#include "picture/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "support/status.h"
#include "support/wait.h"
#include "wire/programs.h"

namespace glasstty::picture {
namespace {

// fontconfig uses these variables.
constexpr const char* kEnvironment[] = {
    "HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "FONTCONFIG_FILE",
    "FONTCONFIG_PATH",
    "FONTCONFIG_SYSROOT",
};

// Omits variables that are not set.
std::vector<std::string> Environment() {
  std::vector<std::string> out;
  for (const char* name : kEnvironment) {
    const char* value = getenv(name);
    if (value != nullptr) out.push_back(absl::StrFormat("%s=%s", name, value));
  }
  return out;
}

// Creates a file in memory with this content, positioned at its beginning.
absl::StatusOr<UniqueFd> MemoryFile(const char* name, std::string_view bytes) {
  UniqueFd fd(memfd_create(name, MFD_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus("memfd_create", name);
  if (!WriteAll(fd.get(), bytes)) return ErrnoStatus("write", name);
  lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

// Returns the contents of a file that is no longer written to.
std::string Contents(int fd) {
  struct stat about = {};
  fstat(fd, &about);
  std::string bytes(static_cast<size_t>(about.st_size), '\0');
  size_t done = 0;
  while (done < bytes.size()) {
    ssize_t n = pread(fd, bytes.data() + done, bytes.size() - done,
                      static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  bytes.resize(done);
  return bytes;
}

// Owns the arguments of posix_spawn, which have no destructors.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    // Reset all signals and block none, as when a shell starts a program.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    // Ctrl-C at the server's terminal must not reach the program.
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK |
                                               POSIX_SPAWN_SETSIGDEF |
                                               POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // Makes the descriptor `from` available as `to`; all others are closed on
  // exec.
  void Give(int from, int to) {
    posix_spawn_file_actions_adddup2(&actions_, from, to);
  }
  // Returns 0 or an errno.
  int Start(const std::string& path, pid_t* pid) {
    std::vector<std::string> environment = Environment();
    std::vector<char*> pointers;
    pointers.reserve(environment.size() + 1);
    for (std::string& variable : environment) {
      pointers.push_back(variable.data());
    }
    pointers.push_back(nullptr);
    std::string name = "glasstty-picture";
    char* arguments[] = {name.data(), nullptr};
    return posix_spawn(pid, path.c_str(), &actions_, &attributes_, arguments,
                       pointers.data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Returns the first line, because a library may have printed more.
std::string FirstLine(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace

// A missing program is the most likely failure, so the message states what to
// do.
absl::StatusOr<PictureRun> PictureRun::Start(const std::string& work) {
  std::string path;
  UniqueFd program = wire::OpenProgram(wire::kPictureProgram, &path);
  if (!program.valid()) {
    return NotFound(
        "pictures need the program glasstty-picture, but %s does not exist: "
        "install the package of glasstty that has it, or build it "
        "(-Dpicture=enabled; on Debian it needs libfreetype-dev, "
        "libfontconfig-dev, libpng-dev and fonts-dejavu-core). `glasstty "
        "picture --svg` needs none of it",
        path);
  }
  ASSIGN_OR_RETURN(UniqueFd input, MemoryFile("glasstty-job", work));
  PictureRun run;
  ASSIGN_OR_RETURN(run.png_, MemoryFile("glasstty-png", ""));
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus("pipe", path);
  run.messages_.Reset(ends[0]);
  UniqueFd theirs(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  SpawnPlan plan;
  plan.Give(input.get(), STDIN_FILENO);
  plan.Give(run.png_.get(), STDOUT_FILENO);
  plan.Give(theirs.get(), STDERR_FILENO);
  int error = plan.Start(path, &run.pid_);
  if (error != 0) {
    run.pid_ = -1;
    return ErrnoStatus(error, "start", path);
  }
  return run;
}

absl::StatusOr<PictureRun> PictureRun::Start(const Job& job) {
  return Start(EncodeJob(job));
}

// The moved-from run owns no process any more.
PictureRun::PictureRun(PictureRun&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      png_(std::move(other.png_)),
      messages_(std::move(other.messages_)),
      said_(std::move(other.said_)) {}

PictureRun::~PictureRun() {
  if (pid_ > 0) End();
}

// Kills the program in case it still runs, so the wait is short.
int PictureRun::End() {
  int status = 0;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return status;
}

// Keeps at most a few kilobytes of messages.
bool PictureRun::Look() {
  constexpr size_t kMost = 4096;
  char part[1024];
  while (true) {
    ssize_t n = read(messages_.get(), part, sizeof part);
    if (n == 0) return true;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    said_.append(part, static_cast<size_t>(n));
    if (said_.size() > kMost) said_.resize(kMost);
  }
}

// The picture is not checked, because the program is part of glasstty. Its last
// message is a line of numbers, in the order of main.cc.
absl::StatusOr<DrawnPicture> PictureRun::Finish() {
  int status = End();
  if (WIFSIGNALED(status)) {
    return Internal(
        "glasstty-picture was ended by signal %d (%s): nothing was drawn",
        WTERMSIG(status), strsignal(WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0) {
    return Internal("no picture: %s", FirstLine(said_));
  }
  DrawnPicture drawn;
  // Use the last line, because libraries may have printed warnings before.
  size_t end = said_.find_last_not_of('\n');
  size_t begin = said_.rfind('\n', end);
  begin = begin == std::string::npos ? 0 : begin + 1;
  int count = std::sscanf(said_.c_str() + begin, "%d %d %d %d %d %d",
                          &drawn.width, &drawn.height, &drawn.px,
                          &drawn.shown.rows, &drawn.shown.cols, &drawn.missing);
  if (count != 6) {
    return Internal("glasstty-picture did not describe its picture: %s",
                    FirstLine(said_));
  }
  drawn.png = Contents(png_.get());
  return drawn;
}

namespace {

// Blocks until the program ends, or `limit` has passed without a message; then
// Finish kills it.
absl::StatusOr<DrawnPicture> RunToEnd(const std::string& work, Duration limit) {
  ASSIGN_OR_RETURN(PictureRun run, PictureRun::Start(work));
  auto limit_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(limit).count();
  while (!run.Look()) {
    pollfd about = {run.fd(), POLLIN, 0};
    int n = poll(&about, 1, static_cast<int>(limit_ms));
    if (n == 0 || (n < 0 && errno != EINTR)) break;
  }
  return run.Finish();
}

}  // namespace

absl::StatusOr<DrawnPicture> DrawPng(const Job& job) {
  return RunToEnd(EncodeJob(job), PictureRun::kLimit);
}

absl::StatusOr<DrawnPicture> DrawMovie(const std::string& movie) {
  return RunToEnd(movie, PictureRun::kMovieLimit);
}

// All captured variables are in the coroutine's frame, which outlives the
// watch.
Task<absl::StatusOr<DrawnPicture>> DrawPngInLoop(Loop* loop, Job job,
                                                 Cancellation* cancellation) {
  ASSIGN_OR_CO_RETURN(PictureRun run, PictureRun::Start(job));
  WaiterList waiters;
  bool is_over = false;
  std::unique_ptr<FdWatch> watch;
  auto look = [&] {
    is_over = run.Look();
    if (is_over) watch->Enable(false);
    waiters.Check();
  };
  watch = std::make_unique<FdWatch>(loop, run.fd(), FdWatch::Direction::kRead,
                                    Urgency::kProtocol, look);
  std::vector<WaiterList*> lists(1, &waiters);
  Predicate ended = [&is_over] { return is_over; };
  Outcome outcome =
      co_await Wait(loop, std::move(lists), std::move(ended),
                    loop->Now() + PictureRun::kLimit, cancellation);
  watch.reset();
  if (outcome == Outcome::kCancelled) {
    co_return Unavailable("no picture was drawn: the call was cancelled");
  }
  co_return run.Finish();
}

}  // namespace glasstty::picture
