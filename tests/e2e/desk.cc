#include "e2e/desk.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

constexpr Seconds kDeskPatience{20};

winsize WindowOf(terminal::Size size) {
  winsize window{};
  window.ws_row = static_cast<unsigned short>(size.rows);
  window.ws_col = static_cast<unsigned short>(size.cols);
  return window;
}

// Does not return.
void RunOn(int terminal, std::vector<std::string> arguments,
           std::vector<std::string> variables) {
  setsid();
  ioctl(terminal, TIOCSCTTY, 0);
  for (int fd : {0, 1, 2}) dup2(terminal, fd);
  for (std::string& variable : variables) putenv(variable.data());
  closefrom(3);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

}  // namespace

Desk::Desk(const std::string& state_dir, std::vector<std::string> arguments,
           terminal::Size size, const std::vector<std::string>& more)
    : screen_(*terminal::Terminal::Create({.size = size})) {
  arguments.insert(arguments.begin(), ServerPath());
  std::vector<std::string> variables = {"GLASSTTY_STATE_DIR=" + state_dir,
                                        "TERM=xterm-256color"};
  variables.insert(variables.end(), more.begin(), more.end());
  winsize window = WindowOf(size);
  int master = -1, slave = -1;
  EXPECT_EQ(openpty(&master, &slave, nullptr, nullptr, &window), 0);
  master_ = UniqueFd(master);
  slave_ = UniqueFd(slave);
  tcgetattr(slave, &before_);
  pid_ = fork();
  if (pid_ == 0) RunOn(slave, std::move(arguments), std::move(variables));
  SetNonBlocking(master);
}

Desk::~Desk() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

void Desk::Type(const std::string& keys) {
  ASSERT_EQ(write(master_.get(), keys.data(), keys.size()),
            static_cast<ssize_t>(keys.size()));
}

void Desk::Look(int milliseconds) {
  pollfd query{master_.get(), POLLIN, 0};
  poll(&query, 1, milliseconds);
  char buffer[65536];
  ssize_t n;
  while ((n = read(master_.get(), buffer, sizeof buffer)) > 0) {
    std::string_view bytes(buffer, static_cast<size_t>(n));
    written_ += bytes;
    screen_->Feed(bytes);
  }
}

std::vector<std::string> Desk::Rows() {
  std::vector<std::string> rows;
  for (const terminal::SnapshotRow& row : screen_->TakeSnapshot().rows) {
    rows.push_back(row.text);
  }
  return rows;
}

::testing::AssertionResult Desk::Sees(const std::string& text) {
  bool seen = Eventually(kDeskPatience, [&] {
    Look();
    return Join(Rows()).find(text) != std::string::npos;
  });
  if (seen) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "no '" << text << "' in:\n"
                                       << Join(Rows());
}

::testing::AssertionResult Desk::SeesNo(const std::string& text) {
  bool gone = Eventually(kDeskPatience, [&] {
    Look();
    return Join(Rows()).find(text) == std::string::npos;
  });
  if (gone) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "'" << text << "' is still in:\n"
                                       << Join(Rows());
}

std::optional<int> Desk::AwaitEnd() {
  int status = 0;
  bool ended = Eventually(kDeskPatience, [&] {
    Look();
    return waitpid(pid_, &status, WNOHANG) == pid_;
  });
  if (!ended) return std::nullopt;
  pid_ = -1;
  Look();
  return status;
}

::testing::AssertionResult Desk::IsRestored() {
  termios now;
  tcgetattr(slave_.get(), &now);
  const terminal::Modes& modes = screen_->modes();
  bool same = now.c_lflag == before_.c_lflag &&
              now.c_iflag == before_.c_iflag && now.c_oflag == before_.c_oflag;
  bool reset = !modes.alternate_screen && !modes.bracketed_paste &&
               modes.autowrap && modes.cursor_visible &&
               modes.mouse == terminal::MouseTracking::kOff &&
               !modes.application_cursor && !modes.synchronized;
  if (same && reset) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << (same ? "" : "termios ") << (reset ? "" : "modes ") << Join(Rows());
}

void Desk::SetSize(terminal::Size size) {
  winsize window = WindowOf(size);
  ioctl(master_.get(), TIOCSWINSZ, &window);
  ASSERT_TRUE(screen_->Resize(size).ok());
}

void Desk::Signal(int number) { kill(pid_, number); }

void Desk::Vanish() {
  slave_.Reset();
  master_.Reset();
}

}  // namespace glasstty::testing
