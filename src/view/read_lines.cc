// The modes that show lines: stream, history, all, command.
//
// Lines count from 0 inside and from 1 in all that is shown. No more of them
// are fetched than a reply could show (History::Extract), however many are
// asked for.
#include <algorithm>
#include <utility>

#include "support/status.h"
#include "support/text.h"
#include "view/ballast.h"
#include "view/read_modes.h"

namespace glasstty::view {
namespace {

// "lines 5-9", "line 5"; empty for none. The lines need not be adjacent.
std::string LineRange(const std::vector<terminal::Line>& lines) {
  if (lines.empty()) return "";
  int64_t first = lines.front().number + 1, last = lines.back().number + 1;
  if (first == last) return absl::StrFormat("line %d", first);
  return absl::StrFormat("lines %d-%d", first, last);
}

// Nobody reads more than this; the way then is to search it.
constexpr int64_t kReadableRest = 2'000;

// How to fetch what was cut; "" when nothing was.
std::string RestHint(const session::SessionView& session,
                     const Rendered& rendered, std::string_view stream) {
  if (rendered.left_out == 0) return "";
  std::string hint = absl::StrFormat(
      "%s left out: term_read session=%s mode=history%s from_line=%d lines=%d",
      Counted(rendered.left_out, "line"), session.name(), stream,
      rendered.first_left_out + 1, std::min(rendered.left_out, kReadableRest));
  if (rendered.left_out > kReadableRest) hint += ", or term_search";
  return hint;
}

// The lines that were new before line `end` and are not shown.
std::string BeforeHint(const session::SessionView& session, int64_t end,
                       int64_t count) {
  return absl::StrFormat(
      "%d lines before ^C left out: term_read session=%s mode=history "
      "from_line=%d lines=%d",
      count, session.name(), end - count + 1, count);
}

// With a newline each. Lines that were not fetched count as the others do.
int64_t BytesOf(const record::Excerpt& excerpt) {
  int64_t bytes = 0, lines = std::ssize(excerpt.lines);
  for (const terminal::Line& line : excerpt.lines)
    bytes += std::ssize(line.text) + 1;
  return bytes + (lines > 0 ? bytes / lines * excerpt.gap.count : 0);
}

// The common part of the modes that show lines. `stream` is the argument that
// names stderr, or "".
ReadResult FromExcerpt(const session::SessionView& session,
                       const record::Excerpt& excerpt, const Limits& limits,
                       std::string_view stream = "") {
  ReadResult result;
  Rendered rendered = RenderLines(excerpt.lines, limits, excerpt.gap);
  result.body = std::move(rendered.text);
  result.facts = LineRange(excerpt.lines);
  result.hint = RestHint(session, rendered, stream);
  result.left_out = rendered.left_out;
  result.bytes = BytesOf(excerpt);
  for (const terminal::Line& line : excerpt.lines) {
    if (line.concealed) result.concealed.push_back(line.number + 1);
  }
  return result;
}

// The cursor's line, on which nothing stands yet, does not count as a line of
// text.
void DropBlankEnd(std::vector<terminal::Line>* lines) {
  if (!lines->empty() && lines->back().text.empty()) lines->pop_back();
}

// stderr where it is apart from the output: each line with its mark.
void AddErrors(const session::SessionView& session, int64_t from,
               const Limits& limits, ReadResult* result) {
  const record::History* errors = session.error_history();
  if (errors == nullptr) return;
  record::Excerpt excerpt = errors->Extract(from, errors->end_line());
  DropBlankEnd(&excerpt.lines);
  if (excerpt.lines.empty()) return;
  int64_t count = std::ssize(excerpt.lines) + excerpt.gap.count;
  for (terminal::Line& line : excerpt.lines) line.text.insert(0, "err| ");
  Rendered rendered = RenderLines(excerpt.lines, limits, excerpt.gap);
  result->body += (result->body.empty() ? "" : "\n") + rendered.text;
  result->left_out += rendered.left_out;
  result->bytes += BytesOf(excerpt);
  result->hint =
      AndAlso(result->hint, RestHint(session, rendered, " stream=err"));
  if (result->facts == "nothing new" || result->facts == "no output")
    result->facts = "";
  result->facts += absl::StrFormat("%s%d of stderr",
                                   result->facts.empty() ? "" : ", ", count);
}

// What is kept is bounded; what it dropped before it was read must be told.
std::string LostHint(const record::History& history, int64_t wanted) {
  int64_t lost = history.first_line() - wanted;
  if (lost <= 0) return "";
  return absl::StrFormat(
      "%s before line %d %s no longer kept (GLASSTTY_LOG_MIB)",
      Counted(lost, "line"), history.first_line() + 1,
      lost == 1 ? "is" : "are");
}

// The lines of a command, without what stands on its first and last line but is
// not its own.
record::Excerpt LinesOf(const record::History& history, record::LinePlace begin,
                        record::LinePlace end) {
  record::Excerpt excerpt = history.Extract(begin.line, end.line + 1);
  if (!excerpt.lines.empty()) record::TrimToPlaces(begin, end, &excerpt.lines);
  return excerpt;
}

// "command 3 exit=0 (make)".
std::string CommandFacts(const record::CommandBlock& block) {
  std::string facts = absl::StrFormat("command %d", block.number);
  if (!block.finished) facts += " running";
  if (block.exit_status)
    facts += absl::StrFormat(" exit=%d", *block.exit_status);
  if (!block.trusted) facts += " (unverified marks)";
  std::string first(block.text.substr(0, block.text.find('\n')));
  if (!first.empty()) facts += absl::StrFormat(" (%s)", first);
  return facts;
}

const record::History& HistoryOf(const session::SessionView& session,
                                 OutputStream stream) {
  bool errors =
      stream == OutputStream::kErrors && session.error_history() != nullptr;
  return errors ? *session.error_history() : session.history();
}

// What has been shown to a reader of everything in `stream`; the other one
// stays as unread as `mark` has it.
ReaderMark SawWhole(const session::SessionView& session, const ReaderMark& mark,
                    OutputStream stream) {
  ReaderMark all = SawAll(session);
  ReaderMark saw = stream == OutputStream::kErrors ? mark : all;
  saw.error_lines =
      stream == OutputStream::kOutput ? mark.error_lines : all.error_lines;
  return saw;
}

}  // namespace

std::string AndAlso(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return a + "; " + b;
}

// Everything up to now has been shown, also what the limits cut out of the
// middle: the reply named it and how to fetch it.
ReaderMark SawAll(const session::SessionView& session) {
  ReaderMark mark = record::MarkNow(session.terminal());
  // The line that is still being written is shown again.
  if (session.errors() != nullptr) {
    mark.error_lines = session.errors()->cursor_line();
  }
  return mark;
}

ReadResult ReadStream(const session::SessionView& session,
                      const ReaderMark& mark, const ReadRequest& request) {
  const record::History& history = session.history();
  record::Excerpt unread;
  int64_t from = mark.lines_revision == 0 ? mark.line : mark.line + 1;
  if (request.since_line) {
    from = std::max<int64_t>(*request.since_line - 1, 0);
    unread = history.Extract(from, history.end_line());
    DropBlankEnd(&unread.lines);
  } else {
    unread = record::UnreadExcerpt(history, mark);
  }
  bool any = !unread.lines.empty();
  Dropped dropped = DropBallast(session, mark, request, &unread);
  bool errors_only = request.stream == OutputStream::kErrors;
  if (errors_only) unread = record::Excerpt();
  ReadResult result = FromExcerpt(session, unread, request.limits);
  result.used = ReadMode::kStream;
  result.mark = SawWhole(session, mark, request.stream);
  if (unread.lines.empty()) result.facts = any ? "no output" : "nothing new";
  if (request.stream != OutputStream::kOutput) {
    AddErrors(session, request.since_line ? 0 : mark.error_lines,
              request.limits, &result);
  }
  if (dropped.before > 0) {
    int64_t first =
        unread.lines.empty() ? history.end_line() : unread.lines.front().number;
    result.hint =
        AndAlso(result.hint, BeforeHint(session, first, dropped.before));
  }
  if (dropped.rewritten > 0) {
    result.hint =
        AndAlso(result.hint, "its last screen is left out: mode=snapshot");
  }
  result.hint = AndAlso(LostHint(history, from), result.hint);
  return result;
}

ReadResult ReadHistory(const session::SessionView& session,
                       const ReaderMark& mark, const ReadRequest& request) {
  const record::History& history = HistoryOf(session, request.stream);
  int64_t end = history.end_line();
  int64_t wanted =
      request.from_line < 0 ? end + request.from_line : request.from_line - 1;
  int64_t from = std::clamp<int64_t>(wanted, history.first_line(), end);
  int64_t to = std::min(end, from + std::max<int64_t>(request.lines, 0));
  record::Excerpt excerpt = history.Extract(from, to);
  if (to == end) DropBlankEnd(&excerpt.lines);
  Limits limits = request.limits;
  // The caller named the lines; only the hard limit cuts them.
  if (request.mode == ReadMode::kHistory) limits.max_lines = 0;
  bool errors = &history != &session.history();
  ReadResult result =
      FromExcerpt(session, excerpt, limits, errors ? " stream=err" : "");
  result.used = request.mode;
  result.mark = mark;
  result.facts = absl::StrFormat(
      "%s of %d", excerpt.lines.empty() ? "no lines" : result.facts, end);
  if (history.first_line() > 0) {
    result.facts +=
        absl::StrFormat(" (kept from %d)", history.first_line() + 1);
  }
  // A wish from the end reaches as far as there is something.
  if (request.from_line > 0) {
    result.hint = AndAlso(LostHint(history, wanted), result.hint);
  }
  return result;
}

// The whole history of what was asked for counts as seen. Without a stderr of
// its own all of it is output.
ReadResult ReadAll(const session::SessionView& session, const ReaderMark& mark,
                   const ReadRequest& request) {
  ReadRequest whole = request;
  whole.from_line = 1;
  whole.lines = HistoryOf(session, request.stream).end_line();
  ReadResult result = ReadHistory(session, mark, whole);
  if (request.stream == OutputStream::kBoth) {
    AddErrors(session, 0, request.limits, &result);
  }
  bool is_apart = session.error_history() != nullptr;
  result.mark =
      SawWhole(session, mark, is_apart ? request.stream : OutputStream::kBoth);
  return result;
}

ReadResult ReadCommand(const session::SessionView& session,
                       const ReaderMark& mark, const ReadRequest& request) {
  const record::CommandBlock* block = session.commands().Find(request.command);
  ReadResult result;
  if (block == nullptr) {
    result.used = ReadMode::kCommand;
    result.mark = mark;
    result.facts = absl::StrFormat(
        "no command %d: %d are known; shells without integration report none",
        request.command, session.commands().blocks().size());
    return result;
  }
  const terminal::Terminal& terminal = session.terminal();
  record::LinePlace end = block->end;
  if (!block->finished) {
    end = {terminal.cursor_line(), terminal.cursor_line_bytes()};
  }
  const record::History& history = session.history();
  result = FromExcerpt(session, LinesOf(history, block->output, end),
                       request.limits);
  result.used = ReadMode::kCommand;
  result.mark = mark;
  result.facts = CommandFacts(*block);
  result.hint = AndAlso(LostHint(history, block->output.line), result.hint);
  return result;
}

}  // namespace glasstty::view
