// What is written into a file, and what is counted as lost.
#include "view/drain.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "testing/fake_holder.h"

namespace glasstty::view {
namespace {

class DrainTest : public ::testing::Test {
 protected:
  // All of it, in slices of no time at all.
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
    written_ = drain.written();
    return text;
  }

  FakeHolder holder_;
  session::SessionRef session_ = holder_.Open({4, 20});
  int64_t lost_ = -1;
  int64_t written_ = -1;
};

TEST_F(DrainTest, LinesEndInNewlinesButForOneThatIsOpen) {
  holder_.Print("one\r\ntwo\r\nthree");
  EXPECT_EQ(Drained({.from = 0, .to = 2}), "one\ntwo\n");
  EXPECT_EQ(Drained({.from = 1, .to = 3, .is_open = true}), "two\nthree");
  EXPECT_EQ(written_, 2);
  EXPECT_EQ(lost_, 0);
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
  EXPECT_EQ(lost_, 7);
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
