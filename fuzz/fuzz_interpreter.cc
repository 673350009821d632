// Tests the interpreter with the system's own libvterm, and the grid behind it:
// no bytes, split or resize may crash or hang, and the same bytes one by one
// give the same cells, history, cursor, events and replies.
#include <cstdlib>

#include "interpreter_run.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  glasstty::RunOptions options;
  uint64_t whole = glasstty::RunInterpreter(data, size, options);
  options.by_byte = true;
  if (glasstty::RunInterpreter(data, size, options) != whole) std::abort();
  return 0;
}
