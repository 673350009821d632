// Why typing is not one write().
//
// The kernel's input queue belongs to the terminal and not to a program: what
// is typed too early goes to whoever reads next. A person looks before typing
// on; so does this file, in three ways.
//
// 1. The *receipt* after each step: the holder says that nothing typed is
//    unread any more (FIONREAD on the terminal, tty_ioctl(4)). It paces large
//    text and tells a program that has stopped reading. Echo would be no
//    receipt: the kernel echoes what nobody has read yet.
// 2. *Reading again* after a step that may have started or ended a program
//    (any that types): the probe must say that the foreground waits for input
//    before the next step goes out. So "vim a" and
//    then "ihello" reach the shell and then vim; and what getpass or a shell
//    discards at its start (tcsetattr with TCSAFLUSH, termios(3)) has not
//    been typed yet.
// 3. *Who reads.* The steps are meant for the program that waited for input
//    when the call began (addressee.h). When it has gone, though no step said
//    that it may (a wait, a pause, a signal, ^C ^D ^Z ^\, an end of file), the
//    rest is not typed: it would reach whatever was behind that program.
//
// The first two have a time limit, and passing it is no error: the next step is
// then typed ahead, as on a real keyboard. What does end the typing is a
// refusal by the holder, a program that is gone, or large text that is not
// being read.
//
// A step is a row of kKinds. The coroutines borrow the Typist, which lives in
// the frame of TypeSteps and so outlives all of them.
#include "typing/input.h"

#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "support/status.h"
#include "support/text.h"
#include "typing/turn.h"
#include "typing/typist.h"
#include "waits/settling.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// A shell that is starting may throw away what was typed before its prompt.
constexpr Duration kStartPatience = seconds(5);
// After text without Enter: typed ahead to a program that works, it is mostly
// followed by its Enter.
constexpr Duration kTextPatience = milliseconds(100);
// ncurses keeps a click for 1/6 s in case it becomes a double one
// (mouseinterval(3ncurses)), polling the keyboard as if nothing had come.
constexpr Duration kClickPatience = milliseconds(200);
// What the Escape key sends begins other keys as well, so a program waits for
// more, polling the keyboard as if nothing had come: htop 25 ms (ESCDELAY of
// ncurses(3)), vim 100 (ttimeoutlen of its defaults.vim).
constexpr Duration kEscapePatience = milliseconds(150);

// How long a program that has shown that it has the Escape may think about it.
constexpr Duration kEscapeLongest = milliseconds(300);

// Whether what is typed now may come back as an echo, from the terminal or from
// a program that edits lines. Pipes have none. Where the kernel collects lines
// it has the echo, or nobody has. A program that has turned off what terminals
// do with output as well (stty raw), and reads without waiting for anything
// else, draws nothing and echoes nothing.
bool MayEcho(const session::Session& session) {
  if (session.origin().program.pipe) return false;
  const wire::ProbeAnswer* answer = session.prober().current();
  bool reads = answer != nullptr && answer->settled != 0 &&
               answer->waiting >= wire::Waiting::kPollTimeout;
  if (!reads || answer->echo != 0) return true;
  if (answer->canonical != 0) return false;
  return answer->raw_output == 0 || answer->waiting != wire::Waiting::kRead;
}

// The echo comes back line by line, so it is looked for line by line.
void RememberLines(std::string_view text, Typist* typist) {
  if (!MayEcho(*typist->session)) return;
  for (std::string& line : Split(text, '\n')) {
    if (typist->until != nullptr) typist->until->AddTyped(line);
    typist->result.lines.push_back(std::move(line));
  }
}

// Only a wait for text wants to know. The first text of a call is otherwise
// typed without a look at the terminal.
bool MustKnowEcho(const Typist& typist, const Step& step) {
  bool has_echo =
      step.kind == Step::Kind::kText || step.kind == Step::Kind::kPaste;
  return has_echo && typist.until != nullptr && typist.until->wants_text() &&
         !typist.session->origin().program.pipe;
}

// For what a program acts on only after a while; it has when its screen is no
// longer as it was at `revision`. False when the call was cancelled.
Task<bool> AwaitChange(Typist* typist, uint64_t revision, Duration patience) {
  session::Session* session = typist->session.get();
  Outcome outcome = co_await session->WaitFor(
      [session, revision] {
        return session->terminal().revision() != revision ||
               session->finished();
      },
      session->loop()->Now() + patience, typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  co_return !typist->result.cancelled;
}

// For the answer to an Escape. vim shows at once that it has a key which may
// begin another one, with the cursor hidden, and has dealt with it when the
// cursor is back. False when the call was cancelled.
Task<bool> AwaitEscape(Typist* typist, uint64_t revision, bool had_cursor) {
  session::Session* session = typist->session.get();
  Time began = session->loop()->Now();
  waits::Settling settling;
  auto interest = session->Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      [session, revision, had_cursor, began, &settling] {
        const terminal::Terminal& terminal = session->terminal();
        Time now = session->loop()->Now();
        if (session->finished()) return Verdict(true);
        if (terminal.revision() == revision) {
          Time due = began + kEscapePatience;
          return Verdict(now >= due, due);
        }
        bool hidden = had_cursor && !terminal.cursor().visible;
        if (hidden && now < began + kEscapeLongest) {
          return Verdict(false, began + kEscapeLongest);
        }
        if (!settling.begun()) settling.Begin(session);
        Time again = Time::max();
        bool over = settling.IsOver(&again);
        return Verdict(over, again);
      },
      Time::max(), typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  co_return !typist->result.cancelled;
}

// One that addresses the cursor draws screens, even if it has not drawn many
// yet; a shell at its prompt does not count.
bool TakesSingleKeys(const session::Session& session) {
  return session.terminal().modes().alternate_screen ||
         session.row_addresses() > 0;
}

// One string a key.
std::vector<std::string> KeysOf(std::string_view text) {
  std::vector<std::string> keys;
  while (!text.empty()) {
    std::string_view rest = text;
    TakeUtf8(&rest);
    keys.emplace_back(text.substr(0, text.size() - rest.size()));
    text = rest;
  }
  return keys;
}

Task<bool> TypeText(Typist* typist, const Step* step) {
  RememberLines(step->text, typist);
  if (TakesSingleKeys(*typist->session)) {
    co_return co_await TypeKeys(
        typist, KeysOf(terminal::EncodeText(step->text)), kReadPatience);
  }
  co_return co_await TypeBytes(typist, terminal::EncodeText(step->text),
                               wire::kWritePlain, kReadPatience);
}

// The holder knows the character (VEOF of termios(3)) and whether there is a
// terminal at all.
Task<bool> TypeEof(Typist* typist, const Step*) {
  co_return co_await TypeBytes(typist, "", wire::kWriteEof, kReadPatience);
}

bool IsControl(const terminal::Key& key, char32_t letter) {
  return key.named < 0 && key.modifiers == terminal::kControl &&
         key.character == letter;
}

// Without a terminal the keys that its driver acts on (ISIG, VEOF) are acted on
// here.
// Encoded at the moment of typing: an earlier step may have switched cursor or
// keypad keys to application mode (DECCKM, DECKPAM).
Task<bool> TypeKey(Typist* typist, const Step* step) {
  if (typist->result.done == 0 && IsControl(step->key, 'c')) {
    typist->result.interrupted = typist->session->terminal().cursor_line();
  }
  if (typist->session->origin().program.pipe) {
    if (IsControl(step->key, 'c')) {
      typist->session->Signal(SIGINT, wire::SignalTarget::kForeground);
      co_return true;
    }
    if (IsControl(step->key, 'd')) co_return co_await TypeEof(typist, step);
  }
  const terminal::Terminal& terminal = typist->session->terminal();
  uint64_t before = terminal.revision();
  bool had_cursor = terminal.cursor().visible;
  terminal::Key once = step->key;
  if (TakesSingleKeys(*typist->session)) once.repeat = 1;
  std::string bytes = terminal::EncodeKey(once, terminal.modes());
  bool is_escape = bytes == "\x1b";
  auto times = static_cast<size_t>(step->key.repeat / once.repeat);
  if (!co_await TypeKeys(typist, std::vector<std::string>(times, bytes),
                         kReadPatience)) {
    co_return false;
  }
  if (!is_escape || typist->session->origin().program.pipe) co_return true;
  co_return co_await AwaitEscape(typist, before, had_cursor);
}

// zsh asks for bracketed paste (DECSET 2004) right after it has drawn its
// prompt. Before that the newlines of a text would run its lines, so a program
// that is about to read is waited for. False when the call was cancelled.
Task<bool> AwaitBrackets(Typist* typist, Duration patience) {
  session::Session* session = typist->session.get();
  auto interest = session->Keep(session::Interest::kForeground);
  Outcome outcome = co_await session->WaitFor(
      [session] {
        const wire::ProbeAnswer* now = session->prober().current();
        bool reads = now != nullptr && now->settled != 0 &&
                     now->waiting >= wire::Waiting::kPollTimeout &&
                     session->feed().consumed() >= now->offset;
        return reads || session->terminal().modes().bracketed_paste ||
               session->finished();
      },
      session->loop()->Now() + patience, typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  co_return !typist->result.cancelled;
}

// Bracketed if the program has asked for it by now.
Task<bool> TypePaste(Typist* typist, const Step* step) {
  RememberLines(step->text, typist);
  const terminal::Modes& modes = typist->session->terminal().modes();
  bool has_lines = step->text.find('\n') != std::string::npos;
  if (has_lines && !modes.bracketed_paste &&
      !typist->session->origin().program.pipe &&
      !co_await AwaitBrackets(typist, kTextPatience)) {
    co_return false;
  }
  co_return co_await TypeBytes(typist, terminal::EncodePaste(step->text, modes),
                               wire::kWritePlain, kReadPatience);
}

// Placed on the screen as it is now: an earlier step may have opened the menu
// that this one picks from.
Task<bool> DoMouse(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  co_await session->WaitFor([session] { return session->IsFrameWhole(); },
                            Time::max(), typist->cancellation);
  auto bytes = EncodeGesture(step->gesture, session->terminal());
  if (!bytes.ok()) {
    typist->result.stopped = Message(bytes.status());
    co_return false;
  }
  uint64_t before = session->terminal().revision();
  if (!co_await TypeBytes(typist, *std::move(bytes), wire::kWritePlain,
                          kReadPatience)) {
    co_return false;
  }
  co_return co_await AwaitChange(typist, before, kClickPatience);
}

// Enter goes with it, so that the holder judges both by one look at the
// terminal. Not remembered as a line: what is not echoed needs no stripping,
// and a secret is kept nowhere.
Task<bool> TypeSecret(Typist* typist, const Step* step) {
  co_return co_await TypeBytes(
      typist, step->text + "\r",
      step->force ? wire::kWritePlain : wire::kWriteSecret, kReadPatience);
}

// Sent past the terminal, so it also reaches programs that have turned ISIG
// off. There is no receipt.
Task<bool> DoSignal(Typist* typist, const Step* step) {
  typist->session->Signal(step->number, wire::SignalTarget::kForeground);
  co_return true;
}

// Met when the screen has the new size: the holder has set it (TIOCSWINSZ) and
// told from which byte of output on it holds.
Task<bool> DoResize(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  terminal::Size size = step->size;
  session->Resize(size);
  Outcome outcome = co_await session->WaitFor(
      [session, size] { return session->terminal().size() == size; },
      session->loop()->Now() + kReadPatience, typist->cancellation);
  if (outcome == Outcome::kTimeout) {
    typist->result.stopped = "the terminal did not take the new size";
  }
  typist->result.cancelled = outcome == Outcome::kCancelled;
  co_return outcome == Outcome::kMet;
}

// A wait that nothing but its deadline or a cancellation ends.
Task<bool> DoPause(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  auto pause = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(step->seconds));
  Outcome outcome = co_await session->WaitFor([] { return false; },
                                              session->loop()->Now() + pause,
                                              typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  co_return outcome == Outcome::kTimeout;
}

// Waits between steps; not met in time ends the typing.
Task<bool> DoUntil(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  auto check = waits::UntilCheck::Compile(step->until);
  if (!check.ok()) {
    typist->result.stopped = Message(check.status());
    co_return false;
  }
  // The answer to an earlier step may be there already.
  check->Begin(session, typist->baseline, typist->result.lines);
  Time deadline = session->loop()->Now() +
                  std::chrono::duration_cast<Duration>(
                      std::chrono::duration<double>(step->seconds));
  check->BeginWait(deadline);
  Outcome outcome = co_await session->WaitFor(
      [&check] {
        Time again = Time::max();
        bool met = check->Look(&again).has_value();
        return Verdict(met, again);
      },
      deadline, typist->cancellation);
  typist->result.cancelled = outcome == Outcome::kCancelled;
  if (outcome == Outcome::kTimeout) {
    typist->result.stopped = absl::StrFormat(
        "its 'until' did not become true within %g s", step->seconds);
  }
  co_return outcome == Outcome::kMet;
}

Task<bool> DoShow(Typist* typist, const Step* step) {
  if (typist->show == nullptr) co_return true;
  co_return co_await typist->show(step->number);
}

// In the order of Step::Kind.
struct KindRow {
  Task<bool> (*run)(Typist*, const Step*);
  // Needs a program that lives: not tried any more after its end.
  bool types;
};
constexpr KindRow kKinds[] = {
    {TypeText, true},  {TypeKey, true}, {TypePaste, true}, {TypeSecret, true},
    {DoResize, false}, {TypeEof, true}, {DoSignal, true},  {DoPause, false},
    {DoUntil, false},  {DoMouse, true}, {DoShow, false},
};

// A reader that cannot be seen is guessed at by its silence; what a key does to
// a full-screen program is done long before. Enter may start a program.
bool IsKeyToGuess(const Step& step, const session::Session& session) {
  bool is_enter =
      terminal::EncodeKey(step.key, session.terminal().modes()) == "\r";
  return step.kind == Step::Kind::kKey && !is_enter &&
         TakesSingleKeys(session) &&
         session.LastState().evidence == session::Evidence::kGuess;
}

// How long the next step waits for the program to read again. Any of these may
// have started or ended one, also a letter ("q" in less, "y" in a question),
// but text without Enter mostly stays with its reader.
Duration PatienceAfter(const Step& step, const session::Session& session) {
  bool is_text =
      step.kind == Step::Kind::kText || step.kind == Step::Kind::kPaste;
  bool presses_enter = step.text.find('\n') != std::string::npos;
  bool is_brief = (is_text && !presses_enter) || IsKeyToGuess(step, session);
  return is_brief ? kTextPatience : kReadPatience;
}

// Whoever takes such a step expects that another program may have the terminal
// behind it.
bool LetsProgramGo(const Step& step) {
  constexpr std::u32string_view kEnders = U"cdz\\";
  bool ends = step.kind == Step::Kind::kKey &&
              step.key.modifiers == terminal::kControl &&
              kEnders.find(step.key.character) != kEnders.npos;
  return ends || step.kind == Step::Kind::kUntil ||
         step.kind == Step::Kind::kPause || step.kind == Step::Kind::kSignal ||
         step.kind == Step::Kind::kEof;
}

// Between two steps. False when the call was cancelled.
Task<bool> LookBeforeNext(Typist* typist, const Step* step) {
  if (LetsProgramGo(*step)) typist->addressee.Forget();
  if (kKinds[static_cast<size_t>(step->kind)].types) {
    co_return co_await AwaitReading(typist,
                                    PatienceAfter(*step, *typist->session));
  }
  co_return co_await SeeForeground(typist);
}

}  // namespace

std::string TypedBytes(const Step& step, const session::Session& session) {
  const terminal::Modes& modes = session.terminal().modes();
  switch (step.kind) {
    case Step::Kind::kText:
      return terminal::EncodeText(step.text);
    case Step::Kind::kKey:
      return terminal::EncodeKey(step.key, modes);
    case Step::Kind::kPaste:
      return terminal::EncodePaste(step.text, modes);
    case Step::Kind::kSecret:
      // Else it is typed where nothing is run.
      return step.force ? step.text + "\r" : "";
    case Step::Kind::kEof:
      return "\x04";
    case Step::Kind::kResize:
    case Step::Kind::kSignal:
    case Step::Kind::kPause:
    case Step::Kind::kUntil:
    case Step::Kind::kMouse:
    case Step::Kind::kShow:
      return "";
  }
  return "";
}

// A step counts as done when it was typed whole; the loop stops at the first
// that was not, and the rest is never typed: it was meant for a program that is
// no longer there.
Task<Typed> TypeSteps(session::SessionRef session, std::vector<Step> steps,
                      bool enter, Cancellation* cancellation,
                      waits::UntilCheck* until, StepGuard guard,
                      StepShow show) {
  auto turn = co_await TakeTurn(session, cancellation);
  Typist typist{session, cancellation, record::MarkNow(session->terminal()),
                until};
  typist.show = std::move(show);
  Typed* result = &typist.result;
  if (!turn.ok()) {
    result->cancelled = cancellation != nullptr && cancellation->cancelled();
    if (!result->cancelled) result->stopped = Message(turn.status());
    co_return std::move(*result);
  }
  if (enter) {
    Step key;
    key.kind = Step::Kind::kKey;
    key.key = *terminal::ParseKey("Enter");
    steps.push_back(std::move(key));
  }
  // The time that has passed already is taken off, so a session that never
  // waits for input (a server) delays its first step only once.
  Duration age = session->loop()->Now() - session->started_at();
  if (!session->has_been_ready() && age < kStartPatience) {
    if (!co_await AwaitReading(&typist, kStartPatience - age)) {
      co_return std::move(*result);
    }
  }
  // A single key goes out at once, also to a program that floods.
  bool may_lose_program =
      steps.size() > 1 ||
      (!steps.empty() && steps[0].text.size() > kPasteBytes);
  if (may_lose_program && !co_await SeeForeground(&typist)) {
    co_return std::move(*result);
  }
  for (size_t i = 0; i < steps.size(); ++i) {
    const KindRow& row = kKinds[static_cast<size_t>(steps[i].kind)];
    if (std::string why = CannotType(*session); row.types && !why.empty()) {
      result->stopped = std::move(why);
      break;
    }
    if (IsOvertaken(typist)) {
      result->stopped = kPersonTook;
      break;
    }
    if (row.types && !IsStillThere(&typist)) break;
    if (row.types && guard != nullptr) {
      result->stopped = co_await guard(&steps, i);
      if (!result->stopped.empty()) break;
    }
    if (MustKnowEcho(typist, steps[i]) && !co_await SeeForeground(&typist)) {
      break;
    }
    bool go_on = co_await row.run(&typist, &steps[i]);
    if (!go_on) break;
    ++result->done;
    result->partly = 0;
    bool last = i + 1 == steps.size();
    if (!last && !co_await LookBeforeNext(&typist, &steps[i])) break;
  }
  co_return std::move(*result);
}

}  // namespace glasstty::typing
