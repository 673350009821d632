// Generates output to feed: what programs print, made in the same way in every
// run.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::bench {

struct Workload {
  std::string name;
  std::string bytes;
};

// About `size` bytes each, as a program writes them. Plain log lines, short
// numbered lines, long lines that wrap, colours on every word, a coloured
// directory listing, wide and accented characters, regions that scroll, a
// redrawn full screen, and the recordings of real full-screen programs in
// `recordings` (a folder; empty: without them).
std::vector<Workload> Workloads(size_t size, const std::string& recordings);

// Returns the bytes as a terminal delivers them: with a carriage return before
// each newline.
std::string AsDelivered(std::string_view bytes);

}  // namespace glasstty::bench
