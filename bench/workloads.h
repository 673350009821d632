// Output to feed: what programs print, made the same way in every run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace glasstty::bench {

struct Workload {
  std::string name;
  std::string bytes;
};

// Whole lines until `size` is reached. Plain log lines, short numbered lines,
// long lines that wrap, colours on every word, wide characters, a redrawn
// full screen.
std::vector<Workload> Workloads(size_t size);

}  // namespace glasstty::bench
