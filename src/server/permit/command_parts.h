// Splits the text that a call would run into the commands to which a client's
// rules apply: the simple commands of the text, in every branch, group and
// substitution, and the commands that these start (sh -c, find -exec, sudo,
// tmux new).
//
// Uses the gate's shell reader and its table of programs that start others.
// Makes no judgement. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::permit {

struct Part {
  using Words = std::vector<std::string>;

  // The command without quotes, as the program gets it.
  Words words;
  // The same command in forms to which rules that refuse or ask apply, too:
  // without wrappers such as sudo, and without the path of the program.
  std::vector<Words> disguised = {};
  // True if every word is known. False if one contains an unknown variable or
  // the output of a command, or if the program's name contains a blank.
  bool certain = true;
  // The part is a redirection: `words` are the operator and the file.
  bool redirects = false;
  // The index in the list of the part that starts this one; -1: none does.
  int starter = -1;
  // A rule whose pattern begins with this text applies to the starter together
  // with this part.
  std::string spelled = {};
  // The part may not be a command at all, so only rules that refuse it or ask
  // about it count, and of these only those that are not for everything.
  bool guess = false;

  std::string text() const;
};

struct CommandParts {
  std::vector<Part> parts;
  // The reason why more than the parts may run; "" if nothing else does.
  std::string doubt;
};

// Reads a text for a shell.
CommandParts PartsOfText(std::string_view text);
// Reads a program that is started without a shell.
CommandParts PartsOfArguments(const std::vector<std::string>& argv);

// Returns the words separated by one blank.
std::string TextOf(const Part::Words& words);

}  // namespace glasstty::permit
