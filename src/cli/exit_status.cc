#include "cli/exit_status.h"

namespace glasstty {

std::span<const ExitStatusRow> ExitStatuses() {
  static constexpr ExitStatusRow kRows[] = {
      {ExitStatus::kDone,
       "The command succeeded; wait, and open or send with --until: the "
       "condition held; with several states: prompt or exited, and nothing has "
       "failed. run passes on the status of its command, and so does "
       "wait --exit-status. With --success or --compare-with, run exits with 0 "
       "if that holds."},
      {ExitStatus::kEndedWithoutIt,
       "wait, and open or send with --until: the program or the session ended "
       "before the condition held, or the text of --gone was never on the "
       "screen. run: its command succeeded, but --success or --compare-with "
       "does not hold. list: there are no sessions."},
      {ExitStatus::kMisused, "The command was called wrongly."},
      {ExitStatus::kStopped,
       "wait, open, send: the pattern of --stop was found."},
      {ExitStatus::kCameInput,
       "wait --state with several states: the program waits for input."},
      {ExitStatus::kCameSecret,
       "wait --state with several states: the program asks for a secret."},
      {ExitStatus::kCameFailure,
       "wait --state with several states: the shell is at its prompt after a "
       "command that failed, or the program has ended with a failure."},
      {ExitStatus::kCameBusy,
       "wait --state with several states: the program is busy."},
      {ExitStatus::kUnknown,
       "run: the command's status is not known, or it never ran. wait "
       "--exit-status: the program ended without one that was seen."},
      {ExitStatus::kTimedOut,
       "wait, and open or send with --until: the time was up. run: the command "
       "has not ended; it keeps running, or asks for input."},
      {ExitStatus::kNoServer,
       "No server answers and none could be started, or it ended during the "
       "call."},
      {ExitStatus::kRefused,
       "The tool refused or failed; stderr says why, and what to do."},
  };
  return kRows;
}

}  // namespace glasstty
