#include "serve/listener_keeper.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include <chrono>
#include <utility>

#include "support/log.h"
#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty::serve {
namespace {

// Deleting a directory with all its contents takes a moment, and fails if a
// file is created in it meanwhile. So the keeper creates nothing for kSettle
// after an event, unless the directory itself is gone: then it creates the
// directory at once, because clients may connect at any time.
constexpr Duration kSettle = std::chrono::milliseconds(100);
constexpr Duration kLook = std::chrono::milliseconds(2);
// The pause before another attempt to listen.
constexpr Duration kRetry = std::chrono::seconds(1);

}  // namespace

ListenerKeeper::ListenerKeeper(Loop* loop, std::string base, Guests* guests,
                               std::function<void()> make_base,
                               std::function<void()> end)
    : loop_(loop),
      guests_(guests),
      base_(std::move(base)),
      make_base_(std::move(make_base)),
      end_(std::move(end)),
      timer_(loop, [this] { Look(); }) {
  Watch();
}

// Uses a new descriptor each time, because closing the old one removes the
// watches on deleted files.
void ListenerKeeper::Watch() {
  heard_.reset();
  watched_.Reset(open(base_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  inotify_.Reset(inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify_.valid()) return;
  constexpr uint32_t kGone =
      IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM | IN_MOVE_SELF;
  std::string serve = base_ + "/" + wire::kServeDirectory;
  inotify_add_watch(inotify_.get(), serve.c_str(), kGone | IN_ONLYDIR);
  inotify_add_watch(inotify_.get(), base_.c_str(),
                    IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
  heard_.emplace(loop_, inotify_.get(), FdWatch::Direction::kRead,
                 Urgency::kProtocol, [this] { Hear(); });
  heard_->Enable(true);
  // The kernel does not report files that were deleted before this watch.
  timer_.SetAfter(kLook);
}

// Ignores the kinds of events, because Look finds out what has happened.
void ListenerKeeper::Hear() {
  char events[4096];
  while (ReadSome(inotify_.get(), events, sizeof events) > 0) {
  }
  settled_ = loop_->Now() + kSettle;
  timer_.SetAfter(kLook);
}

bool ListenerKeeper::IsBaseThere() const {
  struct stat found, own;
  return stat(base_.c_str(), &found) == 0 && fstat(watched_.get(), &own) == 0 &&
         found.st_ino == own.st_ino && found.st_dev == own.st_dev;
}

void ListenerKeeper::Look() {
  if (!guests_->is_open() || guests_->listener().IsReachable(base_)) return;
  if (loop_->Now() < settled_ && IsBaseThere()) return timer_.SetAfter(kLook);
  make_base_();
  absl::Status renewed = guests_->ListenAgain(base_);
  is_replaced_ = absl::IsAlreadyExists(renewed);
  Watch();
  if (renewed.ok()) {
    Warn("%s/serve was deleted; listening there again", base_);
    trouble_.clear();
  } else {
    std::string why = Message(renewed);
    if (trouble_ != why) Warn("%s/serve was deleted: %s", base_, why);
    trouble_ = std::move(why);
    timer_.SetAfter(kRetry);
  }
  Check();
}

// Ends the server even though it may have sessions: their files are gone, so no
// other server can adopt them.
void ListenerKeeper::Check() {
  if (is_replaced_ && guests_->size() == 0) end_();
}

}  // namespace glasstty::serve
