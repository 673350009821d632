#include "attach/stage.h"

#include <signal.h>
#include <string.h>

#include <cerrno>
#include <chrono>
#include <string_view>
#include <utility>

namespace glasstty::attach {
namespace {

// The interval between pictures, because people cannot see more than 60 per
// second.
constexpr Duration kFrame = std::chrono::milliseconds(16);
// The time after which a lone ESC is the key Escape; a terminal sends the rest
// of a sequence immediately.
constexpr Duration kEscapePatience = std::chrono::milliseconds(30);
// The time after a change of size at which the screen is painted again: editors
// change a terminal's size in several steps, and in between draw output with an
// outdated size.
constexpr Duration kSettled = std::chrono::milliseconds(300);
constexpr char kGone[] = "the terminal is gone";

}  // namespace

Stage::Stage(Loop* loop, OuterTerminal* outer, Show show)
    : loop_(loop),
      outer_(outer),
      show_(std::move(show)),
      paint_timer_(loop, [this] { Paint(); }),
      settled_timer_(loop,
                     [this] {
                       glass_.Forget();
                       SchedulePaint();
                     }),
      escape_timer_(loop,
                    [this] {
                      for (const TypedKey& key : keys_.Flush()) show_.key(key);
                    }),
      readable_(loop, outer->fd(), FdWatch::Direction::kRead,
                Urgency::kProtocol, [this] { OnReadable(); }),
      writable_(loop, outer->fd(), FdWatch::Direction::kWrite,
                Urgency::kProtocol, [this] { OnWritable(); }) {
  WatchSignals();
  outer_->Enter();
  glass_.SetSize(outer_->size());
  readable_.Enable(true);
  writable_.Enable(false);
  SchedulePaint();
}

void Stage::WatchSignals() {
  auto on = [this](int number, std::function<void()> run) {
    signals_.push_back(
        std::make_unique<SignalWatch>(loop_, number, std::move(run)));
  };
  for (int number : {SIGTERM, SIGHUP, SIGINT, SIGQUIT}) {
    on(number, [this] { show_.end("left, as asked by a signal"); });
  }
  on(SIGWINCH, [this] { OnResized(); });
  on(SIGTSTP, [this] { OnStopped(); });
  on(SIGCONT, [this] { OnContinued(); });
}

void Stage::OnReadable() {
  char buffer[4096];
  ssize_t n = outer_->Read(buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) return show_.end(kGone);
  std::string_view bytes(buffer, static_cast<size_t>(n));
  for (const TypedKey& key : keys_.Feed(bytes)) show_.key(key);
  explicit_bzero(buffer, sizeof buffer);
  escape_timer_.Clear();
  if (keys_.waits()) escape_timer_.SetAfter(kEscapePatience);
}

void Stage::OnWritable() {
  if (!outer_->Flush()) return show_.end(kGone);
  if (outer_->busy()) return;
  writable_.Enable(false);
  if (dirty_) SchedulePaint();
}

void Stage::OnResized() {
  glass_.SetSize(outer_->size());
  show_.resized();
  SchedulePaint();
  settled_timer_.SetAfter(kSettled);
}

// Restores the terminal for the shell, then stops the process.
void Stage::OnStopped() {
  show_.stopped();
  outer_->Leave();
  raise(SIGSTOP);
}

// Also called after a SIGSTOP, which cannot be caught; the shell may have
// changed the terminal meanwhile.
void Stage::OnContinued() {
  outer_->Enter();
  OnResized();
}

void Stage::SchedulePaint() {
  dirty_ = true;
  if (outer_->busy()) return writable_.Enable(true);
  if (!paint_timer_.armed()) paint_timer_.Set(painted_ + kFrame);
}

// A slow terminal gets fewer pictures, but each is current.
void Stage::Paint() {
  dirty_ = false;
  painted_ = loop_->Now();
  outer_->Write(show_.paint());
  if (outer_->busy()) writable_.Enable(true);
}

}  // namespace glasstty::attach
