// Finds what a program starts and what it prints. Knows shells, find, ssh,
// tmux, containers and the like. The gate judges the result, and permit/
// applies a client's rules to it; nothing here decides what is dangerous. Pure
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
  // The text contains what a program has downloaded.
  bool downloads = false;
  Piped input = {};
  // This may be just an argument that looks like a command. So it can be a
  // reason to refuse the outer command, but not to allow it.
  bool guess = false;
  // The number of words of the outer command up to and including the name of
  // the started program; all of them if a text is started.
  size_t spelled = 0;
};

struct Starts {
  std::vector<Started> list = {};
  // Statements for a database, as SplitSql returns them.
  std::vector<std::string> statements = {};
  // Strings in code that may name files that the code deletes.
  std::vector<std::string> deleted = {};
  // The program runs a file or code that was downloaded, as an argument; texts
  // of `list` are not meant.
  bool runs_download = false;
  // For find: the directories in which the search begins, whether a test
  // narrows the search, and whether find deletes what it finds. In the commands
  // of `list`, "{}" stands for a file that was found.
  Words roots = {};
  bool filters = false, deletes = false;
  // The program runs the code that it reads from stdin.
  bool runs_input = false;
  // The program runs its input, which is not known, or a command that is
  // missing from `list`.
  bool unknown = false;
};

// Returns what the program at words[0] starts. Expects no wrapper (see Unwrap).
Starts StartsOf(const Words& words, const Piped& input);

// Removes words that only precede a command: sudo -u x, nohup, xargs -n 1 ...
// Sets `takes_input` if more arguments come from stdin. A wrapper without a
// command remains.
Words Unwrap(Words words, bool* takes_input);

// Returns the output of the program at words[0] if it is known beforehand
// (output.cc). The output may contain a command.
Piped OutputOf(const Words& words, const Piped& input,
               const std::string& directory);

// ReadShellCall reads a call of a shell, ReadLineCall one of ssh, watch, su,
// tmux and the like, ReadEvalCall one of eval, and ReadSudoCall one of sudo
// without a command (calls.cc). ReadLineCall adds what the options name and, as
// guesses, all arguments that look like command lines.
void ReadShellCall(const Words& words, const Piped& input, Starts* starts);
void ReadLineCall(const Words& words, const Piped& input, Starts* starts);
void ReadEvalCall(const Words& words, const Piped& input, Starts* starts);
void ReadSudoCall(const Words& words, const Piped& input, Starts* starts);

}  // namespace glasstty::gate
