// Finds text without missing or inventing any.
//
// The text must be what the program has printed since the baseline: no more,
// because a match in what the agent has seen already would end the wait at
// once; no less, because a line may be there for a moment only. After each
// piece of output (at most 4 KiB) the lines that are new or rewritten since the
// last look are combined. A few lines of context precede them, because a
// pattern may span lines and its first half may have come with the last piece.
// So each look costs what has changed, not what has been printed since the wait
// began.
//
// A piece may push more lines through a short scrollback than it keeps. These
// are taken from the history, which has just received them.
//
// On the primary screen the lines are what a person sees. On the alternate
// screen no lines exist, so the rows that changed since the baseline are used,
// wrapped ones with those that they continue.
//
// An agent may write a prompt as "$ " or "$", so a pattern may match with the
// blanks at the end of a line or without them.
//
// The echo of typed text is removed from the lines first (waits/echo.h).
#include "waits/fresh_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "support/text.h"
#include "terminal/screen_lines.h"

namespace glasstty::waits {
namespace {

// A pattern may span lines, so this many earlier lines are searched again.
constexpr int64_t kContextLines = 3;
// Replaces it while the echo of a line that a shell has wrapped may be there.
constexpr int64_t kEchoLines = 20;
// At most this much is searched of lines that have left the terminal since the
// last look. Mostly that is one piece of output; a frame that is not ended in
// time may be longer.
constexpr size_t kMostLeft = 1 << 20;

// Returns a position in the last line of a match. A newline that the match
// includes belongs to the line before it.
size_t LastOf(const Pattern::Match& match) {
  return match.end > match.begin ? match.end - 1 : match.end;
}

// Returns the whole line around a match, for the reply.
std::string LineAround(std::string_view text, const Pattern::Match& match) {
  size_t begin = match.begin == 0 ? std::string_view::npos
                                  : text.rfind('\n', match.begin - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  size_t end = text.find('\n', LastOf(match));
  return std::string(TrimLineEnd(text.substr(begin, end - begin)));
}

// Returns all lines without invisible characters at their ends; "" if that
// changes nothing.
std::string TrimLineEnds(std::string_view text) {
  std::string trimmed;
  size_t size = text.size();
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1);
    trimmed += TrimLineEnd(text.substr(0, end));
    trimmed += '\n';
    text.remove_prefix(end + 1);
  }
  return trimmed.size() == size ? "" : trimmed;
}

}  // namespace

void FreshText::Begin(const session::Session* session,
                      record::ReadMark baseline, MatchOn on) {
  session_ = session;
  on_ = on;
  scanned_line_ = baseline.line;
  scanned_revision_ = baseline.lines_revision;
  baseline_ = std::move(baseline);
  left_ = session->output().history().first_in_memory();
}

void FreshText::Refresh() {
  const terminal::Terminal& terminal = session_->output().terminal();
  // Both only rise, so their sum changes with either.
  uint64_t revision = terminal.lines_revision() + terminal.revision();
  const session::Output* errors = session_->errors();
  if (errors != nullptr) revision += errors->terminal().lines_revision();
  if (revision == revision_) return;
  revision_ = revision;
  text_.clear();
  origins_.clear();
  if (on_ != MatchOn::kScreen) {
    AppendOutput();
    AppendErrors();
  }
  // On the primary screen the rows are the lines.
  bool screen = on_ == MatchOn::kScreen ||
                (on_ == MatchOn::kAny && terminal.modes().alternate_screen);
  if (screen) AppendScreen();
  trimmed_text_ = TrimLineEnds(text_);
}

void FreshText::Append(const std::vector<terminal::Line>& lines,
                       Source source) {
  for (const terminal::Line& line : lines) {
    text_ += line.text;
    text_ += '\n';
    origins_.push_back({source, line.number});
  }
}

std::vector<terminal::Line> FreshText::LinesSince(
    const record::ReadMark& scan) const {
  const record::History& history = session_->output().history();
  int64_t memory = history.first_in_memory();
  std::vector<terminal::Line> lines;
  // Lines that had left before the wait began are not searched: they may be a
  // million that this reader has never asked for.
  if (std::max(scan.line, left_) < memory) {
    lines = history.Lines(std::max(scan.line, left_), memory, kMostLeft);
  }
  std::vector<terminal::Line> kept =
      record::UnreadLines(session_->output().terminal(), scan);
  // The terminal may hold the end of a line whose beginning has left.
  bool some_left = !lines.empty();
  std::erase_if(kept, [&](const terminal::Line& line) {
    return some_left && line.number < memory;
  });
  lines.insert(lines.end(), std::make_move_iterator(kept.begin()),
               std::make_move_iterator(kept.end()));
  std::erase_if(lines, [&](terminal::Line& line) {
    return !record::StripShown(baseline_, &line);
  });
  return lines;
}

void FreshText::AppendOutput() {
  const terminal::Terminal& terminal = session_->output().terminal();
  // The first scan, and later ones near the baseline, start at the baseline.
  record::ReadMark scan = baseline_;
  // If the baseline's line is written to, it comes again with later ones, so
  // the part that was shown is removed wherever it is.
  scan.shown.clear();
  // An echo that wraps is searched from its beginning.
  int64_t context =
      scanned_line_ - 1 - (echo_.pending() ? kEchoLines : kContextLines);
  if (context > baseline_.line) {
    scan.line = context;
    scan.lines_revision = scanned_revision_;
  }
  std::vector<terminal::Line> lines = LinesSince(scan);
  echo_.Strip(&lines, terminal.cursor_line(), terminal.size().cols);
  Append(lines, Source::kOutput);
  // The last line may still grow, so it is scanned again.
  scanned_line_ = std::max<int64_t>(terminal.end_line() - 1, baseline_.line);
  scanned_revision_ = terminal.lines_revision();
}

void FreshText::AppendErrors() {
  if (session_->errors() == nullptr) return;
  const terminal::Terminal& errors = session_->errors()->terminal();
  int64_t from =
      std::max(baseline_.error_lines, scanned_error_line_ - kContextLines);
  Append(
      session_->errors()->history().Lines(from, errors.end_line(), kMostLeft),
      Source::kErrors);
  scanned_error_line_ = errors.cursor_line();
}

// Compares with the baseline and not with the last look: a row that has been
// there all the time may match together with a new one.
std::vector<terminal::Line> FreshText::ChangedRows() const {
  terminal::Snapshot snapshot =
      session_->output().terminal().TakeSnapshot(baseline_.screen_revision);
  std::vector<terminal::Line> rows, at_cursor;
  int64_t cursor = snapshot.cursor.row;
  for (terminal::ScreenLine& line : terminal::ScreenLines(snapshot)) {
    if (line.Has(snapshot.cursor.row)) cursor = static_cast<int64_t>(line.row);
    if (!line.changed) continue;
    rows.push_back({.number = static_cast<int64_t>(line.row),
                    .text = std::move(line.text)});
    if (rows.back().number == cursor) at_cursor = {rows.back()};
  }
  // This is a copy, because rows have no identity by which an echo could be
  // remembered. A program that reads keys shows them at its cursor, so that row
  // comes first.
  EchoFilter echo = echo_;
  echo.Strip(&at_cursor, cursor, snapshot.size.cols);
  echo.Strip(&rows, cursor, snapshot.size.cols);
  return rows;
}

void FreshText::AppendScreen() { Append(ChangedRows(), Source::kScreen); }

std::optional<FreshText::Found> FreshText::Find(const Pattern& pattern) const {
  // A pattern that matches nothing needs no line.
  if (origins_.empty()) {
    return pattern.Find("") ? std::optional<Found>({"", baseline_})
                            : std::nullopt;
  }
  for (const std::string* text : {&text_, &trimmed_text_}) {
    if (text == &trimmed_text_ && text->empty()) break;
    auto match = pattern.Find(*text);
    if (!match) continue;
    auto before = text->begin() + static_cast<ptrdiff_t>(LastOf(*match));
    auto line = static_cast<size_t>(std::count(text->begin(), before, '\n'));
    line = std::min(line, origins_.size() - 1);
    return Found{LineAround(*text, *match), MarkBehind(origins_[line])};
  }
  return std::nullopt;
}

// A row has no number that outlives it, so everything on the screen counts as
// seen together with the row that matched.
record::ReadMark FreshText::MarkBehind(const Origin& origin) const {
  record::ReadMark mark = baseline_;
  const terminal::Terminal& terminal = session_->output().terminal();
  mark.screen_revision = terminal.revision();
  if (origin.source == Source::kErrors) mark.error_lines = origin.line + 1;
  if (origin.source != Source::kOutput) return mark;
  mark.line = origin.line;
  mark.lines_revision = terminal.lines_revision();
  std::vector<terminal::Line> whole = terminal.Lines(mark.line, mark.line + 1);
  mark.shown = whole.empty() ? "" : std::move(whole.front().text);
  return mark;
}

std::vector<terminal::Line> FreshText::AllLines() const {
  const terminal::Terminal& terminal = session_->output().terminal();
  if (terminal.modes().alternate_screen) return ChangedRows();
  std::vector<terminal::Line> lines = record::UnreadLines(terminal, baseline_);
  EchoFilter echo = echo_;
  echo.Strip(&lines, terminal.cursor_line(), terminal.size().cols);
  if (session_->errors() != nullptr) {
    std::vector<terminal::Line> errors = session_->errors()->terminal().Lines(
        baseline_.error_lines, session_->errors()->terminal().end_line());
    lines.insert(lines.end(), errors.begin(), errors.end());
  }
  return lines;
}

}  // namespace glasstty::waits
