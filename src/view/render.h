// Formats lines for a reply: folds repeated lines, limits the length, and says
// what was left out. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/history.h"
#include "terminal/snapshot.h"
#include "terminal/terminal.h"

namespace glasstty::view {

// Which part stays when a text is too long: both ends (the middle goes), the
// head, the tail. kNone lifts max_lines and folds nothing; kHardCharacters
// always holds.
enum class Truncate { kBoth, kHead, kTail, kNone };

// What a reply may cost. Clients turn more than 50,000 characters into a file,
// so kHardCharacters holds whatever the caller asks for.
struct Limits {
  static constexpr size_t kDefaultCharacters = 8'000;  // about 2,000 tokens
  static constexpr size_t kHardCharacters = 48'000;

  int max_lines = 100;  // 0: no limit of lines, kHardCharacters only
  Truncate truncate = Truncate::kBoth;
  size_t max_bytes = 0;  // 0: as max_lines has it
};
// Both ends of a range of lines fill a reply, however much of it is folded.
static_assert(record::History::kEndBytes >= 2 * Limits::kHardCharacters);

struct Rendered {
  // At most about kHardCharacters.
  std::string text;            // without a final newline
  int64_t left_out = 0;        // lines
  int64_t first_left_out = 0;  // number of the first of them
};

// Lines joined by newlines. Three or more identical lines in a row become one
// and a count, unless nothing is to be left out (kNone). In place of what is
// left out stands "[... N lines left out]"; those of the gap always are.
Rendered RenderLines(const std::vector<terminal::Line>& lines,
                     const Limits& limits, record::Gap gap = {});

// The rows of a screen. Blank rows at the end are cut; runs of kFoldBlank or
// more blank rows become "(N blank rows)"; other rows that are the same become
// one and "(the same row N more times)", where that is shorter.
inline constexpr size_t kFoldBlank = 3;
std::string RenderRows(const std::vector<std::string>& rows);
std::string RenderScreen(const terminal::Snapshot& snapshot);
// The rows of a rendered screen that the limits let through, with
// "[... N rows left out]" for the others, whose number goes to `left_out`.
std::string CutRows(std::string rows, const Limits& limits, int64_t* left_out);

}  // namespace glasstty::view
