#include "session/secret_page.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/spawning.h"
#include "support/status.h"
#include "wire/programs.h"

namespace glasstty::session {
namespace {

// The words for the values of Life, in their order.
constexpr std::string_view kWords[] = {"starting", "open",    "typed",
                                       "left",     "expired", "ended"};
constexpr std::string_view kLinkBegin = "http://127.0.0.1:";

}  // namespace

std::string_view SecretPage::WordOf(Life life) {
  return kWords[static_cast<size_t>(life)];
}

absl::StatusOr<std::unique_ptr<SecretPage>> SecretPage::Start(
    Loop* loop, int directory, std::function<void()> changed) {
  std::string path;
  UniqueFd program = wire::OpenProgram(wire::kViewProgram, &path);
  if (!program.valid()) return NotFound("%s does not exist", path);
  std::array<int, 2> input, output;
  if (pipe2(input.data(), O_CLOEXEC) != 0) return ErrnoStatus("pipe", path);
  UniqueFd their_input(input[0]), lifeline(input[1]);
  if (pipe2(output.data(), O_CLOEXEC) != 0) return ErrnoStatus("pipe", path);
  UniqueFd words(output[0]), their_output(output[1]);
  SetNonBlocking(words.get());
  std::unique_ptr<SecretPage> page(new SecretPage(std::move(changed)));
  // In the child, a descriptor that is not above kDirectoryFd might be
  // overwritten before it is copied.
  UniqueFd held(fcntl(directory, F_DUPFD_CLOEXEC, kDirectoryFd + 1));
  if (!held.valid()) return ErrnoStatus("dup", path);
  Spawning spawning;
  spawning.Give(their_input.get(), STDIN_FILENO);
  spawning.Give(their_output.get(), STDOUT_FILENO);
  spawning.Give(held.get(), kDirectoryFd);
  page->pid_ = spawning.Start(path, {"glasstty-view", "--secret"}, {});
  if (page->pid_ < 0) return ErrnoStatus("start", path);
  page->lifeline_ = std::move(lifeline);
  page->words_ = std::move(words);
  page->watch_.emplace(loop, page->words_.get(), FdWatch::Direction::kRead,
                       Urgency::kProtocol,
                       [self = page.get()] { self->Read(); });
  page->watch_->Enable(true);
  return page;
}

SecretPage::SecretPage(std::function<void()> changed)
    : changed_(std::move(changed)) {}

// The wait is short, because the process was killed.
SecretPage::~SecretPage() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool SecretPage::Take(std::string_view line) {
  if (life_ == Life::kStarting && line.starts_with(kLinkBegin)) {
    link_ = line;
    life_ = Life::kOpen;
    return true;
  }
  for (Life life : {Life::kTyped, Life::kLeft, Life::kExpired}) {
    if (is_over() || line != WordOf(life)) continue;
    life_ = life;
    return true;
  }
  return false;
}

// `changed` may destroy this object, so nothing follows it.
void SecretPage::Read() {
  char part[256];
  bool is_news = false;
  ssize_t n;
  while ((n = ReadSome(words_.get(), part, sizeof part)) > 0) {
    rest_.append(part, static_cast<size_t>(n));
  }
  bool is_end = n == 0;
  for (size_t end; (end = rest_.find('\n')) != std::string::npos;) {
    is_news = Take(std::string_view(rest_).substr(0, end)) || is_news;
    rest_.erase(0, end + 1);
  }
  if (is_end) watch_->Enable(false);
  if (is_end && !is_over()) {
    life_ = Life::kEnded;
    is_news = true;
  }
  if (is_news) changed_();
}

}  // namespace glasstty::session
