// Feeds each paint into a second terminal, which must then show what the first
// one shows: text, styles, cursor and modes, after every frame.
#include "observe/painter.h"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "base/escape.h"
#include "frames.h"
#include "observe/cells.h"
#include "terminal/screen_fixture.h"
#include "terminal/stream_generator.h"
#include "testing/rounds.h"
#include "vocabulary.h"

namespace glasstty::observe {
namespace {

// The part of a frame that a painter promises to show. Deleting columns between
// side margins can join halves of two wide glyphs; no terminal can give them
// two styles, so the style of the left half counts.
struct Seen {
  terminal::Cursor cursor;
  terminal::Modes modes;
  std::vector<std::string> texts;
  std::vector<std::vector<terminal::Style>> styles;

  bool operator==(const Seen&) const = default;
};
Seen SeenIn(const Frame& frame) {
  Seen seen{PaintedCursor(frame), PaintedModes(frame), {}, {}};
  for (const terminal::SnapshotRow& row : frame.rows) {
    std::string& text = seen.texts.emplace_back();
    std::vector<terminal::Style>& styles = seen.styles.emplace_back();
    PaintRow cells = PaintCells(row, frame.size.cols);
    for (int col = 0; col < std::ssize(cells); ++col) {
      const PaintCell& cell = cells[static_cast<size_t>(col)];
      text += PaintedText(cells, col);
      styles.push_back(cell.text.empty() ? styles.back() : cell.style);
    }
  }
  return seen;
}

std::string Describe(const Frame& frame) {
  std::string out = "cursor " + std::to_string(frame.cursor.row) + "," +
                    std::to_string(frame.cursor.col) +
                    (frame.cursor.pending_wrap ? " pending" : "") +
                    (frame.cursor.visible ? "" : " hidden") + "\n";
  for (const terminal::SnapshotRow& row : frame.rows) {
    out += "|" + row.text;
    for (const terminal::StyleRun& run : row.styles) {
      out += "  {" + std::to_string(run.col) + "+" + std::to_string(run.cols) +
             " " + std::to_string(run.style.foreground) + " " +
             std::to_string(run.style.background) + " " +
             std::to_string(run.style.attributes) + "}";
    }
    out += "\n";
  }
  return out;
}

// Paints what a program does, frame by frame, for a watcher who came at the
// beginning.
class Watcher {
 public:
  explicit Watcher(terminal::Size size)
      : program_(MakeTerminal(size)), glass_(MakeTerminal(size)) {}

  void Feed(std::string_view bytes) { program_->Feed(bytes); }
  void Resize(terminal::Size size) {
    ASSERT_TRUE(program_->Resize(size).ok());
    ASSERT_TRUE(glass_->Resize(size).ok());
  }
  void Look() {
    Frame now = TakeFrame(*program_);
    std::string paint = Paint(shown_ ? &*shown_ : nullptr, now);
    size_t repaint = Paint(nullptr, now).size();
    glass_->Feed(paint);
    Frame seen = TakeFrame(*glass_);
    ASSERT_TRUE(SeenIn(now) == SeenIn(seen))
        << terminal::Diff(Describe(now), Describe(seen)) << "\n"
        << EscapeBytes(paint);
    ASSERT_EQ(ForeignIn(paint), "");
    ASSERT_LE(paint.size(), repaint) << EscapeBytes(paint);
    if (shown_) {
      painted_ += paint.size();
      repainted_ += repaint;
    }
    shown_ = std::move(now);
  }

  // The bytes of all paints but the first, and what repaints would have taken.
  size_t painted() const { return painted_; }
  size_t repainted() const { return repainted_; }

 private:
  std::unique_ptr<terminal::Terminal> program_;
  std::unique_ptr<terminal::Terminal> glass_;
  std::optional<Frame> shown_;
  size_t painted_ = 0;
  size_t repainted_ = 0;
};

constexpr terminal::Size kRecordingSize = {24, 80};

// Looks after each `slice` bytes.
void WatchRecording(const std::string& path, size_t slice, Watcher* watcher) {
  std::string bytes = terminal::ReadFixture(path);
  for (size_t at = 0; at < bytes.size(); at += slice) {
    watcher->Feed(std::string_view(bytes).substr(at, slice));
    ASSERT_NO_FATAL_FAILURE(watcher->Look()) << path << " at " << at;
  }
}

TEST(Painter, ShowsRecordedProgramsAsTheyAre) {
  for (const char* folder : {"recordings", "streams"}) {
    for (const std::string& path : terminal::FixturePaths(folder, ".bytes")) {
      for (size_t slice : {16, 100, 1000}) {
        Watcher watcher(kRecordingSize);
        ASSERT_NO_FATAL_FAILURE(WatchRecording(path, slice, &watcher));
      }
    }
  }
}

TEST(Painter, PaintsRecordedProgramsWithFarFewerBytesThanRepaints) {
  size_t painted = 0, repainted = 0;
  for (const std::string& path :
       terminal::FixturePaths("recordings", ".bytes")) {
    Watcher watcher(kRecordingSize);
    ASSERT_NO_FATAL_FAILURE(WatchRecording(path, 400, &watcher));
    painted += watcher.painted();
    repainted += watcher.repainted();
  }
  EXPECT_LE(painted * 100, repainted * 40) << painted << " of " << repainted;
}

TEST(Painter, ShowsGoldenScreensAsTheyAre) {
  for (const std::string& path : terminal::FixturePaths("screens", ".screen")) {
    terminal::ScreenFixture fixture =
        terminal::ScreenFixture::Parse(terminal::ReadFixture(path));
    Watcher watcher(fixture.size());
    ASSERT_NO_FATAL_FAILURE(watcher.Look());
    for (const terminal::FixtureBlock& block : fixture.blocks) {
      if (block.name == "feed") watcher.Feed(terminal::FeedBytes(block));
      if (block.name == "resize") {
        ASSERT_NO_FATAL_FAILURE(
            watcher.Resize(terminal::ParseSize(block.arguments)));
      }
      ASSERT_NO_FATAL_FAILURE(watcher.Look()) << path;
    }
  }
}

TEST(Painter, ShowsRandomStreamsAsTheyAre) {
  const auto seeds = static_cast<uint64_t>(Rounds(500, 2000));
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    terminal::StreamGenerator generator(seed,
                                        terminal::StreamGenerator::Kind::kAll);
    Watcher watcher({8, 20});
    std::string stream;
    for (const std::string& item : generator.Items(60)) {
      stream += item;
      watcher.Feed(item);
      ASSERT_NO_FATAL_FAILURE(watcher.Look())
          << "seed " << seed << ": " << EscapeBytes(stream);
    }
  }
}

TEST(Painter, SaysNothingWhenNothingHasChanged) {
  Frame frame = FrameAfter({4, 20}, "one\r\ntwo");
  EXPECT_EQ(Paint(&frame, frame), "");
}

TEST(Painter, PaintsOneTypedCharacterInAFewBytes) {
  Frame before = FrameAfter({4, 20}, "$ ech");
  Frame after = FrameAfter({4, 20}, "$ echo");
  EXPECT_EQ(Paint(&before, after), "\x1b[?2026h\x1b[1;6H\x1b[mo\x1b[?2026l");
}

TEST(Painter, ScrollsRowsInsteadOfWritingThemAgain) {
  std::string text;
  for (int i = 0; i < 23; ++i) {
    text += "this is the line with the number " + std::to_string(i) + "\r\n";
  }
  Frame before = FrameAfter({24, 80}, text);
  Frame after = FrameAfter({24, 80}, text + "and one more\r\n");
  EXPECT_EQ(Paint(&before, after),
            "\x1b[?2026h\x1b[m\x1b[1;23r\x1b[1S\x1b[r\x1b[23Hand one more"
            "\x1b[24H\x1b[?2026l");
}

TEST(Painter, ErasesTheWholeOfALargerTerminalForANewcomerOnly) {
  auto glass = MakeTerminal({6, 30});
  glass->Feed("\x1b[6;1Hstatus line\x1b[H");
  Frame text = FrameAfter({4, 20}, std::string(70, 'x'));
  Frame blank = FrameAfter({4, 20}, "");
  glass->Feed(Paint(&blank, text));
  glass->Feed(Paint(&text, blank));
  EXPECT_EQ(glass->TakeSnapshot().rows[0].text, "");
  EXPECT_EQ(glass->TakeSnapshot().rows[5].text, "status line");
  glass->Feed(Paint(nullptr, blank));
  EXPECT_EQ(glass->TakeSnapshot().rows[5].text, "");
}

TEST(Painter, DoesNotDependOnWhatItsCallerWroteBetweenPaints) {
  Frame before = FrameAfter({4, 20}, "\x1b[41mred\x1b[m plain");
  Frame after = FrameAfter({4, 20}, "\x1b[41mred\x1b[m plain \x1b[1mbold");
  auto glass = MakeTerminal({6, 20});
  glass->Feed(Paint(nullptr, before));
  glass->Feed("\x1b[6;1H\x1b[7mstatus");
  glass->Feed(Paint(&before, after));
  terminal::Snapshot seen = glass->TakeSnapshot();
  EXPECT_EQ(seen.rows[0].text, after.rows[0].text);
  EXPECT_EQ(seen.rows[0].styles, after.rows[0].styles);
  EXPECT_EQ(seen.cursor, after.cursor);
}

// The glass counts code points, as a full-screen program's terminal does.
TEST(Painter, KeepsColumnsWhereTheOtherTerminalCountsAGlyphOtherwise) {
  constexpr terminal::Size kSize = {2, 12};
  for (const char* glyph :
       {"\u2764\uFE0F", "\U0001F468\u200D\U0001F469\u200D\U0001F467",
        "\U0001F44D\U0001F3FD", "\U0001F1E9\U0001F1EA", "1\uFE0F\u20E3"}) {
    auto program = MakeTerminal(kSize), glass = MakeTerminal(kSize);
    glass->Feed("\x1b[?1049h\x1b[?7l");
    std::optional<Frame> before;
    for (const char* start : {"abcdefghij\r", "", "\x1b[3Gx", "\rab"}) {
      program->Feed(start);
      if (*start == '\0') program->Feed(glyph);
      Frame now = TakeFrame(*program);
      glass->Feed(Paint(before ? &*before : nullptr, now));
      before = now;
      Frame seen = TakeFrame(*glass);
      PaintRow shown = PaintCells(seen.rows[0], kSize.cols);
      PaintRow wanted = PaintCells(now.rows[0], kSize.cols);
      for (size_t col = 2; col < wanted.size(); ++col) {
        EXPECT_EQ(shown[col].text, wanted[col].text)
            << glyph << " after " << start << ", column " << col;
      }
    }
  }
}

TEST(Painter, LetsNothingPassThatAProgramSaysToItsTerminal) {
  auto program = MakeTerminal({4, 40});
  program->Feed(
      "\x1b]0;title\x1b\\\x1b]8;;https://example.org\x07link\x1b]8;;\x07"
      "\x1b]52;c;Zm9v\x07\x07\x1b[c\x1b[6n\x1b]11;?\x07\x1b[5i\x1bP$qm\x1b\\");
  std::string paint = Paint(nullptr, TakeFrame(*program));
  EXPECT_EQ(ForeignIn(paint), "");
  EXPECT_EQ(paint.find("title"), paint.npos);
  EXPECT_EQ(paint.find("example"), paint.npos);
  auto glass = MakeTerminal({4, 40});
  glass->Feed(paint);
  EXPECT_EQ(glass->TakeReplies(), "");
  EXPECT_EQ(glass->title(), "");
}

TEST(Painter, ReplacesControlBytesInValuesThatNoTerminalMade) {
  Frame frame = FrameAfter({3, 20}, "");
  frame.rows[0].text =
      "a\x1b]0;x\x07\r\n\x7f"
      "b";
  frame.rows[1].text =
      "c\xc2\x9b"
      "31m\x9b\xff";
  frame.rows[2].text =
      "\xcc\x81"
      "d and more than fits into the row";
  frame.rows[2].styles = {{-5, 100, {.attributes = 0xFFFF}}};
  frame.cursor = {.row = 99, .col = -3, .pending_wrap = true};
  frame.modes.cursor_style = 99;
  std::string paint = Paint(nullptr, frame);
  EXPECT_EQ(ForeignIn(paint), "") << EscapeBytes(paint);
  frame.rows.resize(1);
  EXPECT_EQ(ForeignIn(Paint(nullptr, frame)), "");
}

TEST(Painter, FollowsEachKindOfMouse) {
  auto glass = MakeTerminal({4, 20});
  std::optional<Frame> before;
  for (const char* mouse : {"9", "1000", "1002", "1003", "9"}) {
    Frame frame =
        FrameAfter({4, 20}, "\x1b[?" + std::string(mouse) + "h\x1b[?25h");
    std::string paint = Paint(before ? &*before : nullptr, frame);
    EXPECT_EQ(ForeignIn(paint), "") << EscapeBytes(paint);
    glass->Feed(paint);
    EXPECT_EQ(glass->modes().mouse, frame.modes.mouse) << mouse;
    before = frame;
  }
}

TEST(Painter, GivesTheTerminalBackAsAfterAReset) {
  Frame frame = FrameAfter(
      {4, 20},
      "\x1b[?1003h\x1b[?1006h\x1b[?1h\x1b=\x1b[?2004h\x1b[?5h\x1b[20h"
      "\x1b[?12h\x1b[?25l\x1b[3 q\x1b[1;31mtext");
  auto glass = MakeTerminal({4, 20});
  glass->Feed(Paint(nullptr, frame));
  EXPECT_NE(glass->modes(), terminal::Modes());
  glass->Feed(kUnpaint);
  EXPECT_EQ(glass->modes(), terminal::Modes());
  glass->Feed("plain");
  EXPECT_EQ(glass->TakeSnapshot().rows[0].text, "plain");
  EXPECT_TRUE(glass->TakeSnapshot().rows[0].styles.empty());
}

}  // namespace
}  // namespace glasstty::observe
