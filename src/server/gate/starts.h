// Finds the commands that a program starts: one table of shells, find, ssh,
// tmux, containers and the like. The gate judges these commands, and permit/
// applies a client's rules to them; nothing here decides whether they are
// dangerous. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "gate/shell_reader.h"
#include "gate/word.h"

namespace glasstty::gate {

// A command that another one starts, if there are words; or else a text for a
// shell.
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
  std::vector<Started> list;
  // The program runs its input, which is not known, or a command that is not
  // listed.
  bool unknown = false;
};

// Returns the commands that the program at words[0] starts. Wrappers are not
// expanded.
Starts StartsOf(const Words& words, const Piped& input);

// Removes words that only precede a command: sudo -u x, nohup, xargs -n 1 ...
// Sets `takes_input` if more arguments come from stdin. A wrapper without a
// command remains.
Words Unwrap(Words words, bool* takes_input);

// A call of find or fd.
struct FindCall {
  // The directory in which the search begins.
  Word root;
  // A test limits the files that it finds.
  bool filters = false;
  bool deletes = false;
  // The commands that it runs for each found file, with "{}" as the
  // placeholder, and the index in the words at which each begins.
  std::vector<Words> commands = {};
  std::vector<size_t> places = {};
};
FindCall ReadFindCall(const Words& words, const PathContext& place);

// Returns the commands that ssh, watch, su, tmux and the like start according
// to their options, and, as guesses, all arguments that look like command lines
// (line_call.cc).
Starts ReadLineCall(const Words& words, const Piped& input);

// Returns the arguments and the input of a database client that may be
// statements.
std::vector<std::string> StatementsFor(const Words& words, const Piped& input);

// Returns whether code of an interpreter contains a word of a list.
bool CodeHas(const std::string& code, const char* list);
// Returns the strings in an interpreter's code. This is an approximation for a
// dozen languages at once: escapes are not decoded, and quotes do not nest. The
// last string is all others joined, if that may be a command: run(["rm",
// "-rf"]).
std::vector<std::string> StringsIn(const std::string& code);

// Returns the words from `i` on.
Words Behind(const Words& words, size_t i);

}  // namespace glasstty::gate
