// Tests that text in runs of a row gives the same result as glyph by glyph: the
// fast ways into the grid are equivalent to the careful ones.
#include "terminal/active_cursor.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "screen_fixture.h"
#include "stream_generator.h"
#include "terminal/interpreter.h"

namespace glasstty::terminal {
namespace {

struct Played {
  explicit Played(Size size)
      : grid(size, {.max_rows = 1000}), interpreter(size, &grid, &reports) {}

  // Feeds one code point at a time.
  void FeedApart(std::string_view bytes) {
    while (!bytes.empty()) {
      bool is_text = static_cast<uint8_t>(bytes[0]) >= ' ';
      std::string_view rest = bytes;
      if (is_text) {
        TakeUtf8(&rest);
      } else {
        rest.remove_prefix(1);
      }
      interpreter.Feed(bytes.substr(0, bytes.size() - rest.size()));
      bytes = rest;
    }
  }

  // Returns all that a reader could see, in lines.
  std::vector<std::string> Shown() {
    std::vector<std::string> out;
    for (int i = 0; i < grid.size().rows; ++i) {
      const Row& row = grid.row(i);
      std::string text = row.wrapped ? ":" : "|";
      row.AppendText(grid.size().cols, grid.clusters(), &text);
      for (const StyleRun& run : row.Styles(grid.size().cols)) {
        text += " " + std::to_string(run.col) + "+" + std::to_string(run.cols) +
                "=" + std::to_string(run.style.foreground) + "," +
                std::to_string(run.style.background) + "," +
                std::to_string(run.style.attributes);
      }
      out.push_back(text);
    }
    for (size_t i = 0; i < grid.scrollback().rows(); ++i) {
      Scrollback::RowView row = grid.scrollback().row(i);
      out.push_back(std::to_string(row.line) + std::string(row.text));
    }
    Cursor cursor = interpreter.cursor();
    out.push_back(std::to_string(cursor.row) + "," +
                  std::to_string(cursor.col) +
                  (cursor.pending_wrap ? " pending" : ""));
    for (const TerminalEvent& event : reports.TakeEvents()) {
      out.push_back(event.text + "@" + std::to_string(event.line) + ":" +
                    std::to_string(event.col));
    }
    out.push_back(reports.TakeReplies());
    return out;
  }

  Reports reports;
  Grid grid;
  Interpreter interpreter;
};

void ExpectSame(std::string_view bytes, Size size) {
  Played runs(size), glyphs(size);
  runs.interpreter.Feed(bytes);
  glyphs.FeedApart(bytes);
  ASSERT_EQ(runs.Shown(), glyphs.Shown());
}

TEST(ActiveCursor, RecordingsLookTheSameInRunsAndGlyphByGlyph) {
  for (const std::string& path : FixturePaths("recordings", ".bytes")) {
    ASSERT_NO_FATAL_FAILURE(ExpectSame(ReadFixture(path), {24, 80})) << path;
  }
}

TEST(ActiveCursor, GeneratedStreamsLookTheSameInRunsAndGlyphByGlyph) {
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    StreamGenerator generator(seed, StreamGenerator::Kind::kAll);
    ASSERT_NO_FATAL_FAILURE(ExpectSame(generator.Stream(60), {7, 15}))
        << "seed " << seed;
  }
}

// The cursor stays on the screen, whatever the margins and modes are.
TEST(ActiveCursor, GeneratedStreamsKeepTheCursorOnTheScreen) {
  constexpr Size kSize = {5, 9};
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    Played played(kSize);
    StreamGenerator generator(seed, StreamGenerator::Kind::kAll, kSize);
    for (const std::string& item : generator.Items(60)) {
      played.interpreter.Feed(item);
      Cursor cursor = played.interpreter.cursor();
      ASSERT_TRUE(cursor.row >= 0 && cursor.row < kSize.rows &&
                  cursor.col >= 0 && cursor.col < kSize.cols)
          << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace glasstty::terminal
