// Generates streams of text and sequences from a seed, the same on every
// machine.
//
// A stream is a list of items, each of which is a run of text, a control or a
// whole sequence, so that whoever finds a difference can remove items until the
// shortest stream that shows it is left. A table contains all items
// (stream_generator.cc); a new item is a new row.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

class StreamGenerator {
 public:
  // Each is a bit: a row of the table names the kinds that it belongs to.
  enum class Kind : unsigned {
    kLines = 1,     // lines with wide glyphs, nothing overwritten
    kLibvterm = 2,  // what libvterm's own screen does like xterm
    kBasic = 4,     // motion, erasing, insertion, scrolling, tabs, margins
    kModes = 8,     // kBasic, and modes, resets, alternate screens
    kMargins = 16,  // kBasic, side margins, columns and rectangles
    kWide = 32,     // kBasic, wide glyphs and combining marks
    kColours = 64,  // kBasic and SGR
    kAll = 128,     // all of these together
  };
  static std::optional<Kind> KindNamed(std::string_view name);

  StreamGenerator(uint64_t seed, Kind kind, Size size = {8, 20});

  std::vector<std::string> Items(int count);
  // Like Items, but joined.
  std::string Stream(int count);

 private:
  int Pick(int limit);
  template <typename List>
  auto OneOf(const List& list) {
    return list[static_cast<size_t>(Pick(static_cast<int>(std::size(list))))];
  }
  std::string Item();
  // Returns the text for one placeholder of a pattern.
  std::string Fill(char placeholder);
  std::string Text(std::u32string_view glyphs);
  std::string Pair(int size);
  std::string Rectangle();
  std::string Copy();

  std::mt19937_64 random_;
  const Kind kind_;
  const Size size_;
  int total_weight_ = 0;  // of the rows that belong to the kind
};

}  // namespace glasstty::terminal
