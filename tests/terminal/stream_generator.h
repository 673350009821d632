// Streams of text and sequences from a seed, the same on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace glasstty {

class StreamGenerator {
 public:
  enum class Kind {
    kLines,   // lines with wide glyphs, nothing overwritten
    kNarrow,  // no wide glyphs, sequences that libvterm's screen also gets
              // right
    kAll,     // everything, for comparing us with ourselves
  };

  StreamGenerator(uint64_t seed, Kind kind) : random_(seed), kind_(kind) {}

  std::string Stream(int items);

 private:
  int Pick(int limit);
  std::string Item();
  std::string Text();
  std::string Control();
  std::string Sgr();
  std::string Sequence();
  std::string Escape();

  std::mt19937_64 random_;
  const Kind kind_;
};

}  // namespace glasstty
