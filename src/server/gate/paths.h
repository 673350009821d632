// Classifies the paths in the arguments of commands by how dangerous it is to
// change them. Pure functions; they never access the disk.
#pragma once

#include <string>
#include <string_view>

#include "gate/rules.h"
#include "gate/word.h"

namespace glasstty::gate {

// The directories to which "~" and relative paths refer. Empty: unknown.
struct PathContext {
  std::string home;
  std::string directory;
  // The directory in which the text began, and whether the text has since
  // entered a directory that does not contain `start`. If so, "*" does not
  // count as kHere.
  std::string start = "";
  bool entered = false;
};

// Returns the kind of the path, which decides how dangerous a change is. An
// unknown word is kOther, unless it may be the root ("/$X", "$X/*").
PathKind ClassifyPath(const Word& word, const PathContext& context);

// Resolves `path` from `directory`, and removes ".", ".." and doubled slashes.
// The result is always absolute; with an empty `directory`, relative paths
// start at "/".
std::string NormalPath(std::string_view path, std::string_view directory);

// Returns whether the path is the tree or lies in it. Both are absolute. An
// empty path is unknown, so the result is false.
bool Holds(const std::string& tree, const std::string& path);

// Returns the arguments as one line. The mark of its kind precedes each path
// whose kind is not kOther: " -rf \x02/".
std::string ArgumentLine(const Words& words, const PathContext& context);

}  // namespace glasstty::gate
