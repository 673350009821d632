// Runs a fuzzer's input once through interpreter and grid, and returns a
// number: equal runs give equal numbers.
#pragma once

#include <cstdlib>

#include "input.h"
#include "terminal/grid.h"
#include "terminal/interpreter.h"
#include "terminal/reports.h"

namespace glasstty {

inline void AddRow(const terminal::Row& row, Digest* digest) {
  digest->Mix(row.wrapped ? 1 : 2);
  for (int col = 0; col < row.used; ++col) {
    const terminal::Cell& cell = row.cells[static_cast<size_t>(col)];
    digest->Mix(cell.text < terminal::kClusterBase ? cell.text : 1);
    digest->Mix(cell.foreground);
    digest->Mix(cell.background);
    digest->Mix(cell.attributes);
    digest->Mix(cell.width);
  }
}

// Cells of width 2 and 0 come in pairs.
inline void CheckPairs(const terminal::Row& row) {
  for (int col = 0; col < row.used; ++col) {
    int width = row.cells[static_cast<size_t>(col)].width;
    if (width == 1) continue;
    bool is_pair = width == 2 && col + 1 < row.used &&
                   row.cells[static_cast<size_t>(col) + 1].width == 0;
    if (!is_pair) std::abort();
    ++col;
  }
}

struct RunOptions {
  bool by_byte = false;
};

inline uint64_t RunInterpreter(const uint8_t* data, size_t size,
                               const RunOptions& options) {
  FuzzInput input(data, size);
  terminal::Reports reports;
  terminal::Grid grid(input.size(), {.max_rows = 50});
  terminal::Interpreter interpreter(input.size(), &grid, &reports);
  Digest digest;
  input.Play(
      [&](std::string_view bytes) {
        size_t step = options.by_byte ? 1 : bytes.size();
        for (size_t i = 0; i < bytes.size(); i += step) {
          interpreter.Feed(bytes.substr(i, step));
        }
      },
      [&](terminal::Size to) { interpreter.Resize(to); },
      [&] { digest.Add(reports.TakeReplies()); });
  terminal::Cursor cursor = interpreter.cursor();
  bool is_inside = cursor.row >= 0 && cursor.row < grid.size().rows &&
                   cursor.col >= 0 && cursor.col < grid.size().cols;
  if (!is_inside) std::abort();
  digest.Mix(static_cast<uint64_t>(cursor.row) * 1000 +
             static_cast<uint64_t>(cursor.col));
  digest.Mix(cursor.pending_wrap ? 1 : 2);
  for (int i = 0; i < grid.size().rows; ++i) {
    CheckPairs(grid.row(i));
    AddRow(grid.row(i), &digest);
    AddRow(grid.primary_row(i), &digest);
  }
  const terminal::Scrollback& scrollback = grid.scrollback();
  for (size_t i = 0; i < scrollback.rows(); ++i) {
    digest.Mix(static_cast<uint64_t>(scrollback.row(i).line));
    digest.Add(scrollback.row(i).text);
  }
  for (const terminal::TerminalEvent& event : reports.TakeEvents()) {
    digest.Mix(static_cast<uint64_t>(event.type));
    digest.Mix(event.offset);
    digest.Mix(static_cast<uint64_t>(event.line * 1000 + event.col));
    digest.Add(event.text);
  }
  digest.Add(reports.TakeReplies());
  digest.Mix(reports.drops().sequences);
  digest.Mix(reports.drops().strings);
  return digest.hash();
}

}  // namespace glasstty
