#include "typing/pacing.h"

#include <algorithm>
#include <chrono>

#include "base/utf8.h"
#include "typing/pointer.h"
#include "waits/settling.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;

// ncurses withholds a click for 1/6 s, because it may become a double click
// (mouseinterval(3ncurses)), and meanwhile polls the keyboard as if nothing had
// come.
constexpr Duration kClickPatience = milliseconds(200);
// The byte of the Escape key also begins the sequences of other keys, so a
// program waits for more bytes, and meanwhile polls the keyboard as if nothing
// had come: htop for 25 ms (ESCDELAY of ncurses(3)), vim for 100 ms
// (ttimeoutlen of its defaults.vim).
constexpr Duration kEscapePatience = milliseconds(150);

// A program that has hidden the cursor may take this long to act on the key.
constexpr Duration kEscapeLongest = milliseconds(300);

// The first limit is short, because a shell with an empty line may ignore ^C,
// as fish does. The second limit holds once the shell has begun to draw,
// because the hooks that it runs before the prompt may call git.
constexpr Duration kNextPromptPatience = milliseconds(300);
constexpr Duration kNextPromptLatest = milliseconds(1000);

// Composers recognize a paste by its speed. An Enter soon after it (Codex: 120
// ms, Gemini CLI: 30 ms) is a newline to them.
constexpr Duration kEnterDelay = milliseconds(150);
// Claude Code's dialogs ignore an Enter within 150 ms after another key.
constexpr Duration kEnterAfterKeyDelay = milliseconds(200);
// The delay while a longer text is not visible yet. Codex collects fast input
// and draws it 0.25 s later, after other changes, and later on a busy machine.
constexpr Duration kUnseenDelay = milliseconds(400);
// The delay while nothing has been drawn since the text was typed.
constexpr Duration kUndrawnDelay = milliseconds(1000);
constexpr Duration kUnseenLatest = milliseconds(2000);
constexpr size_t kMuchText = 32;
// The limit once the text is visible, or if it is short. A program that draws
// for other reasons (a spinner) must not delay Enter.
constexpr Duration kEnterLatest = milliseconds(600);
// This many bytes of a text's end suffice to recognize it.
constexpr size_t kTailBytes = 12;

// Returns the end of the last word. IsSeen cannot find the end if it continues
// in the next row of the screen.
std::string TailOf(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  size_t end = text.find_last_not_of(kBlanks) + 1;
  size_t begin = text.substr(0, end).find_last_of(kBlanks) + 1;
  if (end - begin > kTailBytes) begin = end - kTailBytes;
  while (begin < end && IsContinuation(text[begin])) ++begin;
  return std::string(text.substr(begin, end - begin));
}

bool AsksForKeyboardProtocol(const terminal::Modes& modes) {
  return modes.kitty_flags != 0 || modes.modify_other_keys != 0;
}

bool IsSeen(const Typist& typist) {
  return !FindOnScreen(typist.session->output().terminal().TakeSnapshot(),
                       typist.text_tail)
              .empty();
}

}  // namespace

bool LeavesSignals(const session::Session& session) {
  const wire::ProbeAnswer* answer = session.questions().prober().last();
  return answer != nullptr && !answer->no_signals &&
         answer->waiting >= wire::Waiting::kPollTimeout;
}

bool TakesPastes(const session::Session& session) {
  return !session.origin().program.pipe &&
         session.output().terminal().modes().bracketed_paste &&
         session.events().commands().phase() != record::ShellPhase::kReady;
}

bool TellsPastesBySpeed(const session::Session& session) {
  const terminal::Modes& modes = session.output().terminal().modes();
  return TakesPastes(session) &&
         (modes.focus_reports || AsksForKeyboardProtocol(modes));
}

// Composers ask for a keyboard protocol that distinguishes Shift+Enter from
// Enter. Editors on the alternate screen do the same, but they set the cursor's
// shape or the application keypad, or do not follow the mouse.
bool ComposesMessages(const session::Session& session) {
  const terminal::Modes& modes = session.output().terminal().modes();
  if (!TakesPastes(session) || !AsksForKeyboardProtocol(modes)) return false;
  if (session.verdict().LastState().activity == session::Activity::kPrompt)
    return false;
  // DECSCUSR 0 and 1 are the default shape of a terminal.
  if (modes.cursor_style > 1) return false;
  if (!modes.alternate_screen) return true;
  bool follows_drags = modes.mouse == terminal::MouseTracking::kDrag &&
                       !modes.application_keypad;
  bool follows = modes.mouse == terminal::MouseTracking::kMotion;
  return modes.kitty_flags != 0 && modes.focus_reports &&
         (follows || follows_drags);
}

Task<Next> AwaitClick(Typist* typist, uint64_t revision) {
  session::Session* session = typist->session.get();
  Outcome outcome = co_await session->WaitFor(
      [session, revision] {
        return session->output().terminal().revision() != revision ||
               session->finished();
      },
      session->loop()->Now() + kClickPatience, typist->cancellation);
  co_return NextAfter(outcome);
}

// vim hides the cursor while an Escape that it has read may still begin another
// key, and shows the cursor once it has dealt with the Escape.
Task<Next> AwaitEscape(Typist* typist, uint64_t revision, bool had_cursor) {
  session::Session* session = typist->session.get();
  Time began = session->loop()->Now();
  waits::Settling settling;
  auto interest = session->questions().Keep(session::Interest::kState);
  Outcome outcome = co_await session->WaitFor(
      [session, revision, had_cursor, began, &settling] {
        const terminal::Terminal& terminal = session->output().terminal();
        Time now = session->loop()->Now();
        if (session->finished()) return Look(true);
        if (terminal.revision() == revision) {
          Time due = began + kEscapePatience;
          return Look(now >= due, due);
        }
        bool hidden = had_cursor && !terminal.cursor().visible;
        if (hidden && now < began + kEscapeLongest) {
          return Look(false, began + kEscapeLongest);
        }
        if (!settling.begun()) settling.Begin(session);
        return settling.IsOver();
      },
      Time::max(), typist->cancellation);
  co_return NextAfter(outcome);
}

Task<Next> AwaitPromptAgain(Typist* typist, record::LinePlace prompt,
                            uint64_t revision) {
  session::Session* session = typist->session.get();
  Time began = session->loop()->Now();
  Outcome outcome = co_await session->WaitFor(
      [session, prompt, revision, began] {
        const record::CommandLog& commands = session->events().commands();
        bool is_new = commands.phase() == record::ShellPhase::kReady &&
                      commands.is_drawn() && commands.prompt_end() != prompt;
        if (is_new || session->finished()) return Look(true);
        bool has_answered = session->output().terminal().revision() != revision;
        Time due =
            began + (has_answered ? kNextPromptLatest : kNextPromptPatience);
        return Look(session->loop()->Now() >= due, due);
      },
      Time::max(), typist->cancellation);
  co_return NextAfter(outcome);
}

void NoteText(std::string_view text, Typist* typist) {
  typist->text_size = text.size();
  typist->text_tail = TailOf(text);
  typist->text_typed = typist->session->loop()->Now();
  typist->text_revision = typist->session->output().terminal().revision();
}

// A composer has dealt with a long text only once it has drawn it.
Task<Next> AwaitEnter(Typist* typist) {
  session::Session* session = typist->session.get();
  if (typist->text_size == 0 || !TellsPastesBySpeed(*session)) {
    co_return Next::kGoOn;
  }
  Next next = co_await SeeForeground(typist);
  if (next != Next::kGoOn || LeavesSignals(*session)) co_return next;
  uint64_t revision = typist->text_revision;
  Time changed = typist->text_typed;
  bool is_seen = typist->text_size <= kMuchText;
  Time latest = changed + (is_seen ? kEnterLatest : kUnseenLatest);
  Outcome outcome = co_await session->WaitFor(
      [session, typist, &revision, &changed, &is_seen, &latest] {
        Time now = session->loop()->Now();
        if (session->output().terminal().revision() != revision) {
          revision = session->output().terminal().revision();
          changed = now;
        }
        if (!is_seen && IsSeen(*typist)) {
          is_seen = true;
          latest = now + kEnterLatest;
        }
        bool is_drawn = revision != typist->text_revision;
        Duration delay = is_seen    ? kEnterDelay
                         : is_drawn ? kUnseenDelay
                                    : kUndrawnDelay;
        Time due = std::min(changed + delay, latest);
        return Look(now >= due || session->finished(), due);
      },
      Time::max(), typist->cancellation);
  co_return NextAfter(outcome);
}

Task<Next> AwaitEnterAfterKey(Typist* typist) {
  session::Session* session = typist->session.get();
  Time due = session->input().typing().at + kEnterAfterKeyDelay;
  if (session->loop()->Now() >= due || !ComposesMessages(*session)) {
    co_return Next::kGoOn;
  }
  Outcome outcome = co_await session->WaitFor(
      [session, due] {
        bool is_due = session->loop()->Now() >= due;
        return Look(is_due || session->finished(), due);
      },
      Time::max(), typist->cancellation);
  co_return NextAfter(outcome);
}

}  // namespace glasstty::typing
