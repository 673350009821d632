// Prompts can look like anything, and programs that read their own commands
// (python, mysql) have prompts, too. Such a program would run parts of a
// command. So before a command, a line is typed that, in a shell, prints
// nothing but marks.
//
// The line also distinguishes the shells. In single quotes, fish takes two
// backslashes for one; sh does not. `eval` hides syntax that fish refuses to
// parse. In csh, `$?` is not the status of the test, so a 0 means csh.
#include "typing/far_shell.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "support/status.h"
#include "typing/input.h"

namespace glasstty::typing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Allows for a slow connection, and for a shell that is busy with its prompt.
constexpr Duration kAnswerPatience = seconds(5);
// The longest wait for the prompt that follows the marks.
constexpr Duration kFarPromptPatience = seconds(3);

// The status in the end mark shows which branch of the line was taken, and the
// value of `$?` in the second branch.
struct AnswerRow {
  int status;
  const char* shell;
};
constexpr AnswerRow kAnswers[] = {{42, "fish"}, {0, "tcsh"}, {1, "bash"}};

const Shell* ShellOfAnswer(int status) {
  for (const AnswerRow& row : kAnswers) {
    if (row.status == status) return FindShell(row.shell);
  }
  return FindShell("bash");
}

std::string Question(uint64_t run) {
  return absl::StrFormat(
      " [ '\\\\' = \\\\ ] && printf "
      "'\\033]133;C;run=%d\\007\\033]133;D;42;run=%d\\007' || eval 'printf "
      "\"\\033]133;C;run=%d\\007\\033]133;D;$?;run=%d\\007\"'",
      run, run, run, run);
}

const record::CommandBlock* FindRun(const session::Session& session,
                                    uint64_t run) {
  const auto& blocks = session.events().commands().blocks();
  auto found = std::find_if(
      blocks.rbegin(), blocks.rend(), [run](const record::CommandBlock& block) {
        return block.trusted && block.run == run && block.finished;
      });
  return found == blocks.rend() ? nullptr : &*found;
}

bool HasTextBelowCursor(const terminal::Snapshot& screen) {
  auto below = screen.rows.begin() + screen.cursor.row + 1;
  return std::any_of(below, screen.rows.end(),
                     [](const auto& row) { return !row.text.empty(); });
}

std::string TextAboveCursor(const terminal::Snapshot& screen) {
  int row = screen.cursor.row;
  return row == 0 ? "" : screen.rows[static_cast<size_t>(row - 1)].text;
}

struct Way {
  const char* program;
  const char* on;
};
constexpr Way kWays[] = {{"ssh", "ssh:HOST"},
                         {"docker", "docker:CONTAINER"},
                         {"podman", "podman:CONTAINER"},
                         {"kubectl", "kubectl:NAMESPACE/POD"},
                         {"su", "sudo:USER"},
                         {"sudo", "sudo:USER"}};

}  // namespace

bool MayBeFarShell(const session::Session& session,
                   const session::SessionState& state) {
  if (state.evidence != session::Evidence::kGuess) return false;
  bool waits = state.activity == session::Activity::kPrompt ||
               state.activity == session::Activity::kInput;
  const terminal::Terminal& terminal = session.output().terminal();
  // These programs fill the screen, or draw a box around the input.
  bool draws = terminal.modes().alternate_screen ||
               terminal.modes().mouse != terminal::MouseTracking::kOff ||
               !terminal.cursor().visible;
  if (!waits || draws) return false;
  bool is_known = session.input().far_shell() != nullptr ||
                  (state.activity == session::Activity::kPrompt &&
                   FindShell(state.program) != nullptr);
  if (is_known) return true;
  terminal::Snapshot screen = terminal.TakeSnapshot();
  return session::MayBePrompt(session.output().TextBeforeCursor(),
                              TextAboveCursor(screen)) &&
         !HasTextBelowCursor(screen);
}

Task<absl::StatusOr<const Shell*>> AskFarShell(session::SessionRef session,
                                               uint64_t run, Time deadline,
                                               Cancellation* cancellation) {
  session::Session* s = session.get();
  std::string program = s->verdict().LastState().program;
  s->ExpectRun(run);
  Step question;
  question.kind = Step::Kind::kPaste;
  question.text = Question(run);
  std::vector<Step> steps;
  steps.push_back(std::move(question));
  Typed typed =
      co_await TypeSteps(session, std::move(steps), true, cancellation);
  if (!typed.stopped.empty()) {
    co_return FailedPrecondition("term_run: the command was not typed: %s",
                                 typed.stopped);
  }
  // If no answer comes, the program in the foreground may have ended, so that
  // the session's own shell is at its prompt.
  Outcome outcome = co_await s->WaitFor(
      [s, run] {
        bool is_back =
            s->events().commands().phase() == record::ShellPhase::kReady;
        return FindRun(*s, run) != nullptr || is_back || s->finished();
      },
      std::min(s->loop()->Now() + kAnswerPatience, deadline), cancellation);
  const record::CommandBlock* block = FindRun(*s, run);
  if (outcome == Outcome::kCancelled || block == nullptr) {
    co_return FailedPrecondition(
        "session '%s': what waits behind %s did not answer as a shell does, so "
        "the command was not typed. A line that only prints marks was typed to "
        "find out; <C-c> discards it if it is still there",
        s->name(), QuotedUnlessPlain(program));
  }
  const Shell* shell = ShellOfAnswer(block->exit_status.value_or(1));
  s->mutable_input()->SetFarShell(shell);
  auto interest = s->questions().Keep(session::Interest::kState);
  co_await s->WaitFor(
      [s] {
        auto state = s->verdict().settled_state();
        bool ready = state && state->activity == session::Activity::kPrompt;
        return Look(ready || s->finished(), s->questions().NextAnswer());
      },
      std::min(s->loop()->Now() + kFarPromptPatience, deadline), cancellation);
  co_return shell;
}

std::string BetterWay(const session::SessionState& state) {
  for (const Way& way : kWays) {
    if (state.program != way.program) continue;
    return absl::StrFormat(
        ". If a shell is there, glasstty runs commands in it more surely when "
        "it "
        "starts it itself: term_run {\"on\": \"%s\"}",
        way.on);
  }
  return "";
}

}  // namespace glasstty::typing
