#include "attach/outer_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "observe/painter.h"
#include "support/status.h"

namespace glasstty::attach {
namespace {

// Turns autowrap off, because a glyph that is wider on this terminal must not
// wrap. Turns bracketed paste on, so that pastes can be distinguished from
// keys.
constexpr char kEnter[] = "\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[H\x1b[2J";
constexpr char kPlainKeys[] = "\x1b[=0;1u\x1b[>4m";
constexpr char kLeave[] = "\x1b[?7h\x1b[H\x1b[2J\x1b[?1049l";
// The time that an unresponsive terminal may delay the end.
constexpr int kLeavePatience_ms = 300;

// The data with which signal handlers restore the terminal. It must need no
// allocation.
struct Rescue {
  int fd = -1;
  termios before;
  // True once SetKeyModes has set modes; only then are they reset.
  bool has_key_modes = false;
};
Rescue g_rescue;

void GiveBack(int signal) {
  if (g_rescue.fd >= 0) {
    if (g_rescue.has_key_modes) {
      (void)!write(g_rescue.fd, kPlainKeys, sizeof kPlainKeys - 1);
    }
    (void)!write(g_rescue.fd, observe::kUnpaint.data(),
                 observe::kUnpaint.size());
    (void)!write(g_rescue.fd, kLeave, sizeof kLeave - 1);
    tcsetattr(g_rescue.fd, TCSANOW, &g_rescue.before);
  }
  raise(signal);
}

void CatchCrashes() {
  struct sigaction action {};
  action.sa_handler = GiveBack;
  // Restore the default action, so that raising the signal again ends the
  // process.
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  for (int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) {
    sigaction(number, &action, nullptr);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<OuterTerminal>> OuterTerminal::Open() {
  termios before;
  const char* path = ttyname(STDIN_FILENO);
  if (path == nullptr || isatty(STDOUT_FILENO) == 0 ||
      tcgetattr(STDIN_FILENO, &before) != 0) {
    return FailedPrecondition("stdin and stdout must be a terminal");
  }
  UniqueFd fd(open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!fd.valid()) return ErrnoStatus("open", path);
  // Otherwise, a background job that changes the terminal would be stopped.
  signal(SIGTTOU, SIG_IGN);
  return std::unique_ptr<OuterTerminal>(
      new OuterTerminal(std::move(fd), before));
}

OuterTerminal::OuterTerminal(UniqueFd fd, const termios& before)
    : fd_(std::move(fd)), before_(before) {
  CatchCrashes();
}

OuterTerminal::~OuterTerminal() { Leave(); }

void OuterTerminal::Enter() {
  termios raw = before_;
  cfmakeraw(&raw);
  tcsetattr(fd_.get(), TCSANOW, &raw);
  g_rescue = {fd_.get(), before_, false};
  entered_ = true;
  Write(kEnter);
  // If SIGSTOP has stopped this process, the modes are still set.
  SetKeyModes(0, 0);
}

// Sets the flags instead of pushing them: each screen of a terminal has flags
// of its own, and this is the alternate screen.
void OuterTerminal::SetKeyModes(int kitty_flags, int modify_other_keys) {
  if (!entered_) return;
  if (std::exchange(kitty_flags_, kitty_flags) != kitty_flags) {
    Write(absl::StrFormat("\x1b[=%d;1u", kitty_flags));
    g_rescue.has_key_modes = true;
  }
  int before = std::exchange(modify_other_keys_, modify_other_keys);
  if (before != modify_other_keys) {
    Write(modify_other_keys == 0
              ? "\x1b[>4m"
              : absl::StrFormat("\x1b[>4;%dm", modify_other_keys));
    g_rescue.has_key_modes = true;
  }
}

// Drops queued bytes, which are obsolete. If a part of a sequence has been
// sent, CAN cancels it (ECMA-48).
void OuterTerminal::Leave() {
  if (!entered_) return;
  entered_ = false;
  bool cut = busy();
  queue_.clear();
  Write((cut ? "\x18" : "") +
        std::string(g_rescue.has_key_modes ? kPlainKeys : "") +
        std::string(observe::kUnpaint) + kLeave);
  pollfd query{fd_.get(), POLLOUT, 0};
  while (busy() && poll(&query, 1, kLeavePatience_ms) > 0 && Flush()) {
  }
  tcsetattr(fd_.get(), TCSANOW, &before_);
  g_rescue.fd = -1;
}

terminal::Size OuterTerminal::size() const {
  winsize size{};
  ioctl(fd_.get(), TIOCGWINSZ, &size);
  if (size.ws_row == 0 || size.ws_col == 0) return {24, 80};
  return {size.ws_row, size.ws_col};
}

ssize_t OuterTerminal::Read(char* buffer, size_t size) {
  return ReadSome(fd_.get(), buffer, size);
}

void OuterTerminal::Write(std::string_view bytes) {
  queue_ += bytes;
  Flush();
}

bool OuterTerminal::Flush() {
  while (!queue_.empty()) {
    ssize_t n = WriteSome(fd_.get(), queue_.data(), queue_.size());
    if (n < 0) return errno == EAGAIN;
    queue_.erase(0, static_cast<size_t>(n));
  }
  return true;
}

}  // namespace glasstty::attach
