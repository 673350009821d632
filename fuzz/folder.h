// A folder of this process for what a fuzzer leaves between its runs.
#pragma once

#include <stdlib.h>

#include <string>

namespace glasstty {

// Creates the folder once, because that takes longer than a run.
inline const std::string& Folder() {
  static const auto* folder = new std::string([] {
    char path[] = "/dev/shm/glasstty-fuzz-XXXXXX";
    return std::string(mkdtemp(path));
  }());
  return *folder;
}

}  // namespace glasstty
