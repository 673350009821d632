// Decides when the gate judges typed text.
//
// The gate judges text if its reader is a shell at its prompt (or behind a
// program that does not read, because then the text is typed ahead), a client
// of a database, or a program that reads a pipe. Each step is checked just
// before it is typed, because the previous step may have started an editor.
// Text without Enter has no effect yet, so the steps up to the next Enter are
// judged together with the text that is already at the prompt, before the first
// of them is typed. So nothing of a refused line is typed, unless its text
// (from history or completion) is known only from the screen, before Enter.
#include "tools/gatekeeper.h"

#include <algorithm>
#include <utility>

#include "base/shells.h"
#include "gate/rules.h"
#include "mcp/ask.h"
#include "support/home.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/session_words.h"
#include "tools/workbench.h"
#include "typing/prompt_line.h"

namespace glasstty {

using session::Activity;

namespace {

constexpr char kWayOut[] =
    "If this is intended (ask the user when in doubt), call again with "
    "\"confirm\": true";

// Returns the session's directory; empty if its state is only a guess, as
// behind ssh.
std::string DirectoryOf(const session::Session& session) {
  bool near =
      session.verdict().LastState().evidence != session::Evidence::kGuess;
  return near ? WorkingDirectory(session) : "";
}

// Returns a note for the agent about text that could not be examined.
std::string NoteOf(const gate::Verdict& verdict) {
  if (verdict.unknown.empty()) return "";
  return "gate: could not tell " + Join(verdict.unknown, ", ");
}

// zsh without interactive_comments, and csh, treat "#" like any other
// character. In a zsh that sends our marks, our script sets
// interactive_comments; over ssh, the shell is unknown.
bool MayRunComments(const session::Session& session) {
  session::SessionState state = session.verdict().LastState();
  bool marks = session.events().commands().phase() != record::ShellPhase::kNone;
  bool shell = FindShell(state.program) != nullptr;
  std::string_view name = ShellOrSh(shell ? std::string_view(state.program)
                                          : session.origin().program.argv[0])
                              .name;
  bool outer = ShellOrSh(session.origin().program.argv[0]).name == name;
  return state.evidence == session::Evidence::kGuess || name.ends_with("csh") ||
         (name == "zsh" && !(marks && outer));
}

// The text of a step and of those after it, up to the first step that enters a
// line. `end` is the index after that step.
struct Ahead {
  std::string text = {};
  // The text may contain parts that were not typed.
  bool uncertain = false;
  size_t end = 0;
};

Ahead LookAhead(gate::TypedLine line, const session::Session& session,
                const std::vector<typing::Step>& steps, size_t next) {
  std::string bytes = typing::TypedBytes(steps[next], session);
  if (session.origin().program.pipe) {
    // No terminal driver edits the text, and closing the pipe completes a
    // partial line.
    std::string all = line.text() + bytes;
    std::replace(all.begin(), all.end(), '\r', '\n');
    return {.text = std::move(all), .end = next + 1};
  }
  Ahead ahead{.end = next};
  bool enters = false;
  while (ahead.end < steps.size() && !enters) {
    bytes = typing::TypedBytes(steps[ahead.end++], session);
    for (const gate::TypedLine::Entered& one : line.Type(bytes)) {
      enters = true;
      ahead.text += (ahead.text.empty() ? "" : "\n") + one.text;
      ahead.uncertain |= one.uncertain;
    }
  }
  return ahead;
}

bool IsAtPrompt(const session::Session& session) {
  return session.events().commands().phase() == record::ShellPhase::kReady;
}

// Refusals and notes quote the text in a reply, and no reply may contain a
// secret.
bool HasSecret(const std::vector<typing::Step>& steps, size_t from, size_t to) {
  auto begin = steps.begin();
  return std::any_of(
      begin + static_cast<long>(from), begin + static_cast<long>(to),
      [](const auto& s) { return s.kind == typing::Step::Kind::kSecret; });
}

// The agent's request, as quoted in a question or a refusal.
struct Wish {
  std::string objection;
  std::string place = {};    // empty: this machine
  std::string command = {};  // shortened; empty: unknown
};

// Returns the command that the gate has found.
std::string CommandOf(const gate::Verdict& verdict) {
  return verdict.finding ? verdict.finding->what : "";
}

// Asks the user, if the client supports it. Error: the request must not pass;
// the message is for the agent. In the modern era the call ends with the
// question and is repeated with the answer, so the returned value is then not
// used.
Task<absl::Status> AskToPass(mcp::ToolCall* call, Wish wish, std::string what) {
  const std::string where = wish.place.empty() ? "" : " on " + wish.place;
  mcp::YesOrNo question;
  question.message = absl::StrFormat(
      "The agent wants to run this%s: %s. Allow it?", where, wish.objection);
  question.title = wish.command.empty()
                       ? absl::StrFormat("Allow this%s?", where)
                       : absl::StrFormat("Run `%s`%s?", wish.command, where);
  question.description = wish.objection;
  mcp::Consent consent = co_await mcp::Confirm(call, std::move(question));
  std::string refused =
      absl::StrFormat("refused%s, %s: %s", where, what, wish.objection);
  if (consent == mcp::Consent::kYes) co_return absl::OkStatus();
  bool said_no = consent == mcp::Consent::kNo;
  co_return FailedPrecondition("%s. %s", refused,
                               said_no ? "The user said no" : kWayOut);
}

// Returns whether the user may still be asked. In the modern era an answer runs
// the call again from its start, so its effects would happen twice.
bool MayAsk(const mcp::ToolCall& call, bool has_effects) {
  return !has_effects || call.context().era() == mcp::Era::kLegacy;
}

// Returns a description of the user's rule that forbids a session at the place,
// or requires the user's consent.
std::string Objection(const gate::PlaceRule& rule, const std::string& place) {
  return absl::StrFormat(
      "the setting 'places' has a rule for %s (%s %s)", place, rule.pattern,
      rule.answer == gate::PlaceAnswer::kDeny ? "deny" : "ask");
}

gate::Verdict JudgeCommand(const gate::Gate& gate,
                           const GatedCommand& command) {
  gate::PathContext context{HomeDirectory(), command.cwd};
  if (command.session != nullptr) {
    const session::Session& session = *command.session;
    std::string directory = DirectoryOf(session);
    bool joins = !command.cwd.empty() && !directory.empty();
    context.directory =
        joins ? gate::NormalPath(command.cwd, directory) : directory;
  }
  // The client that reaches the machine (such as ssh) runs before the command,
  // and the shell runs the content of some variables.
  gate::Verdict before = gate.JudgeArguments(command.place.prefix, context);
  for (const auto& [name, value] : command.environment) {
    if (before.finding || !gate::IsIn("run-variable", name)) continue;
    before.finding = gate.JudgeShell(value, context).finding;
  }
  if (before.finding) return before;
  if (!command.argv.empty()) return gate.JudgeArguments(command.argv, context);
  return gate.JudgeShell(
      command.text, context,
      command.session != nullptr && MayRunComments(*command.session));
}

// The kinds of readers of typed text that the gate distinguishes.
enum class Reader { kOther, kShell, kSqlClient, kPipe };

// Typed text that the program does not read is read by the shell behind it.
// Only a full-screen program reads such text itself sooner or later.
Reader ReaderOf(const session::Session& session) {
  if (session.origin().program.pipe) return Reader::kPipe;
  session::SessionState state = session.verdict().LastState();
  bool shell = FindShell(state.program) != nullptr;
  bool shell_behind = FindShell(session.origin().program.argv[0]) != nullptr &&
                      !session.output().terminal().modes().alternate_screen;
  switch (state.activity) {
    case Activity::kSecret:
    case Activity::kExited:
      return Reader::kOther;
    case Activity::kPrompt:
      return Reader::kShell;
    case Activity::kInput:
      if (gate::IsIn("sql-client", state.program)) return Reader::kSqlClient;
      // The shell reads the rest of a command, for instance because a quote is
      // open.
      return shell && session.events().commands().phase() ==
                          record::ShellPhase::kContinuation
                 ? Reader::kShell
                 : Reader::kOther;
    case Activity::kBusy:
      if (gate::IsIn("sql-client", state.program)) return Reader::kSqlClient;
      return shell_behind ? Reader::kShell : Reader::kOther;
  }
  return Reader::kOther;
}

// Judges the typed text. The result of a history expansion in it counts as
// unknown.
gate::Verdict JudgeLine(const gate::Gate& gate, const session::Session& session,
                        Reader reader, const std::string& text) {
  gate::PathContext context{HomeDirectory(), DirectoryOf(session)};
  if (reader == Reader::kSqlClient) return gate.JudgeSqlClient(text, context);
  gate::Verdict verdict =
      gate.JudgeShell(text, context, MayRunComments(session));
  if (reader == Reader::kPipe) {
    // The judgement as shell text is used only to find out whether a quote is
    // open.
    gate::Verdict piped =
        gate.JudgeArguments(session.origin().program.argv, context, text);
    piped.unfinished = verdict.unfinished;
    return piped;
  }
  if (RecallsHistory(ShellOrSh(session.verdict().LastState().program), text)) {
    verdict.unknown.emplace_back("what '!' recalls");
  }
  return verdict;
}

// Once everything except Enter has been typed, the screen shows what history
// and completion have inserted.
gate::Verdict JudgeStep(const gate::Gate& gate, const session::Session& session,
                        Reader reader, const Ahead& ahead,
                        const std::string& bytes) {
  gate::Verdict verdict = JudgeLine(gate, session, reader, ahead.text);
  bool is_enter = bytes == "\r" || bytes == "\n";
  if (!ahead.uncertain || verdict.finding || !is_enter) return verdict;
  std::string shown;
  if (IsAtPrompt(session)) shown = typing::TextAtPrompt(session);
  if (!shown.empty()) return JudgeLine(gate, session, reader, shown);
  verdict.unknown.emplace_back("what the line holds");
  return verdict;
}

// Returns the refusal, or "" if the user allows the text. The user is not asked
// between two steps, because the call would have to start again.
Task<std::string> AskToType(mcp::ToolCall* call, session::SessionRef session,
                            Wish wish, bool may_ask) {
  if (!may_ask) {
    co_return absl::StrFormat("refused: %s. %s", wish.objection, kWayOut);
  }
  Reader reader = ReaderOf(*session);
  absl::Status asked =
      co_await AskToPass(call, std::move(wish), "nothing was typed");
  if (!asked.ok()) co_return Message(asked);
  // The user may take long to answer, so the program that was judged may be
  // gone.
  if (ReaderOf(*session) == reader) co_return "";
  co_return "refused: what the session does has changed in the meantime";
}

// Updates the line after a step; keeps entered text that is incomplete.
void Follow(const std::string& bytes, const Ahead& ahead, Reader reader,
            const gate::Verdict& verdict, bool objects, gate::TypedLine* line) {
  if (reader == Reader::kPipe) {
    line->Clear();
    size_t last = verdict.unfinished ? 0 : ahead.text.rfind('\n') + 1;
    // Text that the user has allowed is not kept, so it is not judged again.
    if (!objects) line->Keep(ahead.text.substr(last));
    return;
  }
  bool enters = !line->Type(bytes).empty();
  // The shell already holds this text; the rest of the line follows.
  if (enters && verdict.unfinished) line->Keep(ahead.text + "\n");
}

}  // namespace

// Combines all objections into one question, because a call can have only one
// answer.
Task<absl::StatusOr<std::string>> Gatekeeper::AllowCommand(
    mcp::ToolCall* call, GatedCommand command) {
  // This is a copy, because the connection may end while the user is asked.
  auto gate = clients_->SettingsOf(*call).gate;
  Wish wish;
  wish.place = command.place.text;
  const gate::PlaceRule* rule = gate->RuleForPlace(wish.place);
  if (!wish.place.empty() && rule != nullptr &&
      rule->answer != gate::PlaceAnswer::kAllow) {
    wish.objection = Objection(*rule, wish.place);
    if (rule->answer == gate::PlaceAnswer::kDeny) {
      co_return FailedPrecondition("refused, nothing was started: %s",
                                   wish.objection);
    }
  }
  std::string note;
  if (gate->mode() != gate::Mode::kOff) {
    gate::Verdict verdict = JudgeCommand(*gate, command);
    std::string objection = Objection(verdict, gate->mode());
    bool both = !wish.objection.empty() && !objection.empty();
    wish.objection += (both ? "; " : "") + objection;
    wish.command = CommandOf(verdict);
    note = NoteOf(verdict);
  }
  if (command.session != nullptr) {
    wish.place = command.session->origin().place;
  }
  if (!wish.objection.empty() && !command.confirmed) {
    if (!MayAsk(*call, command.is_second)) {
      co_return FailedPrecondition(
          "refused, the second command was not started: %s. %s", wish.objection,
          kWayOut);
    }
    absl::Status asked =
        co_await AskToPass(call, std::move(wish), "nothing was started");
    if (!asked.ok()) co_return asked;
    if (command.was_allowed != nullptr) *command.was_allowed = true;
  }
  co_return note;
}

// The lambda is not itself a coroutine, because its captures would not outlive
// the first suspension.
typing::StepGuard Gatekeeper::GuardSteps(Workbench* bench, mcp::ToolCall* call,
                                         session::SessionRef session,
                                         GatedTyping* typing) {
  if (clients_->SettingsOf(*call).gate->mode() == gate::Mode::kOff) {
    return nullptr;
  }
  return [this, bench, call, session = std::move(session), typing](
             const std::vector<typing::Step>* steps, size_t next) {
    return CheckStep(bench, call, session, typing, steps, next);
  };
}

// The line is unknown if a person has typed at the prompt, except in guests.
gate::TypedLine* Gatekeeper::LineFor(const session::Session& session,
                                     bool is_judged) {
  gate::TypedLine* line = &lines_[session.origin().id];
  bool at_prompt = IsAtPrompt(session);
  bool fresh = at_prompt && !session.input().typed_at_prompt();
  if (!is_judged || fresh) line->Clear();
  if (at_prompt && session.is_guest()) {
    // Calls of the owner's server may have typed the beginning of the line.
    line->Clear();
    line->Keep(typing::TextAtPrompt(session));
  }
  return line;
}

// Also called for steps without Enter, because the whole line must be known
// when Enter is typed.
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
  const gate::TypedLine line = *LineFor(*session, reader != Reader::kOther);
  if (reader == Reader::kOther) co_return "";
  Ahead ahead = LookAhead(line, *session, *steps, next);
  auto gate = clients_->SettingsOf(*call).gate;
  gate::Verdict verdict = JudgeStep(*gate, *session, reader, ahead, bytes);
  Wish wish{Objection(verdict, gate->mode()), session->origin().place,
            CommandOf(verdict)};
  bool objects = !wish.objection.empty();
  bool secret = HasSecret(*steps, next, ahead.end);
  if (objects && !typing->confirmed && next >= typing->agreed) {
    if (secret) {
      wish.objection = "what was given as a secret is a dangerous command";
      wish.command.clear();
    }
    bool may_ask = next == 0 && MayAsk(*call, !typing->begins_call);
    std::string refusal =
        co_await AskToType(call, session, std::move(wish), may_ask);
    typing->refused = !refusal.empty();
    if (typing->refused) co_return refusal;
    typing->agreed = ahead.end;
  }
  if (!objects) typing->note = secret ? "" : NoteOf(verdict);
  // A kept text would be quoted together with the next line.
  if (secret) verdict.unfinished = false;
  // Another call may have erased the entry while the user was asked.
  Follow(bytes, ahead, reader, verdict, objects, &lines_[session->origin().id]);
  co_return "";
}

}  // namespace glasstty
