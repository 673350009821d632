// Where the files of this source tree lie, for tests that read fixtures and
// documents. Any thread; borrows nothing.
#pragma once

#include <string>

namespace glasstty {

// The absolute path of `path`, which is relative to the top of the source tree.
std::string SourcePath(const std::string& path);

}  // namespace glasstty
