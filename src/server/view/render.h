// Formats lines and the rows of screens for a reply: folds repetitions, limits
// the length, and reports what was left out. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/history.h"
#include "terminal/snapshot.h"
#include "terminal/terminal.h"

namespace glasstty::view {

// Selects which part of a long text is kept: both ends (without the middle),
// the head, or the tail. kNone lifts max_lines and folds nothing, but keeps the
// limit of characters.
enum class Truncate { kBoth, kHead, kTail, kNone };

// Limits the size of a reply. Clients turn more than 50,000 characters into a
// file, so kHardCharacters always applies, except to a `whole` text.
struct Limits {
  static constexpr size_t kDefaultCharacters = 8'000;  // about 2,000 tokens
  static constexpr size_t kHardCharacters = 48'000;
  static constexpr size_t kWholeCharacters = 16 << 20;

  int max_lines = 100;  // 0: no limit of lines, kHardCharacters only
  Truncate truncate = Truncate::kBoth;
  size_t max_bytes = 0;  // 0: a default that depends on max_lines
  // Leaves out the blank columns to the left of a text in the middle of a
  // screen, and explains once how to show only some rows of a large screen. For
  // readers of text, not for programs that count columns.
  bool crop = false;
  // For programs, which get lines as they were printed: nothing is folded, no
  // notes are inserted, each line has its newline, and kWholeCharacters
  // replaces kHardCharacters.
  bool whole = false;
};
// From each end of a range, twice the text of a reply may be fetched, because
// folding shortens the text.
static_assert(record::History::kEndBytes >= 2 * Limits::kHardCharacters);

struct Rendered {
  // Has at most about as many characters as the limits allow.
  std::string text;            // without a final newline, unless it is whole
  int64_t left_out = 0;        // lines
  int64_t first_left_out = 0;  // the number of the first line left out
};

// Joins lines by newlines. Unless the text is whole, "[... N lines left out]"
// replaces the lines that do not fit and those in the gap, and three or more
// identical consecutive lines become one line and a count, except with kNone.
Rendered RenderLines(const std::vector<terminal::Line>& lines,
                     const Limits& limits, record::Gap gap = {});

// Formats the rows of a screen. Omits blank rows at the end; kFoldBlank or more
// consecutive blank rows become "(N blank rows)"; other identical rows become
// one and "(the same row N more times)" if that is shorter.
inline constexpr size_t kFoldBlank = 3;
std::string RenderRows(const std::vector<std::string>& rows);
std::string RenderScreen(const terminal::Snapshot& snapshot);

// A screen without the blank columns to the left of its text.
struct Cropped {
  std::string text;
  int columns = 0;  // the number of columns left out
};
// Formats a screen for readers of text. Identical rows of one character, such
// as vim's ~, become "(N rows of ~)". If at least half of the rows are empty or
// such fillers, as around a dialog in the middle, blank columns at the left are
// left out, unless that would save less than kWorthCrop bytes.
inline constexpr size_t kWorthCrop = 40;
Cropped RenderCropped(const terminal::Snapshot& snapshot);

// Selects rows of a screen: from `first` to `last`, counted from 1, or if these
// are 0, the row of the cursor with kNear rows on each side.
struct RowRange {
  static constexpr int kNear = 3;
  int first = 0;
  int last = 0;

  // Returns the same rows by their numbers, as far as the screen has them.
  RowRange On(const terminal::Snapshot& snapshot) const;
};
// Formats only these rows. REQUIRES: the screen has them.
std::string RenderRange(const terminal::Snapshot& snapshot,
                        const RowRange& range);

// Returns the rows of a rendered screen that fit into max_lines, with "[... N
// rows left out]" in place of the others, whose number is stored in `left_out`.
std::string CutRows(std::string rows, const Limits& limits, int64_t* left_out);

}  // namespace glasstty::view
