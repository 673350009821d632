// Finds the command lines in a call of a shell. Shells read their options
// differently: "bash -co pipefail LINE", "zsh -opipefail -c LINE", "fish
// --command=LINE", "pwsh -NoLogo -Command LINE". Pure.
#pragma once

#include "gate/word.h"

namespace glasstty::gate {

struct ShellCall {
  // The command lines to run.
  Words lines;
  // The shell reads its commands from stdin, because neither a line nor a file
  // is given, or because of -s.
  bool reads_input = false;
};

// REQUIRES: words[0] is a shell in the list "shell" of rules.txt.
ShellCall ReadShellCall(const Words& words);

}  // namespace glasstty::gate
