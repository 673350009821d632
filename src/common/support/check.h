// CHECK is only for bugs of glasstty itself. Errors that a user, a program or a
// client can cause are reported as a Status.
#pragma once

namespace glasstty {

// Prints `file:line: CHECK failed: what` to stderr and aborts.
[[noreturn]] void CheckFailed(const char* file, int line, const char* what);

}  // namespace glasstty

#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) {                                        \
      ::glasstty::CheckFailed(__FILE__, __LINE__, #condition); \
    }                                                          \
  } while (0)
