// Finds what a program starts: one table of shells, find, ssh, tmux, containers
// and the like for those who judge that and for those who ask a client's rules
// about it. Says nothing about whether it is dangerous. Pure functions.
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
  // It may be something else, such as a word that only looks like a program. So
  // it can be a reason against the command, but none in favour of it.
  bool guess = false;
  // The number of words of the outer command up to the started program, or all
  // of them if it starts a text.
  size_t spelled = 0;
};

struct Starts {
  std::vector<Started> list;
  // It runs its input, which is not known, or something that is not listed.
  bool unknown = false;
};

// Returns what the program at words[0] starts. Wrappers are not expanded.
Starts StartsOf(const Words& words, const Piped& input);

// Removes words that only precede a command: sudo -u x, nohup, xargs -n 1 ...
// Sets `takes_input` if more arguments come from stdin. A wrapper without a
// command remains.
Words Unwrap(Words words, bool* takes_input);

// A call of find or fd.
struct FindCall {
  // The directory in which it begins.
  Word root;
  // A test narrows what it finds.
  bool filters = false;
  bool deletes = false;
  // The commands that it runs for what it finds, with "{}" as its place, and
  // where each begins in the words.
  std::vector<Words> commands = {};
  std::vector<size_t> places = {};
};
FindCall ReadFindCall(const Words& words, const PathContext& place);

// Returns what ssh, watch, su, tmux and the like start, as far as their options
// tell; and each argument that looks like a line, as a guess (line_call.cc).
Starts ReadLineCall(const Words& words, const Piped& input);

// Returns the arguments and the input of a database client that may be
// statements.
std::vector<std::string> StatementsFor(const Words& words, const Piped& input);

// Returns whether code of an interpreter contains a word of a list.
bool CodeHas(const std::string& code, const char* list);
// Returns the strings in an interpreter's code. Escapes are not decoded and
// quotes do not nest: an approximation for a dozen languages at once. The last
// one is all of them together if that may be a command: run(["rm", "-rf"]).
std::vector<std::string> StringsIn(const std::string& code);

// Returns the words from `i` on.
Words Behind(const Words& words, size_t i);

}  // namespace glasstty::gate
