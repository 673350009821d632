// term_read: shows a session as it is, without waiting for its program to do
// anything.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/event_replies.h"
#include "tools/line_filter.h"
#include "tools/output_args.h"
#include "tools/pictures.h"
#include "tools/reply.h"
#include "view/log_digest.h"
#include "view/past_screen.h"
#include "view/styled_screen.h"

namespace glasstty {
namespace {

struct ReadArgs : OutputArgs {
  static constexpr int64_t kFromLine = -100;
  static constexpr int kLines = 100;

  std::string session;
  // Cannot be combined with `session`.
  std::vector<std::string> sessions;
  // Depends on the mode: a line, counted from 1 as in replies; a revision; a
  // byte offset; for a digest also a time, such as "-1h".
  std::optional<Moment> since;
  // The first line for mode history, or the first row for mode snapshot;
  // negative numbers count from the end.
  int64_t from_line = kFromLine;
  int lines = kLines;
  // The command's number, as in replies; -1 is the last command.
  int64_t command = -1;
  // The number of lines that are shown above the screen (mode snapshot).
  int scrollback = 0;
  view::OutputStream stream = view::OutputStream::kBoth;
  bool styled = false;
  // If more bytes of text than this are unread, nothing is shown; 0: no limit.
  int64_t max_bytes = 0;
  bool force = false;
  // An offset in the log, or "-30s".
  std::optional<Moment> at;
  // If true, the shown output still counts as unread for this client.
  bool peek = false;
  std::optional<std::string> grep;
  int context = 0;

  static const std::vector<mcp::Field<ReadArgs>>& Fields() {
    using A = ReadArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("session", &A::session, ""),
            mcp::Optional("sessions", &A::sessions, ""),
            mcp::Optional("since", &A::since,
                          "A line, rev (diff), byte (raw) or \"-1h\" "
                          "(digest)."),
            // 1e15 is far above any line number and below 2^53, where numbers
            // become inexact in the JSON of other languages.
            mcp::Optional("from_line", &A::from_line,
                          "First line, or row (snapshot); negative: from end.",
                          mcp::Range{-1e15, 1e15}),
            mcp::Optional("lines", &A::lines, "", mcp::Range{1, 1e9}),
            mcp::Optional("command", &A::command, "Number (mode=command).",
                          mcp::Range{-1e15, 1e15}),
            mcp::Unlisted(mcp::Optional("scrollback", &A::scrollback,
                                        "For snapshot: lines above the screen.",
                                        mcp::Range{0, 100000})),
            mcp::Unlisted(mcp::Optional(
                "stream", &A::stream,
                "For sessions without a terminal: both, out, err.")),
            mcp::Unlisted(mcp::Optional("styled", &A::styled, "With colours.")),
            mcp::Unlisted(
                mcp::Optional("max_bytes", &A::max_bytes,
                              "If more is unread, show nothing and leave it "
                              "unread, unless force.",
                              mcp::Range{0, 1e15})),
            mcp::Unlisted(
                mcp::Optional("force", &A::force, "Ignore max_bytes.")),
            mcp::Optional(
                "at", &A::at,
                "The screen at a time (\"-30s\", \"14:58\") or byte."),
            mcp::Optional("grep", &A::grep, ""),
            mcp::Unlisted(mcp::Optional("context", &A::context,
                                        "Lines around each match of grep.",
                                        mcp::Range{0, 1000})),
            mcp::Unlisted(
                mcp::Optional("peek", &A::peek, "Do not mark it as read.")),
        },
        OutputArgs::Fields()));
    return *fields;
  }
};

// Sets `since`, whose meaning depends on the mode. Error: its value has no
// meaning in this mode, or is out of range.
absl::Status SetSince(const ReadArgs& args, view::ReadRequest* request) {
  if (!args.since) return absl::OkStatus();
  const std::string* text = std::get_if<std::string>(&*args.since);
  if (text != nullptr) {
    request->since_time = *text;
    if (args.mode == view::ReadMode::kDigest) return absl::OkStatus();
    return InvalidArgument(
        "term_read: since='%s': mode=digest takes a time such as \"-1h\" or "
        "\"14:58\", other modes a number",
        *text);
  }
  int64_t number = std::get<int64_t>(*args.since);
  if (number < 0 || number > 1e15) {
    return InvalidArgument("term_read: since=%d: give a number from 0", number);
  }
  auto offset = static_cast<uint64_t>(number);
  if (args.mode == view::ReadMode::kDiff) {
    request->since_revision = offset;
  } else if (args.mode == view::ReadMode::kRaw ||
             args.mode == view::ReadMode::kDigest) {
    request->since_offset = offset;
  } else {
    request->since_line = number;
  }
  return absl::OkStatus();
}

// Returns whether the arguments name lines or rows.
bool NamesLines(const ReadArgs& args) {
  return args.from_line != ReadArgs::kFromLine ||
         args.lines != ReadArgs::kLines;
}

// A caller that names lines without a mode means the history or, on the
// alternate screen, rows of the screen. If only a number of lines is given, it
// means the last lines of the history. With `grep`, mode history without lines
// means all lines.
void ChooseMode(const session::Session& session, ReadArgs* args) {
  if (args->grep && args->mode == view::ReadMode::kHistory &&
      !NamesLines(*args)) {
    args->mode = view::ReadMode::kAll;
    args->peek = true;
    return;
  }
  bool chosen = args->mode != view::ReadMode::kAuto || args->since;
  if (chosen || !NamesLines(*args)) return;
  if (session.output().terminal().modes().alternate_screen) {
    args->mode = view::ReadMode::kSnapshot;
    return;
  }
  args->mode = view::ReadMode::kHistory;
  if (args->from_line == ReadArgs::kFromLine) args->from_line = -args->lines;
}

// Returns the rows of a screen that the arguments name; nullopt if they name
// none.
std::optional<view::RowRange> RowsOf(const ReadArgs& args, int64_t rows) {
  if (args.mode != view::ReadMode::kSnapshot || !NamesLines(args)) {
    return std::nullopt;
  }
  int64_t first =
      args.from_line < 0 ? rows + 1 + args.from_line : args.from_line;
  first = std::clamp<int64_t>(first, 1, rows);
  return view::RowRange{static_cast<int>(first),
                        static_cast<int>(first) + args.lines - 1};
}

// Shows the screen at an earlier moment. This does not count as reading.
Task<mcp::ToolResult> ReadPast(Workbench* bench, mcp::ToolCall* call,
                               session::SessionRef session, ReadArgs args) {
  bool is_picture = args.mode == view::ReadMode::kPicture;
  if (args.mode != view::ReadMode::kAuto &&
      args.mode != view::ReadMode::kSnapshot && !is_picture) {
    co_return InvalidArgument(
        "term_read: 'at' shows a screen; leave 'mode' out");
  }
  ASSIGN_OR_CO_RETURN(view::PastScreen past,
                      co_await view::ScreenAt(session, MomentWords(*args.at),
                                              call->cancellation()));
  view::ReadResult read;
  read.used = is_picture ? view::ReadMode::kPicture : view::ReadMode::kSnapshot;
  const terminal::Cursor& cursor = past.snapshot.cursor;
  read.facts = absl::StrFormat(
      "%dx%d cursor=%d:%d%s", past.snapshot.size.rows, past.snapshot.size.cols,
      cursor.row + 1, cursor.col + 1, cursor.visible ? "" : "(hidden)");
  read.change = absl::StrFormat("screen at byte %d, drawn %s, %.1fs %s",
                                past.offset, past.drawn_at, past.ago_s,
                                past.has_ended ? "before its end" : "ago");
  for (size_t row = 0; row < past.snapshot.rows.size(); ++row) {
    if (!past.snapshot.rows[row].concealed) continue;
    read.concealed.push_back(static_cast<int64_t>(row) + 1);
  }
  Reply reply(session);
  if (past.lost > 0) {
    reply.AddNote(absl::StrFormat(
        "%d bytes before it are gone from the raw log: parts of the screen may "
        "be missing",
        past.lost));
  }
  if (is_picture) {
    read.frame = std::make_shared<observe::Frame>(
        observe::FrameOf(std::move(past.snapshot), past.modes));
    co_return co_await FinishWithPicture(bench, call, std::move(reply),
                                         std::move(read), args.format);
  }
  auto rows = RowsOf(args, past.snapshot.size.rows);
  read.body = args.styled ? view::RenderStyledScreen(past.snapshot)
              : rows ? view::RenderRange(past.snapshot, rows->On(past.snapshot))
                     : view::RenderScreen(past.snapshot);
  if (read.body.empty()) read.body = "(blank screen)";
  reply.SetRead(std::move(read));
  co_return reply.Finish(bench, *call, args.format, true);
}

// Waits only for a log that is still being replayed and, briefly, for the
// kernel's answer about the state and for a whole frame.
Task<mcp::ToolResult> ReadOne(Workbench* bench, mcp::ToolCall* call,
                              ReadArgs args) {
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->FindSession(call, args.session));
  if (args.at) co_return co_await ReadPast(bench, call, session, args);
  ChooseMode(*session, &args);
  view::ReadRequest request = args.ToRequest(*call);
  request.scrollback = args.scrollback;
  request.from_line = args.from_line;
  request.lines = args.lines;
  request.rows = RowsOf(args, session->output().terminal().size().rows);
  request.command = args.command;
  request.stream = args.stream;
  request.styled = args.styled;
  if (!args.force) request.max_bytes = args.max_bytes;
  if (absl::Status s = SetSince(args, &request); !s.ok()) co_return s;
  std::optional<LineFilter> filter;
  if (args.grep) {
    ASSIGN_OR_CO_RETURN(filter, MakeLineFilter(*args.grep, args.context,
                                               args.max_lines, args.truncate));
  }
  co_return co_await ReadAndReply(bench, call, Reply(session), session, request,
                                  args.format, args.peek, std::move(filter));
}

// If no session is named, uses all except, for an agent, other clients'.
Task<mcp::ToolResult> ReadEvents(Workbench* bench, mcp::ToolCall* call,
                                 ReadArgs args) {
  if (absl::Status ready = bench->Prepare(); !ready.ok()) co_return ready;
  if (!args.session.empty()) args.sessions.push_back(args.session);
  ASSIGN_OR_CO_RETURN(std::vector<std::string> names,
                      DistinctSessions("term_read", args.sessions));
  std::vector<session::SessionRef> sessions;
  for (const std::string& name : names) {
    ASSIGN_OR_CO_RETURN(session::SessionRef session,
                        bench->FindUnread(call, name));
    absl::Status ours = CheckIsOurs(bench, *call, *session);
    if (!ours.ok()) co_return ours;
    sessions.push_back(std::move(session));
  }
  co_return ListEvents(bench, call, std::move(sessions), args.format);
}

// Joins the replies about all named sessions. If a session cannot be read, the
// others are shown nevertheless.
Task<mcp::ToolResult> Read(Workbench* bench, mcp::ToolCall* call,
                           ReadArgs args) {
  if (args.mode == view::ReadMode::kEvents) {
    co_return co_await ReadEvents(bench, call, args);
  }
  if (args.sessions.empty()) co_return co_await ReadOne(bench, call, args);
  if (!args.session.empty()) {
    co_return InvalidArgument(
        "term_read: give 'session' or 'sessions', not both");
  }
  ASSIGN_OR_CO_RETURN(std::vector<std::string> names,
                      DistinctSessions("term_read", args.sessions));
  mcp::ToolResult all;
  all.is_error = true;
  Json replies = Json::array();
  std::vector<std::function<void()>> sent;
  for (const std::string& name : names) {
    ReadArgs one = args;
    one.sessions.clear();
    one.session = name;
    mcp::ToolResult result = co_await ReadOne(bench, call, std::move(one));
    all.text += (all.text.empty() ? "" : "\n\n") + result.text;
    all.is_error = all.is_error && result.is_error;
    replies.push_back(result.structured ? *result.structured
                                        : Json{{"error", result.text}});
    if (result.on_sent) sent.push_back(std::move(result.on_sent));
    if (call->context().at_shell) replies.back()["about"] = result.text;
  }
  if (call->context().at_shell) {
    all.structured = Json{{"sessions", std::move(replies)}};
  } else if (args.format == ReplyFormat::kJson) {
    all.structured = Json{{"sessions", std::move(replies)}};
    all.text = DumpJson(*all.structured);
  }
  all.on_sent = [sent = std::move(sent)] {
    for (const auto& each : sent) each();
  };
  co_return all;
}

}  // namespace

mcp::Tool ReadTool(Workbench* bench) {
  return mcp::MakeTool<ReadArgs>(
      bench,
      {.name = "term_read",
       .title = "Terminal view",
       .description = "Show what is new, the screen, or any earlier lines.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = false,
                       .open_world = false},
       .always_load = true},
      Read);
}

}  // namespace glasstty
