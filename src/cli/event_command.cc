#include "cli/event_command.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_format.h"
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
  std::vector<std::string> facts = {
      "GLASSTTY_EVENT_SESSION=" + told.session,
      "GLASSTTY_EVENT=" + told.event.watch,
      "GLASSTTY_EVENT_TEXT=" + lookout::TextOf(told.event),
      absl::StrFormat("GLASSTTY_EVENT_TIME_MS=%d", told.event.at_ms),
      absl::StrFormat("GLASSTTY_EVENT_LEFT_OUT=%d",
                      std::exchange(left_out_, 0))};
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.push_back(*variable);
  }
  for (std::string& fact : facts) environment.push_back(fact.data());
  environment.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK |
                                            POSIX_SPAWN_SETSIGDEF |
                                            POSIX_SPAWN_SETPGROUP);
  std::string command = command_;
  char shell[] = "sh", option[] = "-c";
  char* const words[] = {shell, option, command.data(), nullptr};
  int error = posix_spawn(&pid_, "/bin/sh", &files, &attributes, words,
                          environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  started_ = loop_->Now();
  rests_until_ = started_ + kRest;
  if (error != 0) {
    pid_ = -1;
    Warn("%s", Message(ErrnoStatus(error, "start", "on-event")));
    return;
  }
  timer_.SetAfter(kLookPace);
}

void EventCommand::Look() {
  int status = 0;
  if (pid_ <= 0 || waitpid(pid_, &status, WNOHANG) != 0) {
    pid_ = -1;
    return StartKept();
  }
  if (loop_->Now() > started_ + kLongest) kill(-pid_, SIGKILL);
  timer_.SetAfter(kLookPace);
}

}  // namespace glasstty
