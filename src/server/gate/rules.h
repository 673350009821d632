// The contents of rules.txt, which defines what is dangerous: rules for
// commands and statements, lists of programs and words, globs of paths.
// Constant tables; judge.cc decides when they are used.
#pragma once

#include <string>
#include <string_view>

namespace glasstty::gate {

// Each value is also the mark before such a path in a line of arguments. It is
// a control character, which does not occur in typed paths.
enum class PathKind : char {
  kOther = 0,
  // A directory of the system, the contents of one ("/*"), or somebody's home.
  kSystem = 2,
  // A whole disk, a partition or the memory.
  kDevice = 3,
  // A file without which nobody can log in or boot.
  kSystemFile = 4,
  // Everything in the current directory: ".", "..", "*", "./*".
  kHere = 5,
  // Files that people and services keep: keys, documents, sources, data.
  kKeepsake = 6,
  // A file with a person's settings or keys, or a file of a repository.
  kOwnFile = 7,
};

// Each list ends with a null.
struct NamedList {
  const char* name;
  bool are_programs;
  const char* words[96];
};
struct Rule {
  const char* name;
  const char* programs[64];
  // RE2 patterns. All of `with` and none of `unless` must match.
  const char* with[4];
  const char* unless[4];
  // Completes a sentence that begins with "it"; empty: exempts the command from
  // the rules that follow.
  const char* why;
  // The rule applies only in strict mode.
  bool routine;
  // The rule also applies to an SQL statement that may be incomplete.
  bool open;
};

// Generated from rules.txt by compile_rules.py. The last entry has no name.
extern const NamedList kLists[];
extern const Rule kRules[];

// Returns the first rule for `program` that matches its line of arguments; null
// if none does or an exemption comes first. `whole`: the line is complete.
const Rule* FindRule(std::string_view program, std::string_view line,
                     bool strict, bool whole = true);

// Returns whether there is a rule for this program, besides those for all.
bool HasRules(std::string_view program);
// REQUIRES: a list with this name exists.
const NamedList& ListOf(std::string_view name);
// In lists of programs, "python3.11" matches "python3", and "mkfs.ext4" matches
// "mkfs".
bool IsIn(std::string_view list, std::string_view word);
// Returns whether any list of programs, or any rule, contains it.
bool IsKnownProgram(std::string_view program);

}  // namespace glasstty::gate
