// The modes that show lines: stream, history, all, command.
//
// Lines count from 0 in the code, and from 1 in all that is shown. Only as many
// lines are fetched as a reply could show (History::Extract), however many are
// requested.
#include <algorithm>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"
#include "view/ballast.h"
#include "view/focus.h"
#include "view/left_out.h"
#include "view/read_modes.h"
#include "view/suggestion.h"

namespace glasstty::view {
namespace {

// Returns "lines 5-9", "line 5" or "". The lines need not be adjacent.
std::string LineRange(const std::vector<terminal::Line>& lines) {
  if (lines.empty()) return "";
  int64_t first = lines.front().number + 1, last = lines.back().number + 1;
  if (first == last) return absl::StrFormat("line %d", first);
  return absl::StrFormat("lines %d-%d", first, last);
}

// Returns a hint on how to fetch the lines that were left out; "" if none were.
// The hint omits the number of lines, which is in the text, and the session's
// name, which is in the header.
std::string RestHint(const record::History& history, const Rendered& rendered,
                     std::string_view stream, const Limits& limits) {
  if (rendered.left_out == 0) return "";
  std::string hint = "left out: ";
  // A whole text contains no line with their number.
  if (limits.whole) hint = Counted(rendered.left_out, "line") + " " + hint;
  bool is_for_models = !limits.whole;
  // More lines than QuoteHeavy searches are too many to read.
  if (is_for_models && rendered.left_out > kMostSearched) {
    return hint + "term_search";
  }
  hint += absl::StrFormat("term_read%s from_line=%d lines=%d", stream,
                          rendered.first_left_out + 1, rendered.left_out);
  if (!is_for_models) return hint;
  std::string heavy =
      QuoteHeavy(history, rendered.first_left_out, rendered.left_out);
  return heavy.empty() ? hint : hint + ", among them " + heavy;
}

// Returns how much of a range is fetched for a reply with these limits.
record::History::Ends EndsFor(const Limits& limits) {
  if (!limits.whole) return {};
  return {.lines = INT64_MAX / 4, .bytes = Limits::kWholeCharacters / 2};
}

// Removes the last newline of a whole text whose last line has none in the
// output.
void LeaveOpen(std::string* text) {
  if (text->ends_with('\n')) text->pop_back();
}

// Returns whether an ended program left its last line without a newline, and
// `lines` end with that line.
bool EndsOpen(const session::Session& session, const record::History& history,
              const std::vector<terminal::Line>& lines) {
  return session.finished() && !lines.empty() &&
         lines.back().number == history.end_line() - 1;
}

// Counts a newline for each line. Lines that were not fetched count as long as
// the average of the others.
int64_t BytesOf(const record::Excerpt& excerpt) {
  int64_t bytes = 0, lines = std::ssize(excerpt.lines);
  for (const terminal::Line& line : excerpt.lines)
    bytes += std::ssize(line.text) + 1;
  return bytes + (lines > 0 ? bytes / lines * excerpt.gap.count : 0);
}

// Builds the part of the result that all modes with lines share. `stream` is
// the argument that names the stream (StreamWord), or "".
ReadResult FromExcerpt(const record::History& history,
                       const record::Excerpt& excerpt, const Limits& limits,
                       std::string_view stream = "") {
  ReadResult result;
  Rendered rendered = RenderLines(excerpt.lines, limits, excerpt.gap);
  result.body = std::move(rendered.text);
  result.facts = LineRange(excerpt.lines);
  result.whole = limits.whole;
  result.hint = RestHint(history, rendered, stream, limits);
  result.left_out = rendered.left_out;
  result.bytes = BytesOf(excerpt);
  for (const terminal::Line& line : excerpt.lines) {
    if (limits.whole && line.missing_bytes > 0) {
      result.hint =
          AndAlso(result.hint,
                  absl::StrFormat("of line %d, %d characters are missing: "
                                  "mode=raw",
                                  line.number + 1, line.missing_characters));
    }
    if (line.concealed) result.concealed.push_back(line.number + 1);
  }
  return result;
}

// Drops the cursor's line if it is empty, because it does not count as a line
// of text.
void DropBlankEnd(std::vector<terminal::Line>* lines) {
  if (!lines->empty() && lines->back().text.empty()) lines->pop_back();
}

// Adds lines of a separate stderr, with a sign on each unless the result is
// whole.
void AddErrors(const session::Session& session, record::Excerpt excerpt,
               const Limits& limits, ReadResult* result) {
  if (excerpt.lines.empty()) return;
  const record::History& errors = session.errors()->history();
  int64_t count = std::ssize(excerpt.lines) + excerpt.gap.count;
  if (!limits.whole) {
    for (terminal::Line& line : excerpt.lines) line.text.insert(0, kErrorSign);
  }
  Rendered rendered = RenderLines(excerpt.lines, limits, excerpt.gap);
  if (limits.whole) {
    result->errors = std::move(rendered.text);
    if (EndsOpen(session, errors, excerpt.lines)) LeaveOpen(&result->errors);
  } else {
    // A single blank line of output is an empty text.
    result->body += (result->bytes == 0 ? "" : "\n") + rendered.text;
  }
  result->left_out += rendered.left_out;
  result->bytes += BytesOf(excerpt);
  result->hint =
      AndAlso(result->hint, RestHint(errors, rendered, " stream=err", limits));
  if (result->facts == "nothing new" || result->facts == "no output")
    result->facts = "";
  result->facts += absl::StrFormat("%s%d of stderr",
                                   result->facts.empty() ? "" : ", ", count);
}

// Returns a note with the number of lines that were dropped before they were
// read, because their space is bounded, or the disk has refused them.
std::string LostHint(const record::History& history, int64_t wanted) {
  int64_t lost = history.first_line() - wanted;
  if (lost <= 0) return "";
  std::string refusal = history.WhyNotKept();
  return absl::StrFormat(
      "%s before line %d %s no longer kept (%s)", Counted(lost, "line"),
      history.first_line() + 1, lost == 1 ? "is" : "are",
      refusal.empty() ? "GLASSTTY_LOG_MIB" : "they were refused: " + refusal);
}

// Returns a note about output that was lost between two lines.
std::string HoleHint(const record::History& history, int64_t from, int64_t to) {
  return history.LostIn(from, to).Text();
}

// Returns the lines of a command, without other text on its first and last
// line.
record::Excerpt LinesOf(const record::History& history,
                        const record::CommandBlock& block,
                        record::LinePlace end, const Limits& limits) {
  record::Excerpt excerpt =
      history.Extract(block.output.line, end.line + 1, EndsFor(limits));
  record::RestoreLastLines(block, &excerpt.lines);
  record::TrimToPlaces(block.output, end, &excerpt.lines);
  return excerpt;
}

// Returns for example: command 3 exit=0 "make".
std::string CommandFacts(const record::CommandBlock& block) {
  std::string facts = absl::StrFormat("command %d", block.number);
  if (!block.finished) facts += " running";
  if (block.exit_status)
    facts += absl::StrFormat(" exit=%d", *block.exit_status);
  if (!block.trusted) facts += " (unverified marks)";
  std::string first(block.text.substr(0, block.text.find('\n')));
  if (!first.empty()) facts += " " + Quoted(first);
  return facts;
}

const record::History& HistoryOf(const session::Session& session,
                                 OutputStream stream) {
  bool errors = stream == OutputStream::kErrors && session.errors() != nullptr;
  return errors ? session.errors()->history() : session.output().history();
}

// Returns the argument that names the stream in a call that shows more of it,
// or "" if the session has only one.
std::string_view StreamWord(const session::Session& session,
                            OutputStream stream) {
  if (session.errors() == nullptr) return "";
  return stream == OutputStream::kErrors ? " stream=err" : " stream=out";
}

// Returns the mark of a reader who was shown all of `stream`; the other stream
// stays as unread as in `mark`.
ReaderMark SawWhole(const session::Session& session, const ReaderMark& mark,
                    OutputStream stream) {
  ReaderMark all = SawAll(session);
  ReaderMark saw = stream == OutputStream::kErrors ? mark : all;
  saw.errors = stream == OutputStream::kOutput ? mark.errors : all.errors;
  return saw;
}

// A range of lines of one stream, with both ends of its text.
struct Range : RequestedLines {
  record::Excerpt excerpt;
};
Range RangeOf(const record::History& history, const ReadRequest& request) {
  Range range{FindRequested(history, request), {}};
  range.excerpt =
      history.Extract(range.from, range.to, EndsFor(request.limits));
  if (range.to == history.end_line()) DropBlankEnd(&range.excerpt.lines);
  return range;
}

}  // namespace

RequestedLines FindRequested(const record::History& history,
                             const ReadRequest& request) {
  RequestedLines range;
  int64_t end = history.text_end();
  bool is_all = request.mode == ReadMode::kAll;
  int64_t first = is_all ? 1 : request.from_line;
  int64_t count = is_all ? end : std::max<int64_t>(request.lines, 0);
  range.wanted = first < 0 ? end + first : first - 1;
  range.from = std::clamp<int64_t>(range.wanted, history.first_line(), end);
  range.to = std::min(end, range.from + std::min(count, end));
  return range;
}

std::string AndAlso(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + "; " + b;
}

// Returns the mark of a reader to whom everything up to now was shown. Lines
// that the limits left out count as shown, because the reply says how to fetch
// them.
ReaderMark SawAll(const session::Session& session) {
  return session::MarkNow(session);
}

namespace {

// Reports suggestions, because they look like typed text among the lines. Only
// programs that take single keys, such as shells, make them.
void TellSuggestions(const session::Session& session, ReadResult* result) {
  const wire::ProbeAnswer* probe = session.questions().prober().last();
  session::Activity activity = session.verdict().LastState().activity;
  bool is_read = activity == session::Activity::kInput ||
                 activity == session::Activity::kPrompt;
  if (!is_read || probe == nullptr || probe->canonical != 0) return;
  result->suggestions =
      FindSuggestions(session.output().terminal().TakeSnapshot());
}

// Reports rows whose colours have changed. A line that is redrawn with the same
// text is not new, but a key may have changed only its colours (a toggle).
// Colours are compared only for programs that take single keys, because only
// they do that.
void TellLooks(const session::Session& session, const ReaderMark& mark,
               bool is_nothing_new, ReadResult* result) {
  const wire::ProbeAnswer* probe = session.questions().prober().last();
  bool takes_keys =
      session.verdict().LastState().activity == session::Activity::kInput &&
      probe != nullptr && !probe->canonical;
  if (!takes_keys) return;
  terminal::Snapshot snapshot = session.output().terminal().TakeSnapshot();
  result->mark.looks = LooksOf(snapshot);
  if (!is_nothing_new || mark.looks.empty()) return;
  std::string rows = RowsWithNewLooks(mark.looks, result->mark.looks);
  if (rows.empty()) return;
  result->facts = "nothing new, but colours changed in " + rows;
  result->focus = FindFocus(snapshot);
}

}  // namespace

ReadResult ReadStream(const session::Session& session, const ReaderMark& mark,
                      const ReadRequest& request) {
  const record::History& history = session.output().history();
  record::Excerpt unread;
  int64_t from = mark.lines_revision == 0 ? mark.line : mark.line + 1;
  if (request.since_line) {
    from = std::max<int64_t>(*request.since_line - 1, 0);
    unread = history.Extract(from, history.end_line(), EndsFor(request.limits));
    DropBlankEnd(&unread.lines);
  } else {
    unread = record::UnreadExcerpt(history, mark, EndsFor(request.limits));
  }
  bool any = !unread.lines.empty();
  Dropped dropped = DropBallast(session, mark, request, &unread);
  bool errors_only = request.stream == OutputStream::kErrors;
  if (errors_only) unread = record::Excerpt();
  ReadResult result = FromExcerpt(history, unread, request.limits,
                                  StreamWord(session, OutputStream::kOutput));
  result.used = ReadMode::kStream;
  if (result.whole && EndsOpen(session, history, unread.lines)) {
    LeaveOpen(&result.body);
  }
  result.mark = SawWhole(session, mark, request.stream);
  TellLooks(session, mark, unread.lines.empty() && !any, &result);
  TellSuggestions(session, &result);
  if (unread.lines.empty() && result.facts.empty()) {
    result.facts = any ? "no output" : "nothing new";
  }
  bool has_errors =
      request.stream != OutputStream::kOutput && session.errors() != nullptr;
  if (has_errors) {
    record::LineMark seen;
    if (!request.since_line) seen = mark.errors;
    AddErrors(session,
              record::UnreadExcerpt(session.errors()->history(), seen,
                                    EndsFor(request.limits)),
              request.limits, &result);
  }
  // A caller that interrupts a program seldom needs its last output.
  if (dropped.before > 0) {
    result.hint =
        AndAlso(result.hint,
                absl::StrFormat("%d lines before ^C left out", dropped.before));
  }
  if (dropped.rewritten > 0) {
    result.hint =
        AndAlso(result.hint, "its last screen is left out: mode=snapshot");
  }
  result.hint = AndAlso(HoleHint(history, from, history.end_line()),
                        AndAlso(LostHint(history, from), result.hint));
  return result;
}

ReadResult ReadNewBefore(const session::Session& session,
                         const ReaderMark& mark, int64_t end,
                         const Limits& limits) {
  record::Excerpt unread =
      record::UnreadExcerpt(session.output().history(), mark);
  std::erase_if(unread.lines, [end](const terminal::Line& line) {
    return line.number >= end;
  });
  return FromExcerpt(session.output().history(), unread, limits);
}

ReadResult ReadHistory(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request) {
  const record::History& history = HistoryOf(session, request.stream);
  Range range = RangeOf(history, request);
  Limits limits = request.limits;
  // The caller named the lines, so only the hard limit applies.
  if (request.mode == ReadMode::kHistory) limits.max_lines = 0;
  ReadResult result = FromExcerpt(history, range.excerpt, limits,
                                  StreamWord(session, request.stream));
  result.used = request.mode;
  result.mark = mark;
  if (result.whole && EndsOpen(session, history, range.excerpt.lines)) {
    LeaveOpen(&result.body);
  }
  result.facts = absl::StrFormat(
      "%s of %d", range.excerpt.lines.empty() ? "no lines" : result.facts,
      history.text_end());
  if (history.first_line() > 0) {
    result.facts +=
        absl::StrFormat(" (kept from %d)", history.first_line() + 1);
  }
  result.hint = AndAlso(HoleHint(history, range.from, range.to), result.hint);
  // A range from the end of the history reaches only as far as there are lines.
  if (request.from_line > 0) {
    result.hint = AndAlso(LostHint(history, range.wanted), result.hint);
  }
  bool is_both =
      request.stream == OutputStream::kBoth && session.errors() != nullptr;
  if (is_both) {
    AddErrors(session, RangeOf(session.errors()->history(), request).excerpt,
              limits, &result);
  }
  return result;
}

// All requested lines count as seen. If there is no separate stderr, all lines
// are output.
ReadResult ReadAll(const session::Session& session, const ReaderMark& mark,
                   const ReadRequest& request) {
  ReadRequest whole = request;
  whole.from_line = 1;
  whole.lines = INT64_MAX / 4;
  ReadResult result = ReadHistory(session, mark, whole);
  bool is_apart = session.errors() != nullptr;
  result.mark =
      SawWhole(session, mark, is_apart ? request.stream : OutputStream::kBoth);
  return result;
}

ReadResult ReadCommand(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request) {
  const record::CommandBlock* block =
      session.events().commands().Find(request.command);
  ReadResult result;
  if (block == nullptr) {
    result.used = ReadMode::kCommand;
    result.mark = mark;
    result.facts = absl::StrFormat(
        "no command %d: %d are known; shells without integration report none",
        request.command, session.events().commands().blocks().size());
    return result;
  }
  const terminal::Terminal& terminal = session.output().terminal();
  record::LinePlace end = block->end;
  if (!block->finished) {
    end = {terminal.cursor_line(), terminal.cursor_line_bytes()};
  }
  const record::History& history = session.output().history();
  result = FromExcerpt(history, LinesOf(history, *block, end, request.limits),
                       request.limits);
  if (result.whole && block->finished && end.bytes > 0) LeaveOpen(&result.body);
  result.used = ReadMode::kCommand;
  result.mark = mark;
  result.facts = CommandFacts(*block);
  result.hint =
      AndAlso(HoleHint(history, block->output.line, end.line + 1),
              AndAlso(LostHint(history, block->output.line), result.hint));
  return result;
}

}  // namespace glasstty::view
