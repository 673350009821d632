// term_read: look at a session. Never waits for the program.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/output_args.h"
#include "tools/pictures.h"
#include "tools/reply.h"
#include "view/past_screen.h"
#include "view/styled_screen.h"

namespace glasstty {
namespace {

struct ReadArgs : OutputArgs {
  std::string session;
  // Either this or `session`.
  std::vector<std::string> sessions;
  // By mode: a line, counted from 1 as in replies; a revision; a byte offset.
  std::optional<int64_t> since;
  // history: the first line; the last hundred unless the agent says which.
  int64_t from_line = -100;
  int lines = 100;
  // As in replies; -1 is the last.
  int64_t command = -1;
  // Lines.
  int scrollback = 0;
  view::OutputStream stream = view::OutputStream::kBoth;
  bool styled = false;
  // Bytes of text; 0: no guard.
  int64_t max_bytes = 0;
  bool force = false;
  // An offset in the log, or "-30s".
  std::optional<std::variant<int64_t, std::string>> at;
  // picture: the file to write.
  std::string output;
  // Leaves this client's mark where it is.
  bool peek = false;

  static const std::vector<mcp::Field<ReadArgs>>& Fields() {
    using A = ReadArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("session", &A::session, ""),
            mcp::Optional("sessions", &A::sessions, ""),
            // 1e15 is far above any line number and below 2^53, where JSON
            // numbers of other languages stop being exact.
            mcp::Optional("since", &A::since,
                          "A line (stream), rev (diff) or byte (raw).",
                          mcp::Range{0, 1e15}),
            mcp::Optional("from_line", &A::from_line,
                          "For history; negative: from end.",
                          mcp::Range{-1e15, 1e15}),
            mcp::Optional("lines", &A::lines, "For history.",
                          mcp::Range{1, 100000}),
            mcp::Optional("command", &A::command, "Number (mode=command).",
                          mcp::Range{-1e15, 1e15}),
            mcp::Unlisted(mcp::Optional("scrollback", &A::scrollback,
                                        "For snapshot: lines above the screen.",
                                        mcp::Range{0, 100000})),
            mcp::Unlisted(mcp::Optional(
                "stream", &A::stream,
                "For sessions without a terminal: both, out, err.")),
            mcp::Optional("styled", &A::styled, "With colours."),
            mcp::Unlisted(
                mcp::Optional("max_bytes", &A::max_bytes,
                              "If more is unread, show nothing and leave it "
                              "unread, unless force.",
                              mcp::Range{0, 1e15})),
            mcp::Unlisted(
                mcp::Optional("force", &A::force, "Ignore max_bytes.")),
            mcp::Optional("at", &A::at,
                          "The screen at a time (\"-30s\") or byte."),
            mcp::Unlisted(
                mcp::Optional("output", &A::output,
                              "For picture: write it to this .png or .svg file "
                              "instead of showing it.")),
            mcp::Unlisted(
                mcp::Optional("peek", &A::peek, "Do not mark it as read.")),
        },
        OutputArgs::Fields()));
    return *fields;
  }
};

// What `since` counts depends on the mode.
void SetSince(const ReadArgs& args, view::ReadRequest* request) {
  if (!args.since) return;
  if (args.mode == view::ReadMode::kDiff) {
    request->since_revision = args.since;
  } else if (args.mode == view::ReadMode::kRaw) {
    request->since_offset = args.since;
  } else {
    request->since_line = args.since;
  }
}

// The screen as it was. Looking back counts as nothing seen.
Task<mcp::ToolResult> ReadPast(Workbench* bench, mcp::ToolCall* call,
                               session::SessionRef session, ReadArgs args) {
  bool is_picture = args.mode == view::ReadMode::kPicture;
  if (args.mode != view::ReadMode::kAuto &&
      args.mode != view::ReadMode::kSnapshot && !is_picture) {
    co_return InvalidArgument(
        "term_read: 'at' shows a screen; leave 'mode' out");
  }
  std::string when = args.at->index() == 1
                         ? std::get<1>(*args.at)
                         : absl::StrFormat("%d", std::get<0>(*args.at));
  ASSIGN_OR_CO_RETURN(
      view::PastScreen past,
      co_await view::ScreenAt(session, when, call->cancellation()));
  view::ReadResult read;
  read.used = is_picture ? view::ReadMode::kPicture : view::ReadMode::kSnapshot;
  const terminal::Cursor& cursor = past.snapshot.cursor;
  read.facts = absl::StrFormat(
      "%dx%d cursor=%d:%d%s", past.snapshot.size.rows, past.snapshot.size.cols,
      cursor.row + 1, cursor.col + 1, cursor.visible ? "" : "(hidden)");
  read.change = absl::StrFormat("screen at byte %d, drawn %.1fs ago",
                                past.offset, past.ago_s);
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
    co_return co_await FinishWithPicture(bench, call, std::move(reply), session,
                                         std::move(read), args.format,
                                         args.output);
  }
  read.body = args.styled ? view::RenderStyledScreen(past.snapshot)
                          : view::RenderScreen(past.snapshot);
  if (read.body.empty()) read.body = "(blank screen)";
  reply.SetRead(std::move(read));
  co_return reply.Finish(bench, *call, args.format, true);
}

// Does wait for two things that are not the program: a log that is still being
// replayed, and for a moment the kernel's word on the state.
Task<mcp::ToolResult> ReadOne(Workbench* bench, mcp::ToolCall* call,
                              ReadArgs args) {
  ASSIGN_OR_CO_RETURN(session::SessionRef session,
                      co_await bench->FindSession(call, args.session));
  if (!args.output.empty() && args.mode != view::ReadMode::kPicture) {
    co_return InvalidArgument(
        "term_read: 'output' needs mode=picture; term_write_file writes text");
  }
  if (args.at) co_return co_await ReadPast(bench, call, session, args);
  view::ReadRequest request = args.ToRequest();
  request.scrollback = args.scrollback;
  request.from_line = args.from_line;
  request.lines = args.lines;
  request.command = args.command;
  request.stream = args.stream;
  request.styled = args.styled;
  if (!args.force) request.max_bytes = args.max_bytes;
  SetSince(args, &request);
  co_return co_await ReadAndReply(bench, call, Reply(session), session, request,
                                  args.format, args.peek, args.output);
}

// The replies below one another. A session that cannot be read does not spoil
// the others.
Task<mcp::ToolResult> Read(Workbench* bench, mcp::ToolCall* call,
                           ReadArgs args) {
  if (args.sessions.empty()) co_return co_await ReadOne(bench, call, args);
  if (!args.session.empty()) {
    co_return InvalidArgument(
        "term_read: give 'session' or 'sessions', not both");
  }
  mcp::ToolResult all;
  all.is_error = true;
  Json replies = Json::array();
  std::vector<std::function<void()>> sent;
  for (const std::string& name : args.sessions) {
    ReadArgs one = args;
    one.session = name;
    mcp::ToolResult result = co_await ReadOne(bench, call, std::move(one));
    all.text += (all.text.empty() ? "" : "\n\n") + result.text;
    all.is_error = all.is_error && result.is_error;
    replies.push_back(result.structured ? *result.structured
                                        : Json{{"error", result.text}});
    if (result.on_sent) sent.push_back(std::move(result.on_sent));
  }
  if (args.format == ReplyFormat::kJson) {
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
       .title = "Look at a terminal",
       .description = "Show what is new, the screen, or any earlier lines.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = false,
                       .open_world = false},
       .always_load = true},
      Read);
}

}  // namespace glasstty
