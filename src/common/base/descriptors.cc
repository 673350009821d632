#include "base/descriptors.h"

#include <dirent.h>
#include <sys/resource.h>

#include <algorithm>

namespace glasstty {

int DescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  constexpr rlim_t kMost = 1 << 30;  // RLIM_INFINITY does not fit into an int
  return static_cast<int>(std::min(limit.rlim_cur, kMost));
}

int FreeDescriptors() {
  DIR* dir = opendir("/proc/self/fd");
  if (dir == nullptr) return 0;
  int open = 0;
  while (const dirent* entry = readdir(dir)) {
    if (entry->d_name[0] != '.') ++open;
  }
  closedir(dir);
  // The descriptor used for counting is closed now.
  return std::max(DescriptorLimit() - (open - 1), 0);
}

}  // namespace glasstty
