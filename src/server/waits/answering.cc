#include "waits/answering.h"

#include <algorithm>
#include <iterator>

#include "support/text.h"

namespace glasstty::waits {
namespace {

// Returns true if the time-outs are about equal. The rest of a sleep that ended
// too early or was interrupted is mostly less than half of the sleep.
bool IsAbout(int one_ms, int other_ms) {
  return one_ms < other_ms * 2 && one_ms * 2 > other_ms;
}

}  // namespace

void Answering::Begin(const session::Session* session, bool asks) {
  session_ = session;
  // Text from just before counts, too: the wait may be a step of the same call.
  typed_at_ = session->input().MayAnswer(session->loop()->Now())
                  ? Time::min()
                  : session->input().typing().at;
  before_ = session->questions().prober().last_work();
  if (asks) interest_ = session->questions().Keep(session::Interest::kWork);
  bool has_prompt =
      !TrimTrailingBlanks(session->output().TextBeforeCursor()).empty();
  if (has_prompt && !session->verdict().DrawsScreens()) {
    prompt_line_ = session->output().terminal().cursor_line();
  }
  const wire::ProbeAnswer* last = session->questions().prober().last();
  polled_before_ =
      last != nullptr && last->waiting == wire::Waiting::kPollTimeout;
}

bool Answering::IsPromptDue(const wire::ProbeAnswer& answer) const {
  const terminal::Terminal& terminal = session_->output().terminal();
  Time now = session_->loop()->Now();
  // On a busy machine, a thread is often ready to run but gets no processor.
  bool is_at_work = works_ || now < last_ran_at_ + kWindow;
  Time due = session_->input().typing().at +
             (is_at_work ? kLongComputation : kPromptTime);
  bool may_be_due = prompt_line_ && terminal.cursor_line() > *prompt_line_ &&
                    terminal.cursor_line_bytes() == 0 &&
                    terminal.cursor().visible &&
                    !session_->verdict().DrawsScreens();
  if (!may_be_due || now >= due) return false;
  bool is_alone = answer.work.known == 0 || answer.work.is_alone != 0;
  return !is_alone || answer.waiting == wire::Waiting::kPollTimeout;
}

bool Answering::IsLineUnread(const wire::ProbeAnswer& answer) const {
  // due_ms lists only short time-outs (octave looks for other events ten times
  // a second).
  bool is_listed = answer.work.due_ms[0] != 0;
  bool was_listed = before_.due_ms[0] != 0;
  bool is_as_before =
      polled_before_ && (before_.known == 0 || is_listed == was_listed);
  if (is_as_before || answer.waiting != wire::Waiting::kPollTimeout) {
    return false;
  }
  const session::Output& output = session_->output();
  Time typed = session_->input().typing().at;
  Time due = std::min(std::max(typed, output.last_output()) + kPromptTime,
                      typed + kLongComputation);
  return prompt_line_ && !session_->verdict().DrawsScreens() &&
         output.terminal().cursor_line() == session_->input().typing().line &&
         session_->loop()->Now() < due;
}

Look Answering::HasPrompt() const {
  bool is_typed = waits_since_ || typed_at_ != session_->input().typing().at;
  if (!is_typed) return true;
  const wire::ProbeAnswer* answer = session_->questions().prober().last();
  Time again = session_->loop()->Now() + session::Questions::kAnswerPace;
  return Look(answer == nullptr || !IsPromptDue(*answer), again);
}

bool Answering::HasChanged() const {
  return session_->output().terminal().revision() !=
         session_->input().typing().revision;
}

Look Answering::IsOver() {
  Time now = session_->loop()->Now();
  const session::InputQueue::Typing& typing = session_->input().typing();
  if (session_->finished()) return true;
  if (typed_at_ != typing.at) {
    typed_at_ = typing.at;
    waits_since_ = last_ran_at_ = window_since_ = now;
    window_cpu_ns_ = 0;
    works_ = false;
    has_paused_ = false;
    due_.reset();
    frames_ = 0;
    turns_ = 0;
  }
  if (!waits_since_) return true;
  constexpr Duration kPace = session::Questions::kAnswerPace;
  const wire::ProbeAnswer* answer = session_->questions().prober().fresh();
  Look later(false, now + kPace);
  if (answer == nullptr || !answer->settled) return later;
  // Before it draws its prompt, irb polls for a key for a millisecond, while
  // the terminal is still in canonical mode.
  bool reads_lines =
      answer->canonical && answer->waiting != wire::Waiting::kPollTimeout;
  if (reads_lines) return true;
  const wire::PendingWork& work = answer->work;
  if (work.runs && !typing.ran_before) last_ran_at_ = now;
  NoteWork(work, now);
  if (IsPromptDue(*answer) || IsLineUnread(*answer)) return later;
  has_paused_ |= now > last_ran_at_ + kPause;
  if (now >= last_ran_at_ + kLongest) return true;
  Duration most =
      has_paused_ ? session::InputQueue::kAnswerTime : kLongComputation;
  if (now >= *waits_since_ + most) return true;
  if (work.known && (!IsAtRest(work) || IsDue(work))) return later;
  return HasChanged() || now >= typing.at + kSecondLook ? true : later;
}

// Threads that take turns are rarely seen at work, so this looks at the
// processor time that they have used.
void Answering::NoteWork(const wire::PendingWork& work, Time now) {
  if (window_cpu_ns_ == 0) window_cpu_ns_ = work.cpu_ns;
  if (now < window_since_ + kWindow) return;
  auto passed_ns = static_cast<uint64_t>((now - window_since_).count());
  works_ = work.cpu_ns > window_cpu_ns_ + passed_ns / kLeastShare;
  window_since_ = now;
  window_cpu_ns_ = work.cpu_ns;
}

bool Answering::IsAtRest(const wire::PendingWork& work) {
  if (work.runs || work.has_started) return false;
  Time looked_at = session_->questions().prober().answered_at();
  if (turns_ != work.turns) {
    turns_ = work.turns;
    rests_since_ = looked_at;
  }
  // If a thread wakes up at a set time, IsDue waits until then.
  bool sleeps_briefly = work.due_ms[0] != 0;
  return work.is_alone || sleeps_briefly || looked_at >= rests_since_ + kRest;
}

// Returns true if the program already slept for about this long before the key.
bool Answering::IsTick(int ms) const {
  return std::any_of(std::begin(before_.due_ms), std::end(before_.due_ms),
                     [ms](int before_ms) { return IsAbout(ms, before_ms); });
}

bool Answering::IsDue(const wire::PendingWork& work) {
  int habit_ms = HasChanged() ? session_->input().typing().habit_ms : 0;
  int longest_ms = 0;
  for (int ms : work.due_ms) {
    if (ms <= kFrameMs || ms > habit_ms) longest_ms = std::max(longest_ms, ms);
  }
  if (longest_ms == 0) return false;
  Time looked_at = session_->questions().prober().answered_at();
  bool is_frame = longest_ms <= kFrameMs &&
                  session_->output().terminal().revision() != drawn_;
  bool goes_on =
      is_frame || !IsAbout(longest_ms, due_ms_) || !IsTick(longest_ms);
  bool is_next = due_ && looked_at >= *due_ && frames_ < kMostFrames && goes_on;
  if (!due_ || is_next) {
    due_ms_ = longest_ms;
    due_ = looked_at + std::chrono::milliseconds(longest_ms) + kTimerSlack;
    drawn_ = session_->output().terminal().revision();
    ++frames_;
  }
  return looked_at < *due_;
}

}  // namespace glasstty::waits
