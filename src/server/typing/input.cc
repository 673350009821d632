// Types steps. Typing is not one write(), for these reasons.
//
// The kernel's input queue belongs to the terminal and not to a program: text
// that is typed too early reaches the next program that reads. A person looks
// before typing more; this file does so in three ways.
//
// 1. The *receipt* after each step: the holder reports that nothing typed is
//    unread any more (FIONREAD on the terminal, tty_ioctl(4)). The receipt
//    paces large text and reveals a program that has stopped reading. Echo is
//    no receipt, because the kernel echoes text that nobody has read yet.
// 2. *Reading again*: before the next step is typed, the probe must say that
//    the foreground waits for input, because any step that types may have
//    started or ended a program. So "vim a" reaches the shell, and the "ihello"
//    that follows reaches vim; and a program that discards unread input when it
//    begins to ask, as getpass(3) does (TCSAFLUSH of termios(3)), finds none.
// 3. *Who reads.* The steps are meant for the program that waited for input
//    when the call began (addressee.h). If that program is gone, although no
//    step allowed it to go (a wait, a pause, a signal, ^C ^D ^Z ^\, an end of
//    file), the rest is not typed, because it would reach another program.
//
// The first two have a time limit, and exceeding it is no error: the next step
// is then typed ahead, as on a real keyboard. The typing ends if the holder
// refuses, the program is gone, or large text is not being read.
//
// Each kind of step has a row in kKinds. The coroutines of this file borrow the
// Typist, which lives in the frame of TypeSteps and so outlives them.
#include "typing/input.h"

#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include "session/streams.h"
#include "support/status.h"
#include "typing/pacing.h"
#include "typing/prompt_line.h"
#include "typing/text_steps.h"
#include "typing/turn.h"
#include "typing/typist.h"
#include "typing/until_step.h"

namespace glasstty::typing {
namespace {

using std::chrono::seconds;

// A shell that is starting may discard what was typed before its prompt.
constexpr Duration kStartPatience = seconds(5);
// The holder determines the character (VEOF of termios(3)) and whether there is
// a terminal at all.
Task<Next> TypeEof(Typist* typist, const Step*) {
  co_return co_await TypeBytes(typist, "", wire::kWriteEof, kReadPatience);
}

bool IsControl(const terminal::Key& key, char32_t letter) {
  return key.named < 0 && key.modifiers == terminal::kControl &&
         key.character == letter;
}

// Returns the signal that the key stands for by default, or "".
std::string_view SignalOf(const terminal::Key& key) {
  if (IsControl(key, 'c')) return "INT";
  if (IsControl(key, 'z')) return "TSTP";
  return IsControl(key, '\\') ? "QUIT" : "";
}

// While they ask for a password, some programs turn off the keys that send
// signals (ISIG), so that <C-c> would become a part of the password.
Task<Next> CheckIsSignal(Typist* typist, const Step* step) {
  const session::Session& session = *typist->session;
  std::string_view signal = SignalOf(step->key);
  bool asks =
      session.verdict().LastState().activity == session::Activity::kSecret;
  if (signal.empty() || !asks) co_return Next::kGoOn;
  Next next = co_await SeeForeground(typist);
  const wire::ProbeAnswer* answer = session.questions().prober().current();
  bool is_letter = answer != nullptr && answer->canonical && !answer->echo &&
                   answer->no_signals;
  if (next != Next::kGoOn || !is_letter) co_return next;
  typist->result.stopped = absl::StrFormat(
      "<%s> would be a letter of the secret that the program asks for (it has "
      "switched ISIG off); {\"signal\": \"%s\"} reaches it",
      terminal::KeyName(step->key), signal);
  co_return Next::kStop;
}

// Without a terminal, <C-c> and <C-d> do what its driver would do (ISIG, VEOF).
// Keys are encoded when they are typed, because an earlier step may have
// switched cursor or keypad keys to application mode (DECCKM, DECKPAM).
Task<Next> TypeKey(Typist* typist, const Step* step) {
  if (typist->result.done == 0 && IsControl(step->key, 'c')) {
    typist->result.interrupted =
        typist->session->output().terminal().cursor_line();
  }
  if (typist->session->origin().program.pipe) {
    if (IsControl(step->key, 'c')) {
      co_return SendSignal(typist, SIGINT);
    }
    if (IsControl(step->key, 'd')) co_return co_await TypeEof(typist, step);
  }
  Next next = co_await CheckIsSignal(typist, step);
  if (next == Next::kGoOn && terminal::IsEnter(step->key)) {
    next = co_await AwaitEnterAfterKey(typist);
  }
  if (next != Next::kGoOn) co_return next;
  const terminal::Terminal& terminal = typist->session->output().terminal();
  uint64_t before = terminal.revision();
  bool had_cursor = terminal.cursor().visible;
  const record::CommandLog& commands = typist->session->events().commands();
  bool interrupts_prompt = IsControl(step->key, 'c') &&
                           commands.phase() == record::ShellPhase::kReady;
  record::LinePlace prompt = commands.prompt_end();
  terminal::Key once = step->key;
  if (TakesSingleKeys(*typist->session)) once.repeat = 1;
  std::string bytes = terminal::EncodeKey(once, terminal.modes());
  bool is_escape = bytes == "\x1b";
  auto times = static_cast<size_t>(step->key.repeat / once.repeat);
  next = co_await TypeKeys(typist, std::vector<std::string>(times, bytes),
                           kReadPatience);
  if (next == Next::kGoOn && interrupts_prompt) {
    co_return co_await AwaitPromptAgain(typist, prompt, before);
  }
  bool lingers = is_escape && !typist->session->origin().program.pipe;
  if (next != Next::kGoOn || !lingers) co_return next;
  co_return co_await AwaitEscape(typist, before, had_cursor);
}

// Uses the screen as it is now, because an earlier step may have opened the
// menu from which this one picks.
Task<Next> DoMouse(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  Outcome drawn = co_await session->WaitFor(
      [session] { return session->verdict().IsFrameWhole(); }, Time::max(),
      typist->cancellation);
  if (drawn == Outcome::kCancelled) co_return Next::kCancelled;
  auto events = EncodeGesture(step->gesture, session->output().terminal());
  if (!events.ok()) {
    typist->result.stopped = Message(events.status());
    co_return Next::kStop;
  }
  uint64_t before = session->output().terminal().revision();
  Next next = co_await TypeEvents(typist, *std::move(events), kReadPatience);
  if (next == Next::kGoOn) next = co_await AwaitClick(typist, before);
  co_return next;
}

// Types Enter together with the secret, so that the holder checks the terminal
// once for both. Does not remember the line, because a secret is not echoed and
// must not be kept.
Task<Next> TypeSecret(Typist* typist, const Step* step) {
  co_return co_await TypeBytes(
      typist, step->text + "\r",
      step->force ? wire::kWritePlain : wire::kWriteSecret, kReadPatience);
}

// Bypasses the terminal, so the signal also reaches programs that have turned
// ISIG off. There is no receipt.
Task<Next> DoSignal(Typist* typist, const Step* step) {
  co_return SendSignal(typist, step->number);
}

// Waits until the screen has the new size. The holder has then set the size
// (TIOCSWINSZ) and reported from which byte of output on it applies.
Task<Next> DoResize(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  terminal::Size size = step->size;
  session->Resize(size);
  Outcome outcome = co_await session->WaitFor(
      [session, size] { return session->output().terminal().size() == size; },
      session->loop()->Now() + kReadPatience, typist->cancellation);
  if (outcome == Outcome::kTimeout) {
    typist->result.stopped = "the terminal did not take the new size";
  }
  co_return NextIfMet(outcome);
}

// This wait does not depend on the program.
Task<Next> DoPause(Typist* typist, const Step* step) {
  session::Session* session = typist->session.get();
  Outcome outcome = co_await session->WaitFor(
      [] { return false; }, session->loop()->Now() + FromSeconds(step->seconds),
      typist->cancellation);
  // The session was closed or forgotten.
  if (outcome == Outcome::kClosed) co_return Next::kStop;
  co_return NextAfter(outcome);
}

// Waits until the program has dealt with what was typed, so that the screen
// shows its answer.
Task<Next> AwaitAnswer(Typist* typist) {
  session::Session* session = typist->session.get();
  waits::Answering* answering = &typist->answering;
  auto interest = session->questions().Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      [session, answering] {
        if (session->finished() ||
            !session->input().MayAnswer(session->loop()->Now()))
          return Look(true);
        auto state = session->verdict().settled_state();
        if (!state) {
          return Look(false, session->questions().NextAnswer());
        }
        // AwaitReading has already waited for a working program for long
        // enough.
        bool works = state->activity == session::Activity::kBusy;
        return works ? Look(true) : answering->IsOver();
      },
      Time::max(), typist->cancellation);
  co_return NextAfter(outcome);
}

Task<Next> DoShow(Typist* typist, const Step* step) {
  if (typist->show == nullptr) co_return Next::kGoOn;
  // GCC 12 generates code that crashes for `co_return co_await` with this
  // function.
  Next next = co_await AwaitAnswer(typist);
  if (next == Next::kGoOn) next = co_await typist->show(step);
  co_return next;
}

// The rows have the order of Step::Kind.
struct KindRow {
  Task<Next> (*run)(Typist*, const Step*);
  // The step needs a living program, so it is not tried after the program's
  // end.
  bool types;
};
constexpr KindRow kKinds[] = {
    {TypeText, true},    {TypeKey, true}, {TypePaste, true}, {TypeSecret, true},
    {DoResize, false},   {TypeEof, true}, {DoSignal, true},  {DoPause, false},
    {AwaitUntil, false}, {DoMouse, true}, {DoShow, false},
};

// Returns true for a key to a full-screen program that cannot be examined. Only
// a long silence shows that such a program waits again, but the key is dealt
// with much sooner. Enter is excluded, because it may start a program.
bool IsKeyToGuess(const Step& step, const session::Session& session) {
  return step.kind == Step::Kind::kKey && !terminal::IsEnter(step.key) &&
         TakesSingleKeys(session) &&
         session.verdict().LastState().evidence == session::Evidence::kGuess;
}

// Returns how long the next step waits for the program to read again. Any key
// may have started or ended a program, even a letter ("q" in less, "y" in a
// question), but a text whose Enter is the next step is one line of input, and
// the same program usually goes on reading.
Duration PatienceAfter(const Step& step, bool is_enter_next,
                       const session::Session& session) {
  bool is_text =
      step.kind == Step::Kind::kText || step.kind == Step::Kind::kPaste;
  bool presses_enter = step.text.find('\n') != std::string::npos;
  bool is_line = is_text && !presses_enter && is_enter_next;
  bool is_brief = is_line || IsKeyToGuess(step, session);
  return is_brief ? kTextPatience : kReadPatience;
}

// Returns true for steps after which another program may have the terminal.
bool LetsProgramGo(const Step& step) {
  constexpr std::u32string_view kEnders = U"cdz\\";
  bool ends = step.kind == Step::Kind::kKey &&
              step.key.modifiers == terminal::kControl &&
              kEnders.find(step.key.character) != std::u32string_view::npos;
  return ends || step.kind == Step::Kind::kUntil ||
         step.kind == Step::Kind::kPause || step.kind == Step::Kind::kSignal ||
         step.kind == Step::Kind::kEof;
}

// Waits between two steps, and checks that the program is still there.
Task<Next> LookBeforeNext(Typist* typist, const Step* step,
                          const Step* following) {
  if (LetsProgramGo(*step)) typist->addressee.Forget();
  bool types = kKinds[static_cast<size_t>(step->kind)].types;
  bool is_enter =
      following->kind == Step::Kind::kKey && terminal::IsEnter(following->key);
  Next next =
      types ? co_await AwaitReading(
                  typist, PatienceAfter(*step, is_enter, *typist->session))
            : co_await SeeForeground(typist);
  if (next == Next::kGoOn && is_enter) next = co_await AwaitEnter(typist);
  co_return next;
}

// Returns why the steps cannot be typed: names the first key that the program
// would mistake for another. Empty if there is no such key.
std::string WhyNoKey(const std::vector<Step>& steps,
                     const session::Session& session) {
  for (const Step& step : steps) {
    bool is_key = step.kind == Step::Kind::kKey;
    if (!is_key ||
        terminal::CanSend(step.key, session.output().terminal().modes())) {
      continue;
    }
    return absl::StrFormat(
        "the program has not asked for keys such as <%s>, which it would take "
        "for the key with fewer modifiers; use another key of the program "
        "(<M-Enter> or <C-j> are often a newline), or first start the program "
        "that asks for it",
        terminal::KeyName(step.key));
  }
  return "";
}

}  // namespace

std::string TypedBytes(const Step& step, const session::Session& session) {
  const terminal::Modes& modes = session.output().terminal().modes();
  switch (step.kind) {
    case Step::Kind::kText:
      return terminal::EncodeText(step.text, modes);
    case Step::Kind::kKey:
      return terminal::EncodeKey(step.key, modes);
    case Step::Kind::kPaste:
      return terminal::EncodePaste(step.text, modes) +
             (step.submits ? terminal::EncodeText("\n", modes) : "");
    case Step::Kind::kSecret:
      // Without `force`, it is typed only at a password prompt, which runs
      // nothing.
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

namespace {

// Types step `i` unless something forbids it. Counts the step in Typed::done if
// it was typed completely.
Task<Next> TypeStep(Typist* typist, const std::vector<Step>* steps, size_t i,
                    const StepGuard* guard) {
  const Step* step = &(*steps)[i];
  const KindRow& row = kKinds[static_cast<size_t>(step->kind)];
  Typed* result = &typist->result;
  if (IsCancelled(typist->cancellation)) co_return Next::kCancelled;
  if (row.types && i > 0 && typist->answer != nullptr) {
    Next answered = co_await typist->answer();
    if (answered != Next::kGoOn) co_return answered;
  }
  if (row.types) result->stopped = CannotType(*typist->session);
  if (result->stopped.empty() && IsOvertaken(*typist)) {
    result->stopped = kPersonTook;
  }
  if (!result->stopped.empty()) co_return Next::kStop;
  if (row.types && CheckStillThere(typist) != Next::kGoOn) {
    co_return Next::kStop;
  }
  Next next = Next::kGoOn;
  if (row.types) next = co_await CheckForOtherReader(typist);
  if (next != Next::kGoOn) co_return next;
  if (row.types && *guard != nullptr) {
    result->stopped = co_await (*guard)(steps, i);
    if (!result->stopped.empty()) co_return Next::kStop;
  }
  if (MustKnowEcho(*typist, *step)) next = co_await SeeForeground(typist);
  // The guard may have asked a person, and its answer may come too late.
  if (IsCancelled(typist->cancellation)) co_return Next::kCancelled;
  if (next == Next::kGoOn) next = co_await row.run(typist, step);
  if (next != Next::kGoOn) co_return next;
  ++result->done;
  result->partly = 0;
  if (i + 1 < steps->size()) {
    next = co_await LookBeforeNext(typist, step, step + 1);
  }
  co_return next;
}

// Types steps up to the first that was not typed completely. The rest is never
// typed, because it was planned for the state after that step.
Task<Next> TypeAll(Typist* typist, const std::vector<Step>* steps,
                   const StepGuard* guard) {
  session::Session* session = typist->session.get();
  // The session's age is subtracted, so that only the program of a new session
  // is waited for: some (servers) never wait for input.
  Duration age = session->loop()->Now() - session->life().started_at();
  Next next = Next::kGoOn;
  if (!session->input().prompt().has_been_ready() && age < kStartPatience) {
    next = co_await AwaitReading(typist, kStartPatience - age);
  }
  if (next != Next::kGoOn) co_return next;
  // DiscardAnswers types, too.
  if (IsCancelled(typist->cancellation)) co_return Next::kCancelled;
  typist->result.stopped = WhyNoKey(*steps, *session);
  if (!typist->result.stopped.empty()) co_return Next::kStop;
  bool types = std::any_of(steps->begin(), steps->end(), [](const Step& step) {
    return kKinds[static_cast<size_t>(step.kind)].types;
  });
  if (types) {
    typist->result.discarded =
        co_await DiscardAnswers(session, typist->cancellation);
  }
  // A single key is typed at once, even to a program that floods.
  bool may_lose_program =
      steps->size() > 1 ||
      (!steps->empty() &&
       ((*steps)[0].submits || (*steps)[0].text.size() > kPasteBytes));
  if (may_lose_program) next = co_await SeeForeground(typist);
  for (size_t i = 0; next == Next::kGoOn && i < steps->size(); ++i) {
    next = co_await TypeStep(typist, steps, i, guard);
  }
  bool is_unsaid = next == Next::kStop && typist->result.stopped.empty();
  if (is_unsaid) typist->result.stopped = "the session was closed";
  co_return next;
}

}  // namespace

Task<Typed> TypeSteps(session::SessionRef session, std::vector<Step> steps,
                      bool enter, Cancellation* cancellation,
                      waits::Waiting* until, StepGuard guard, StepShow show,
                      StepAnswer answer) {
  auto turn = co_await TakeTurn(session, cancellation, Time::max());
  Typist typist{session, cancellation, session::MarkNow(*session), until};
  typist.show = std::move(show);
  typist.answer = std::move(answer);
  typist.answering.Begin(session.get());
  Typed* result = &typist.result;
  if (!turn.ok()) {
    result->cancelled = IsCancelled(cancellation);
    if (!result->cancelled) result->stopped = Message(turn.status());
    co_return std::move(*result);
  }
  if (enter) {
    Step key;
    key.kind = Step::Kind::kKey;
    key.key = *terminal::ParseKey("Enter");
    steps.push_back(std::move(key));
  }
  Next next = co_await TypeAll(&typist, &steps, &guard);
  result->cancelled = next == Next::kCancelled;
  co_return std::move(*result);
}

}  // namespace glasstty::typing
