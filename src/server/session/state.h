// Decides what a session is doing: one word, with its evidence. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "record/command_log.h"
#include "wire/packets.h"

namespace glasstty::session {

// A person would say that the terminal does this now.
enum class Activity {
  kPrompt,  // a shell waits for a command
  kInput,   // a program waits for input
  kSecret,  // the same, and does not show what is typed
  kBusy,    // working, sleeping, or waiting for something else
  kExited,
};
// As agents write them, in the order of Activity.
inline constexpr std::string_view kActivityNames[] = {
    "prompt", "input", "secret", "busy", "exited"};

// The evidence for it. The reply shows any that is weaker than a shell's own
// marks.
enum class Evidence {
  kShell,   // the integrated shell said so
  kKernel,  // /proc and termios
  kGuess,   // the program may not be looked into: termios and quiet time
};

struct SessionState {
  Activity activity = Activity::kBusy;
  Evidence evidence = Evidence::kGuess;
  std::string program;  // name of the foreground program, when known
};

// Returns whether a shell waits for a command, which is no mere guess.
inline bool IsCertainPrompt(const SessionState& state) {
  return state.activity == Activity::kPrompt &&
         state.evidence != Evidence::kGuess;
}

// waitpid(2)'s status in words: "0", "7", "signal=SEGV", "signal=ABRT (core)".
std::string ExitText(int wait_status);
std::string_view ActivityName(Activity activity);
std::optional<Activity> ActivityByName(std::string_view name);

// "prompt(kernel)", "input", "busy(guess)". Kernel evidence is the best there
// is for input and secret, so only prompt and busy name it.
std::string StateText(const SessionState& state);

// The news that the marks of the session's own shell bring.
struct ShellView {
  record::ShellPhase phase = record::ShellPhase::kNone;
  // The command it runs may read lines as the shell itself does (`read -e`).
  bool reads = false;
  // A line that was typed with marks of its own has ended, and nothing has been
  // typed since: what looks like a prompt is one.
  bool run_ended = false;
};

// Draws the conclusion from a probe. `quiet`: time since the last output.
// An unsettled answer is kBusy, unless guessing is all there is. `line`: the
// text before the cursor.
SessionState JudgeProbe(const wire::ProbeAnswer& answer, Duration quiet,
                        const ShellView& shell = {},
                        std::string_view line = {});
// Without one (the holder does not answer).
SessionState JudgeQuiet(Duration quiet);

// Tells whether a line with the cursor at its end looks like a prompt:
// "user@host:~$", "Name:". This is a guess for where nothing better is known.
// The prompts of programs that read commands of their own ("mysql>", ">>>") are
// none.
bool LooksLikePrompt(std::string_view line);
// Less is asked for: whether a shell that waits there may be asked to say so.
// `above` is the row above it, for prompts of two rows.
bool MayBePrompt(std::string_view line, std::string_view above = "");
bool LooksLikeQuestion(std::string_view line);
// Tells whether a command line names a builtin that reads with the line editor.
bool MayReadLines(std::string_view command);

}  // namespace glasstty::session
