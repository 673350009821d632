// The exit statuses of the commands that call a tool.
//
// Scripts rely on them, so they never change. Agents that are woken by the end
// of `glasstty wait` see only its status (10 to 13). 124 to 126 are those of
// timeout(1), env(1) and docker(1), and xargs(1) uses 123 if a command failed.
// These high numbers leave the small ones to the programs that `glasstty run`
// runs. The man page prints the table. Pure data; any thread.
#pragma once

#include <span>

namespace glasstty {

enum class ExitStatus {
  kDone = 0,
  kEndedWithoutIt = 1,
  kMisused = 2,
  kStopped = 3,
  // These say which state was reached, if `glasstty wait` has waited for
  // several.
  kCameInput = 10,
  kCameSecret = 11,
  kCameFailure = 12,
  kCameBusy = 13,
  kUnknown = 123,
  kTimedOut = 124,
  kNoServer = 125,
  kRefused = 126,
};

struct ExitStatusRow {
  ExitStatus status;
  const char* meaning;  // a sentence
};

// Returns all statuses, in ascending order.
std::span<const ExitStatusRow> ExitStatuses();

}  // namespace glasstty
