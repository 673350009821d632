// A table of the known shells and their differences.
//
// Constant values and pure functions, except that two read the file system.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

struct Shell {
  std::string_view name;
  // True if the shell edits its command line itself. The other shells leave
  // editing to the kernel, in canonical mode (termios(3)).
  bool edits_lines;
  // True if the shell understands the language of sh: subshells in parentheses,
  // `export`, `eval`.
  bool is_posix;
  // The expression for the status of the last command.
  std::string_view status;
  // The command that runs a file in the shell's own process. Empty if there is
  // no such command.
  std::string_view source;
  // True if a pasted tab stays a tab.
  bool pastes_tabs;
  // A command that runs the output of printf(1); the argument of printf
  // replaces "%". Empty if no single line can do this.
  std::string_view eval_printf;
  // "!" is literal before these characters and at the end of the text;
  // elsewhere it recalls history. Empty if "!" is always literal.
  std::string_view plain_after_bang;
  // The flag that makes the shell skip the user's start-up files. Empty if
  // there is no such flag.
  std::string_view bare = "";
  // With more bytes than this, the shell's editor is so slow that text should
  // be passed in a file instead.
  size_t quick_bytes = 1000;
};

// Returns the shell with this program name: "bash", "-bash" (a login shell),
// "/bin/bash", "bash-static". Returns null for other programs.
const Shell* FindShell(std::string_view program);

// Like FindShell, for a program that is certainly a shell: returns the row of
// sh for a shell without a row.
const Shell& ShellOrSh(std::string_view program);

// Returns why `path` is unsuitable as $SHELL, in words that follow the path in
// a message; "" if it is suitable. Programs that passwd entries name instead of
// a shell (nologin, git-shell) are unsuitable. So are programs that are neither
// in this table nor in /etc/shells.
std::string WhyNoShell(const std::string& path);

// Returns the first of `paths` that is suitable, or else bash, or else sh.
std::string FirstShell(const std::vector<std::string>& paths);

// Returns true if history expansion may change `text` when it is entered at the
// shell's prompt ("!x", and "^x" at the beginning of a line; bash(1), "HISTORY
// EXPANSION", zshexpn(1)). If the quotes are not easy to pair, "!" counts as
// unquoted.
bool RecallsHistory(const Shell& shell, std::string_view text);

}  // namespace glasstty
