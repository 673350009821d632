// The own path of text and cursor gives what libvterm's gives.
#include "terminal/flow.h"

#include <gtest/gtest.h>

#include "screen_fixture.h"
#include "stream_generator.h"
#include "terminal/guard.h"

namespace glasstty {
namespace {

struct Played {
  explicit Played(Size size, bool own_path)
      : grid(size, {.max_rows = 1000}), guard(size, &grid, &reports) {
    guard.flow()->set_own_path(own_path);
  }

  // All that a reader could see, in lines.
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
    Cursor cursor = guard.cursor();
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
  Guard guard;
};

void ExpectSame(std::string_view bytes, Size size) {
  Played own(size, true), library(size, false);
  own.guard.Feed(bytes);
  library.guard.Feed(bytes);
  ASSERT_EQ(own.Shown(), library.Shown());
}

TEST(Flow, RecordingsLookTheSameOnBothPaths) {
  for (const std::string& path : FixturePaths("recordings", ".bytes")) {
    ASSERT_NO_FATAL_FAILURE(ExpectSame(ReadFixture(path), {24, 80})) << path;
  }
}

TEST(Flow, FixturesLookTheSameOnBothPaths) {
  for (const std::string& path : FixturePaths("screens", ".screen")) {
    ScreenFixture fixture = ScreenFixture::Parse(ReadFixture(path));
    Played own(fixture.size(), true), library(fixture.size(), false);
    for (const FixtureBlock& block : fixture.blocks) {
      for (Played* played : {&own, &library}) {
        if (block.name == "feed") played->guard.Feed(FeedBytes(block));
        if (block.name == "resize") {
          played->guard.Resize(ParseSize(block.arguments));
        }
      }
      ASSERT_EQ(own.Shown(), library.Shown()) << path;
    }
  }
}

TEST(Flow, GeneratedStreamsLookTheSameOnBothPaths) {
  for (uint64_t seed = 1; seed <= 4000; ++seed) {
    StreamGenerator generator(seed, StreamGenerator::Kind::kAll);
    ASSERT_NO_FATAL_FAILURE(ExpectSame(generator.Stream(60), {7, 15}))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace glasstty
