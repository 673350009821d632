// Finds the command lines in a call of a shell. Shells read their options
// differently: "bash -co pipefail LINE", "zsh -opipefail -c LINE", "fish
// --command=LINE", "pwsh -NoLogo -Command LINE". Pure.
#pragma once

#include "gate/word.h"

namespace glasstty::gate {

struct ShellCall {
  // The command lines to run.
  Words lines;
  // Neither a line nor a file is given, so the shell reads stdin.
  bool reads_input = false;
};

// words[0] is the shell, which must be in a list of rules.txt.
ShellCall ReadShellCall(const Words& words);

}  // namespace glasstty::gate
