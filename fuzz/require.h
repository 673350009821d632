// What a fuzz target holds to be true whatever it is fed.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <source_location>

namespace glasstty {

// Ends the run, which makes the fuzzer keep the input; says which line did.
inline void Require(bool condition, std::source_location where =
                                        std::source_location::current()) {
  if (condition) return;
  std::fprintf(stderr, "%s:%u: does not hold\n", where.file_name(),
               static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace glasstty
