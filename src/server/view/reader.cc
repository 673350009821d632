// The read modes, and what each counts as seen:
//
//   stream    the lines that are new since the mark, all of which are then seen
//   snapshot  the screen, whose content is then seen. If some unread lines are
//             not on it, all of them stay unread, so that a glance loses no
//             output
//   history   a range of lines by number; the mark stays, because an agent that
//             looks back must not lose its place
//   command   the output of one command; the mark stays
//   diff      the changes since the reader was last shown the screen, or the
//             whole screen if the reader has read lines since then. Counts as
//             seen what snapshot does
//   raw       bytes of the log; the mark stays
//   links     URLs; the mark stays
//   all       every line, all of which are then seen
//   commands  the shells' commands: number, status, time, line; the mark stays
//   picture   the screen as a frame to be drawn; the mark stays, because nobody
//             knows whether text that was only drawn has been read
//   digest    what happened; the mark stays, but the next digest begins there
//   events    the recorded events (lookout/); the mark stays
//   auto      diff for a program that draws the whole screen, otherwise stream
#include "view/reader.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"
#include "view/ballast.h"
#include "view/focus.h"
#include "view/read_modes.h"
#include "view/screen_diff.h"
#include "view/styled_screen.h"
#include "view/suggestion.h"

namespace glasstty::view {
namespace {

// A prompt that is redrawn rewrites one or two rows; a full-screen program that
// stays on the primary screen (top) rewrites many.
constexpr int kRewrittenRows = 4;

// For a screen of at least this many bytes, the reply explains how to show only
// a part of it.
constexpr int64_t kLargeScreen = 1'500;
constexpr char kCropHint[] =
    "a last step {\"show\": [first, last]} shows only those rows";

// Returns the first line whose beginning is on the screen. Rows that continue a
// line do not count, because lines are logical.
int64_t FirstLineOnScreen(const terminal::Terminal& terminal,
                          const terminal::Snapshot& snapshot) {
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

// Returns the unread lines, without blank ones and without the echo of what was
// typed to begin the program that draws, because no reader needs these.
std::vector<terminal::Line> UnreadOutput(const session::Session& session,
                                         const ReaderMark& mark,
                                         const ReadRequest& request) {
  record::Excerpt unread;
  unread.lines = record::UnreadLines(session.output().terminal(), mark);
  ReadRequest echo;
  echo.typed = request.typed;
  echo.hide_echo = request.hide_echo;
  DropBallast(session, mark, echo, &unread);
  // The prompt and the line of the running command stand between the end of the
  // command before and the output.
  const record::CommandLog& commands = session.events().commands();
  const record::CommandBlock* last = commands.Find(-1);
  int64_t begin = 0, end = 0;
  if (last != nullptr && last->trusted && !last->finished) {
    const record::CommandBlock* before = commands.Find(last->number - 1);
    if (before != nullptr) begin = before->end.line;
    end = last->output.line;
  }
  std::erase_if(unread.lines, [begin, end](const terminal::Line& line) {
    bool is_echo = line.number >= begin && line.number < end;
    return is_echo || TrimTrailingBlanks(line.text).empty();
  });
  return std::move(unread.lines);
}

// Returns true if the reader of this screen has then seen every unread line.
// Lines that scrolled past unseen, or are behind the alternate screen, are not
// on it.
bool ShowsAllUnread(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request,
                    const terminal::Snapshot& snapshot) {
  const terminal::Terminal& terminal = session.output().terminal();
  int64_t rows = terminal.size().rows;
  int64_t count = record::CountUnread(terminal, mark);
  // This bounds how many lines are copied.
  if (count > 2 * rows) return false;
  std::vector<terminal::Line> unread = UnreadOutput(session, mark, request);
  int64_t first = snapshot.alternate ? terminal.end_line()
                                     : FirstLineOnScreen(terminal, snapshot);
  // A program that clears its screen to draw it again leaves only earlier
  // frames above.
  bool is_redrawn = mark.screen != nullptr && !mark.screen->alternate &&
                    !snapshot.alternate &&
                    terminal.clears() != mark.screen_clears;
  if (is_redrawn && count <= rows) first = std::min(first, mark.screen_line);
  return unread.empty() || unread.front().number >= first;
}

// Returns the mark after showing this screen. If it does not show all unread
// lines, they stay unread.
ReaderMark SawScreen(const session::Session& session, const ReaderMark& mark,
                     const ReadRequest& request,
                     const terminal::Snapshot& snapshot) {
  const terminal::Terminal& terminal = session.output().terminal();
  ReaderMark seen = mark;
  if (ShowsAllUnread(session, mark, request, snapshot)) {
    seen = record::MarkNow(terminal);
    seen.errors = mark.errors;
  }
  seen.screen_revision = snapshot.revision;
  seen.screen_line = terminal.end_line() - 1;
  seen.screen_clears = terminal.clears();
  seen.screen = std::make_shared<ScreenText>(TextOf(snapshot));
  seen.looks = LooksOf(snapshot);
  seen.crop_told = mark.crop_told;
  return seen;
}

// Returns true if the reader was shown a row with this text.
bool HasShown(const ReaderMark& mark, const std::string& text) {
  if (mark.screen == nullptr) return false;
  int64_t invisible = 0;
  std::string as_shown = ShowInvisible(text, &invisible);
  const std::vector<std::string>& rows = mark.screen->rows;
  return std::ranges::find(rows, as_shown) != rows.end();
}

// Returns the part of the result that snapshot and diff share: everything
// except the text.
ReadResult AboutScreen(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request,
                       const terminal::Snapshot& snapshot) {
  ReadResult result;
  result.facts = absl::StrFormat("%dx%d cursor=%d:%d%s", snapshot.size.rows,
                                 snapshot.size.cols, snapshot.cursor.row + 1,
                                 snapshot.cursor.col + 1,
                                 snapshot.cursor.visible ? "" : "(hidden)");
  // A shell's coloured prompt has no focus.
  if (!DrawsFullScreen(session, mark).empty())
    result.focus = FindFocus(snapshot);
  result.suggestions = FindSuggestions(snapshot);
  result.mark = SawScreen(session, mark, request, snapshot);
  for (size_t row = 0; row < snapshot.rows.size(); ++row) {
    if (!snapshot.rows[row].concealed) continue;
    // Rows that were shown before are skipped, because a warning in each reply
    // is soon overlooked.
    if (HasShown(mark, snapshot.rows[row].text)) continue;
    result.concealed.push_back(static_cast<int64_t>(row) + 1);
  }
  return result;
}

ReadResult ReadScreen(const session::Session& session, const ReaderMark& mark,
                      const ReadRequest& request) {
  const terminal::Terminal& terminal = session.output().terminal();
  terminal::Snapshot snapshot = terminal.TakeSnapshot();
  ReadResult result = AboutScreen(session, mark, request, snapshot);
  result.used = ReadMode::kSnapshot;
  if (request.scrollback > 0 && !snapshot.alternate) {
    // Add the lines above the screen; the alternate screen has none.
    int64_t end = FirstLineOnScreen(terminal, snapshot);
    record::Excerpt above =
        session.output().history().Extract(end - request.scrollback, end);
    result.body = RenderLines(above.lines, {.max_lines = 0}, above.gap).text;
    result.body += result.body.empty() ? "" : "\n--- screen ---\n";
  }
  if (request.limits.crop && result.body.empty() && !request.styled) {
    Cropped cropped = RenderCropped(snapshot);
    result.body = std::move(cropped.text);
    if (cropped.columns > 0) {
      result.facts += absl::StrFormat(" columns %d-%d", cropped.columns + 1,
                                      snapshot.size.cols);
    }
  } else {
    result.body +=
        request.styled ? RenderStyledScreen(snapshot) : RenderScreen(snapshot);
  }
  result.body =
      CutRows(std::move(result.body), request.limits, &result.left_out);
  if (result.left_out > 0) {
    result.hint = absl::StrFormat("%d rows left out: max_lines=0 shows them",
                                  result.left_out);
  }
  // An empty reply would look like a failure.
  if (result.body.empty()) result.body = "(blank screen)";
  return result;
}

ReadResult ReadRows(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request) {
  terminal::Snapshot snapshot = session.output().terminal().TakeSnapshot();
  ReadResult result = AboutScreen(session, mark, request, snapshot);
  result.used = ReadMode::kSnapshot;
  RowRange rows = request.rows->On(snapshot);
  result.facts += absl::StrFormat(" rows %d-%d", rows.first, rows.last);
  result.body = RenderRange(snapshot, rows);
  if (result.body.empty()) result.body = "(blank rows)";
  return result;
}

// `recoloured` names the rows with the same text in other colours, if any.
std::string ChangeWords(const ScreenDiff& diff, const std::string& recoloured,
                        uint64_t since) {
  if (!diff.text.empty()) {
    std::string more = recoloured.empty() ? "" : ", colours in " + recoloured;
    return absl::StrFormat("+%d row%s since %d%s", diff.rows_changed,
                           diff.rows_changed == 1 ? "" : "s", since, more);
  }
  if (recoloured.empty()) return absl::StrFormat("unchanged since %d", since);
  return absl::StrFormat("colours changed in %s since %d", recoloured, since);
}

// Names the recoloured rows of `snapshot`, whose text is `now`, among those
// whose text is still `shown`.
std::string RecolouredRows(const ScreenText& shown, const Looks& earlier,
                           const ScreenText& now,
                           const terminal::Snapshot& snapshot) {
  Looks later = LooksOf(snapshot);
  if (earlier.size() != later.size()) return "";
  for (size_t row = 0; row < later.size(); ++row) {
    bool is_other_text = shown.rows[row] != now.rows[row];
    if (is_other_text) later[row] = earlier[row];
  }
  return RowsWithNewLooks(earlier, later);
}

// Shows a screen that has little in common with the one before.
ReadResult ReadOtherScreen(const session::Session& session,
                           const ReaderMark& mark, const ReadRequest& request) {
  ReadResult result = ReadSession(session, mark, request);
  bool is_large = std::ssize(result.body) >= kLargeScreen;
  if (request.limits.crop && is_large && !mark.crop_told) {
    result.hint = AndAlso(result.hint, kCropHint);
    result.mark.crop_told = true;
  }
  return result;
}

ReadResult ReadDiff(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request) {
  ReadRequest whole = request;
  whole.mode = ReadMode::kSnapshot;
  auto shown = mark.screen;
  if (shown == nullptr) return ReadSession(session, mark, whole);
  if (request.since_revision.value_or(shown->revision) != shown->revision) {
    ReadResult result = ReadSession(session, mark, whole);
    result.hint = absl::StrFormat(
        "full screen: revision %d is no longer stored, only the latest",
        *request.since_revision);
    return result;
  }
  terminal::Snapshot snapshot = session.output().terminal().TakeSnapshot();
  size_t full_bytes = RenderScreen(snapshot).size();
  ScreenText now = TextOf(snapshot);
  auto diff = DiffScreens(*shown, now, full_bytes);
  if (!diff) return ReadOtherScreen(session, mark, whole);
  ReadResult result = AboutScreen(session, mark, request, snapshot);
  result.used = ReadMode::kDiff;
  result.change =
      ChangeWords(*diff, RecolouredRows(*shown, mark.looks, now, snapshot),
                  shown->revision);
  result.body = std::move(diff->text);
  result.invisible = diff->invisible;
  return result;
}

ReadResult ReadPicture(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request) {
  terminal::Snapshot snapshot = session.output().terminal().TakeSnapshot();
  ReadResult result = AboutScreen(session, mark, request, snapshot);
  result.used = ReadMode::kPicture;
  result.mark = mark;
  result.frame_revision = snapshot.revision;
  result.frame = std::make_shared<observe::Frame>(observe::FrameOf(
      std::move(snapshot), session.output().terminal().modes()));
  return result;
}

// Returns for example "  3 exit=1 2.4s make -j4". The time of commands that
// were replayed is unknown.
std::string CommandLine(const record::CommandBlock& block) {
  std::string state = block.finished ? "ended" : "running";
  if (block.exit_status) state = absl::StrFormat("exit=%d", *block.exit_status);
  if (block.started && block.ended) {
    std::chrono::duration<double> took = *block.ended - *block.started;
    state += absl::StrFormat(" %.1fs", took.count());
  }
  std::string first(block.text.substr(0, block.text.find('\n')));
  if (!first.empty()) first.insert(0, " ");
  return absl::StrFormat("%3d %s%s", block.number, state, first);
}

ReadResult ReadCommands(const session::Session& session, const ReaderMark& mark,
                        const ReadRequest& request) {
  std::vector<terminal::Line> lines;
  for (const record::CommandBlock& block :
       session.events().commands().blocks()) {
    lines.push_back({.number = block.number, .text = CommandLine(block)});
  }
  ReadResult result;
  result.used = ReadMode::kCommands;
  result.mark = mark;
  result.facts = absl::StrFormat("%d commands", lines.size());
  if (lines.empty()) {
    result.facts = "no commands: a shell without integration reports none";
  }
  Rendered rendered = RenderLines(lines, request.limits);
  result.body = std::move(rendered.text);
  result.whole = request.limits.whole;
  result.left_out = rendered.left_out;
  if (rendered.left_out > 0) {
    result.hint = absl::StrFormat("%d left out: max_lines=0 or truncate=tail",
                                  rendered.left_out);
  }
  return result;
}

// Adds the lines that have scrolled past above a block that a program redraws
// on the primary screen, such as meters below the lines of a log. Does nothing
// for a program that clears its screen, because those lines are only earlier
// frames.
void AddLinesAbove(const session::Session& session, const ReaderMark& mark,
                   const Limits& limits, ReadResult* result) {
  const terminal::Terminal& terminal = session.output().terminal();
  bool is_follower = mark.lines_revision != 0;
  if (!is_follower || terminal.clears() != mark.clears) return;
  int64_t end = FirstLineOnScreen(terminal, terminal.TakeSnapshot());
  ReadResult above = ReadNewBefore(session, mark, end, limits);
  uint64_t revision = result->mark.screen_revision;
  static_cast<record::ReadMark&>(result->mark) = record::MarkNow(terminal);
  result->mark.screen_revision = revision;
  result->mark.errors = mark.errors;
  if (above.body.empty()) return;
  result->body = above.body + "\n--- screen ---\n" + result->body;
  result->facts += ", " + above.facts;
  result->left_out += above.left_out;
  result->hint = AndAlso(above.hint, result->hint);
}

// Chooses the mode for each read, so an agent that leaves vim gets lines again.
ReadResult ReadAuto(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request) {
  ReadRequest chosen = request;
  std::string_view full_screen = DrawsFullScreen(session, mark);
  chosen.mode = full_screen.empty() ? ReadMode::kStream : ReadMode::kDiff;
  chosen.hide_rewritten = HasLeftScreen(session, mark);
  ReadResult result = ReadSession(session, mark, chosen);
  result.why = full_screen;
  bool is_block = chosen.mode == ReadMode::kDiff &&
                  !session.output().terminal().modes().alternate_screen;
  if (is_block) AddLinesAbove(session, mark, request.limits, &result);
  return result;
}

struct Mode {
  ReadMode mode;
  // Sets the mode that was used, and the mark that is valid once the client has
  // the result.
  ReadResult (*read)(const session::Session&, const ReaderMark&,
                     const ReadRequest&);
};
// The rows have the order of ReadMode.
constexpr Mode kModes[] = {
    {ReadMode::kAuto, ReadAuto},         {ReadMode::kStream, ReadStream},
    {ReadMode::kSnapshot, ReadScreen},   {ReadMode::kHistory, ReadHistory},
    {ReadMode::kCommand, ReadCommand},   {ReadMode::kDiff, ReadDiff},
    {ReadMode::kRaw, ReadRaw},           {ReadMode::kLinks, ReadLinks},
    {ReadMode::kAll, ReadAll},           {ReadMode::kPicture, ReadPicture},
    {ReadMode::kCommands, ReadCommands}, {ReadMode::kDigest, ReadAuto},
    {ReadMode::kEvents, ReadAuto},
};
static_assert(std::size(kModes) == std::size(kReadModeNames));
static_assert([] {
  for (size_t i = 0; i < std::size(kModes); ++i) {
    if (static_cast<size_t>(kModes[i].mode) != i) return false;
  }
  return true;
}());

// Replaces a text that exceeds the caller's limit.
ReadResult TooMuch(ReadMode mode, int64_t bytes, const ReaderMark& mark) {
  ReadResult result;
  result.used = mode;
  result.mark = mark;
  result.bytes = bytes;
  result.facts = absl::StrFormat("nothing shown: about %d bytes", bytes);
  result.hint =
      "more than max_bytes, so all of it stays unread: use force=true, a "
      "larger max_bytes, or term_write_file output=new";
  return result;
}

}  // namespace

bool HasLeftScreen(const session::Session& session, const ReaderMark& mark) {
  const record::CommandBlock* last = session.events().commands().Find(-1);
  return mark.screen != nullptr && !mark.screen->alternate &&
         !session.output().terminal().modes().alternate_screen &&
         session.events().commands().phase() == record::ShellPhase::kReady &&
         last != nullptr && last->trusted && last->end_offset > mark.offset;
}

std::string_view DrawsFullScreen(const session::Session& session,
                                 const ReaderMark& mark) {
  const terminal::Terminal& terminal = session.output().terminal();
  if (terminal.modes().alternate_screen) return "alternate screen";
  if (HasLeftScreen(session, mark)) return "";
  session::Activity activity = session.verdict().LastState().activity;
  bool at_rest = activity == session::Activity::kPrompt ||
                 activity == session::Activity::kExited;
  if (!at_rest && session.verdict().AddressesRows()) return "addresses rows";
  // The text was shown as a screen, and nothing has been printed below it
  // since.
  bool same_page = mark.screen != nullptr && !at_rest &&
                   terminal.end_line() <= mark.line + 1;
  if (same_page) return "rewrites rows";
  // Count rows above the last one seen that have changed.
  int64_t top = mark.line - terminal.size().rows;
  int64_t cursor = terminal.cursor_line();
  bool rewrites = false;
  bool above = terminal.end_line() - cursor > kRewrittenRows;
  if (mark.lines_revision == 0) {
    // Nothing has been seen yet, so a cursor above the text is the only
    // evidence.
    rewrites = above;
  } else {
    auto rewritten = terminal.Lines(top, mark.line, mark.lines_revision);
    rewrites = std::ssize(rewritten) >= kRewrittenRows;
  }
  return rewrites ? "rewrites rows" : "";
}

// Unless `opened` is set, a wait begins at the later of the matched line and
// the reader's mark, separately for lines and the screen.
record::ReadMark WaitFrom(const ReaderMark& mark) {
  if (mark.opened) return *mark.opened;
  if (!mark.matched) return mark;
  record::ReadMark from = *mark.matched;
  if (mark.lines_revision >= from.lines_revision) from = mark;
  const record::LineMark& errors = mark.matched->errors;
  from.errors =
      errors.lines_revision > mark.errors.lines_revision ? errors : mark.errors;
  from.screen_revision =
      std::max(mark.screen_revision, mark.matched->screen_revision);
  return from;
}

std::string_view ReadModeName(ReadMode mode) {
  return kReadModeNames[static_cast<size_t>(mode)];
}

ReadResult ReadSession(const session::Session& session, const ReaderMark& mark,
                       const ReadRequest& request) {
  const record::History& out = session.output().history();
  const record::History& err =
      session.errors() == nullptr ? out : session.errors()->history();
  uint64_t out_failed = out.failed_reads(), err_failed = err.failed_reads();
  auto read = kModes[static_cast<size_t>(request.mode)].read;
  ReadResult result = request.rows ? ReadRows(session, mark, request)
                                   : read(session, mark, request);
  bool out_fails = out.failed_reads() > out_failed;
  if (out_fails || err.failed_reads() > err_failed) {
    result.hint = AndAlso((out_fails ? out : err).ReadFailure(), result.hint);
    // If lines could not be read, nothing counts as seen.
    result.mark = mark;
  }
  int64_t bytes = std::max(result.bytes, std::ssize(result.body));
  if (request.max_bytes > 0 && bytes > request.max_bytes) {
    return TooMuch(result.used, bytes, mark);
  }
  result.body = ShowInvisible(result.body, &result.invisible);
  result.errors = ShowInvisible(result.errors, &result.invisible);
  return result;
}

}  // namespace glasstty::view
