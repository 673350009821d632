// Tests GIFs by reading them with giflib.
#include <gif_lib.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "jobs.h"
#include "picture/movie_file.h"
#include "picture/program.h"

namespace glasstty::picture {
namespace {

// The frames that a program shows which plays the file.
struct Played {
  std::vector<std::vector<Rgb>> frames;
  std::vector<int> centiseconds;
  int width = 0;
  bool repeats = false;
};

int ReadBytes(GifFileType* file, GifByteType* bytes, int size) {
  auto* rest = static_cast<std::string*>(file->UserData);
  size_t count = std::min(static_cast<size_t>(size), rest->size());
  rest->copy(reinterpret_cast<char*>(bytes), count);
  rest->erase(0, count);
  return static_cast<int>(count);
}

void Draw(const SavedImage& image, int width, std::vector<Rgb>* pixels) {
  const GifImageDesc& place = image.ImageDesc;
  for (int i = 0; i < place.Width * place.Height; ++i) {
    const GifColorType& color = place.ColorMap->Colors[image.RasterBits[i]];
    int x = place.Left + i % place.Width, y = place.Top + i / place.Width;
    (*pixels)[static_cast<size_t>(y * width + x)] =
        static_cast<Rgb>(color.Red << 16 | color.Green << 8 | color.Blue);
  }
}

Played Play(std::string bytes) {
  Played played;
  int error = 0;
  played.repeats = bytes.find("NETSCAPE2.0") != std::string::npos;
  GifFileType* file = DGifOpen(&bytes, ReadBytes, &error);
  EXPECT_NE(file, nullptr) << error;
  if (file == nullptr) return played;
  EXPECT_EQ(DGifSlurp(file), GIF_OK);
  played.width = file->SWidth;
  std::vector<Rgb> pixels(static_cast<size_t>(file->SWidth * file->SHeight));
  for (int i = 0; i < file->ImageCount; ++i) {
    Draw(file->SavedImages[i], file->SWidth, &pixels);
    played.frames.push_back(pixels);
    GraphicsControlBlock control;
    EXPECT_EQ(DGifSavedExtensionToGCB(file, i, &control), GIF_OK);
    EXPECT_EQ(control.DisposalMode, DISPOSE_DO_NOT);
    played.centiseconds.push_back(control.DelayTime);
  }
  DGifCloseFile(file, &error);
  return played;
}

observe::Film Film(const std::vector<std::pair<std::string, int>>& screens) {
  observe::Film film;
  for (const auto& [text, milliseconds] : screens) {
    film.push_back({observe::FrameAfter({3, 20}, text), 0, milliseconds});
  }
  return film;
}

std::string GifOf(observe::Film film) {
  auto movie = DecodeMovie(EncodeMovie(std::move(film), {}, MovieFormat::kGif));
  auto drawn = DrawMovieFile(*movie);
  EXPECT_TRUE(drawn.ok()) << drawn.status();
  return drawn->file;
}

TEST(Gif, ShowsEachFrameAsAPictureDoes) {
  auto film = Film({{"one", 300},
                    {"one \x1b[31mtwo\x1b[m", 1000},
                    {"\x1b[44mthree\x1b[K", 50}});
  Played played = Play(GifOf(film));
  EXPECT_TRUE(played.repeats);
  EXPECT_EQ(played.centiseconds, (std::vector<int>{30, 100, 5}));
  ASSERT_EQ(played.frames.size(), film.size());
  for (size_t i = 0; i < film.size(); ++i) {
    auto still = DrawPicture({.frame = film[i].frame, .options = {}});
    ASSERT_TRUE(still.ok()) << still.status();
    EXPECT_EQ(played.width, still->canvas.width());
    EXPECT_EQ(played.frames[i], still->canvas.pixels()) << i;
  }
}

TEST(Gif, JoinsFramesThatAreAlike) {
  Played played = Play(GifOf(Film({{"a", 100}, {"a", 200}, {"b", 10}})));
  // Whatever is shorter would be shown for a tenth of a second.
  EXPECT_EQ(played.centiseconds, (std::vector<int>{30, 2}));
}

TEST(Gif, RoundsMomentsAndNotLengths) {
  std::vector<std::pair<std::string, int>> screens;
  for (int i = 0; i < 40; ++i) screens.emplace_back(std::to_string(i), 33);
  Played played = Play(GifOf(Film(screens)));
  int sum = 0;
  for (int one : played.centiseconds) sum += one;
  EXPECT_EQ(sum, 132);
}

TEST(Gif, ComesThroughTheProgram) {
  auto film = Film({{"one", 100}, {"two", 100}});
  auto drawn = DrawMovie(EncodeMovie(film, {}, MovieFormat::kGif));
  ASSERT_TRUE(drawn.ok()) << drawn.status();
  EXPECT_EQ(drawn->png, GifOf(film));
  EXPECT_TRUE(drawn->png.starts_with("GIF89a"));
}

}  // namespace
}  // namespace glasstty::picture
