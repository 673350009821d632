#include "waits/movement.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "motion/progress.h"
#include "motion/shape.h"
#include "support/text.h"

namespace glasstty::waits {
namespace {

constexpr size_t kMostFresh = 1'000;

bool IsBlank(const std::string& text) { return TrimLineEnd(text).empty(); }

}  // namespace

void Movement::Begin(const session::Session* session,
                     const record::ReadMark& baseline,
                     std::vector<std::string> shown) {
  session_ = session;
  baseline_ = baseline;
  const terminal::Terminal& terminal = session->output().terminal();
  Time now = session->loop()->Now();
  moved_at_ = now;
  lines_revision_ = baseline.lines_revision;
  scanned_line_ = baseline.line;
  if (baseline.lines_revision > 0) {
    int64_t from = std::max<int64_t>(baseline.line - kMostLines, 0);
    for (const terminal::Line& line : terminal.Lines(from, baseline.line)) {
      if (!IsBlank(line.text)) kinds_.Add(TrimLineEnd(line.text));
    }
    if (!IsBlank(baseline.shown)) kinds_.Add(TrimLineEnd(baseline.shown));
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
    if (!matter_) matter_ = "";
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
  scanned_line_ = terminal.cursor_line();
  if (auto change = screen_.Matters(now); change && !matter_) {
    matter_ = std::move(change->text);
  }
  return screen_.NextDue();
}

Time Movement::RefreshLines(Time now) {
  const terminal::Terminal& terminal = session_->output().terminal();
  int64_t cursor = terminal.cursor_line();
  if (terminal.lines_revision() != lines_revision_) {
    int64_t top = scanned_line_ - terminal.size().rows;
    int64_t from = std::max({top, baseline_.line, cursor - kMostLines});
    int64_t scanned = scanned_line_;
    for (const terminal::Line& line :
         terminal.Lines(from, terminal.end_line(), lines_revision_)) {
      bool is_shown =
          line.number == baseline_.line && line.text == baseline_.shown;
      if (is_shown || IsBlank(line.text)) continue;
      std::string text(TrimLineEnd(line.text));
      bool is_whole = line.number < cursor && line.number >= scanned;
      is_whole ? TakeLine(text, now) : TakeOpen(text, now);
      // A line that has been written over is whole, too.
      if (line.number < scanned && line.number != cursor) FindMatter(text);
      if (line.number == cursor) NoteOpen(cursor, text);
    }
    lines_revision_ = terminal.lines_revision();
    screen_revision_ = terminal.revision();
    scanned_line_ = cursor;
    is_open_taken_ = false;
  }
  if (is_open_taken_) return Time::max();
  Time due =
      session_->output().last_output() + (is_written_over_ ? kLongRest : kRest);
  if (now < due || session_->output().HasUnfed())
    return std::max(due, now + kPace);
  is_open_taken_ = true;
  for (const terminal::Line& line : terminal.Lines(cursor, cursor + 1)) {
    bool is_shown = cursor == baseline_.line && line.text == baseline_.shown;
    if (!is_shown && !IsBlank(line.text)) FindMatter(line.text);
  }
  return Time::max();
}

void Movement::TakeLine(const std::string& text, Time now) {
  FindMatter(text);
  if (IsFresh(motion::ShapeOf(text, motion::Ignore::kTimes))) moved_at_ = now;
}

// A rate goes up and down while nothing comes any more, so only what says how
// far it has come counts.
void Movement::TakeOpen(const std::string& text, Time now) {
  auto reading = motion::ReadProgress(text);
  if (!reading) {
    if (IsFresh(motion::ShapeOf(text, motion::Ignore::kTimes))) moved_at_ = now;
    return;
  }
  std::string shape = motion::ShapeOf(text);
  bool is_same = shape == open_shape_;
  if (!is_same && IsFresh(shape)) moved_at_ = now;
  if (is_same && reading->value > best_) moved_at_ = now;
  best_ = is_same ? std::max(best_, reading->value) : reading->value;
  open_shape_ = std::move(shape);
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

void Movement::FindMatter(const std::string& text) {
  std::string line(TrimLineEnd(text));
  bool is_new = kinds_.Add(line).is_new && !IsTyped(line);
  if (is_new && !matter_) matter_ = std::move(line);
}

bool Movement::IsFresh(const std::string& shape) {
  if (fresh_.size() >= kMostFresh) fresh_.clear();
  return fresh_.insert(std::hash<std::string>()(shape)).second;
}

}  // namespace glasstty::waits
