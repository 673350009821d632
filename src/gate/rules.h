// What is dangerous, as rules.txt has it: rules for commands and statements,
// lists of programs and words, globs of paths. Tables; judge.cc says when they
// are asked.
#pragma once

#include <string>
#include <string_view>

namespace glasstty::gate {

// Each is also the mark that stands in front of such a path in a line of
// arguments: a control character, which nobody types into an argument.
enum class PathKind : char {
  kOther = 0,
  // A directory of the system, all that is in one ("/*"), or somebody's home.
  kSystem = 2,
  // A whole disk, partition or the memory.
  kDevice = 3,
  // A file without which nobody logs in or boots.
  kSystemFile = 4,
  // All that is here: ".", "..", "*", "./*".
  kHere = 5,
  // What a person keeps in a home: keys, documents, settings.
  kKeepsake = 6,
};

// Their lists end with a null.
struct NamedList {
  const char* name;
  bool are_programs;
  const char* words[64];
};
struct Rule {
  const char* name;
  const char* programs[16];
  // RE2. All that are in `with` and none that is in `unless` must be found.
  const char* with[4];
  const char* unless[4];
  // To follow "it ...".
  const char* why;
  // Only strict mode asks.
  bool routine;
  // Holds for an SQL statement that may go on, too.
  bool open;
};

// Made of rules.txt by compile_rules.py. The last one has no name.
extern const NamedList kLists[];
extern const Rule kRules[];

// The first rule for `program` that holds for the line of its arguments; null:
// none. `whole`: nothing more of the line will come.
const Rule* FindRule(std::string_view program, std::string_view line,
                     bool strict, bool whole = true);

// REQUIRES: there is one of this name.
const NamedList& ListOf(std::string_view name);
// Of programs, "python3.11" is a "python3", and "mkfs.ext4" a "mkfs".
bool IsIn(std::string_view list, std::string_view word);
// In any list of programs, or any rule.
bool IsKnownProgram(std::string_view program);

}  // namespace glasstty::gate
