// Decides what a session is doing: one word, with the evidence. Pure functions.
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

// The evidence for an activity. Replies name weak evidence (StateText).
enum class Evidence {
  kShell,   // marks of the integrated shell
  kKernel,  // /proc and termios
  kGuess,   // anything weaker, such as quiet time
};

struct SessionState {
  Activity activity = Activity::kBusy;
  Evidence evidence = Evidence::kGuess;
  std::string program;  // name of the foreground program, if known
};

// Returns true if a shell waits for a command and the evidence is no guess.
inline bool IsCertainPrompt(const SessionState& state) {
  return state.activity == Activity::kPrompt &&
         state.evidence != Evidence::kGuess;
}

// Describes a status of waitpid(2): "0", "signal=SEGV", "signal=ABRT (core)".
std::string ExitText(int wait_status);
std::string_view ActivityName(Activity activity);
std::optional<Activity> ActivityByName(std::string_view name);

// Returns "prompt(kernel)", "input", "busy(guess)" and the like. For input and
// secret, the kernel's evidence is usual, and is not named.
std::string StateText(const SessionState& state);

// The facts that marks reveal about the session's shell.
struct ShellView {
  record::ShellPhase phase = record::ShellPhase::kNone;
  // The command may read lines as the shell itself does (`read -e`).
  bool reads = false;
  // As PromptWatch::run_ended. If true, text that looks like a prompt is one.
  bool run_ended = false;
};

// Judges the state by a probe. `quiet`: the time since the last output or
// input. `line`: the text before the cursor. If the answer is not settled, the
// state is kBusy, unless it can only be guessed.
SessionState JudgeProbe(const wire::ProbeAnswer& answer, Duration quiet,
                        const ShellView& shell = {},
                        std::string_view line = {});
// Judges the state without an answer to a probe.
SessionState JudgeQuiet(Duration quiet);

// Returns whether a line with the cursor at its end looks like a shell's
// prompt: "user@host:~$". This is a guess, for use only without better
// evidence. Prompts of programs that read their own commands ("mysql>", ">>>")
// do not count.
bool LooksLikePrompt(std::string_view line);
// Weaker than LooksLikePrompt: returns whether a shell may wait there, which
// AskFarShell can verify. `above` is the row above, for prompts of two rows.
bool MayBePrompt(std::string_view line, std::string_view above = "");
bool LooksLikeQuestion(std::string_view line);
// Returns whether a command may run a builtin that uses the line editor.
bool MayReadLines(std::string_view command);

}  // namespace glasstty::session
