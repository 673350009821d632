#include "typing/text_steps.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "session/streams.h"
#include "support/text.h"
#include "terminal/keys.h"
#include "typing/line_editor.h"
#include "typing/pacing.h"

namespace glasstty::typing {
namespace {

// Returns true if the program waits for input.
bool Reads(const wire::ProbeAnswer* answer) {
  return answer != nullptr && answer->settled != 0 &&
         answer->waiting >= wire::Waiting::kPollTimeout;
}

// Returns true if text that is typed now may come back as an echo, from the
// terminal or from a program that edits lines. Pipes have no echo. In canonical
// mode, only the kernel echoes. A program that waits in read(2) in raw mode,
// also for output (no OPOST), echoes nothing, unless there is a prompt before
// the cursor: line editors such as linenoise use the same mode.
bool MayEcho(const session::Session& session) {
  if (session.origin().program.pipe) return false;
  const wire::ProbeAnswer* answer = session.questions().prober().current();
  if (!Reads(answer) || answer->echo != 0) return true;
  if (answer->canonical != 0) return false;
  return answer->raw_output == 0 || answer->waiting != wire::Waiting::kRead ||
         !session.output().TextBeforeCursor().empty();
}

// Returns true if a line editor reads what is typed now.
bool MeetsLineEditor(const session::Session& session) {
  const wire::ProbeAnswer* last = session.questions().prober().last();
  bool is_at_prompt =
      session.events().commands().phase() == record::ShellPhase::kReady;
  return is_at_prompt || (Reads(last) && last->canonical == 0);
}

// Returns true if the kernel echoes what is typed now, although nobody reads it
// yet, so that a line editor may echo it again. Uses a stale answer, too,
// because output makes answers stale, but seldom changes the mode.
bool IsTypedAhead(const session::Session& session) {
  const wire::ProbeAnswer* last = session.questions().prober().last();
  return last != nullptr && !Reads(last) && last->canonical != 0 &&
         last->echo != 0;
}

// The echo comes back line by line, so the lines are remembered one by one.
void RememberLines(std::string_view text, Typist* typist) {
  session::Session* session = typist->session.get();
  if (!MayEcho(*session)) return;
  if (MeetsLineEditor(*session)) {
    session->mutable_input()->MeetLineEditor(
        session->output().TextBeforeCursor());
  }
  const bool is_ahead = IsTypedAhead(*session);
  const uint64_t requests = session->output().terminal().paste_requests();
  for (std::string& line : Split(text, '\n')) {
    if (typist->until != nullptr) typist->until->AddTyped(line);
    if (is_ahead) session->mutable_input()->RememberAhead(line, requests);
    if (is_ahead && typist->until != nullptr) {
      typist->until->AddTypedAhead(session->input().ahead().back());
    }
    typist->result.lines.push_back(std::move(line));
  }
}

using EncodeFunction = std::string (*)(std::string_view,
                                       const terminal::Modes&);

// More lines than this are no answers to questions but a text, such as one for
// `cat`, which shall not wait for each of them.
constexpr ptrdiff_t kMostAnswers = 100;

// Returns true if the program must get the lines of the text one by one.
bool TakesSingleLines(const session::Session& session, std::string_view text) {
  bool may_answer = std::ranges::count(text, '\n') <= kMostAnswers;
  return EditsLines(session) || (may_answer && LeavesLinesToShell(session));
}

// Types the text as `encode` returns it: at once, or line by line.
Task<Next> TypeEncoded(Typist* typist, std::string text, bool by_line,
                       EncodeFunction encode) {
  const terminal::Modes& modes = typist->session->output().terminal().modes();
  if (!by_line) {
    co_return co_await TypeBytes(typist, encode(text, modes), wire::kWritePlain,
                                 kReadPatience);
  }
  std::vector<std::string> lines = LinesOf(text);
  for (std::string& line : lines) line = encode(line, modes);
  co_return co_await TypeLineByLine(typist, std::move(lines), kReadPatience);
}

// Encodes each key by itself, because some programs ask for escape sequences
// even for letters.
Task<Next> TypeLiteral(Typist* typist, std::string text) {
  const terminal::Modes& modes = typist->session->output().terminal().modes();
  bool has_lines = HasLines(text) && TakesSingleLines(*typist->session, text);
  if (has_lines) co_await SeeForeground(typist);
  Next next = Next::kGoOn;
  if (TakesSingleKeys(*typist->session)) {
    std::vector<std::string> keys = KeysOf(terminal::EncodeText(text, {}));
    for (std::string& key : keys) key = terminal::EncodeText(key, modes);
    next = co_await TypeKeys(typist, std::move(keys), kReadPatience);
  } else {
    bool by_line = has_lines && TakesSingleLines(*typist->session, text);
    next = co_await TypeEncoded(typist, text, by_line, terminal::EncodeText);
  }
  NoteText(text, typist);
  co_return next;
}

// Adds the marks of a paste if the program has asked for them by now. If not, a
// program that edits lines gets the lines one by one.
Task<Next> PasteLines(Typist* typist, std::string text) {
  const session::Session& session = *typist->session;
  const terminal::Modes& modes = session.output().terminal().modes();
  bool is_known =
      session.verdict().LastState().evidence == session::Evidence::kKernel;
  bool by_line = !modes.bracketed_paste && HasLines(text) && is_known &&
                 EditsLines(session);
  Next next =
      co_await TypeEncoded(typist, text, by_line, terminal::EncodePaste);
  NoteText(text, typist);
  co_return next;
}

// zsh asks for bracketed paste (DECSET 2004) directly after it has drawn its
// prompt. Until it asks, the newlines of a text would run its lines. So this
// waits until the program asks, or reads input without having asked.
Task<Next> AwaitBrackets(Typist* typist, Duration patience) {
  session::Session* session = typist->session.get();
  auto interest = session->questions().Keep(session::Interest::kForeground);
  Outcome outcome = co_await session->WaitFor(
      [session] {
        const wire::ProbeAnswer* now = session->questions().prober().current();
        bool reads =
            Reads(now) && session->output().feed().consumed() >= now->offset;
        return reads || session->output().terminal().modes().bracketed_paste ||
               session->finished();
      },
      session->loop()->Now() + patience, typist->cancellation);
  co_return NextAfter(outcome);
}

}  // namespace

bool MustKnowEcho(const Typist& typist, const Step& step) {
  bool has_echo =
      step.kind == Step::Kind::kText || step.kind == Step::Kind::kPaste;
  return has_echo && typist.until != nullptr && typist.until->tells_echo() &&
         !typist.session->origin().program.pipe;
}

bool TakesSingleKeys(const session::Session& session) {
  return session.output().terminal().modes().alternate_screen ||
         session.verdict().row_addresses() > 0;
}

Task<Next> TypeText(Typist* typist, const Step* step) {
  RememberLines(step->text, typist);
  std::string text = step->text;
  const session::Session& session = *typist->session;
  bool has_indents = HasIndentedLines(text) && TakesPastes(session);
  if (has_indents) co_await SeeForeground(typist);
  bool is_pasted = (HasLines(text) && ComposesMessages(session)) ||
                   (has_indents && IndentsLines(session));
  bool submits = text.size() > 1 && text.back() == '\n' &&
                 (is_pasted || TellsPastesBySpeed(session));
  if (submits && !HasLines(text) && !ComposesMessages(session)) {
    Next seen = co_await SeeForeground(typist);
    if (seen == Next::kGoOn) seen = CheckStillThere(typist);
    if (seen != Next::kGoOn) co_return seen;
    // If LeavesSignals is true, one write holds the text and its Enter, so that
    // a person who takes the keyboard cannot type between them.
    submits = !LeavesSignals(session);
  }
  if (submits) text.pop_back();
  if (submits && text.back() == '\r') text.pop_back();
  Next next;
  if (is_pasted) {
    next = co_await PasteLines(typist, std::move(text));
  } else {
    next = co_await TypeLiteral(typist, std::move(text));
  }
  if (next != Next::kGoOn || !submits) co_return next;
  next = co_await AwaitEnter(typist);
  if (next == Next::kGoOn) next = CheckStillThere(typist);
  if (next != Next::kGoOn) co_return next;
  const terminal::Modes& modes = session.output().terminal().modes();
  co_return co_await TypeBytes(typist, terminal::EncodeText("\n", modes),
                               wire::kWritePlain, kReadPatience);
}

Task<Next> TypePaste(Typist* typist, const Step* step) {
  RememberLines(step->text, typist);
  const terminal::Modes& modes = typist->session->output().terminal().modes();
  bool has_lines = step->text.find('\n') != std::string::npos;
  Next next = Next::kGoOn;
  if (has_lines && !modes.bracketed_paste &&
      !typist->session->origin().program.pipe) {
    next = co_await AwaitBrackets(typist, kTextPatience);
  }
  if (next != Next::kGoOn) co_return next;
  if (!step->submits) co_return co_await PasteLines(typist, step->text);
  next = co_await TypeBytes(typist, TypedBytes(*step, *typist->session),
                            wire::kWritePlain, kReadPatience);
  NoteText(step->text, typist);
  co_return next;
}

}  // namespace glasstty::typing
