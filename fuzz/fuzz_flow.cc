// The own path of text and cursor (terminal/flow.h) must do what libvterm's
// does: the same cells, history, cursor, events and replies.
#include <cstdlib>

#include "guard_run.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  glasstty::RunOptions options;
  uint64_t own = glasstty::RunGuard(data, size, options);
  options.own_path = false;
  if (glasstty::RunGuard(data, size, options) != own) std::abort();
  return 0;
}
