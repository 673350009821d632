#include "serve/listener_keeper.h"

#include <sys/inotify.h>

#include <chrono>
#include <utility>

#include "support/log.h"
#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty::serve {
namespace {

// Deleting a directory with all its contents takes a moment.
constexpr Duration kSettle = std::chrono::milliseconds(100);

}  // namespace

ListenerKeeper::ListenerKeeper(Loop* loop, std::string base, Guests* guests,
                               std::function<void()> make_base)
    : loop_(loop),
      guests_(guests),
      base_(std::move(base)),
      make_base_(std::move(make_base)),
      timer_(loop, [this] { Look(); }) {
  Watch();
}

// Uses a new descriptor each time: the watches on what was deleted end with the
// old one.
void ListenerKeeper::Watch() {
  heard_.reset();
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
}

// The kind of event does not matter, because Look finds out what happened.
void ListenerKeeper::Hear() {
  char events[4096];
  while (ReadSome(inotify_.get(), events, sizeof events) > 0) {
  }
  timer_.SetAfter(kSettle);
}

void ListenerKeeper::Look() {
  if (!guests_->is_open() || guests_->listener().IsReachable(base_)) return;
  make_base_();
  auto listener = Listener::Open(base_);
  if (listener.ok()) {
    Warn("%s/serve was deleted; listening there again", base_);
    guests_->ListenOn(*std::move(listener));
  } else {
    Warn("%s/serve was deleted: %s", base_, Message(listener.status()));
  }
  Watch();
}

}  // namespace glasstty::serve
