// Expresses the difference between two screens in self-explanatory words.
//
//   rows 2-23 moved up 1     row 2 is in row 1 now, 3 in 2 ... 23 in 22
//   23| new last line        row 23 is this now
//   5-9| ~                   each of these rows is this now
//   7:12-15| 42              columns 12 to 15 of row 7 are this now
//   12-20 blank              these rows are empty now; also "12", "7:12-15"
//
// Lines are applied from top to bottom. Rows and columns that are not named are
// unchanged. Rows and columns count from 1, and a wide glyph takes two columns.
// Columns are named only in rows in which each character is visible and has its
// own columns, so that a reader can find them by counting characters. A row
// with combining marks, emoji sequences or invisible characters ("<U+200B>") is
// shown as a whole. Text follows "| " up to the end of the line; in columns it
// is padded with blanks. Text cannot be mistaken for anything else, because
// each line begins with the rows that it concerns.
//
// Compares text only, not styles. Pure functions on values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::view {

// A screen as it was shown to a reader.
struct ScreenText {
  terminal::Size size;
  bool alternate = false;
  uint64_t revision = 0;
  // size.rows rows of UTF-8, without control characters and without blanks at
  // the end. Invisible characters are spelled out.
  std::vector<std::string> rows;
  // The number of invisible characters in each row.
  std::vector<int64_t> invisible;
};
ScreenText TextOf(const terminal::Snapshot& snapshot);

// The encodings, from simple to complex; each works for any two screens of the
// same size.
enum class DiffEncoding {
  kRows,   // whole rows
  kSpans,  // only the changed columns of each row, if that is shorter
  kMoved,  // a block of rows that moved, then kSpans
};

// Encodes the difference; "" if nothing has changed. `rows_changed` may be
// null; a row that only moved is not counted. REQUIRES: both have the same
// number of rows.
std::string EncodeDiff(const std::vector<std::string>& earlier,
                       const std::vector<std::string>& later,
                       DiffEncoding encoding, int* rows_changed);

struct ScreenDiff {
  std::string text;
  int rows_changed = 0;
  int64_t invisible = 0;  // invisible characters in changed rows
};

// Returns the shortest encoding. Returns nullopt if it takes more than two
// thirds of `full_bytes`, the size of the whole screen, or if the screens
// cannot be compared (different sizes, primary and alternate screen).
std::optional<ScreenDiff> DiffScreens(const ScreenText& earlier,
                                      const ScreenText& later,
                                      size_t full_bytes);

// Returns the later rows; nullopt if `diff` is malformed or was made for
// another screen.
std::optional<std::vector<std::string>> ApplyDiff(
    std::vector<std::string> earlier, std::string_view diff);

}  // namespace glasstty::view
