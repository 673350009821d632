#include "waits/value.h"

#include <algorithm>
#include <cmath>

#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/screen_lines.h"

namespace glasstty::waits {

absl::StatusOr<Value> Value::Compile(ValueIs wanted) {
  ASSIGN_OR_RETURN(Pattern pattern, Pattern::Compile(wanted.regex));
  if (pattern.groups() == 0) {
    return InvalidArgument(
        "until: the pattern of 'value' needs a group around the number, such "
        "as \"loss=([0-9.]+)\", not \"%s\"",
        wanted.regex);
  }
  if (!wanted.below && !wanted.above && !wanted.changes_by) {
    return InvalidArgument(
        "until: 'value' needs 'below', 'above' or 'changes_by'");
  }
  return Value(std::move(wanted), std::move(pattern));
}

// The last value before the wait is the base for changes_by, but does not end
// the wait, because it may come from an earlier run.
void Value::Begin(const session::Session* session,
                  const record::ReadMark& baseline) {
  session_ = session;
  baseline_ = baseline;
  for (const session::Output* output : session::StreamsOf(*session)) {
    const record::LineMark& seen = session::MarkOf(*session, *output, baseline);
    streams_.push_back({.output = output});
    Stream& stream = streams_.back();
    stream.scan.Begin(output->terminal(), seen);
    stream.began_revision = output->terminal().lines_revision();
    if (seen.lines_revision > 0) Learn(stream, seen);
  }
}

void Value::Learn(const Stream& stream, const record::LineMark& seen) {
  const terminal::Terminal& terminal = stream.output->terminal();
  int64_t top = seen.line - terminal.size().rows;
  for (const terminal::Line& line : terminal.Lines(top, seen.line)) {
    if (line.revision > seen.lines_revision) continue;
    if (auto value = NumberIn(line.text)) began_with_ = value;
  }
  if (auto value = NumberIn(seen.shown)) began_with_ = value;
}

std::optional<double> Value::NumberIn(std::string_view line) const {
  auto group = pattern_.FindLastGroup(line);
  if (!group) return std::nullopt;
  return motion::ReadNumber(
      line.substr(group->begin, group->end - group->begin));
}

bool Value::Passes(double value, double base) const {
  if (wanted_.below && value < *wanted_.below) return true;
  if (wanted_.above && value > *wanted_.above) return true;
  return wanted_.changes_by && std::abs(value - base) >= *wanted_.changes_by;
}

void Value::TakeLines(std::vector<terminal::Line> lines, const Stream& stream,
                      EchoFilter* echo) {
  const session::Output& output = *stream.output;
  const record::LineMark& seen = session::MarkOf(*session_, output, baseline_);
  std::erase_if(lines, [&seen](const terminal::Line& line) {
    return line.number == seen.line && line.text == seen.shown;
  });
  bool is_error = &output == session_->errors();
  if (!is_error) StripEcho(output.terminal(), echo, &lines);
  for (const terminal::Line& line : lines) {
    bool was_there = line.revision <= stream.began_revision;
    if (!TakeText(line.text, was_there)) continue;
    stream.scan.SetBehind(output.terminal(), line.number,
                          is_error ? &behind_.errors : &behind_);
  }
}

void Value::StripEcho(const terminal::Terminal& terminal, EchoFilter* echo,
                      std::vector<terminal::Line>* lines) const {
  if (lines->empty()) return;
  EchoFilter::Screen screen = EchoFilter::ScreenOf(terminal);
  if (!echo->pending()) return echo->Strip(lines, screen);
  // Before the baseline, the same command may have an earlier echo.
  int64_t begin = lines->front().number;
  int64_t first =
      std::max(begin - EchoFilter::kMostLines, std::min(begin, baseline_.line));
  std::vector<terminal::Line> all =
      terminal.Lines(first, lines->back().number + 1);
  echo->Strip(&all, screen);
  // Both are sorted by number.
  auto same = all.begin();
  for (terminal::Line& line : *lines) {
    while (same != all.end() && same->number < line.number) ++same;
    if (same == all.end()) break;
    if (same->number == line.number) line.text = same->text;
  }
}

bool Value::TakeText(std::string_view text, bool was_there) {
  auto value = NumberIn(text);
  if (!value) return false;
  if (!began_with_ || was_there) began_with_ = value;
  return Take(*value, *began_with_, text);
}

bool Value::Take(double value, double base, std::string_view text) {
  last_ = value;
  std::optional<double> limit = wanted_.below ? wanted_.below : wanted_.above;
  double now_s =
      std::chrono::duration<double>(session_->loop()->Now().time_since_epoch())
          .count();
  if (limit) limit = Towards(*limit);
  series_.Add(now_s, Towards(value), limit);
  if (found_ || !Passes(value, base)) return false;
  found_ = std::string(TrimLineEnd(text));
  behind_ = baseline_;
  behind_.screen_revision = session_->output().terminal().revision();
  return true;
}

Time Value::Refresh(EchoFilter* echo) {
  if (session_->verdict().DrawsScreens()) return RefreshScreen(*echo);
  Time again = Time::max();
  for (Stream& stream : streams_) {
    again = std::min(again, RefreshLines(&stream, echo));
  }
  return again;
}

Time Value::RefreshScreen(const EchoFilter& echo) {
  const terminal::Terminal& terminal = session_->output().terminal();
  if (terminal.revision() == screen_revision_) return Time::max();
  screen_revision_ = terminal.revision();
  std::vector<terminal::Line> rows = echo.RowsOf(terminal, /*since=*/0);
  std::erase_if(
      rows, [this](const terminal::Line& row) { return !NumberIn(row.text); });
  // More values than before are new on the screen, which may be drawn in parts.
  bool has_new = rows.size() > began_in_rows_.size();
  for (const terminal::Line& row : rows) {
    double value = *NumberIn(row.text);
    if (has_new) began_in_rows_.try_emplace(row.number, value);
    Take(value, BaseOf(row.number, value), row.text);
  }
  return Time::max();
}

// A value that has moved to another row is compared with the nearest one.
double Value::BaseOf(int64_t row, double value) const {
  auto own = began_in_rows_.find(row);
  if (own != began_in_rows_.end()) return own->second;
  auto nearest = std::min_element(began_in_rows_.begin(), began_in_rows_.end(),
                                  [value](const auto& a, const auto& b) {
                                    return std::abs(value - a.second) <
                                           std::abs(value - b.second);
                                  });
  return nearest->second;
}

Time Value::RefreshLines(Stream* stream, EchoFilter* echo) {
  const terminal::Terminal& terminal = stream->output->terminal();
  LineScan* scan = &stream->scan;
  int64_t cursor = terminal.cursor_line();
  if (scan->HasNews(terminal, cursor)) {
    TakeLines(scan->TakeRewritten(terminal, cursor), *stream, echo);
    TakeLines(scan->TakeNew(terminal, cursor), *stream, echo);
    stream->is_open_taken = false;
  }
  if (stream->is_open_taken) return Time::max();
  Time due = session_->output().last_output() + kRest;
  Time now = session_->loop()->Now();
  // Half of the line may not have been fed yet.
  if (now < due || stream->output->HasUnfed())
    return std::max(due, now + kRest);
  stream->is_open_taken = true;
  TakeLines(terminal.Lines(cursor, cursor + 1), *stream, echo);
  return Time::max();
}

std::string Value::Text() const {
  if (!last_) return "no value was printed";
  std::string text = absl::StrFormat("value: %g", *last_);
  double now_s =
      std::chrono::duration<double>(session_->loop()->Now().time_since_epoch())
          .count();
  motion::Series::Estimate now = series_.EstimateAt(now_s);
  if (!now.rate) return text + " (no estimate)";
  text += absl::StrFormat(" (%+.3g/s", Towards(*now.rate));
  if (now.end_s) {
    text += absl::StrFormat(", %g in %s", Towards(*now.total),
                            motion::DurationText(*now.end_s - now_s));
  }
  return text + ")";
}

}  // namespace glasstty::waits
