// Splits what a call would run into the commands that a client's rules are
// about: one for each simple command of a text, in every branch, group and
// substitution, and for each command that one of these starts: sh -c, find
// -exec, sudo, tmux new.
//
// Uses the gate's reader of shells and its table of such programs, and judges
// nothing. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::permit {

struct Part {
  using Words = std::vector<std::string>;

  // The command without quotes, as the program gets it.
  Words words;
  // The same command in forms that a refusal must also match: without wrappers
  // such as sudo, and without the path of the program.
  std::vector<Words> disguised = {};
  // Every word is known; false: it contains the value of an unknown variable,
  // the output of a command, or a program's name with a blank.
  bool certain = true;
  // It is a redirection: words are the operator and the file.
  bool redirects = false;
  // The place in the list of the part that starts this one; -1: none does.
  int starter = -1;
  // A rule whose pattern begins with this is about the starter together with
  // this part.
  std::string spelled = {};
  // It may be no command at all, so it counts only for a refusal.
  bool guess = false;

  std::string text() const;
};

struct CommandParts {
  std::vector<Part> parts;
  // Describes why more may run than the parts; "" if nothing else does.
  std::string doubt;
};

// Reads a text for a shell.
CommandParts PartsOfText(std::string_view text);
// Reads a program that is started without a shell.
CommandParts PartsOfArguments(const std::vector<std::string>& argv);

// Returns the words separated by one blank.
std::string TextOf(const Part::Words& words);

}  // namespace glasstty::permit
