// The difference between two screens, in words that need no explanation.
//
//   rows 2-23 moved up 1     row 2 is in row 1 now, 3 in 2 ... 23 in 22
//   23| new last line        row 23 is this now
//   5-9| ~                   each of these rows is this now
//   7:12-15| 42              of row 7, columns 12 to 15 are this now
//   12-20 blank              these rows are empty now; also "12", "7:12-15"
//
// Lines are applied from top to bottom. Rows and columns that are not named are
// unchanged. Rows and columns count from 1, and a wide glyph takes two columns.
// Text follows "| " up to the end of the line; in columns it is padded with
// blanks. Text cannot be mistaken for anything else, because each line begins
// by saying what it is about.
//
// Text only: styles are not compared. Pure functions on values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// What a reader keeps of a screen that it was shown.
struct ScreenText {
  terminal::Size size;
  bool alternate = false;
  uint64_t revision = 0;
  // size.rows of them; UTF-8, no control characters, no blanks at the end.
  std::vector<std::string> rows;
};
ScreenText TextOf(const terminal::Snapshot& snapshot);

// From plain to clever; each is right for any two screens of one size.
enum class DiffEncoding {
  kRows,   // rows as a whole
  kSpans,  // of each row the changed columns, where that is shorter
  kMoved,  // a block of rows that moved, then kSpans
};

// "" when nothing has changed. `rows_changed` may be null; a row that only
// moved is not counted. REQUIRES: as many rows in both.
std::string EncodeDiff(const std::vector<std::string>& earlier,
                       const std::vector<std::string>& later,
                       DiffEncoding encoding, int* rows_changed);

struct ScreenDiff {
  std::string text;
  int rows_changed = 0;
};

// The shortest encoding. nullopt when the whole screen, which takes
// `full_bytes`, is the better answer: it is not much longer, or the screens
// cannot be compared (another size, the other of the two screens).
std::optional<ScreenDiff> DiffScreens(const ScreenText& earlier,
                                      const ScreenText& later,
                                      size_t full_bytes);

// The later rows. nullopt if `diff` is malformed or was made for another
// screen.
std::optional<std::vector<std::string>> ApplyDiff(
    std::vector<std::string> earlier, std::string_view diff);

}  // namespace glasstty::view
