// Finds the files of this source tree, for tests that read fixtures and
// documents. Any thread; borrows nothing.
#pragma once

#include <string>

namespace glasstty {

// Returns the absolute path of `path`, which is relative to the top of the
// source tree.
std::string SourcePath(const std::string& path);

}  // namespace glasstty
