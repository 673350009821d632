// Classifies the paths in the arguments of commands by how dangerous it is to
// change them, for rules. Pure functions; they never access the disk.
#pragma once

#include <string>
#include <string_view>

#include "gate/rules.h"
#include "gate/word.h"

namespace glasstty::gate {

// The bases of relative paths and "~". Empty: unknown.
struct PathContext {
  std::string home;
  std::string directory;
  // The directory in which the text began, and whether the text has since
  // entered a directory that does not contain `start`. If so, "*" does not
  // count as kHere.
  std::string start = "";
  bool entered = false;
};

// Returns the first kind that matches, from worst to least. An unknown word is
// kOther, unless it may be the root ("/$X", "$X/*").
PathKind ClassifyPath(const Word& word, const PathContext& context);

// Returns `path` relative to `directory`, without ".", ".." and doubled
// slashes. The result is always absolute; with an empty `directory`, relative
// paths start at "/".
std::string NormalPath(std::string_view path, std::string_view directory);

// Returns whether the path is, or is in, the tree. Both are absolute; an empty
// path is unknown.
bool Holds(const std::string& tree, const std::string& path);

// Returns the words after the name, each path preceded by its kind, if that is
// not kOther: " -rf \x02/".
std::string ArgumentLine(const Words& words, const PathContext& context);

}  // namespace glasstty::gate
