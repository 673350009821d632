// Sequences that libvterm handles like xterm must look the same here as on
// libvterm's own screen: cells and cursor after each item. Two bytes are an
// item of the generator's streams, so the fuzzer looks for the order that
// matters.
#include <cstdlib>
#include <string>

#include "terminal/oracle.h"
#include "terminal/stream_generator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using glasstty::terminal::StreamGenerator;
  constexpr glasstty::terminal::Size kSize = {6, 15};
  constexpr size_t kMost = 400;
  glasstty::terminal::OraclePair pair(kSize);
  for (size_t i = 0; i + 1 < size && i < kMost; i += 2) {
    uint64_t seed = data[i] << 8 | data[i + 1];
    StreamGenerator generator(seed, StreamGenerator::Kind::kLibvterm, kSize);
    pair.Feed(generator.Stream(1));
    glasstty::terminal::Cursor cursor = pair.interpreter.cursor();
    bool is_same = pair.GridRows() == pair.oracle.Rows() &&
                   glasstty::terminal::Place{cursor.row, cursor.col} ==
                       pair.oracle.cursor();
    if (!is_same) std::abort();
  }
  return 0;
}
