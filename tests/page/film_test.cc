// Tests which screens of a recording become the frames of a film.
#include "watch/film.h"

#include <gtest/gtest.h>

namespace glasstty::watch {
namespace {

using record::CastEvent;

CastEvent Printed(double seconds, std::string text) {
  CastEvent event;
  event.type = CastEvent::Type::kOutput;
  event.us = static_cast<int64_t>(seconds * 1e6);
  event.data = std::move(text);
  return event;
}

observe::Film FilmOfEvents(double from, double to,
                           const std::vector<CastEvent>& events) {
  FilmMaker maker(from, to);
  EXPECT_TRUE(maker.Begin({2, 20}).ok());
  for (const CastEvent& event : events) {
    if (!maker.Take(event)) break;
  }
  auto film = maker.Finish();
  EXPECT_TRUE(film.ok()) << film.status();
  return film.ok() ? *std::move(film) : observe::Film();
}

std::vector<std::string> TextsOf(const observe::Film& film) {
  std::vector<std::string> texts;
  for (const observe::TimedFrame& each : film) {
    std::string text = each.frame.rows[0].text;
    texts.push_back(text.substr(0, text.find_last_not_of(' ') + 1));
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Film, HasAFrameForEachScreen) {
  observe::Film film = FilmOfEvents(
      0, 100, {Printed(0.2, "a"), Printed(0.5, "b"), Printed(0.9, "c")});
  EXPECT_EQ(TextsOf(film), (Texts{"", "a", "ab", "abc"}));
  EXPECT_EQ(film[2].at_us, 500'000);
  EXPECT_EQ(film[2].milliseconds, 400);
}

TEST(Film, CutsPauses) {
  observe::Film film =
      FilmOfEvents(0, 1e9, {Printed(0, "a"), Printed(3600, "b")});
  EXPECT_EQ(TextsOf(film), (Texts{"a", "ab"}));
  EXPECT_EQ(film[0].milliseconds, 1000);
  EXPECT_EQ(film[1].at_us, 3'600'000'000);
}

TEST(Film, HasAtMostTenFramesASecond) {
  std::vector<CastEvent> events;
  for (int i = 0; i < 1000; ++i) events.push_back(Printed(i / 1000.0, "x\r\n"));
  EXPECT_LE(FilmOfEvents(0, 100, events).size(), 11u);
}

TEST(Film, ShowsWhatWasThereWhenTheStretchBegan) {
  observe::Film film = FilmOfEvents(
      1, 2,
      {Printed(0.5, "before"), Printed(1.5, "!"), Printed(2.5, " after")});
  EXPECT_EQ(TextsOf(film), (Texts{"before", "before!"}));
  EXPECT_EQ(film[0].at_us, 1'000'000);
}

TEST(Film, BeginsWithTheScreenOfItsBeginningHoweverSoonTheNextComes) {
  observe::Film film = FilmOfEvents(
      1, 2, {Printed(1, "a"), Printed(1.01, "b"), Printed(1.5, "c")});
  EXPECT_EQ(TextsOf(film), (Texts{"a", "ab", "abc"}));
  EXPECT_EQ(film[0].milliseconds, 10);
}

TEST(Film, JoinsFramesThatLookTheSame) {
  observe::Film film = FilmOfEvents(
      0, 100, {Printed(0, "a"), Printed(0.5, "\x1b[m"), Printed(1, "b")});
  EXPECT_EQ(TextsOf(film), (Texts{"a", "ab"}));
  EXPECT_EQ(film[0].milliseconds, 1000);
}

TEST(Film, OfASilentRecordingIsOneFrame) {
  EXPECT_EQ(FilmOfEvents(0, 100, {}).size(), 1u);
}

TEST(Film, IsRefusedIfItIsTooLong) {
  FilmMaker maker(0, 1e9);
  ASSERT_TRUE(maker.Begin({2, 20}).ok());
  int i = 0;
  while (i < 5000 && maker.Take(Printed(i, std::to_string(i) + "\r"))) ++i;
  EXPECT_LT(i, 1010);
  EXPECT_FALSE(maker.Finish().ok());
}

TEST(Film, NeedsARecordingThatHasBegun) {
  FilmMaker maker(0, 1);
  EXPECT_FALSE(maker.Take(Printed(0, "a")));
  EXPECT_FALSE(maker.Finish().ok());
}

}  // namespace
}  // namespace glasstty::watch
