#include "waits/movement.h"

#include <algorithm>
#include <utility>

#include "motion/progress.h"
#include "motion/shape.h"
#include "motion/weight.h"
#include "support/text.h"

namespace glasstty::waits {
namespace {

constexpr size_t kMostStanding = 1'000;

bool IsBlank(const std::string& text) { return TrimLineEnd(text).empty(); }

}  // namespace

void Movement::Begin(const session::Session* session,
                     const record::ReadMark& baseline,
                     std::vector<std::string> shown,
                     std::shared_ptr<motion::Memory> memory) {
  session_ = session;
  memory_ = memory ? std::move(memory) : std::make_shared<motion::Memory>();
  baseline_ = baseline;
  const terminal::Terminal& terminal = session->output().terminal();
  Time now = session->loop()->Now();
  if (memory_->moved_at == Time()) memory_->moved_at = now;
  lines_revision_ = baseline.lines_revision;
  scan_.Begin(terminal, baseline);
  if (baseline.lines_revision > 0) {
    int64_t from = std::max<int64_t>(baseline.line - kMostLines, 0);
    for (const terminal::Line& line : terminal.Lines(from, baseline.line)) {
      bool is_known = line.revision <= baseline.lines_revision;
      if (!is_known || IsBlank(line.text)) continue;
      Learn(line.text);
      LearnHead(line.number, line.text);
    }
    if (!IsBlank(baseline.shown)) {
      Learn(baseline.shown);
      LearnHead(baseline.line, baseline.shown);
    }
  }
  if (const session::Output* errors = session->errors()) {
    errors_scan_.Begin(errors->terminal(), baseline.errors);
    int64_t end = baseline.errors.line;
    for (const terminal::Line& line : errors->terminal().Lines(
             std::max<int64_t>(end - kMostLines, 0), end)) {
      if (!IsBlank(line.text)) Learn(line.text);
    }
    if (!IsBlank(baseline.errors.shown)) Learn(baseline.errors.shown);
  }
  alternate_ = terminal.modes().alternate_screen;
  draws_screens_ = session->verdict().DrawsScreens();
  if (!draws_screens_) return;
  memory_->screen.Begin(std::move(shown), now);
  memory_->screen.Take(terminal.TakeSnapshot(), now);
}

void Movement::Learn(const std::string& text) {
  memory_->kinds.Add(TrimLineEnd(text));
}

// Only a line that is still on the screen can be written over.
void Movement::LearnHead(int64_t line, const std::string& text) {
  const terminal::Terminal& terminal = session_->output().terminal();
  bool is_in_window = line >= terminal.end_line() - terminal.size().rows;
  if (is_in_window) memory_->AddHead(motion::HeadOf(text));
}

Time Movement::Refresh() {
  Time now = session_->loop()->Now();
  const terminal::Terminal& terminal = session_->output().terminal();
  bool is_new = terminal.revision() != screen_revision_ ||
                terminal.lines_revision() != lines_revision_ || HasNewErrors();
  if (is_new && looked_at_ != Time::min() && now < looked_at_ + kPace) {
    return looked_at_ + kPace;
  }
  bool alternate = terminal.modes().alternate_screen;
  if (std::exchange(alternate_, alternate) != alternate) {
    memory_->moved_at = now;
    SetMatter("", kNoLine);
  }
  bool draws = session_->verdict().DrawsScreens();
  if (std::exchange(draws_screens_, draws) != draws && draws) {
    memory_->screen.Restart();
  }
  if (is_new) looked_at_ = now;
  Time again = draws ? RefreshScreen(now) : RefreshLines(now);
  return std::min(again, RefreshErrors(now));
}

Time Movement::RefreshScreen(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  if (terminal.revision() != screen_revision_) {
    screen_revision_ = terminal.revision();
    memory_->screen.Take(terminal.TakeSnapshot(), now);
    memory_->moved_at = std::max(memory_->moved_at, memory_->screen.moved_at());
  }
  // When the program shows lines again, none of these lines is new.
  lines_revision_ = terminal.lines_revision();
  scan_.Begin(terminal, record::MarkNow(terminal));
  if (auto change = memory_->screen.Matters(now)) {
    SetMatter(std::move(change->text), kNoLine);
  }
  return memory_->screen.NextDue();
}

Time Movement::RefreshLines(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  if (scan_.HasNews(terminal, terminal.cursor_line())) {
    TakeLines(now);
    lines_revision_ = terminal.lines_revision();
    screen_revision_ = terminal.revision();
    is_open_taken_ = false;
  }
  return std::min(TakeStanding(now), TakeOpenAtRest(now));
}

bool Movement::HasNewErrors() const {
  if (session_->errors() == nullptr) return false;
  const terminal::Terminal& errors = session_->errors()->terminal();
  return errors_scan_.HasNews(errors, errors.cursor_line());
}

Time Movement::RefreshErrors(Time now) {
  const session::Output* errors = session_->errors();
  if (errors == nullptr) return Time::max();
  const terminal::Terminal& terminal = errors->terminal();
  if (HasNewErrors()) {
    TakeErrors(terminal, now);
    is_open_error_taken_ = is_error_written_over_;
  }
  if (is_open_error_taken_) return Time::max();
  Time due = session_->output().last_output() + kRest;
  if (now < due) return due;
  is_open_error_taken_ = true;
  int64_t cursor = terminal.cursor_line();
  for (const terminal::Line& line : terminal.Lines(cursor, cursor + 1)) {
    FindError(line);
  }
  return Time::max();
}

void Movement::TakeErrors(const terminal::Terminal& errors, Time now) {
  int64_t cursor = errors.cursor_line();
  errors_scan_.TakeRewritten(errors, cursor);
  errors_scan_.SkipTo(cursor - kMostLines);
  for (const terminal::Line& line : errors_scan_.TakeNew(errors, cursor)) {
    std::string text(TrimLineEnd(line.text));
    // The end of a bar is no news.
    bool is_bar_end = is_error_written_over_ &&
                      motion::ShapeOf(open_error_) == motion::ShapeOf(text) &&
                      motion::WeightOf(text) == motion::Weight::kNone;
    is_bar_end ? Learn(text) : FindError(line);
    if (!text.empty() && memory_->advance.TakeLine(text))
      memory_->moved_at = now;
    open_error_.clear();
    is_error_written_over_ = false;
  }
  for (const terminal::Line& line : errors.Lines(cursor, cursor + 1)) {
    if (IsBlank(line.text)) continue;
    std::string text(TrimLineEnd(line.text));
    is_error_written_over_ |= !text.starts_with(open_error_);
    open_error_ = text;
    // Lines of stdout have the numbers from 0 on.
    TakeOpen(-1 - cursor, text, now);
  }
}

bool Movement::IsShown(const terminal::Line& line) const {
  return line.number == baseline_.line && line.text == baseline_.shown;
}

void Movement::TakeLines(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  int64_t cursor = terminal.cursor_line();
  for (const terminal::Line& line : scan_.TakeRewritten(terminal, cursor)) {
    TakeRewritten(line, now);
  }
  scan_.SkipTo(cursor - kMostLines);
  for (const terminal::Line& line : scan_.TakeNew(terminal, cursor)) {
    if (IsShown(line) || IsBlank(line.text)) continue;
    std::string text(TrimLineEnd(line.text));
    TakeWhole(line.number, text);
    if (memory_->advance.TakeLine(text)) memory_->moved_at = now;
  }
  for (const terminal::Line& line :
       terminal.Lines(cursor, cursor + 1, lines_revision_)) {
    if (IsShown(line) || IsBlank(line.text)) continue;
    std::string text(TrimLineEnd(line.text));
    TakeOpen(cursor, text, now);
    NoteOpen(cursor, text);
    if (memory_->is_written_over) Stand(cursor, text, /*is_half=*/true, now);
  }
}

// A line of the same shape as the one that stood in its place, and without
// weight, is the end of a meter, so it is no news.
void Movement::TakeWhole(int64_t line, const std::string& text) {
  auto standing = standing_.find(line);
  bool is_meter_end = standing != standing_.end() &&
                      standing->second.shape == motion::ShapeOf(text) &&
                      motion::WeightOf(text) == motion::Weight::kNone;
  is_meter_end ? Learn(text) : FindMatter(text, line);
  if (standing != standing_.end()) standing_.erase(standing);
  LearnHead(line, text);
}

void Movement::TakeRewritten(const terminal::Line& line, Time now) {
  if (IsBlank(line.text)) {
    standing_.erase(line.number);
    return;
  }
  std::string text(TrimLineEnd(line.text));
  TakeOpen(line.number, text, now);
  if (motion::IsHeavy(motion::WeightOf(text)))
    return FindMatter(text, line.number);
  if (motion::IsPointer(text)) return;
  Stand(line.number, text, /*is_half=*/false, now);
}

// A text with the same head continues the one there. Half a line does not
// replace a longer text.
void Movement::Stand(int64_t line, const std::string& text, bool is_half,
                     Time now) {
  if (standing_.size() >= kMostStanding) standing_.clear();
  std::string head = motion::HeadOf(text);
  std::string shape = motion::ShapeOf(text);
  if (IsBeginning(now)) memory_->AddHead(head);
  Standing& standing = standing_[line];
  if (standing.shape.empty() || standing.head != head) {
    standing = {text, std::move(shape),     now, std::move(head),
                now,  motion::IsMeter(text)};
    return;
  }
  standing.is_meter = standing.is_meter || motion::IsMeter(text);
  bool is_same = standing.shape == shape;
  bool is_more = !is_half || text.size() >= standing.text.size();
  if (is_more) standing.text = text;
  if (!is_same) standing.since = now;
  standing.shape = std::move(shape);
}

// Typing starts a job or continues one, so its beginning counts from then.
bool Movement::IsBeginning(Time now) {
  if (memory_->begins_at == Time()) memory_->begins_at = now;
  Time begin = std::max(memory_->begins_at, session_->input().typing().at);
  return now < begin + kBeginning;
}

// TakeOpenAtRest judges the cursor's line as a whole, so only its head is
// judged here. A meter is judged by its head, too, because its other words only
// tell its progress.
Time Movement::DueOf(int64_t number, const Standing& line) const {
  bool is_open = number == memory_->open_line;
  bool is_by_head = is_open || line.is_meter;
  Time due = is_by_head ? Time::max() : line.since + kLongRest;
  bool is_head_new = !line.head.empty() && !memory_->heads.contains(line.head);
  return is_head_new ? std::min(due, line.head_since + kHeadRest) : due;
}

Time Movement::TakeStanding(Time now) {
  Time next = Time::max();
  std::erase_if(standing_, [&](const auto& numbered) {
    const auto& [number, line] = numbered;
    Time due = DueOf(number, line);
    if (now < due) {
      next = std::min(next, due);
      return false;
    }
    FindMatter(line.text, number);
    memory_->AddHead(line.head);
    return true;
  });
  return next;
}

Time Movement::TakeOpenAtRest(Time now) {
  if (is_open_taken_) return Time::max();
  const terminal::Terminal& terminal = session_->output().terminal();
  Time due = session_->output().last_output() +
             (memory_->is_written_over ? kLongRest : kRest);
  if (now < due || session_->output().HasUnfed())
    return std::max(due, now + kPace);
  is_open_taken_ = true;
  int64_t cursor = terminal.cursor_line();
  for (const terminal::Line& line : terminal.Lines(cursor, cursor + 1)) {
    if (!IsShown(line) && !IsBlank(line.text)) {
      FindMatter(line.text, line.number);
    }
  }
  return Time::max();
}

void Movement::TakeOpen(int64_t line, const std::string& text, Time now) {
  bool is_same =
      memory_->advance.TakeRow(line, text) == motion::Advance::Sight::kSame;
  if (!is_same) memory_->moved_at = now;
}

void Movement::NoteOpen(int64_t line, const std::string& text) {
  bool is_other = memory_->open_line != line;
  memory_->is_written_over =
      !is_other &&
      (memory_->is_written_over || !text.starts_with(memory_->open_text));
  memory_->open_line = line;
  memory_->open_text = text;
}

bool Movement::IsTyped(const std::string& text) const {
  return std::any_of(typed_.begin(), typed_.end(),
                     [&text](const std::string& typed) {
                       return !typed.empty() && text.ends_with(typed);
                     });
}

bool Movement::IsNews(const std::string& text) {
  return memory_->kinds.Recognize(text)
             ? memory_->states.IsEnd(text)
             : !IsTyped(text) && !motion::SaysItGoesOn(text);
}

void Movement::FindMatter(const std::string& text, int64_t line) {
  // The next wait finds what follows.
  if (matter_) return;
  std::string trimmed(TrimLineEnd(text));
  if (IsNews(trimmed)) SetMatter(std::move(trimmed), line);
}

void Movement::FindError(const terminal::Line& line) {
  const record::LineMark& seen = baseline_.errors;
  bool is_shown = line.number == seen.line && line.text == seen.shown;
  if (matter_ || is_shown || IsBlank(line.text)) return;
  std::string text(TrimLineEnd(line.text));
  if (!IsNews(text)) return;
  SetMatter(std::move(text), kNoLine);
  errors_scan_.SetBehind(session_->errors()->terminal(), line.number,
                         &behind_.errors);
}

void Movement::SetMatter(std::string text, int64_t line) {
  if (matter_) return;
  matter_ = std::move(text);
  const terminal::Terminal& terminal = session_->output().terminal();
  behind_ = baseline_;
  behind_.screen_revision = terminal.revision();
  if (line != kNoLine) scan_.SetBehind(terminal, line, &behind_);
}

}  // namespace glasstty::waits
