#include "waits/starting.h"

#include <algorithm>

namespace glasstty::waits {

void Starting::Begin(const session::Session* session) {
  session_ = session;
  work_ = session->questions().Keep(session::Interest::kWork);
  state_ = session->questions().Keep(session::Interest::kState);
}

bool Starting::IsBlank() const {
  const terminal::Snapshot screen =
      session_->output().terminal().TakeSnapshot();
  return session_->output().terminal().first_line() == 0 &&
         std::all_of(
             screen.rows.begin(), screen.rows.end(),
             [](const terminal::SnapshotRow& row) { return row.text.empty(); });
}

bool Starting::IsPromptDue() const {
  const terminal::Terminal& terminal = session_->output().terminal();
  return terminal.cursor_line() > 0 && terminal.cursor_line_bytes() == 0 &&
         !session_->verdict().DrawsScreens() &&
         session_->loop()->Now() <
             session_->output().last_output() + kPromptTime;
}

Look Starting::IsOver() {
  if (session_ == nullptr) return true;
  Time now = session_->loop()->Now();
  const wire::ProbeAnswer* answer = session_->questions().prober().fresh();
  bool is_over = session_->finished() || !(IsBlank() || IsPromptDue());
  if (!is_over && answer != nullptr) {
    bool reads_lines =
        answer->canonical && answer->waiting == wire::Waiting::kRead;
    is_over = !answer->work.known || reads_lines;
  }
  if (!is_over) {
    Look later(false, session_->questions().NextAnswer());
    if (answer == nullptr) return later;
    uint64_t cpu_ns = answer->work.cpu_ns;
    bool will_draw = session_->output().terminal().modes().alternate_screen;
    Time end = since_.value_or(now) + (will_draw ? kLongWindow : kWindow);
    if (since_ && now < end) return later;
    // The limit is a twentieth, because a program that waits uses far less,
    // even if it shows an animation.
    auto share =
        since_ ? static_cast<uint64_t>((now - *since_).count()) / 20 : 0;
    bool works = answer->work.runs || cpu_ns >= cpu_ns_ + share;
    if (!since_ || works) {
      since_ = now;
      cpu_ns_ = cpu_ns;
      return later;
    }
  }
  session_ = nullptr;
  work_.reset();
  state_.reset();
  return true;
}

}  // namespace glasstty::waits
