#include "waits/movement.h"

#include <algorithm>
#include <utility>

#include "motion/shape.h"
#include "motion/weight.h"
#include "support/text.h"

namespace glasstty::waits {
namespace {

bool IsBlank(const std::string& text) { return TrimLineEnd(text).empty(); }

}  // namespace

void Movement::Begin(const session::Session* session,
                     const record::ReadMark& baseline,
                     std::vector<std::string> shown,
                     const std::vector<std::string>& told) {
  session_ = session;
  baseline_ = baseline;
  const terminal::Terminal& terminal = session->output().terminal();
  Time now = session->loop()->Now();
  moved_at_ = now;
  lines_revision_ = baseline.lines_revision;
  scan_.Begin(terminal, baseline);
  if (baseline.lines_revision > 0) {
    int64_t from = std::max<int64_t>(baseline.line - kMostLines, 0);
    for (const terminal::Line& line : terminal.Lines(from, baseline.line)) {
      bool is_known = line.revision <= baseline.lines_revision;
      if (is_known && !IsBlank(line.text)) kinds_.Add(TrimLineEnd(line.text));
    }
    if (!IsBlank(baseline.shown)) kinds_.Add(TrimLineEnd(baseline.shown));
  }
  for (const std::string& line : told) {
    if (!IsBlank(line)) kinds_.Add(TrimLineEnd(line));
    screen_.AddKnown(line);
  }
  alternate_ = terminal.modes().alternate_screen;
  draws_screens_ = session->verdict().DrawsScreens();
  if (!draws_screens_) return;
  screen_.Begin(std::move(shown), now);
  screen_.Take(terminal.TakeSnapshot(), now);
}

Time Movement::Refresh() {
  Time now = session_->loop()->Now();
  const terminal::Terminal& terminal = session_->output().terminal();
  bool is_new = terminal.revision() != screen_revision_ ||
                terminal.lines_revision() != lines_revision_;
  if (is_new && looked_at_ != Time::min() && now < looked_at_ + kPace) {
    return looked_at_ + kPace;
  }
  bool alternate = terminal.modes().alternate_screen;
  if (std::exchange(alternate_, alternate) != alternate) {
    moved_at_ = now;
    SetMatter("", kNoLine);
  }
  bool draws = session_->verdict().DrawsScreens();
  if (std::exchange(draws_screens_, draws) != draws && draws) {
    screen_.Begin({}, now);
  }
  if (is_new) looked_at_ = now;
  return draws ? RefreshScreen(now) : RefreshLines(now);
}

Time Movement::RefreshScreen(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  if (terminal.revision() != screen_revision_) {
    screen_revision_ = terminal.revision();
    screen_.Take(terminal.TakeSnapshot(), now);
    moved_at_ = std::max(moved_at_, screen_.moved_at());
  }
  // The lines are those of another time once it shows lines again.
  lines_revision_ = terminal.lines_revision();
  scan_.Begin(terminal, record::MarkNow(terminal));
  if (auto change = screen_.Matters(now)) {
    SetMatter(std::move(change->text), kNoLine);
  }
  return screen_.NextDue();
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
    FindMatter(text, line.number);
    if (advance_.TakeLine(text)) moved_at_ = now;
  }
  for (const terminal::Line& line :
       terminal.Lines(cursor, cursor + 1, lines_revision_)) {
    if (IsShown(line) || IsBlank(line.text)) continue;
    std::string text(TrimLineEnd(line.text));
    TakeOpen(cursor, text, now);
    NoteOpen(cursor, text);
  }
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
  std::string shape = motion::ShapeOf(text);
  Standing& standing = standing_[line.number];
  if (standing.shape != shape) standing = {"", std::move(shape), now};
  standing.text = std::move(text);
}

Time Movement::TakeStanding(Time now) {
  Time next = Time::max();
  std::erase_if(standing_, [&](const auto& numbered) {
    const auto& [number, line] = numbered;
    Time due = line.since + kLongRest;
    if (now >= due) FindMatter(line.text, number);
    if (now < due) next = std::min(next, due);
    return now >= due;
  });
  return next;
}

Time Movement::TakeOpenAtRest(Time now) {
  if (is_open_taken_) return Time::max();
  const terminal::Terminal& terminal = session_->output().terminal();
  Time due =
      session_->output().last_output() + (is_written_over_ ? kLongRest : kRest);
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
  bool is_same = advance_.TakeRow(line, text) == motion::Advance::Sight::kSame;
  if (!is_same) moved_at_ = now;
}

void Movement::NoteOpen(int64_t line, const std::string& text) {
  bool is_other = open_line_ != line;
  is_written_over_ =
      !is_other && (is_written_over_ || !text.starts_with(open_text_));
  open_line_ = line;
  open_text_ = text;
}

bool Movement::IsTyped(const std::string& text) const {
  return std::any_of(typed_.begin(), typed_.end(),
                     [&text](const std::string& typed) {
                       return !typed.empty() && text.ends_with(typed);
                     });
}

void Movement::FindMatter(const std::string& text, int64_t line) {
  std::string trimmed(TrimLineEnd(text));
  bool is_new = kinds_.Add(trimmed).is_new && !IsTyped(trimmed);
  if (is_new) SetMatter(std::move(trimmed), line);
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
