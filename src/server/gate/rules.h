// The contents of rules.txt, which defines what is dangerous: rules for
// commands and statements, lists of programs and words, globs of paths.
// Constants; judge.cc decides when they are used.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace glasstty::gate {

// Each value is also the mark before such a path in a line of arguments: a
// control character, which is replaced in the arguments themselves.
enum class PathKind : char {
  kOther = 0,
  // A directory of the system, the contents of one ("/*"), or somebody's home.
  kSystem = 2,
  // A whole disk, a partition or the memory.
  kDevice = 3,
  // A file that logins or booting depend on, or a log of the system.
  kSystemFile = 4,
  // Everything here (".", "..", "*"), or a directory in use such as /tmp.
  kHere = 5,
  // Files that people and services keep: keys, documents, sources, data.
  kKeepsake = 6,
  // A file with a person's settings or keys, or a file of a repository.
  kOwnFile = 7,
};

// Makes lookups cheap, because each command is looked up in several sets.
struct WordHash : std::hash<std::string_view> {
  using is_transparent = void;
};
using WordSet = std::unordered_set<std::string, WordHash, std::equal_to<>>;

struct Rule {
  std::string name;
  // Completes a sentence that begins with "it"; empty: exempts the command from
  // the rules that follow.
  std::string why;
  WordSet programs;
  // RE2 patterns. All of `with` and none of `unless` must match.
  std::vector<std::string> with, unless;
  // The rule applies only in strict mode.
  bool routine = false;
  // The rule also applies to an SQL statement that may be incomplete.
  bool open = false;
};

// Returns the first rule for `program` that matches its line of arguments; null
// if none does or an exemption comes first. `whole`: the line is complete.
const Rule* FindRule(std::string_view program, std::string_view line,
                     bool strict, bool whole = true);

// REQUIRES: a list with this name exists.
const WordSet& WordsOf(std::string_view list);
// In lists of programs, "python3.11" matches "python3", and "mkfs.ext4" matches
// "mkfs". The list "ruled" contains the programs of all rules; "program" also
// contains those of all lists of programs.
bool IsIn(std::string_view list, std::string_view word);

}  // namespace glasstty::gate
