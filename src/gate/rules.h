// The built-in rules for commands: one row each, data and no code.
//
// A rule is asked about the arguments of one program, written as a line: each
// argument behind a blank, blanks inside an argument replaced, and a mark in
// front of what ClassifyPath knows to hurt. So "git commit -m 'push --force'"
// has one argument that is no "--force".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/paths.h"
#include "gate/word.h"

namespace glasstty {

// Marks of the line, in front of a path.
#define GATE_SYSTEM "\\x02"
#define GATE_DEVICE "\\x03"
#define GATE_FILE "\\x04"
#define GATE_HERE "\\x05"
#define GATE_KEEP "\\x06"

struct Rule {
  // For messages and fixtures.
  const char* name;
  // Names of programs, separated by blanks.
  const char* programs;
  // RE2; all that are not null must be found in the line of arguments.
  const char* needs;
  const char* also;
  // RE2; when found, the rule does not hold.
  const char* unless;
  // What would happen, to follow "it ...".
  const char* why;
  // Work of every day, which only strict mode asks about: an agent that is
  // refused for routine learns to confirm everything.
  bool routine = false;
};

// Whether `names`, separated by blanks, has `name`, or the family of it:
// "mkfs.ext4" is an "mkfs".
bool HasName(std::string_view names, std::string_view name);

// Null when no rule holds. `strict`: rules for routine work count, too.
const Rule* FindRule(std::string_view program, const std::string& line,
                     bool strict);

// `source` is a constant of a table: a pattern that does not compile is a bug.
bool MatchesBuiltIn(const char* source, const std::string& text);

// " -rf \x02/" for the words behind the program's name.
std::string ArgumentLine(const std::vector<Word>& words,
                         const PathContext& context);

}  // namespace glasstty
