#include "picture/movie.h"

#include <gtest/gtest.h>

#include "jobs.h"

namespace glasstty::picture {
namespace {

observe::Film TwoScreens() {
  return {{observe::FrameAfter({2, 10}, "one"), 0, 300},
          {observe::FrameAfter({3, 8}, "\x1b[31mtwo"), 1'500'000, 1000}};
}

TEST(Movie, IsTheSameAfterItsEncoding) {
  std::string bytes = EncodeMovie(TwoScreens(), {.px = 9, .light = true});
  ASSERT_TRUE(IsMovie(bytes));
  auto movie = DecodeMovie(bytes);
  ASSERT_TRUE(movie.ok()) << movie.status();
  ASSERT_EQ(movie->frames.size(), 2u);
  EXPECT_EQ(movie->format, MovieFormat::kApng);
  EXPECT_EQ(movie->frames[0].milliseconds, 300);
  EXPECT_EQ(movie->frames[1].at_us, 1'500'000);
  EXPECT_EQ(movie->frames[1].job.frame.rows[0].text,
            TwoScreens()[1].frame.rows[0].text);
  EXPECT_EQ(movie->frames[0].job.options.px, 9);
  EXPECT_TRUE(movie->frames[1].job.options.light);
}

TEST(Movie, GivesAllFramesTheSizeOfTheLargest) {
  auto movie = DecodeMovie(EncodeMovie(TwoScreens(), {}));
  ASSERT_TRUE(movie.ok()) << movie.status();
  for (const MovieFrame& frame : movie->frames) {
    EXPECT_EQ(frame.job.frame.size, (terminal::Size{3, 10}));
    EXPECT_EQ(frame.job.frame.rows.size(), 3u);
  }
}

TEST(Movie, KeepsItsFormat) {
  std::string bytes = EncodeMovie(TwoScreens(), {}, MovieFormat::kGif);
  ASSERT_TRUE(IsMovie(bytes));
  auto movie = DecodeMovie(bytes);
  ASSERT_TRUE(movie.ok()) << movie.status();
  EXPECT_EQ(movie->format, MovieFormat::kGif);
  EXPECT_EQ(movie->frames.size(), 2u);
}

TEST(Movie, IsNotAJob) { EXPECT_FALSE(IsMovie(EncodeJob({}))); }

TEST(Movie, IsRefusedIfItIsTruncated) {
  std::string bytes = EncodeMovie(TwoScreens(), {});
  std::string head = bytes.substr(0, bytes.find('\n') + 1);
  for (size_t size = head.size(); size < bytes.size(); size += 7) {
    auto movie = DecodeMovie(bytes.substr(0, size));
    bool whole = movie.ok() && movie->frames.size() == 2;
    EXPECT_FALSE(whole) << size;
  }
  EXPECT_FALSE(DecodeMovie(head).ok());
  EXPECT_FALSE(DecodeMovie(head + "5 0 99999999\n").ok());
  EXPECT_FALSE(DecodeMovie(head + "-5 0 3\nabc").ok());
}

}  // namespace
}  // namespace glasstty::picture
