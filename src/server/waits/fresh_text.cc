// Finds text without missing or inventing any.
//
// The text must be what the program has printed since the baseline: no more,
// because a match in text that the agent has seen already would end the wait at
// once; no less, because a line may be visible only for a moment. After each
// piece of output (at most 4 KiB) the lines that are new or rewritten since the
// last look are combined. A few lines of context precede them, because a match
// may span lines and may have begun in an earlier piece. So the cost of each
// look depends on what has changed, not on everything printed since the wait
// began.
//
// A piece may push lines through a short scrollback and out of it. These lines
// are taken from the history, which has just received them.
//
// On the primary screen the lines are what a person sees. On the alternate
// screen no lines exist. So the rows that have changed since the baseline are
// used, with wrapped rows joined.
//
// An agent may write a prompt as "$ " or "$", so a pattern may match with the
// blanks at the end of a line or without them.
//
// The echo of typed text is removed from the lines first (waits/echo.h).
#include "waits/fresh_text.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/utf8.h"
#include "session/streams.h"
#include "support/text.h"
#include "terminal/screen_lines.h"

namespace glasstty::waits {
namespace {

// A pattern may span lines, so this many earlier lines are searched again.
constexpr int64_t kContextLines = 3;
// At most this many bytes of an earlier line, or of the beginning of a growing
// one, are searched again, so that a look stays cheap if a line has a megabyte.
// A program can rewrite only the part on the screen, which is smaller.
constexpr size_t kContextBytes = 64 << 10;
// Replaces the beginning of a line that is not searched again, so that `^` does
// not match after the cut.
constexpr std::string_view kCut = "…";
// At most this many bytes are searched of lines that have left the terminal
// since the last look. Mostly that is one piece of output; a frame that is not
// ended in time may be longer.
constexpr size_t kMostLeft = 1 << 20;

// Returns a position in the last line of a match. A newline that the match
// includes belongs to the line before it.
size_t LastOf(const Pattern::Match& match) {
  return match.end > match.begin ? match.end - 1 : match.end;
}

// Returns the whole line, or lines, around a match, for the reply.
std::string LineAround(std::string_view text, const Pattern::Match& match) {
  size_t begin = match.begin == 0 ? std::string_view::npos
                                  : text.rfind('\n', match.begin - 1);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  size_t end = text.find('\n', LastOf(match));
  return std::string(TrimLineEnd(text.substr(begin, end - begin)));
}

// Returns all lines without blanks at their ends; "" if that changes nothing.
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

// Replaces all but about the last `most` bytes of the text by kCut.
void KeepEnd(size_t most, std::string* text) {
  if (text->size() <= most + kCut.size()) return;
  size_t cut = Utf8Prefix(*text, text->size() - most).size();
  text->replace(0, cut, kCut);
}

}  // namespace

void FreshText::Begin(const session::Session* session,
                      record::ReadMark baseline, MatchOn on) {
  session_ = session;
  on_ = on;
  baseline_ = std::move(baseline);
  scans_.clear();
  for (const session::Output* stream : session::StreamsOf(*session)) {
    const record::LineMark& from =
        session::MarkOf(*session, *stream, baseline_);
    scans_.push_back({.output = stream,
                      .source = stream == session->errors() ? Source::kErrors
                                                            : Source::kOutput,
                      .line = from.line,
                      .revision = from.lines_revision,
                      .left = stream->history().first_in_memory()});
  }
}

const record::LineMark& FreshText::BaselineOf(const Scan& scan) const {
  return session::MarkOf(*session_, *scan.output, baseline_);
}

void FreshText::Refresh(EchoFilter* echo) {
  const terminal::Terminal& terminal = session_->output().terminal();
  // Both values only rise, so their sum changes if either does.
  uint64_t revision = session::LinesRevision(*session_) + terminal.revision();
  if (revision == revision_) return;
  revision_ = revision;
  text_.clear();
  origins_.clear();
  if (on_ != MatchOn::kScreen) {
    for (Scan& scan : scans_) AppendLines(&scan, echo);
  }
  // On the primary screen the lines contain the rows already. Rows are compared
  // with the baseline, not with the last look, because an unchanged row may
  // match together with a new one.
  bool screen = on_ == MatchOn::kScreen ||
                (on_ == MatchOn::kAny && terminal.modes().alternate_screen);
  if (screen) {
    Append(echo->RowsOf(terminal, baseline_.screen_revision), Source::kScreen);
  }
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
    const Scan& scan, const record::LineMark& from) const {
  const record::History& history = scan.output->history();
  int64_t memory = history.first_in_memory();
  std::vector<terminal::Line> lines;
  // Lines that had left the terminal before the wait began are not searched,
  // because there may be a million, and this reader has never asked for them.
  int64_t first = std::max(from.line, scan.left);
  if (first < memory) lines = history.Lines(first, memory, kMostLeft);
  std::vector<terminal::Line> kept =
      record::UnreadLines(scan.output->terminal(), from);
  // The terminal may hold the end of a line whose beginning has left.
  bool some_left = !lines.empty();
  std::erase_if(kept, [&](const terminal::Line& line) {
    return some_left && line.number < memory;
  });
  lines.insert(lines.end(), std::make_move_iterator(kept.begin()),
               std::make_move_iterator(kept.end()));
  std::erase_if(lines, [&](terminal::Line& line) {
    return !record::StripShown(BaselineOf(scan), scan.output->terminal(),
                               &line);
  });
  return lines;
}

void FreshText::AppendLines(Scan* scan, EchoFilter* echo) {
  const terminal::Terminal& terminal = scan->output->terminal();
  const record::LineMark& baseline = BaselineOf(*scan);
  // The first scan, and later ones near the baseline, start at the baseline.
  record::LineMark from = baseline;
  // The baseline's line is returned whole. LinesSince removes the part that was
  // shown.
  from.shown.clear();
  // Only stdout has echoes. A wrapped echo is searched for from its first line.
  bool has_echo = scan->source == Source::kOutput;
  bool is_awaited = has_echo && echo->pending();
  int64_t context =
      scan->line - 1 - (is_awaited ? EchoFilter::kMostLines : kContextLines);
  if (context > baseline.line) {
    from.line = context;
    from.lines_revision = scan->revision;
  }
  std::vector<terminal::Line> lines = LinesSince(*scan, from);
  if (has_echo) echo->Strip(&lines, EchoFilter::ScreenOf(terminal));
  CutSearched(scan, &lines);
  Append(lines, scan->source);
  // The last line may still grow, so it is scanned again.
  scan->line = std::max<int64_t>(terminal.end_line() - 1, baseline.line);
  scan->revision = terminal.lines_revision();
}

void FreshText::CutSearched(Scan* scan, std::vector<terminal::Line>* lines) {
  const int64_t last = scan->output->terminal().end_line() - 1;
  const size_t searched = scan->last_bytes;
  scan->last_bytes = 0;
  for (terminal::Line& line : *lines) {
    size_t size = line.text.size();
    if (line.number == last) scan->last_bytes = size;
    if (line.number > scan->line) continue;
    bool grows = line.number == scan->line;
    size_t fresh = grows && size > searched ? size - searched : 0;
    KeepEnd(fresh + kContextBytes, &line.text);
  }
}

std::optional<FreshText::Found> FreshText::Find(const Pattern& pattern) const {
  // Without lines, only a pattern that matches the empty text is met.
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

// A row of the screen has no lasting number, so everything on the screen counts
// as seen together with the row that matched.
record::ReadMark FreshText::MarkBehind(const Origin& origin) const {
  record::ReadMark mark = baseline_;
  mark.screen_revision = session_->output().terminal().revision();
  if (origin.source == Source::kScreen) return mark;
  bool is_error = origin.source == Source::kErrors;
  const terminal::Terminal& terminal =
      is_error ? session_->errors()->terminal() : session_->output().terminal();
  record::LineMark& behind = is_error ? mark.errors : mark;
  behind.line = origin.line;
  behind.lines_revision = terminal.lines_revision();
  std::vector<terminal::Line> whole =
      terminal.Lines(behind.line, behind.line + 1);
  behind.shown = whole.empty() ? "" : std::move(whole.front().text);
  return mark;
}

std::vector<terminal::Line> FreshText::AllLines(const EchoFilter& echo) const {
  const terminal::Terminal& shown = session_->output().terminal();
  if (shown.modes().alternate_screen) {
    return echo.RowsOf(shown, baseline_.screen_revision);
  }
  std::vector<terminal::Line> all;
  for (const Scan& scan : scans_) {
    const terminal::Terminal& terminal = scan.output->terminal();
    std::vector<terminal::Line> lines =
        record::UnreadLines(terminal, BaselineOf(scan));
    if (scan.source == Source::kOutput) {
      EchoFilter copy = echo;
      copy.Strip(&lines, EchoFilter::ScreenOf(terminal));
    }
    all.insert(all.end(), std::make_move_iterator(lines.begin()),
               std::make_move_iterator(lines.end()));
  }
  return all;
}

}  // namespace glasstty::waits
