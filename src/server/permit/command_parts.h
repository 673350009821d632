// Splits the text that a call would run into the commands to which a client's
// rules apply: the simple commands of the text, in every branch, group and
// substitution, and the commands that they start in turn (sh -c, find -exec,
// sudo, tmux new).
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
  // The same command without wrappers such as sudo, and without the path of the
  // program. Rules that refuse or ask apply to these forms, too.
  std::vector<Words> disguised = {};
  // True if every word is known. False if one contains an unknown variable or
  // the output of a command, or if the program's name contains a blank.
  bool certain = true;
  // The part is a redirection: `words` are the operator and the file.
  bool redirects = false;
  // The index in CommandParts::parts of the part that starts this one; -1:
  // none.
  int starter = -1;
  // The starter's text up to and including this part's program. A rule that
  // allows the starter and begins with this text also allows this part.
  std::string spelled = {};
  // The part may not be a command at all, so only rules that refuse or ask
  // count, except those for everything (Rule::IsForEverything).
  bool guess = false;

  std::string text() const;
};

struct CommandParts {
  std::vector<Part> parts;
  // The reason why commands other than the parts may run; "" if none may.
  std::string doubt;
};

// Splits a text that a shell would run.
CommandParts PartsOfText(std::string_view text);
// Splits the arguments of a program that is started without a shell.
CommandParts PartsOfArguments(const std::vector<std::string>& argv);

// Returns the words, separated by single blanks.
std::string TextOf(const Part::Words& words);

}  // namespace glasstty::permit
