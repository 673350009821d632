#include "cli/event_command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/spawning.h"
#include "session/state.h"
#include "support/log.h"
#include "support/status.h"

namespace glasstty {
namespace {

constexpr Duration kLookPace = std::chrono::milliseconds(200);

}  // namespace

EventCommand::EventCommand(Loop* loop, std::string command)
    : loop_(loop),
      command_(std::move(command)),
      timer_(loop, [this] { Look(); }) {}

EventCommand::~EventCommand() {
  if (pid_ > 0) kill(-pid_, SIGKILL);
}

void EventCommand::Tell(const std::string& session,
                        const lookout::Event& event) {
  Keep({session, event});
  StartKept();
}

void EventCommand::Keep(Kept kept) {
  bool is_less = kept_ && kept_->event.watch == lookout::kAsks &&
                 kept.event.watch != lookout::kAsks;
  if (kept_) ++left_out_;
  if (!is_less) kept_ = std::move(kept);
}

void EventCommand::StartKept() {
  if (!kept_ || pid_ > 0) return;
  Duration rest = rests_until_ - loop_->Now();
  if (rest > Duration::zero()) return timer_.SetAfter(rest);
  Start(*std::exchange(kept_, std::nullopt));
}

void EventCommand::Start(const Kept& told) {
  std::vector<std::string> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  environment.push_back("GLASSTTY_EVENT_SESSION=" + told.session);
  environment.push_back("GLASSTTY_EVENT=" + told.event.watch);
  environment.push_back("GLASSTTY_EVENT_TEXT=" + lookout::TextOf(told.event));
  environment.push_back(
      absl::StrFormat("GLASSTTY_EVENT_TIME_MS=%d", told.event.at_ms));
  environment.push_back(absl::StrFormat("GLASSTTY_EVENT_LEFT_OUT=%d",
                                        std::exchange(left_out_, 0)));
  Spawning spawning;
  spawning.Open(STDIN_FILENO, "/dev/null", O_RDONLY);
  spawning.Open(STDOUT_FILENO, "/dev/null", O_WRONLY);
  spawning.Open(STDERR_FILENO, "/dev/null", O_WRONLY);
  pid_ =
      spawning.Start("/bin/sh", {"sh", "-c", command_}, std::move(environment));
  started_ = loop_->Now();
  rests_until_ = started_ + kRest;
  if (pid_ < 0)
    return Warn("on-event: %s", Message(ErrnoStatus("start", "sh")));
  timer_.SetAfter(kLookPace);
}

void EventCommand::Look() {
  if (pid_ < 0) return StartKept();
  int status = 0;
  pid_t ended = waitpid(pid_, &status, WNOHANG);
  if (ended == 0) {
    if (loop_->Now() > started_ + kLongest) kill(-pid_, SIGKILL);
    return timer_.SetAfter(kLookPace);
  }
  if (ended == pid_ && status != 0) TellFailure(status);
  pid_ = -1;
  StartKept();
}

void EventCommand::TellFailure(int status) {
  if (failure_told_) return;
  failure_told_ = true;
  Warn(
      "on-event: the command ended with %s; to see why, run it in a shell "
      "(this is said once)",
      session::ExitText(status));
}

}  // namespace glasstty
