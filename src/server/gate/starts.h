// Finds what a program starts, and what it prints: one table of shells, find,
// ssh, tmux, containers and the like. The gate judges it, and permit/ applies a
// client's rules to it; nothing here decides whether it is dangerous. Pure
// functions.
#pragma once

#include <string>
#include <vector>

#include "gate/shell_reader.h"
#include "gate/word.h"

namespace glasstty::gate {

// A command that another command starts, if `words` is not empty; otherwise a
// text for a shell.
struct Started {
  Words words = {};
  std::string text = {};
  // The text is known completely.
  bool known = true;
  Piped input = {};
  // This may not be a command at all, but a word that only looks like a
  // program. So it can be a reason against the outer command, but not in favour
  // of it.
  bool guess = false;
  // The number of words of the outer command up to the started program, or all
  // of them if it starts a text.
  size_t spelled = 0;
};

struct Starts {
  std::vector<Started> list = {};
  // Statements for a database, as SplitSql returns them.
  std::vector<std::string> statements = {};
  // Strings in code that may name files that it deletes.
  std::vector<std::string> deleted = {};
  // The arguments contain code that is run directly.
  bool takes_code = false;
  // For find, these are the directories in which the search begins, whether a
  // test limits the files that it finds, and whether it deletes them. The
  // commands that it runs for each file have "{}" as the placeholder.
  Words roots = {};
  bool filters = false, deletes = false;
  // The program runs the code that it reads from stdin.
  bool runs_input = false;
  // The program runs its input, which is not known, or a command that is not
  // listed.
  bool unknown = false;
};

// Returns what the program at words[0] starts. Wrappers are not expanded.
Starts StartsOf(const Words& words, const Piped& input);

// Removes words that only precede a command: sudo -u x, nohup, xargs -n 1 ...
// Sets `takes_input` if more arguments come from stdin. A wrapper without a
// command remains.
Words Unwrap(Words words, bool* takes_input);

// Returns the output of the program at words[0], if it is known beforehand,
// because it may contain a command (output.cc).
Piped OutputOf(const Words& words, const Piped& input,
               const std::string& directory);

// See calls.cc. The first reads a call of a shell; the second, one of ssh,
// watch, su, tmux and the like. The second adds what they start according to
// their options and, as guesses, all arguments that look like command lines.
void ReadShellCall(const Words& words, const Piped& input, Starts* starts);
void ReadLineCall(const Words& words, const Piped& input, Starts* starts);

}  // namespace glasstty::gate
