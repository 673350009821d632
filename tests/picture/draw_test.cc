// Tests pictures pixel by pixel: colours, wide cells, cursors, sizes; in the
// font that is part of the program.
#include "picture/draw.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "jobs.h"
#include "picture/png_file.h"
#include "picture/program.h"
#include "support/status.h"
#include "terminal/screen_fixture.h"

namespace glasstty::picture {

using terminal::Size;

namespace {

constexpr CellSize kCell = {8, 17};  // DejaVu Sans Mono in 14 pixels
constexpr Rgb kInk = 0xD4D4D4, kPaper = 0x1E1E1E;

Drawing Draw(const Job& job) {
  auto picture = DrawPicture(job);
  EXPECT_TRUE(picture.ok()) << picture.status();
  return *std::move(picture);
}
Drawing Draw(Size size, std::string_view bytes, Options options = {}) {
  return Draw(JobAfter(size, bytes, std::move(options)));
}

// Returns every colour of a cell, with the number of its pixels.
std::map<Rgb, int> ColorsOf(const Drawing& picture, int row, int col) {
  std::map<Rgb, int> colors;
  for (int y = 0; y < kCell.height; ++y) {
    for (int x = 0; x < kCell.width; ++x) {
      ++colors[picture.canvas.At(col * kCell.width + x,
                                 row * kCell.height + y)];
    }
  }
  return colors;
}
Rgb BackgroundOf(const Drawing& picture, int row, int col) {
  std::map<Rgb, int> colors = ColorsOf(picture, row, col);
  return std::max_element(
             colors.begin(), colors.end(),
             [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}
bool IsPlain(const Drawing& picture, int row, int col, Rgb color) {
  std::map<Rgb, int> colors = ColorsOf(picture, row, col);
  return colors.size() == 1 && colors.begin()->first == color;
}
bool HasColor(const Drawing& picture, int row, int col, Rgb color) {
  return ColorsOf(picture, row, col).contains(color);
}

TEST(Draw, HasSeventeenByEightPixelsForEachCell) {
  Drawing picture = Draw({24, 80}, "");
  EXPECT_EQ(picture.canvas.width(), 640);
  EXPECT_EQ(picture.canvas.height(), 408);
  EXPECT_EQ(picture.px, 14);
  EXPECT_EQ(picture.shown, (Size{24, 80}));
  EXPECT_EQ(picture.missing, 0);
}

TEST(Draw, PutsTextIntoItsCellsOnly) {
  Drawing picture = Draw({3, 10}, "\x1b[?25l\r\n  M");
  EXPECT_GT(ColorsOf(picture, 1, 2).size(), 2u);
  EXPECT_TRUE(IsPlain(picture, 0, 2, kPaper));
  EXPECT_TRUE(IsPlain(picture, 2, 2, kPaper));
  EXPECT_TRUE(IsPlain(picture, 1, 0, kPaper));
  EXPECT_TRUE(IsPlain(picture, 1, 5, kPaper));
}

TEST(Draw, ShowsColoursAsTheyWereAskedFor) {
  Drawing picture =
      Draw({3, 20},
           "\x1b[?25l\x1b[44m \x1b[48;5;196m \x1b[48;2;1;2;3m \x1b[m\x1b[7m "
           "\x1b[m█\x1b[31m█\x1b[2m█\x1b[m");
  EXPECT_TRUE(IsPlain(picture, 0, 0, 0x2472C8));
  EXPECT_TRUE(IsPlain(picture, 0, 1, 0xFF0000));
  EXPECT_TRUE(IsPlain(picture, 0, 2, 0x010203));
  EXPECT_TRUE(IsPlain(picture, 0, 3, kInk));
  EXPECT_TRUE(IsPlain(picture, 0, 4, kInk));
  EXPECT_TRUE(IsPlain(picture, 0, 5, 0xCD3131));
  EXPECT_TRUE(IsPlain(picture, 0, 6, Mix(kPaper, 0xCD3131, 140)));
}

TEST(Draw, ExchangesTheColoursOfAReversedScreen) {
  Drawing picture = Draw({2, 10}, "\x1b[?25l\x1b[?5h█");
  EXPECT_TRUE(IsPlain(picture, 0, 0, kPaper));
  EXPECT_TRUE(IsPlain(picture, 1, 5, kInk));
}

TEST(Draw, KeepsConcealedTextConcealed) {
  Drawing picture = Draw({2, 10}, "\x1b[?25l\x1b[8mM\x1b[44;34mM");
  EXPECT_TRUE(IsPlain(picture, 0, 0, kPaper));
  EXPECT_TRUE(IsPlain(picture, 0, 1, 0x2472C8));
}

TEST(Draw, ShadesAreBetweenTheColours) {
  Drawing picture = Draw({2, 10}, "\x1b[?25l░▒▓");
  for (int col = 0; col < 3; ++col) {
    EXPECT_TRUE(IsPlain(picture, 0, col, Mix(kPaper, kInk, 64 * (col + 1))));
  }
}

TEST(Draw, AWideCellIsTwoCellsOfBackgroundAndText) {
  Drawing picture = Draw({2, 10}, "\x1b[?25l\x1b[44m漢\x1b[m\x1b[3;1H🙂");
  EXPECT_EQ(BackgroundOf(picture, 0, 0), 0x2472C8u);
  EXPECT_EQ(BackgroundOf(picture, 0, 1), 0x2472C8u);
  EXPECT_TRUE(IsPlain(picture, 0, 2, kPaper));
  // Both halves show the glyph, or the box for one that no font has.
  EXPECT_GT(ColorsOf(picture, 0, 0).size(), 1u);
  EXPECT_GT(ColorsOf(picture, 0, 1).size(), 1u);
}

TEST(Draw, PutsABoxWhereNoFontHasAGlyph) {
  // No font has characters of this plane.
  Drawing picture = Draw({2, 10}, "\x1b[?25l\U000F1234");
  EXPECT_EQ(picture.missing, 1);
  EXPECT_EQ(ColorsOf(picture, 0, 0).size(), 2u);
  EXPECT_TRUE(HasColor(picture, 0, 0, kInk));
}

TEST(Draw, MarksAreDrawnOnTheirBase) {
  Drawing plain = Draw({2, 10}, "\x1b[?25le");
  Drawing marked = Draw({2, 10}, "\x1b[?25le\xCC\x81");
  EXPECT_GT(ColorsOf(marked, 0, 0).size(), 2u);
  EXPECT_NE(ColorsOf(plain, 0, 0), ColorsOf(marked, 0, 0));
  EXPECT_TRUE(IsPlain(marked, 0, 1, kPaper));
}

TEST(Draw, StylesChangeTheGlyph) {
  auto cell = [](const char* style) {
    std::string bytes = std::string("\x1b[?25l\x1b[") + style + "mx";
    return Draw({2, 2}, bytes).canvas.pixels();
  };
  std::vector<Rgb> plain = cell("");
  for (const char* style : {"1", "3", "4", "4:2", "4:3", "9", "53"}) {
    EXPECT_NE(cell(style), plain) << style;
  }
  EXPECT_NE(cell("4"), cell("4:2"));
  EXPECT_NE(cell("4"), cell("4:3"));
}

TEST(Draw, UnderlinesAreWithoutGaps) {
  Drawing picture = Draw({2, 10}, "\x1b[?25l\x1b[4m          ");
  int lines = 0;
  for (int y = 0; y < kCell.height; ++y) {
    int inked = 0;
    for (int x = 0; x < 10 * kCell.width; ++x) {
      inked += picture.canvas.At(x, y) == kInk ? 1 : 0;
    }
    EXPECT_TRUE(inked == 0 || inked == 10 * kCell.width);
    lines += inked > 0 ? 1 : 0;
  }
  EXPECT_EQ(lines, 1);
}

TEST(Draw, ABoxIsClosed) {
  Drawing picture = Draw({4, 10}, "\x1b[?25l┌──┐\r\n│  │\r\n└──┘");
  // Follow the upper line, from corner to corner, and its left one down.
  for (int x = 3; x < 3 * kCell.width + 4; ++x) {
    EXPECT_EQ(picture.canvas.At(x, 8), kInk) << x;
  }
  for (int y = 8; y < 2 * kCell.height + 9; ++y) {
    EXPECT_EQ(picture.canvas.At(3, y), kInk) << y;
  }
}

TEST(Draw, ABlockCursorExchangesTheColoursOfItsCell) {
  Drawing picture = Draw({2, 10}, "\x1b[44m█");
  EXPECT_TRUE(IsPlain(picture, 0, 1, kInk));
  Drawing on_text = Draw({2, 10}, "\x1b[41m█\r");
  EXPECT_TRUE(IsPlain(on_text, 0, 0, 0xCD3131));
  Drawing on_wide = Draw({2, 10}, "漢\r");
  EXPECT_EQ(BackgroundOf(on_wide, 0, 1), kInk);
  Drawing on_nothing = Draw({2, 10}, "\x1b[8mx\r");
  EXPECT_NE(BackgroundOf(on_nothing, 0, 0), kPaper);
}

TEST(Draw, OtherCursorsLeaveTheTextAsItIs) {
  Drawing bar = Draw({2, 10}, "\x1b[6 q");
  EXPECT_EQ(ColorsOf(bar, 0, 0)[kInk], 2 * kCell.height);
  EXPECT_EQ(bar.canvas.At(0, 5), kInk);
  Drawing underline = Draw({2, 10}, "\x1b[4 q");
  EXPECT_EQ(ColorsOf(underline, 0, 0)[kInk], 2 * kCell.width);
  EXPECT_EQ(underline.canvas.At(3, kCell.height - 1), kInk);
  Drawing hidden = Draw({2, 10}, "\x1b[?25l");
  EXPECT_TRUE(IsPlain(hidden, 0, 0, kPaper));
}

TEST(Draw, IsMadeSmallerUntilItFits) {
  Options options = {.max_edge = kModelEdge};
  EXPECT_EQ(Draw({40, 120}, "", options).px, 14);
  Drawing wide = Draw({40, 210}, "", options);
  EXPECT_EQ(wide.px, 12);
  EXPECT_EQ(wide.shown, (Size{40, 210}));
  EXPECT_LE(wide.canvas.width(), kModelEdge);
}

TEST(Draw, ShowsThePartAroundTheCursorOfWhatIsTooLarge) {
  Drawing picture =
      Draw({2, 500}, "\x1b[1;500Hx\x1b[1;499H", {.max_edge = kModelEdge});
  EXPECT_EQ(picture.px, 10);
  EXPECT_LT(picture.shown.cols, 500);
  EXPECT_LE(picture.canvas.width(), kModelEdge);
  EXPECT_EQ(Draw({2, 500}, "").shown.cols, 500);
  Drawing tall = Draw({500, 100}, "", {.max_edge = kModelEdge});
  EXPECT_LE(tall.canvas.height(), kModelEdge);
}

TEST(Draw, TakesTheSizeThatWasAskedFor) {
  Drawing picture = Draw({2, 10}, "", {.px = 28});
  EXPECT_EQ(picture.px, 28);
  EXPECT_EQ(picture.canvas.width(), 170);
}

TEST(Draw, NamesAFontThatIsNotThere) {
  auto none = DrawPicture(JobAfter({2, 10}, "", {.font = "No Such Font"}));
  EXPECT_NE(Message(none.status()).find("font 'No Such Font': not installed"),
            std::string::npos);
  auto file = DrawPicture(JobAfter({2, 10}, "", {.font = "/etc/passwd"}));
  EXPECT_NE(Message(file.status()).find("not a readable font file"),
            std::string::npos);
}

// Returns the pixels of a PNG file.
std::vector<Rgb> Decode(const std::string& file) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&image, file.data(), file.size()),
            0);
  image.format = PNG_FORMAT_RGB;
  std::vector<uint8_t> bytes(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, bytes.data(), 0, nullptr),
            0);
  std::vector<Rgb> pixels;
  for (size_t i = 0; i + 2 < bytes.size(); i += 3) {
    pixels.push_back(
        static_cast<Rgb>(bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2]));
  }
  return pixels;
}

TEST(Png, HasExactlyThePixelsOfFewColours) {
  Drawing picture = Draw({4, 20}, "\x1b[31mtext \x1b[44m and more");
  auto file = EncodePng(picture.canvas);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(Decode(*file), picture.canvas.pixels());
  // IHDR: a palette of 8 bits.
  EXPECT_EQ((*file)[24], 8);
  EXPECT_EQ((*file)[25], 3);
}

TEST(Png, ShowsManyColoursNearlyAsTheyAre) {
  Canvas canvas(160, 100, 0);
  for (int i = 0; i < 16000; ++i) {
    int x = i % 160, y = i / 160;
    canvas.Fill({x, y, x + 1, y + 1},
                static_cast<Rgb>(x << 16 | y * 2 << 8 | (x + y) / 2));
  }
  auto file = EncodePng(canvas);
  ASSERT_TRUE(file.ok()) << file.status();
  std::vector<Rgb> pixels = Decode(*file);
  double sum = 0;
  for (size_t i = 0; i < pixels.size(); ++i) {
    for (int shift = 0; shift <= 16; shift += 8) {
      sum += std::abs(static_cast<int>(pixels[i] >> shift & 0xFF) -
                      static_cast<int>(canvas.pixels()[i] >> shift & 0xFF));
    }
  }
  EXPECT_LT(sum / static_cast<double>(pixels.size()) / 3, 6);
}

TEST(Png, IsTheSameForTheSameScreen) {
  Job job = JobAfter({24, 80}, "\x1b[31mtext \x1b[3mand more");
  EXPECT_EQ(*EncodePng(Draw(job).canvas), *EncodePng(Draw(job).canvas));
}

TEST(Png, ComesThroughTheProgram) {
  Job job = JobAfter({24, 80}, "\x1b[31mtext");
  auto drawn = DrawPng(job);
  ASSERT_TRUE(drawn.ok()) << drawn.status();
  EXPECT_EQ(drawn->png, *EncodePng(Draw(job).canvas));
  EXPECT_EQ(drawn->width, 640);
  EXPECT_EQ(drawn->height, 408);
  EXPECT_EQ(drawn->shown, (Size{24, 80}));
}

TEST(Draw, EveryGoldenScreenCanBeDrawn) {
  for (const std::string& path : terminal::FixturePaths("screens", ".screen")) {
    terminal::ScreenFixture fixture =
        terminal::ScreenFixture::Parse(terminal::ReadFixture(path));
    auto terminal = observe::MakeTerminal(fixture.size());
    for (const terminal::FixtureBlock& block : fixture.blocks) {
      if (block.name == "feed") terminal->Feed(terminal::FeedBytes(block));
    }
    Job job = {observe::TakeFrame(*terminal), {}};
    auto decoded = DecodeJob(EncodeJob(job));
    ASSERT_TRUE(decoded.ok()) << path << decoded.status();
    Drawing picture = Draw(*decoded);
    EXPECT_EQ(picture.canvas.pixels(), Draw(job).canvas.pixels()) << path;
  }
}

}  // namespace
}  // namespace glasstty::picture
