// When the gate is asked about typed text.
//
// What counts is who reads it: a shell at its prompt (or behind a program that
// does not read, for then it is typed ahead), or a client of a database. A step
// is looked at just before it is typed, because the step before may have
// started an editor. Text without Enter does nothing yet; so the steps up to
// the next Enter are judged together with what stands at the prompt already,
// before the first of them is typed. Of a refused line nothing is typed then.
#include "tools/gatekeeper.h"

#include <utility>

#include "base/shells.h"
#include "mcp/ask.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/reply.h"
#include "tools/workbench.h"
#include "typing/prompt_line.h"

namespace glasstty {

using session::Activity;

namespace {

constexpr char kWayOut[] =
    "If this is intended (ask the user when in doubt), call again with "
    "\"confirm\": true";

// Where its shell is; empty on the far side of ssh, of which nothing is known.
std::string DirectoryOf(const session::Session& session) {
  bool near = session.LastState().evidence != session::Evidence::kGuess;
  return near ? WorkingDirectory(session) : "";
}

// So that the agent knows where nobody has looked.
std::string NoteOf(const gate::Verdict& verdict) {
  if (verdict.unknown.empty()) return "";
  return "gate: could not tell " + Join(verdict.unknown, ", ");
}

// Up to the step that enters something; `*end` is behind it.
std::vector<gate::TypedLine::Entered> LookAhead(
    gate::TypedLine line, const session::Session& session,
    const std::vector<typing::Step>& steps, size_t next, size_t* end) {
  std::vector<gate::TypedLine::Entered> entered;
  *end = next;
  while (*end < steps.size() && entered.empty()) {
    entered = line.Type(typing::TypedBytes(steps[(*end)++], session));
  }
  return entered;
}

// A refusal is a reply, and what is secret is in no reply.
bool HasSecret(const std::vector<typing::Step>& steps, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    if (steps[i].kind == typing::Step::Kind::kSecret) return true;
  }
  return false;
}

// What the agent wants, for the question and for a refusal.
struct Wish {
  std::string objection;
  std::string place;  // empty: this machine
};

// " on ssh:db".
std::string OnPlace(const Wish& wish) {
  return wish.place.empty() ? "" : " on " + wish.place;
}

// Asks the user, where the client can, and tells the agent what came of it.
// Error: it must not pass. In the modern era the call ends with the question
// and is run again with the answer; what is returned then is seen by nobody.
Task<absl::Status> AskToPass(mcp::ToolCall* call, Wish wish, std::string what) {
  mcp::Consent consent = co_await mcp::Confirm(
      call, absl::StrFormat("The agent wants to run this%s: %s. Allow it?",
                            OnPlace(wish), wish.objection));
  std::string refused =
      absl::StrFormat("refused%s, %s: %s", OnPlace(wish), what, wish.objection);
  switch (consent) {
    case mcp::Consent::kYes:
      co_return absl::OkStatus();
    case mcp::Consent::kNo:
      co_return FailedPrecondition("%s. The user said no", refused);
    case mcp::Consent::kDismissed:
    case mcp::Consent::kUnavailable:
    case mcp::Consent::kLater:
      break;
  }
  co_return FailedPrecondition("%s. %s", refused, kWayOut);
}

// What the user's rule has against a session there, with the rule.
std::string Objection(const gate::PlaceRule& rule, const std::string& place) {
  return absl::StrFormat(
      "the setting 'places' has a rule for %s (%s %s)", place, rule.pattern,
      rule.answer == gate::PlaceAnswer::kDeny ? "deny" : "ask");
}

}  // namespace

gate::Verdict Gatekeeper::JudgeCommand(const GatedCommand& command) const {
  gate::PathContext context{HomeDirectory(), command.cwd};
  if (command.session != nullptr) {
    const session::Session& session = *command.session;
    std::string directory = DirectoryOf(session);
    bool joins = !command.cwd.empty() && !directory.empty();
    context.directory =
        joins ? gate::NormalPath(command.cwd, directory) : directory;
  }
  return command.argv.empty() ? gate_.JudgeShell(command.text, context)
                              : gate_.JudgeArguments(command.argv, context);
}

// One question for all that speaks against it: a call has one answer.
Task<absl::StatusOr<std::string>> Gatekeeper::AllowCommand(
    mcp::ToolCall* call, GatedCommand command) {
  Wish wish;
  wish.place = command.place;
  const gate::PlaceRule* rule = gate_.RuleForPlace(command.place);
  if (!command.place.empty() && rule != nullptr) {
    if (rule->answer != gate::PlaceAnswer::kAllow) {
      wish.objection = Objection(*rule, command.place);
    }
    if (rule->answer == gate::PlaceAnswer::kDeny) {
      co_return FailedPrecondition("refused, nothing was started: %s",
                                   wish.objection);
    }
  }
  std::string note;
  if (gate_.mode() != gate::Mode::kOff) {
    gate::Verdict verdict = JudgeCommand(command);
    std::string objection = Objection(verdict, gate_.mode());
    bool both = !wish.objection.empty() && !objection.empty();
    wish.objection += (both ? "; " : "") + objection;
    note = NoteOf(verdict);
  }
  if (command.session != nullptr) {
    wish.place = command.session->origin().place;
  }
  if (!wish.objection.empty() && !command.confirmed) {
    absl::Status asked =
        co_await AskToPass(call, std::move(wish), "nothing was started");
    if (!asked.ok()) co_return asked;
  }
  co_return note;
}

void Gatekeeper::ForgetLine(const session::Session& session) {
  lines_.erase(session.origin().id);
}

// The coroutine is a member and not this lambda, whose captures would not
// outlive its first suspension.
typing::StepGuard Gatekeeper::GuardSteps(Workbench* bench, mcp::ToolCall* call,
                                         session::SessionRef session,
                                         GatedTyping* typing) {
  if (gate_.mode() == gate::Mode::kOff) return nullptr;
  return [this, bench, call, session = std::move(session), typing](
             const std::vector<typing::Step>* steps, size_t next) {
    return CheckStep(bench, call, session, typing, steps, next);
  };
}

// A program that works without reading leaves what is typed to the shell behind
// it. A full-screen one reads sooner or later.
Gatekeeper::Reader Gatekeeper::ReaderOf(const session::Session& session) {
  session::SessionState state = session.LastState();
  bool shell = FindShell(state.program) != nullptr;
  bool shell_behind = FindShell(session.origin().program.argv[0]) != nullptr &&
                      !session.terminal().modes().alternate_screen;
  switch (state.activity) {
    case Activity::kSecret:
    case Activity::kExited:
      return Reader::kOther;
    case Activity::kPrompt:
      return Reader::kShell;
    case Activity::kInput:
      if (gate::IsSqlClient(state.program)) return Reader::kSqlClient;
      // Of one command: a quote is open.
      return shell && session.commands().phase() ==
                          record::ShellPhase::kContinuation
                 ? Reader::kShell
                 : Reader::kOther;
    case Activity::kBusy:
      if (gate::IsSqlClient(state.program)) return Reader::kSqlClient;
      return shell_behind ? Reader::kShell : Reader::kOther;
  }
  return Reader::kOther;
}

// Typed text is also what a history expansion makes of it.
gate::Verdict Gatekeeper::JudgeLine(const session::Session& session,
                                    Reader reader,
                                    const std::string& text) const {
  gate::PathContext context{HomeDirectory(), DirectoryOf(session)};
  if (reader == Reader::kSqlClient) return gate_.JudgeSqlClient(text, context);
  gate::Verdict verdict = gate_.JudgeShell(text, context);
  if (RecallsHistory(ShellOrSh(session.LastState().program), text)) {
    verdict.unknown.emplace_back("what '!' recalls");
  }
  return verdict;
}

// Also called for steps that enter nothing: the line must be known when Enter
// comes. A line that another client typed at the same time is not.
Task<std::string> Gatekeeper::CheckStep(Workbench* bench, mcp::ToolCall* call,
                                        session::SessionRef session,
                                        GatedTyping* typing,
                                        const std::vector<typing::Step>* steps,
                                        size_t next) {
  const std::string bytes = typing::TypedBytes((*steps)[next], *session);
  if (bytes.empty()) co_return "";
  co_await bench->AwaitStates(call,
                              std::vector<session::SessionRef>(1, session));
  Reader reader = ReaderOf(*session);
  gate::TypedLine* line = &lines_[session->origin().id];
  bool at_prompt = session->commands().phase() == record::ShellPhase::kReady;
  bool fresh = at_prompt && !session->typed_at_prompt();
  if (reader == Reader::kOther || fresh) line->Clear();
  if (reader == Reader::kOther) co_return "";

  size_t end = next;
  auto entered = LookAhead(*line, *session, *steps, next, &end);
  std::string text;
  bool uncertain = false;
  for (const gate::TypedLine::Entered& one : entered) {
    text += (text.empty() ? "" : "\n") + one.text;
    uncertain |= one.uncertain;
  }
  gate::Verdict verdict = JudgeLine(*session, reader, text);
  // The screen knows what history and completion have brought, once all but
  // Enter has been typed.
  bool is_enter = bytes == "\r" || bytes == "\n";
  if (uncertain && !verdict.finding && !entered.empty()) {
    std::string shown =
        at_prompt && is_enter ? typing::TextAtPrompt(*session) : std::string();
    if (!shown.empty()) {
      verdict = JudgeLine(*session, reader, shown);
    } else if (is_enter) {
      verdict.unknown.emplace_back("what the line holds");
    }
  }
  std::string objection = Objection(verdict, gate_.mode());
  if (!objection.empty() && !typing->confirmed && next >= typing->agreed) {
    if (HasSecret(*steps, next, end)) {
      objection = "what was given as a secret is a dangerous command";
    }
    // In the middle nobody is asked: the call would have to begin anew.
    absl::Status asked =
        FailedPrecondition("refused: %s. %s", objection, kWayOut);
    if (next == 0) {
      Wish wish{objection, session->origin().place};
      asked = co_await AskToPass(call, std::move(wish), "nothing was typed");
    }
    if (!asked.ok()) {
      typing->refused = true;
      co_return Message(asked);
    }
    typing->agreed = end;
    // A person may take long: the program that was judged may be gone.
    if (ReaderOf(*session) != reader) {
      typing->refused = true;
      co_return "refused: what the session does has changed in the meantime";
    }
  }
  if (objection.empty()) typing->note = NoteOf(verdict);

  bool enters = !line->Type(bytes).empty();
  // A copy of what the shell holds already; the rest of the line goes on.
  if (enters && verdict.unfinished) line->Keep(text + "\n");
  co_return "";
}

}  // namespace glasstty
