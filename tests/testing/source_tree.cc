#include "testing/source_tree.h"

namespace glasstty {

std::string SourcePath(const std::string& path) {
  return GLASSTTY_SOURCE_TREE "/" + path;
}

}  // namespace glasstty
