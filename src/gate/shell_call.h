// What a shell is told to run. Shells differ in how they read their options:
// "bash -co pipefail LINE", "zsh -opipefail -c LINE", "fish --command=LINE",
// "pwsh -NoLogo -Command LINE". Pure.
#pragma once

#include "gate/word.h"

namespace glasstty::gate {

struct ShellCall {
  // Texts of commands.
  Words lines;
  // Neither a line nor a file is named.
  bool reads_input = false;
};

// words[0] is the shell, one of the list in rules.txt.
ShellCall ReadShellCall(const Words& words);

}  // namespace glasstty::gate
