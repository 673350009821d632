// term_wait: waits until a condition holds in a session. Types nothing.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/streams.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/event_replies.h"
#include "tools/output_args.h"
#include "tools/reply.h"
#include "tools/secret_asking.h"
#include "tools/until_args.h"

namespace glasstty {

using session::SessionRef;

// kTail shows the end of the new text; kFull shows all of it, within max_lines;
// kMatch shows only the matched line and leaves the rest unread.
enum class Show { kTail, kFull, kMatch };
template <>
struct mcp::EnumNames<Show> {
  static constexpr std::string_view kNames[] = {"tail", "full", "match"};
};

namespace {

constexpr int kMostTail = 50;

struct WaitArgs : OutputArgs {
  std::string session;
  // Cannot be combined with `session`, except for events.
  std::vector<std::string> sessions;
  UntilArgs until;
  // Permanent conditions, by name; without `until` the call does not wait.
  Json watch;
  // The request that a person is shown; requires until.person "gone".
  std::string ask;
  // In seconds; limited by PatienceFor.
  double timeout_s = 30;
  // Default: kMatch for a meaningful change, else kTail.
  std::optional<Show> show;
  // Only for kTail; the default is kMostTail, or max_lines if that is less.
  std::optional<int> tail_lines;

  static const std::vector<mcp::Field<WaitArgs>>& Fields() {
    using A = WaitArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("session", &A::session, ""),
            mcp::Optional("sessions", &A::sessions, "Wait for any of these."),
            mcp::Optional(
                "until", &A::until,
                "The first to hold ends the wait; unseen text counts."),
            mcp::Optional("ask", &A::ask,
                          "With until {person: gone}: asks the user to do "
                          "this."),
            mcp::Optional("timeout_s", &A::timeout_s,
                          "A time-out is not an error.", TimeoutRules()),
            mcp::Optional("show", &A::show, "match: only the matched line."),
            WatchField(&A::watch),
            mcp::Unlisted(mcp::Optional("tail_lines", &A::tail_lines,
                                        "How many of the new lines to show.",
                                        mcp::Range{1, 10000})),
        },
        OutputArgs::BriefFields()));
    return *fields;
  }
};

// Returns the request for reading the session after the wait.
view::ReadRequest ToRequest(const WaitArgs& args, const mcp::ToolCall& call) {
  view::ReadRequest request = args.ToRequest(call);
  if (args.show.value_or(Show::kTail) == Show::kTail) {
    int most =
        args.max_lines > 0 ? std::min(kMostTail, args.max_lines) : kMostTail;
    request.limits = {.max_lines = args.tail_lines.value_or(most),
                      .truncate = view::Truncate::kTail,
                      .whole = request.limits.whole};
  }
  return request;
}

// Shows only the line that ended the wait and the lines `behind` it, or only
// the header if no line ended the wait (but a state, silence or a time-out).
// Everything stays unread, but the next wait begins after the shown lines.
Task<mcp::ToolResult> ShowMatch(Workbench* bench, mcp::ToolCall* call,
                                Reply reply, SessionRef session,
                                std::optional<record::ReadMark> matched,
                                std::string behind, ReplyFormat format) {
  co_await bench->AwaitShownStates(call, std::vector<SessionRef>(1, session));
  reply.SetBody(reply.matched_text() + behind);
  mcp::ToolResult result = reply.Finish(bench, *call, format, true);
  if (!matched) co_return result;
  result.on_sent = [bench, session, matched = *std::move(matched),
                    connection = call->connection(),
                    mark = bench->MarkOf(*call, *session),
                    on_sent = std::move(result.on_sent)]() mutable {
    on_sent();
    mark.matched = matched;
    mark.opened.reset();
    bench->SetMark(connection, *session, mark);
  };
  co_return result;
}

// Combines the arguments that determine the condition. Error: they contradict
// each other.
absl::StatusOr<waits::Until> UntilOf(const WaitArgs& args) {
  waits::Until until = args.until;
  // An empty condition could only time out, which no agent intends.
  if (until.empty()) {
    return InvalidArgument(
        "term_wait needs 'until': a condition such as {\"text\": "
        "\"ready\"} or {\"state\": \"prompt\"}");
  }
  if (!args.session.empty() && !args.sessions.empty()) {
    return InvalidArgument("term_wait: give 'session' or 'sessions', not both");
  }
  if (args.ask.empty()) return until;
  if (until.person != waits::PersonIs::kGone || args.sessions.size() > 1) {
    return InvalidArgument(
        "term_wait: 'ask' needs one session and until {\"person\": "
        "\"gone\"}");
  }
  until.person = waits::PersonIs::kVisited;
  return until;
}

// Shows the agent's request to people, as long as the object lives.
class Question {
 public:
  Question(SessionRef session, const std::string& ask)
      : session_(std::move(session)), asks_(!ask.empty()) {
    if (asks_) session_->Ask(CleanText(ask, wire::kMaxAsk));
  }
  Question(const Question&) = delete;
  Question& operator=(const Question&) = delete;
  ~Question() {
    if (asks_) session_->Ask("");
  }

 private:
  const SessionRef session_;
  const bool asks_;
};

// A wait during which a person may have been asked for something.
struct AwaitedPerson {
  waits::Result result;
  bool is_asked = false;  // the client's user was asked for a secret
  bool is_later = false;  // the client will repeat the call with the user's
                          // answer
  std::string told;       // a note on the outcome of the question
};

// Waits for `waitings`, the first of which is that of `session`. If the agent
// has a request (`ask`), it is shown to people who watch. If the program asks
// for a secret then, the user also gets a link, provided that the client shows
// links.
Task<AwaitedPerson> AwaitPerson(Workbench* bench, mcp::ToolCall* call,
                                SessionRef session, std::string ask,
                                std::vector<waits::Waiting>* waitings,
                                Time deadline) {
  Question question(session, ask);
  AwaitedPerson awaited;
  if (!ask.empty()) {
    SecretAsking asking(bench, call, session);
    awaited.is_asked = co_await asking.Begin(ask);
    awaited.is_later = awaited.is_asked && asking.is_later();
    if (awaited.is_later) co_return awaited;
    if (awaited.is_asked) {
      awaited.result =
          co_await asking.Await(CallerOf(call), &waitings->front(), deadline);
      awaited.told = asking.Note(awaited.result);
      co_return awaited;
    }
  }
  awaited.result = co_await waits::AwaitAny(CallerOf(call), waitings, deadline);
  co_return awaited;
}

Task<mcp::ToolResult> WaitForEvent(Workbench* bench, mcp::ToolCall* call,
                                   WaitArgs args) {
  waits::Until others = args.until;
  others.event = false;
  if (!others.empty()) {
    co_return InvalidArgument(
        "term_wait: until 'event' stands alone; a watch lets other conditions "
        "make events");
  }
  // The caller may be a hook's process that waits on behalf of its agent.
  if (!bench->clients()->FindAgent(*call)) {
    co_return Unavailable("no agent that uses glasstty has started this");
  }
  if (absl::Status ready = bench->Prepare(); !ready.ok()) co_return ready;
  if (!args.session.empty()) args.sessions.push_back(args.session);
  ASSIGN_OR_CO_RETURN(std::vector<std::string> names,
                      DistinctSessions("term_wait", args.sessions));
  std::vector<SessionRef> sessions;
  // "" stands for the only open session.
  if (names.empty() && !args.watch.is_null()) names.push_back("");
  std::string watched;
  for (const std::string& name : names) {
    ASSIGN_OR_CO_RETURN(SessionRef session, bench->FindUnread(call, name));
    absl::Status ours = CheckIsOurs(bench, *call, *session);
    if (!ours.ok()) co_return ours;
    ASSIGN_OR_CO_RETURN(watched, SetWatches(bench, *call, session, args.watch));
    sessions.push_back(std::move(session));
  }
  mcp::ToolResult result = co_await AwaitEvent(bench, call, std::move(sessions),
                                               args.timeout_s, args.format);
  if (!watched.empty() && args.format == ReplyFormat::kText) {
    result.text.insert(0, watched + "\n");
  }
  co_return result;
}

// Sets watches without waiting. The reply is about the first session.
Task<mcp::ToolResult> OnlyWatch(Workbench* bench, mcp::ToolCall* call,
                                WaitArgs args) {
  if (args.sessions.empty()) args.sessions.push_back(args.session);
  ASSIGN_OR_CO_RETURN(std::vector<std::string> names,
                      DistinctSessions("term_wait", args.sessions));
  std::optional<Reply> reply;
  for (const std::string& name : names) {
    ASSIGN_OR_CO_RETURN(SessionRef session,
                        co_await bench->FindSession(call, name));
    ASSIGN_OR_CO_RETURN(std::string note,
                        SetWatches(bench, *call, session, args.watch));
    if (reply) continue;
    reply.emplace(session);
    reply->AddNote(std::move(note));
  }
  co_return reply->Finish(bench, *call, args.format, true);
}

// Returns whether the reply shows only what ended the wait. A switch between
// screens has no line, so the screen is shown.
bool ShowsMatch(const WaitArgs& args, const waits::Result& wait) {
  bool is_news = args.until.change == waits::ChangeIs::kMeaningful;
  bool is_change = wait.reason.word == "change";
  if (is_news && is_change && wait.reason.detail.empty()) return false;
  if (args.show) return *args.show == Show::kMatch;
  bool is_told = is_change || wait.outcome == Outcome::kTimeout;
  return is_news && is_told && !args.tail_lines;
}

// Returns at most three lines of `stream` that follow `mark`, for example the
// reasons of a failure. Stops at a blank line, and at one that the reader has
// seen. Moves the mark past the returned lines.
std::string LinesBehind(const session::Output& stream, motion::Memory* memory,
                        record::LineMark* mark) {
  constexpr int64_t kMost = 3;
  const terminal::Terminal& terminal = stream.terminal();
  if (terminal.modes().alternate_screen) return "";
  std::string text;
  // Behind a rewritten line, the mark stands before a line that nobody has been
  // shown.
  int64_t from = mark->shown.empty() ? mark->line : mark->line + 1;
  int64_t end = std::min(terminal.cursor_line(), from + kMost);
  for (const terminal::Line& line : terminal.Lines(from, end)) {
    std::string trimmed(TrimLineEnd(line.text));
    if (trimmed.empty() || memory->kinds.Recognize(trimmed)) break;
    memory->Tell(trimmed);
    text += "\n" + trimmed;
    mark->line = line.number;
    mark->shown = line.text;
  }
  return text;
}

// Returns the lines behind the one that ended the wait. A row of a screen has
// none.
std::string LinesBehind(const session::Session& session,
                        const waits::Waiting& waiting, bool is_change,
                        motion::Memory* memory, record::ReadMark* matched) {
  const session::Output* stream =
      is_change ? waiting.changed() : &session.output();
  if (stream == nullptr) return "";
  record::LineMark* mark =
      stream == session.errors() ? &matched->errors : matched;
  return LinesBehind(*stream, memory, mark);
}

// A time-out is not an error but a normal reply. Except with ShowsMatch, the
// reply moves the client's mark past the output that it shows.
Task<mcp::ToolResult> WaitFor(Workbench* bench, mcp::ToolCall* call,
                              WaitArgs args) {
  if (args.until.event) co_return co_await WaitForEvent(bench, call, args);
  if (!args.watch.is_null() && args.until.empty()) {
    co_return co_await OnlyWatch(bench, call, args);
  }
  ASSIGN_OR_CO_RETURN(waits::Until until, UntilOf(args));
  // "" stands for the only open session.
  if (args.sessions.empty()) args.sessions.push_back(args.session);
  ASSIGN_OR_CO_RETURN(std::vector<std::string> names,
                      DistinctSessions("term_wait", args.sessions));
  std::vector<SessionRef> sessions;
  std::vector<waits::Waiting> waitings;
  std::string watched;
  waits::Patience patience = waits::PatienceFor(CallerOf(call), args.timeout_s);
  for (const std::string& name : names) {
    ASSIGN_OR_CO_RETURN(SessionRef session, co_await bench->FindSession(
                                                call, name, patience.deadline));
    if (session->is_guest() && !args.ask.empty()) {
      co_return FailedPrecondition(
          "term_wait: session '%s' is open in another server, whose agent asks "
          "people there; leave 'ask' out",
          bench->clients()->NameFor(*call, *session));
    }
    ASSIGN_OR_CO_RETURN(waits::Waiting waiting, waits::Waiting::Compile(until));
    // Text that came between two calls counts, because the wait starts after
    // the output that this client has seen. A caller that selects the screen
    // means everything on it.
    bool all = args.until.on == waits::MatchOn::kScreen;
    view::ReaderMark mark = bench->MarkOf(*call, *session);
    // The reply that opened the session has shown its first output already.
    if (until.change) mark.opened.reset();
    waits::From from{all ? record::ReadMark() : view::WaitFrom(mark)};
    bool alternate = session->output().terminal().modes().alternate_screen;
    bool is_there =
        mark.screen != nullptr && mark.screen->alternate == alternate;
    if (until.change && is_there) from.shown = mark.screen->rows;
    bool moves = until.change == waits::ChangeIs::kMeaningful || until.still_s;
    if (moves) from.memory = bench->clients()->MemoryOf(*call, *session);
    ASSIGN_OR_CO_RETURN(watched, SetWatches(bench, *call, session, args.watch));
    waiting.Begin(session, std::move(from));
    waitings.push_back(std::move(waiting));
    sessions.push_back(std::move(session));
  }
  AwaitedPerson awaited = co_await AwaitPerson(
      bench, call, sessions[0], args.ask, &waitings, patience.deadline);
  if (awaited.is_later) co_return mcp::ToolResult();
  const waits::Result& wait = awaited.result;
  // After a time-out, the reply is about the first session.
  SessionRef session = sessions[wait.which];
  Reply reply(session);
  reply.SetWait(wait);
  if (sessions.size() > 1) {
    co_await bench->AwaitShownStates(call, sessions);
    for (const SessionRef& other : sessions) {
      if (other == session) continue;
      reply.AddOther(
          bench->clients()->NameFor(*call, *other), *other,
          session::CountUnread(*other, bench->MarkOf(*call, *other)));
    }
  }
  reply.AddNote(awaited.told);
  if (awaited.is_asked) reply.SetAsked();
  reply.AddNote(patience.note);
  reply.AddNote(std::move(watched));
  const waits::Waiting& waiting = waitings[wait.which];
  bool missed = wait.outcome == Outcome::kTimeout;
  if (wait.reason.word == "change" && !wait.reason.detail.empty()) {
    bench->clients()->MemoryOf(*call, *session)->Tell(wait.reason.detail);
  }
  if (ShowsMatch(args, wait)) {
    if (missed) reply.SetMissed(waiting.DescribeMissed(), Reply::Missed::kAll);
    std::optional<record::ReadMark> matched = waiting.matched();
    std::string behind;
    if (matched && until.change == waits::ChangeIs::kMeaningful) {
      behind =
          LinesBehind(*session, waiting, wait.reason.word == "change",
                      &*bench->clients()->MemoryOf(*call, *session), &*matched);
    }
    co_return co_await ShowMatch(bench, call, std::move(reply), session,
                                 std::move(matched), std::move(behind),
                                 args.format);
  }
  if (missed)
    reply.SetMissed(waiting.DescribeMissed(), Reply::Missed::kNearest);
  view::ReadRequest request = ToRequest(args, *call);
  // The reason already says that the prompt is there.
  request.hide_echo =
      wait.reason.word == session::ActivityName(session::Activity::kPrompt);
  co_return co_await ReadAndReply(bench, call, std::move(reply), session,
                                  std::move(request), args.format, false);
}

}  // namespace

mcp::Tool WaitTool(Workbench* bench) {
  return mcp::MakeTool<WaitArgs>(
      bench,
      {.name = "term_wait",
       .title = "Terminal wait",
       .description =
           "Wait until a session shows text, waits for input, is quiet, "
           "exits ... and return what is new.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false},
       .patience = mcp::kClientPatience},
      WaitFor);
}

}  // namespace glasstty
