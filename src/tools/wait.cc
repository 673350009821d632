// term_wait: block until a terminal shows something. Types nothing.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/output_args.h"
#include "tools/reply.h"
#include "tools/until_args.h"

namespace glasstty {

using session::SessionRef;

// kTail: the end of what is new; kFull: all of it, within max_lines; kMatch:
// the matched line alone, and the rest stays unread.
enum class Show { kTail, kFull, kMatch };
template <>
struct mcp::EnumNames<Show> {
  static constexpr std::string_view kNames[] = {"tail", "full", "match"};
};

namespace {

constexpr int kMostTail = 50;

struct WaitArgs : OutputArgs {
  std::string session;
  // Either this or `session`.
  std::vector<std::string> sessions;
  UntilArgs until;
  // What a person is asked for; with until.person "gone".
  std::string ask;
  // Seconds; clamped by PatienceFor.
  double timeout_s = 30;
  Show show = Show::kTail;
  // For kTail only; else kMostTail, or max_lines where that is less.
  std::optional<int> tail_lines;

  static const std::vector<mcp::Field<WaitArgs>>& Fields() {
    using A = WaitArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            mcp::Optional("session", &A::session, ""),
            mcp::Optional("sessions", &A::sessions, "Wait for any of these."),
            mcp::Required(
                "until", &A::until,
                "The first to hold ends the wait; unseen text counts."),
            mcp::Optional("ask", &A::ask,
                          "With until {person: gone}: asks the user to do "
                          "this."),
            mcp::Optional("timeout_s", &A::timeout_s,
                          "A time-out is not an error.", TimeoutRules()),
            mcp::Optional("show", &A::show, "match: only the matched line."),
            mcp::Unlisted(mcp::Optional("tail_lines", &A::tail_lines,
                                        "How many of the new lines to show.",
                                        mcp::Range{1, 10000})),
        },
        OutputArgs::BriefFields()));
    return *fields;
  }
};

// What is shown when the wait is over.
view::ReadRequest ToRequest(const WaitArgs& args) {
  view::ReadRequest request = args.ToRequest();
  if (args.show == Show::kTail) {
    int most =
        args.max_lines > 0 ? std::min(kMostTail, args.max_lines) : kMostTail;
    request.limits = {.max_lines = args.tail_lines.value_or(most),
                      .truncate = view::Truncate::kTail};
  }
  return request;
}

// The matched line alone; where there is none (a state, silence, a time-out)
// the header. All stays unread, but the next wait begins behind the match.
Task<mcp::ToolResult> ShowMatch(Workbench* bench, mcp::ToolCall* call,
                                Reply reply, SessionRef session,
                                std::optional<record::ReadMark> matched,
                                ReplyFormat format) {
  co_await bench->AwaitShownStates(call, std::vector<SessionRef>(1, session));
  reply.SetBody(reply.matched_text());
  mcp::ToolResult result = reply.Finish(bench, *call, format, true);
  if (!matched) co_return result;
  result.on_sent = [bench, session, matched = *std::move(matched),
                    connection = call->connection(),
                    mark = bench->MarkOf(*call, *session),
                    told = std::move(result.on_sent)]() mutable {
    told();
    mark.matched = matched;
    bench->SetMark(connection, *session, mark);
  };
  co_return result;
}

// What the arguments say together; `until` gets what they mean. Error: they do
// not go together.
absl::StatusOr<waits::Until> UntilOf(const WaitArgs& args) {
  waits::Until until = args.until;
  // It could only time out, which no agent means.
  if (until.empty()) {
    return InvalidArgument(
        "term_wait: 'until' is empty; give a condition such as {\"text\": "
        "\"ready\"} or {\"state\": \"prompt\"}");
  }
  if (!args.session.empty() && !args.sessions.empty()) {
    return InvalidArgument("term_wait: give 'session' or 'sessions', not both");
  }
  if (args.ask.empty()) return until;
  if (until.person != waits::PersonIs::kGone || !args.sessions.empty()) {
    return InvalidArgument(
        "term_wait: 'ask' needs one session and until {\"person\": "
        "\"gone\"}");
  }
  until.person = waits::PersonIs::kVisited;
  return until;
}

// Shows people what is asked of them, for as long as this lives.
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

// Never fails because nothing happened: a time-out is a reply like another one,
// and the client's mark moves over what it shows.
Task<mcp::ToolResult> WaitFor(Workbench* bench, mcp::ToolCall* call,
                              WaitArgs args) {
  ASSIGN_OR_CO_RETURN(waits::Until until, UntilOf(args));
  // "" stands for the only one that is open.
  if (args.sessions.empty()) args.sessions.push_back(args.session);
  std::vector<SessionRef> sessions;
  std::vector<waits::UntilCheck> checks;
  for (const std::string& name : args.sessions) {
    ASSIGN_OR_CO_RETURN(SessionRef session,
                        co_await bench->FindSession(call, name));
    ASSIGN_OR_CO_RETURN(waits::UntilCheck check,
                        waits::UntilCheck::Compile(until));
    // From what this client has been shown, so text that came between two calls
    // counts.
    check.Begin(session.get(), view::WaitFrom(bench->MarkOf(*call, *session)),
                {});
    checks.push_back(std::move(check));
    sessions.push_back(std::move(session));
  }
  Patience patience = PatienceFor(*call, bench->loop()->Now(), args.timeout_s);
  std::optional<Question> question(std::in_place, sessions[0], args.ask);
  WaitResult wait = co_await AwaitAny(bench->loop(), call, sessions, &checks,
                                      patience.deadline);
  question.reset();
  // After a time-out, the first.
  SessionRef session = sessions[wait.which];
  Reply reply(session);
  reply.SetWait(wait);
  if (sessions.size() > 1) {
    co_await bench->AwaitShownStates(call, sessions);
    for (const SessionRef& other : sessions) {
      if (other == session) continue;
      reply.AddOther(*other, record::CountUnread(other->terminal(),
                                                 bench->MarkOf(*call, *other)));
    }
  }
  reply.AddNote(patience.note);
  const waits::UntilCheck& check = checks[wait.which];
  bool missed = wait.outcome == Outcome::kTimeout;
  if (args.show == Show::kMatch) {
    if (missed) reply.SetMissed(check.DescribeMissed(), Reply::Missed::kAll);
    co_return co_await ShowMatch(bench, call, std::move(reply), session,
                                 check.matched(), args.format);
  }
  if (missed) reply.SetMissed(check.DescribeMissed(), Reply::Missed::kNearest);
  view::ReadRequest request = ToRequest(args);
  // The reason says that the prompt is there.
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
       .title = "Wait for a terminal",
       .description =
           "Wait until a session shows text, waits for input, is quiet, "
           "exits ... and return what is new.",
       .annotations = {.read_only = true,
                       .destructive = false,
                       .idempotent = true,
                       .open_world = false}},
      WaitFor);
}

}  // namespace glasstty
