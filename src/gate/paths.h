// Which paths hurt: what a rule has to know about an argument that names a
// file. Pure functions; nothing is looked up on disk.
#pragma once

#include <string>
#include <string_view>

#include "gate/rules.h"
#include "gate/word.h"

namespace glasstty::gate {

// Where relative paths and "~" lead. Empty: not known.
struct PathContext {
  std::string home;
  std::string directory;
};

// The first kind that fits, from worst to least. A word whose value is not
// known is kOther, but for one that is the root when the unknown part is empty
// ("/$X", "$X/*").
PathKind ClassifyPath(const Word& word, const PathContext& context);

// `path` below `directory`, without ".", ".." and doubled slashes. Always
// absolute; with an empty `directory`, a relative path counts from "/".
std::string NormalPath(std::string_view path, std::string_view directory);

// " -rf \x02/" for the words behind the program's name: each behind a blank,
// with its kind in front of it.
std::string ArgumentLine(const Words& words, const PathContext& context);

}  // namespace glasstty::gate
