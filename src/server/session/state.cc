// Maps the kernel's evidence to the one word that an agent is shown.
//
// A program that is in read(2) or poll(2) on its terminal certainly waits for
// input. The terminal's attributes then show what kind of input: canonical mode
// without echo (ICANON and not ECHO, termios(3)) is how sudo, ssh, passwd and
// getpass(3) ask for a password; a shell that has left canonical mode edits its
// command line, so it is at its prompt. Names are needed only to distinguish
// prompt from input and to identify relays: programs such as ssh that pass the
// terminal on to a program that cannot be examined from here. The holder finds
// most relays by what they have open (holder/near_end.h). For relays, and for
// programs that the kernel does not let us examine, silence is the evidence and
// the answer is marked as a guess.
#include "session/state.h"

#include <sys/wait.h>

#include <algorithm>
#include <iterator>

#include "base/shells.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "support/signals.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::session {
namespace {

// Relays that their open descriptors do not always reveal: some also poll for
// signals, use a thread for each direction, or have no connection at all (a
// virtual machine).
struct Relay {
  // If this ends with "-", it is only the beginning of the program's name.
  std::string_view name;
  // True if the relay uses poll(2) while it passes input on. Then a read(2) of
  // a line means that it asks its own question, as ssh does for a password.
  bool polls;
};
constexpr Relay kRelays[] = {
    {"ssh", true},          {"docker", false},      {"podman", false},
    {"kubectl", false},     {"mosh", true},         {"mosh-client", true},
    {"telnet", true},       {"nc", false},          {"picocom", true},
    {"screen", true},       {"tmux: client", true}, {"tmux: server", true},
    {"qemu-system-", true},
};

// A program that cannot be examined counts as waiting after this quiet time.
constexpr Duration kGuessQuiet = std::chrono::milliseconds(500);

// The endings of shells' prompts.
constexpr const char* kPromptEnds[] = {"$", "#", "%", "❯", "➜", "λ", "»", "›",
                                       "❱", "⟩", "▶", "➤", "→", "⇒", "⚡", "✗"};
// oh-my-zsh's own prompt has its sign in front: "➜  ~ git:(main)".
constexpr const char* kPromptBegins[] = {"➜ "};
// Signs that libraries for questions and forms put in front of a line.
constexpr const char* kFormBegins[] = {"? ", "│", "┃", "◆", "✔", "|"};
// The endings of psql's prompts: "db=#", "db-#", "db(#".
constexpr const char* kClientEnds[] = {"=#", "-#",  "(#", "*#",
                                       "'#", "\"#", "!#"};
// Builtins of bash, zsh and fish that may read lines.
constexpr const char* kReaders[] = {"read", "vared", "select", "fc"};
constexpr const char* kQuestionEnds[] = {":", "?", "]"};

template <size_t N>
bool BeginsWithOne(const char* const (&begins)[N], std::string_view line) {
  return std::any_of(
      std::begin(begins), std::end(begins),
      [line](const char* begin) { return line.starts_with(begin); });
}

template <size_t N>
bool EndsWithOne(const char* const (&ends)[N], std::string_view line) {
  return std::any_of(std::begin(ends), std::end(ends),
                     [line](const char* end) { return line.ends_with(end); });
}

// Returns null for a program that is not a relay.
const Relay* FindRelay(std::string_view name) {
  const Relay* relay = std::find_if(
      std::begin(kRelays), std::end(kRelays), [name](const Relay& one) {
        return name == one.name ||
               (one.name.ends_with('-') && name.starts_with(one.name));
      });
  return relay == std::end(kRelays) ? nullptr : relay;
}

// Returns true if the program is a relay that waits for another program.
bool WaitsForOthers(const wire::ProbeAnswer& answer) {
  const Relay* relay = FindRelay(answer.name);
  bool raw = !answer.canonical && !answer.echo;
  if (relay == nullptr) {
    return answer.near_end && raw && FindShell(answer.name) == nullptr;
  }
  bool asks_itself = relay->polls && answer.canonical &&
                     answer.waiting == wire::Waiting::kRead;
  return !asks_itself;
}

// Returns the activity of a program that is known to wait.
Activity WaitingActivity(const wire::ProbeAnswer& answer,
                         std::string_view line) {
  // A program such as unbuffer(1) switches the echo of its inner terminal off
  // for good, so a missing echo alone does not show that it asks for a secret.
  bool may_ask = !answer.is_inner || !TrimBlanks(line).empty();
  if (answer.canonical && !answer.echo && may_ask) return Activity::kSecret;
  // A shell without job control runs a script, so it is the script that asks.
  if (answer.no_job_control) return Activity::kInput;
  // A shell that edits its line is at its prompt. A shell in canonical mode
  // runs `read`, unless it is a shell that never edits lines.
  const Shell* shell = FindShell(answer.name);
  bool at_prompt =
      shell != nullptr && !(shell->edits_lines && answer.canonical);
  return at_prompt ? Activity::kPrompt : Activity::kInput;
}

// A shell in its own session (setsid, a sandbox) has no job control. So only
// its looks distinguish its prompt from a script's question.
bool IsShellOutside(const wire::ProbeAnswer& answer, std::string_view line) {
  bool is_outside =
      answer.outside_pid != 0 && answer.outside_pid == answer.foreground_pid;
  return is_outside && FindShell(answer.name) != nullptr && !answer.canonical &&
         LooksLikePrompt(line);
}

// Corrects the kernel's view by the shell's marks. A shell reads the terminal
// in the same way at its prompt, for the rest of a command and in `read -e`.
//
// While a command runs, two cases look alike: the command reads with the
// shell's line editor, or the shell is at a prompt that has lost its marks
// (exec, a hook that was replaced). A missed prompt would never be found again,
// so the command counts as reading only if it may read or the line is a
// question.
void ApplyMarks(const wire::ProbeAnswer& answer, const ShellView& shell,
                std::string_view line, SessionState* state) {
  bool is_own_shell = answer.foreground_pid == answer.leader_pid &&
                      FindShell(answer.name) != nullptr;
  if (state->activity != Activity::kPrompt || !is_own_shell) return;
  switch (shell.phase) {
    case record::ShellPhase::kReady:
      state->evidence = Evidence::kShell;
      break;
    case record::ShellPhase::kContinuation:
      *state = {Activity::kInput, Evidence::kShell, state->program};
      break;
    case record::ShellPhase::kRunning:
      if (shell.reads || LooksLikeQuestion(line)) {
        state->activity = Activity::kInput;
      }
      break;
    case record::ShellPhase::kNone:
    case record::ShellPhase::kPrompting:
    case record::ShellPhase::kDone:
      break;
  }
}

// Returns true if the line ends with a symbol of a powerline font (in the
// private use area of Unicode).
bool EndsWithPowerline(std::string_view line) {
  if (line.size() < 3) return false;
  std::string_view last = line.substr(line.size() - 3);
  char32_t c = TakeUtf8(&last);
  return c >= 0xE0A0 && c <= 0xE0D7;
}

// Matches "me@host ~/src>", with an optional vi mode or name of an environment
// in front. Programs that read their own commands end their prompts the same
// way, but without a separate word "user@host".
bool IsFishPrompt(std::string_view line) {
  if (!line.ends_with('>')) return false;
  if (line.starts_with('[') || line.starts_with('(')) {
    size_t end = line.find_first_of("])");
    if (end == std::string_view::npos) return false;
    line = TrimBlanks(line.substr(end + 1));
  }
  size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return false;
  std::string_view user = line.substr(0, blank);
  size_t at = user.find('@');
  char next = line[blank + 1];
  return at != std::string_view::npos && at > 0 && at + 1 < user.size() &&
         (next == '~' || next == '/');
}

// Returns true if a word begins with "~", as directories in prompts do.
bool HasHome(std::string_view line) {
  return line.starts_with('~') || line.find(" ~") != std::string_view::npos;
}

bool IsClientPrompt(std::string_view line) {
  if (EndsWithOne(kClientEnds, line)) return true;
  // The prompt of bluetoothctl is "[bluetooth]#".
  bool is_bracketed = line.starts_with('[') && line.ends_with("]#") &&
                      line.find_first_of(" @") == std::string_view::npos;
  return is_bracketed;
}

// Judges a program that cannot be examined from here, such as one on the far
// side of a relay. If it waits at all, it waits for `activity`.
void JudgeUnseen(Activity activity, bool looks_idle, const ShellView& shell,
                 std::string_view line, SessionState* state) {
  state->evidence = Evidence::kGuess;
  bool looks_so = LooksLikePrompt(line);
  bool is_prompt =
      activity == Activity::kInput && (looks_so || shell.run_ended);
  // If the line does not look like a prompt, it may be incomplete.
  bool is_sure = is_prompt && looks_so && shell.run_ended;
  if (!looks_idle && !is_sure) return;
  state->activity = is_prompt ? Activity::kPrompt : activity;
}

}  // namespace

bool LooksLikePrompt(std::string_view line) {
  line = TrimBlanks(line);
  if (BeginsWithOne(kFormBegins, line) || IsClientPrompt(line)) return false;
  return EndsWithOne(kPromptEnds, line) || BeginsWithOne(kPromptBegins, line) ||
         EndsWithPowerline(line) || IsFishPrompt(line);
}

bool MayBePrompt(std::string_view line, std::string_view above) {
  if (LooksLikePrompt(line)) return true;
  line = TrimBlanks(line);
  // Themes draw these in front of the second row of their prompts.
  if (line.starts_with("╰─") || line.starts_with("└─")) return true;
  if (line.ends_with('>')) {
    bool is_second = line == ">" && HasHome(above) &&
                     above.find_first_of("$%#>") == std::string_view::npos;
    return is_second || HasHome(line);
  }
  if (line == "~:" || line.ends_with(" ~:")) return true;
  bool is_other = BeginsWithOne(kFormBegins, line) || IsClientPrompt(line) ||
                  LooksLikeQuestion(line);
  // Few prompts contain neither the directory nor "user@host".
  return !is_other && line.find_first_of("~@") != std::string_view::npos;
}

bool LooksLikeQuestion(std::string_view line) {
  return EndsWithOne(kQuestionEnds, TrimTrailingBlanks(line));
}

bool MayReadLines(std::string_view command) {
  return std::any_of(std::begin(kReaders), std::end(kReaders),
                     [command](std::string_view reader) {
                       return command.find(reader) != std::string_view::npos;
                     });
}

std::string ExitText(int status) {
  // wait(2): a status is an exit code or the number of a signal.
  if (WIFEXITED(status)) return absl::StrFormat("%d", WEXITSTATUS(status));
  std::string text = "signal=" + SignalName(WTERMSIG(status));
  if (WCOREDUMP(status)) text += " (core)";
  return text;
}

std::string_view ActivityName(Activity activity) {
  return kActivityNames[static_cast<size_t>(activity)];
}

std::optional<Activity> ActivityByName(std::string_view name) {
  for (size_t i = 0; i < std::size(kActivityNames); ++i) {
    if (name == kActivityNames[i]) return static_cast<Activity>(i);
  }
  return std::nullopt;
}

std::string StateText(const SessionState& state) {
  std::string text(ActivityName(state.activity));
  if (state.activity == Activity::kExited) return text;
  bool weaker =
      state.activity == Activity::kPrompt || state.activity == Activity::kBusy;
  if (state.evidence == Evidence::kGuess) text += "(guess)";
  if (state.evidence == Evidence::kKernel && weaker) text += "(kernel)";
  return text;
}

SessionState JudgeProbe(const wire::ProbeAnswer& answer, Duration quiet,
                        const ShellView& shell, std::string_view line) {
  SessionState state{Activity::kBusy, Evidence::kKernel,
                     ShowOnOneLine(answer.name)};
  // unread is -1 if it is not known, which does not count as idle.
  bool looks_idle = answer.unread == 0 && quiet >= kGuessQuiet;
  // In raw mode, the program reads keys, even if we cannot see how it waits.
  bool raw = !answer.canonical && !answer.echo;
  switch (answer.waiting) {
    case wire::Waiting::kRead:
    case wire::Waiting::kPoll:
    case wire::Waiting::kPollTimeout:
      // With unread input or unseen output, the program is about to continue.
      if (!answer.settled) return state;
      if (WaitsForOthers(answer)) {
        JudgeUnseen(WaitingActivity(answer, line), looks_idle, shell, line,
                    &state);
        return state;
      }
      state.activity = WaitingActivity(answer, line);
      if (IsShellOutside(answer, line)) {
        return {Activity::kPrompt, Evidence::kGuess, state.program};
      }
      ApplyMarks(answer, shell, line, &state);
      return state;
    // With its terminal in raw mode, a client of tmux sleeps on a socket, and
    // so does an ssh with a shared connection; a client of screen awaits a
    // signal.
    case wire::Waiting::kSleepOther:
      if (!raw) return state;
      if (answer.no_peer && FindRelay(answer.name) == nullptr) return state;
      JudgeUnseen(Activity::kInput, looks_idle, shell, line, &state);
      return state;
    // In raw mode, sudo passes keys on to the terminal of its command.
    case wire::Waiting::kOpaque:
      JudgeUnseen(WaitingActivity(answer, line), looks_idle, shell,
                  raw ? line : "", &state);
      return state;
    // Between two programs of a shell, there may be no foreground for a moment.
    case wire::Waiting::kGone:
      state.evidence = Evidence::kGuess;
      return state;
    case wire::Waiting::kRunning:
    case wire::Waiting::kStopped:
      return state;
  }
  return state;
}

SessionState JudgeQuiet(Duration quiet) {
  return {quiet >= kGuessQuiet ? Activity::kInput : Activity::kBusy,
          Evidence::kGuess, ""};
}

}  // namespace glasstty::session
