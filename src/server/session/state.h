// Decides what a session is doing: one word, with its evidence. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "record/command_log.h"
#include "wire/packets.h"

namespace glasstty::session {

// The activities of a terminal, as a person would describe them.
enum class Activity {
  kPrompt,  // a shell waits for a command
  kInput,   // a program waits for input
  kSecret,  // a program waits for input that it does not show
  kBusy,    // working, sleeping, or waiting for something else
  kExited,
};
// The names that agents use, in the order of Activity.
inline constexpr std::string_view kActivityNames[] = {
    "prompt", "input", "secret", "busy", "exited"};

// The evidence for an activity. Replies name it if it is weaker than a shell's
// own marks.
enum class Evidence {
  kShell,   // marks of the integrated shell
  kKernel,  // /proc and termios
  kGuess,   // the program may not be examined: termios and quiet time
};

struct SessionState {
  Activity activity = Activity::kBusy;
  Evidence evidence = Evidence::kGuess;
  std::string program;  // name of the foreground program, when known
};

// Returns whether a shell waits for a command, and this is not a mere guess.
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

// The facts that the marks of the session's own shell reveal.
struct ShellView {
  record::ShellPhase phase = record::ShellPhase::kNone;
  // The command that the shell runs may read lines as the shell itself does
  // (`read -e`).
  bool reads = false;
  // A command line that was typed with its own marks has ended, and nothing has
  // been typed since, so what looks like a prompt is one.
  bool run_ended = false;
};

// Judges the state by a probe. `quiet`: time since the last output. An
// unsettled answer is kBusy, unless guessing is all there is. `line`: the text
// before the cursor.
SessionState JudgeProbe(const wire::ProbeAnswer& answer, Duration quiet,
                        const ShellView& shell = {},
                        std::string_view line = {});
// Judges the state without a probe (the holder does not answer).
SessionState JudgeQuiet(Duration quiet);

// Returns whether a line with the cursor at its end looks like a shell's
// prompt: "user@host:~$". This is a guess for use without better evidence. The
// prompts of programs that read their own commands ("mysql>", ">>>") do not
// count.
bool LooksLikePrompt(std::string_view line);
// Weaker than LooksLikePrompt: returns whether a shell may wait there that
// could be asked to identify itself. `above` is the row above, for prompts of
// two rows.
bool MayBePrompt(std::string_view line, std::string_view above = "");
bool LooksLikeQuestion(std::string_view line);
// Returns whether a command line names a builtin that reads with the line
// editor.
bool MayReadLines(std::string_view command);

}  // namespace glasstty::session
