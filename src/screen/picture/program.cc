// There can be no deadlock, because the program reads a file, writes a file and
// ends; no pipe has to be fed meanwhile.
#include "picture/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
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

#include "base/fd.h"
#include "base/spawning.h"
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

std::vector<std::string> Environment() {
  std::vector<std::string> out;
  for (const char* name : kEnvironment) {
    const char* value = getenv(name);
    if (value != nullptr) out.push_back(absl::StrFormat("%s=%s", name, value));
  }
  return out;
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

// Returns the last line, because libraries may have printed warnings before.
std::string LastLine(const std::string& text) {
  size_t end = text.find_last_not_of('\n');
  size_t begin = text.rfind('\n', end) + 1;
  return text.substr(begin, end + 1 - begin);
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
  UniqueFd input = MemoryFile(work);
  PictureRun run;
  run.png_ = MemoryFile("");
  if (!input.valid() || !run.png_.valid()) return ErrnoStatus("feed", path);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return ErrnoStatus("pipe", path);
  run.messages_.Reset(ends[0]);
  UniqueFd theirs(ends[1]);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  Spawning spawning;
  spawning.Give(input.get(), STDIN_FILENO);
  spawning.Give(run.png_.get(), STDOUT_FILENO);
  spawning.Give(theirs.get(), STDERR_FILENO);
  run.pid_ = spawning.Start(path, {"glasstty-picture"}, Environment());
  if (run.pid_ < 0) return ErrnoStatus("start", path);
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

// Keeps the last few kilobytes of messages.
bool PictureRun::Look() {
  constexpr size_t kMost = 4096;
  char part[1024];
  while (true) {
    ssize_t n = read(messages_.get(), part, sizeof part);
    if (n == 0) return true;
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    said_.append(part, static_cast<size_t>(n));
    if (said_.size() > kMost) said_.erase(0, said_.size() - kMost);
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
    return Internal("no picture: %s", LastLine(said_));
  }
  DrawnPicture drawn;
  std::string line = LastLine(said_);
  int count = std::sscanf(line.c_str(), "%d %d %d %d %d %d", &drawn.width,
                          &drawn.height, &drawn.px, &drawn.shown.rows,
                          &drawn.shown.cols, &drawn.missing);
  if (count != 6) {
    return Internal("glasstty-picture did not describe its picture: %s", line);
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
