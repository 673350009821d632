// Tests what is written into a file, and what is counted as lost.
#include "view/drain.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "testing/fake_holder.h"

namespace glasstty::view {
namespace {

class DrainTest : public ::testing::Test {
 protected:
  // Returns everything, drained in slices without any time.
  std::string Drained(DrainRequest request) {
    std::string text;
    Drain drain(&*session_, request, [&text](std::string_view piece) {
      text += piece;
      return absl::OkStatus();
    });
    int slices = 0;
    while (!drain.Continue(Duration::zero()) && slices < 1000) ++slices;
    EXPECT_LT(slices, 1000) << "it does not end";
    EXPECT_TRUE(drain.status().ok()) << drain.status();
    lost_ = drain.lost();
    missing_ = drain.missing();
    written_ = drain.written();
    return text;
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({4, 20});
  int64_t lost_ = -1;
  int64_t missing_ = -1;
  int64_t written_ = -1;
};

TEST_F(DrainTest, LinesEndInNewlinesButForOneThatIsOpen) {
  holder_.Print("one\r\ntwo\r\nthree");
  EXPECT_EQ(Drained({.from = 0, .to = 2}), "one\ntwo\n");
  EXPECT_EQ(Drained({.from = 1, .to = 3, .is_open = true}), "two\nthree");
  EXPECT_EQ(written_, 2);
  EXPECT_EQ(lost_, 0);
}

TEST_F(DrainTest, WhatAReaderWasShownOfTheFirstLineIsLeftOut) {
  holder_.Print("one more\r\ntwo\r\n");
  record::ReadMark mark;
  mark.shown = "one";
  EXPECT_EQ(Drained({.from = 0, .to = 2, .mark = &mark}), " more\ntwo\n");
  EXPECT_EQ(written_, 2);
  mark.shown = "one more";
  EXPECT_EQ(Drained({.from = 0, .to = 2, .mark = &mark}), "two\n");
  EXPECT_EQ(written_, 1);
  // It was rewritten since.
  mark.shown = "none";
  EXPECT_EQ(Drained({.from = 0, .to = 2, .mark = &mark}), "one more\ntwo\n");
  EXPECT_EQ(lost_, 0);
}

TEST_F(DrainTest, NothingIsWrittenWhereNothingWasAskedFor) {
  holder_.Print("one\r\n");
  for (bool raw : {false, true}) {
    int pieces = 0;
    Drain drain(&*session_, {.raw = raw, .from = 1, .to = 1},
                [&pieces](std::string_view) {
                  ++pieces;
                  return absl::OkStatus();
                });
    EXPECT_TRUE(drain.Continue(Duration::zero()));
    EXPECT_EQ(pieces, 0) << raw;
    EXPECT_EQ(drain.written(), 0);
  }
}

TEST_F(DrainTest, BytesAreThoseOfTheLog) {
  holder_.Print("a\033[1mb\r\n");
  EXPECT_EQ(Drained({.raw = true, .from = 0, .to = 8}), "a\033[1mb\r\n");
  EXPECT_EQ(written_, 8);
  EXPECT_EQ(Drained({.raw = true, .from = 5, .to = 6}), "b");
  EXPECT_EQ(lost_, 0);
}

TEST_F(DrainTest, BytesThatTheLogDoesNotHoldAreCounted) {
  holder_.Print("abc");
  EXPECT_EQ(Drained({.raw = true, .from = 1, .to = 10}), "bc");
  EXPECT_EQ(written_, 2);
  EXPECT_EQ(lost_, 0);
  EXPECT_EQ(missing_, 7);
}

TEST_F(DrainTest, AFileThatTakesNoMoreEndsIt) {
  holder_.Print("one\r\ntwo\r\n");
  Drain drain(&*session_, {.from = 0, .to = 2}, [](std::string_view) {
    return absl::ResourceExhaustedError("full");
  });
  while (!drain.Continue(Duration::zero())) {
  }
  EXPECT_EQ(drain.status().message(), "full");
}

}  // namespace
}  // namespace glasstty::view
