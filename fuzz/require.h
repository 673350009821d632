// Checks what a fuzz target requires whatever it is fed.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace glasstty {

// Ends the run, which makes the fuzzer keep the input; says which line did.
// Debian's clang has no std::source_location.
inline void Require(bool condition, const char* file = __builtin_FILE(),
                    int line = __builtin_LINE()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%d: does not hold\n", file, line);
  std::abort();
}

}  // namespace glasstty
