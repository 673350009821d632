// The shells by name, and how they differ: one row for each.
//
// A table of values; owns nothing.
#pragma once

#include <string_view>

namespace glasstty {

struct Shell {
  std::string_view name;
  // Reads its command line with an editor of its own. The others leave editing
  // to the kernel, in canonical mode (termios(3)).
  bool edits_lines;
  // Understands sh: subshells in parentheses, `export`, `eval`.
  bool is_posix;
  // The expression for the status of the last command.
  std::string_view status;
  // What runs a file in this shell itself.
  std::string_view source;
  // A tab that is pasted stays a tab.
  bool pastes_tabs;
  // Runs what printf(1) makes of the word that belongs in place of "%". Empty:
  // cannot be written in a line.
  std::string_view eval_printf;
  // In front of these characters, and at the end of a line, "!" stands for
  // itself; elsewhere it recalls history. Empty: it always stands for itself.
  std::string_view plain_after_bang;
};

// The shell that a program of this name is: "bash", "-bash" (a login shell),
// "/bin/bash". Null for other programs.
const Shell* FindShell(std::string_view program);

// The same, for a program that is known to be a shell of some kind: one without
// a row is taken for sh.
const Shell& ShellOrSh(std::string_view program);

// True if history expansion may change `text` when it is entered at the shell's
// prompt ("!x", and "^x" at the beginning of a line; bash(1), "HISTORY
// EXPANSION", zshexpn(1)). Where quoting is not plain to see, "!" counts as
// unquoted.
bool RecallsHistory(const Shell& shell, std::string_view text);

}  // namespace glasstty
