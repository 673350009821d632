// The modes of a look, and what each counts as seen.
//
//   stream    what is new since the mark, as lines; all of it is seen then
//   snapshot  the screen; seen is what is on it. More unread lines than fit on
//             the screen stay unread, so that a glance loses no output
//   history   a range of lines by number; the mark stays, because an agent that
//             looks back must not lose its place
//   command   what one command printed; the mark stays
//   diff      what has changed on the screen since this reader was shown it, as
//             long as it looks at screens only: whoever reads lines in between
//             has another picture in mind. Counts as the screen
//   auto      diff for a program that draws the whole screen, else stream
//
// Lines count from 0 inside and from 1 in all that is shown.
#include "session/reader.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "session/focus.h"
#include "session/screen_diff.h"
#include "support/status.h"

namespace glasstty {
namespace {

// A prompt that is redrawn rewrites one or two rows; a full-screen program that
// stays on the primary screen (top) rewrites many.
constexpr int kRewrittenRows = 4;

// "lines 5-9", "line 5"; empty for none. The lines need not be adjacent.
std::string LineRange(const std::vector<Line>& lines) {
  if (lines.empty()) return "";
  int64_t first = lines.front().number + 1, last = lines.back().number + 1;
  if (first == last) return absl::StrFormat("line %d", first);
  return absl::StrFormat("lines %d-%d", first, last);
}

// How to fetch what was cut; "" when nothing was.
std::string RestHint(const Rendered& rendered) {
  if (rendered.left_out == 0) return "";
  return absl::StrFormat(
      "%d lines left out: term_read mode=history from_line=%d lines=%d",
      rendered.left_out, rendered.first_left_out + 1, rendered.left_out);
}

// The common part of the modes that show lines.
ReadResult FromLines(const std::vector<Line>& lines, const Limits& limits) {
  ReadResult result;
  Rendered rendered = RenderLines(lines, limits);
  result.body = std::move(rendered.text);
  result.facts = LineRange(lines);
  result.hint = RestHint(rendered);
  result.left_out = rendered.left_out;
  return result;
}

// stderr where it is apart from the output: each line with its mark.
void AddErrors(const Session& session, int64_t from, const Limits& limits,
               ReadResult* result) {
  if (session.errors() == nullptr) return;
  std::vector<Line> lines =
      session.errors()->Lines(from, session.errors()->end_line());
  if (!lines.empty() && lines.back().text.empty()) lines.pop_back();
  if (lines.empty()) return;
  for (Line& line : lines) line.text.insert(0, "err| ");
  Rendered rendered = RenderLines(lines, limits);
  result->body += (result->body.empty() ? "" : "\n") + rendered.text;
  result->left_out += rendered.left_out;
  if (result->facts == "nothing new") result->facts = "";
  result->facts += absl::StrFormat(
      "%s%d of stderr", result->facts.empty() ? "" : ", ", lines.size());
}

// Everything up to now has been shown, also what the limits cut out of the
// middle: the reply named it and how to fetch it.
ReadMark SawAll(const Session& session) {
  ReadMark mark = MarkNow(session.terminal());
  // The line that is still being written is shown again.
  if (session.errors() != nullptr) {
    mark.error_lines = session.errors()->cursor_line();
  }
  return mark;
}

// Lines that scrolled past unseen are still to be read.
ReadMark SawScreen(const Session& session, const ReadMark& mark,
                   const Snapshot& snapshot) {
  const Terminal& terminal = session.terminal();
  ReadMark seen = mark;
  if (CountUnread(terminal, mark) <= terminal.size().rows) {
    seen = MarkNow(terminal);
  }
  seen.screen_revision = snapshot.revision;
  seen.screen = std::make_shared<ScreenText>(TextOf(snapshot));
  return seen;
}

ReadResult ReadStream(const Session& session, const ReadMark& mark,
                      const ReadRequest& request) {
  const Terminal& terminal = session.terminal();
  ReadMark from = mark;
  if (request.since_line) {
    from = ReadMark{};
    from.line = std::max<int64_t>(*request.since_line - 1, 0);
  }
  std::vector<Line> lines = UnreadLines(terminal, from);
  if (request.since_line) {
    // UnreadLines also gives rewritten lines above the mark, which were not
    // asked for.
    std::erase_if(lines, [&](const Line& l) { return l.number < from.line; });
  }
  ReadResult result = FromLines(lines, request.limits);
  result.used = ReadMode::kStream;
  result.mark = SawAll(session);
  if (lines.empty()) result.facts = "nothing new";
  AddErrors(session, request.since_line ? 0 : mark.error_lines, request.limits,
            &result);
  // The scrollback is bounded; what it dropped before it was read must be told.
  int64_t gone = terminal.first_line() - (from.line + 1);
  if (gone > 0) {
    result.hint = absl::StrFormat(
        "%d unread lines have left the scrollback (raw log: term_list "
        "verbose=true names it)%s%s",
        gone, result.hint.empty() ? "" : "; ", result.hint);
  }
  return result;
}

// The first line that is on the screen with its beginning. Lines are logical
// and rows are not: rows that continue a line do not count.
int64_t FirstLineOnScreen(const Terminal& terminal, const Snapshot& snapshot) {
  int64_t last = snapshot.cursor.row;
  for (int64_t row = last; row < std::ssize(snapshot.rows); ++row) {
    if (!snapshot.rows[static_cast<size_t>(row)].text.empty()) last = row;
  }
  int64_t begun = 0;
  for (int64_t row = 0; row <= last; ++row) {
    if (!snapshot.rows[static_cast<size_t>(row)].wrapped) ++begun;
  }
  return std::max(terminal.end_line() - begun, terminal.first_line());
}

// What snapshot and diff have in common: all but the text.
ReadResult AboutScreen(const Session& session, const ReadMark& mark,
                       const Snapshot& snapshot) {
  ReadResult result;
  result.facts = absl::StrFormat("%dx%d cursor=%d:%d%s", snapshot.size.rows,
                                 snapshot.size.cols, snapshot.cursor.row + 1,
                                 snapshot.cursor.col + 1,
                                 snapshot.cursor.visible ? "" : "(hidden)");
  // A shell's coloured prompt points at nothing.
  if (DrawsFullScreen(session, mark)) result.focus = FindFocus(snapshot);
  result.mark = SawScreen(session, mark, snapshot);
  return result;
}

ReadResult ReadScreen(const Session& session, const ReadMark& mark,
                      const ReadRequest& request) {
  const Terminal& terminal = session.terminal();
  Snapshot snapshot = terminal.TakeSnapshot();
  ReadResult result = AboutScreen(session, mark, snapshot);
  result.used = ReadMode::kSnapshot;
  if (request.scrollback > 0 && !snapshot.alternate) {
    // The lines above the screen; the alternate screen has none.
    int64_t end = FirstLineOnScreen(terminal, snapshot);
    result.body = RenderLines(terminal.Lines(end - request.scrollback, end),
                              {.max_lines = 0})
                      .text;
    result.body += result.body.empty() ? "" : "\n--- screen ---\n";
  }
  result.body += RenderScreen(snapshot);
  // An empty reply would look like a failure.
  if (result.body.empty()) result.body = "(blank screen)";
  return result;
}

std::string ChangeWords(const ScreenDiff& diff, uint64_t since) {
  if (diff.text.empty()) return absl::StrFormat("unchanged since %d", since);
  return absl::StrFormat("+%d row%s since %d", diff.rows_changed,
                         diff.rows_changed == 1 ? "" : "s", since);
}

ReadResult ReadDiff(const Session& session, const ReadMark& mark,
                    const ReadRequest& request) {
  ReadRequest whole = request;
  whole.mode = ReadMode::kSnapshot;
  auto shown = mark.screen;
  if (shown == nullptr) return ReadSession(session, mark, whole);
  if (request.since_revision.value_or(shown->revision) != shown->revision) {
    ReadResult result = ReadSession(session, mark, whole);
    result.hint = absl::StrFormat(
        "shown whole: of revision %d nothing is kept, only of the last one",
        *request.since_revision);
    return result;
  }
  Snapshot snapshot = session.terminal().TakeSnapshot();
  size_t full_bytes = RenderScreen(snapshot).size();
  auto diff = DiffScreens(*shown, TextOf(snapshot), full_bytes);
  if (!diff) return ReadSession(session, mark, whole);
  ReadResult result = AboutScreen(session, mark, snapshot);
  result.used = ReadMode::kDiff;
  result.change = ChangeWords(*diff, shown->revision);
  result.body = std::move(diff->text);
  return result;
}

ReadResult ReadHistory(const Session& session, const ReadMark& mark,
                       const ReadRequest& request) {
  const Terminal& terminal = session.terminal();
  int64_t end = terminal.end_line();
  int64_t from =
      request.from_line < 0 ? end + request.from_line : request.from_line - 1;
  from = std::clamp<int64_t>(from, terminal.first_line(), end);
  int64_t to = std::min(end, from + std::max<int64_t>(request.lines, 0));
  std::vector<Line> lines = terminal.Lines(from, to);
  // The cursor's line, on which nothing stands yet.
  if (!lines.empty() && lines.back().text.empty() && to == end) {
    lines.pop_back();
  }
  Limits limits = request.limits;
  // The caller named the lines; only the hard limit cuts them.
  limits.max_lines = 0;
  ReadResult result = FromLines(lines, limits);
  result.used = ReadMode::kHistory;
  result.mark = mark;
  result.facts = absl::StrFormat(
      "%s of %d", lines.empty() ? "no lines" : result.facts, end);
  if (terminal.first_line() > 0) {
    result.facts +=
        absl::StrFormat(" (held from %d)", terminal.first_line() + 1);
  }
  return result;
}

// "command 3 exit=0 (make)".
std::string CommandFacts(const CommandBlock& block) {
  std::string facts = absl::StrFormat("command %d", block.number);
  if (!block.finished) facts += " running";
  if (block.exit_status)
    facts += absl::StrFormat(" exit=%d", *block.exit_status);
  if (!block.trusted) facts += " (unverified marks)";
  std::string first(block.text.substr(0, block.text.find('\n')));
  if (!first.empty()) facts += absl::StrFormat(" (%s)", first);
  return facts;
}

ReadResult ReadCommand(const Session& session, const ReadMark& mark,
                       const ReadRequest& request) {
  const CommandBlock* block = session.commands().Find(request.command);
  ReadResult result;
  if (block == nullptr) {
    result.used = ReadMode::kCommand;
    result.mark = mark;
    result.facts = absl::StrFormat(
        "no command %d: %d are known; shells without integration tell of none",
        request.command, session.commands().blocks().size());
    return result;
  }
  const Terminal& terminal = session.terminal();
  LinePlace end = block->end;
  if (!block->finished) {
    end = {terminal.cursor_line(), terminal.cursor_line_bytes()};
  }
  result =
      FromLines(LinesBetween(terminal, block->output, end), request.limits);
  result.used = ReadMode::kCommand;
  result.mark = mark;
  result.facts = CommandFacts(*block);
  int64_t gone = terminal.first_line() - block->output.line;
  if (gone > 0) {
    result.hint =
        absl::StrFormat("its first %d lines have left the scrollback%s%s", gone,
                        result.hint.empty() ? "" : "; ", result.hint);
  }
  return result;
}

// The mode is chosen anew at each look: an agent that leaves vim gets lines
// again.
ReadResult ReadAuto(const Session& session, const ReadMark& mark,
                    const ReadRequest& request) {
  ReadRequest chosen = request;
  chosen.mode =
      DrawsFullScreen(session, mark) ? ReadMode::kDiff : ReadMode::kStream;
  return ReadSession(session, mark, chosen);
}

// In the order of ReadMode.
struct ModeRow {
  // As agents write it; also the value of "mode" in replies.
  const char* name;
  // Sets the mode that was used and the mark once the client has the result.
  ReadResult (*read)(const Session&, const ReadMark&, const ReadRequest&);
};
constexpr ModeRow kModes[] = {
    {"auto", ReadAuto},       {"stream", ReadStream},
    {"snapshot", ReadScreen}, {"history", ReadHistory},
    {"command", ReadCommand}, {"diff", ReadDiff},
};

}  // namespace

bool DrawsFullScreen(const Session& session, const ReadMark& mark) {
  const Terminal& terminal = session.terminal();
  if (terminal.modes().alternate_screen) return true;
  // Rows above the last one seen that are not as they were.
  int64_t top = std::max<int64_t>(mark.line - terminal.size().rows, 0);
  int64_t cursor = terminal.cursor_line();
  if (mark.lines_revision == 0) {
    // Nothing seen yet: a cursor above the text tells the same.
    return terminal.end_line() - cursor > kRewrittenRows;
  }
  auto rewritten = terminal.Lines(top, mark.line, mark.lines_revision);
  return std::ssize(rewritten) >= kRewrittenRows;
}

std::string_view ReadModeName(ReadMode mode) {
  return kModes[static_cast<size_t>(mode)].name;
}

ReadResult ReadSession(const Session& session, const ReadMark& mark,
                       const ReadRequest& request) {
  return kModes[static_cast<size_t>(request.mode)].read(session, mark, request);
}

}  // namespace glasstty
