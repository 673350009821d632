#include "motion/shape.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace glasstty::motion {
namespace {

struct ShapeRow {
  const char* a;
  const char* b;
  Ignore ignore = Ignore::kNumbers;
};

class SameShape : public ::testing::TestWithParam<ShapeRow> {};
class OtherShape : public ::testing::TestWithParam<ShapeRow> {};

TEST_P(SameShape, HaveLinesThatOnlyCountOrMove) {
  EXPECT_EQ(ShapeOf(GetParam().a, GetParam().ignore),
            ShapeOf(GetParam().b, GetParam().ignore));
}
TEST_P(OtherShape, HaveLinesOfOtherWords) {
  EXPECT_NE(ShapeOf(GetParam().a, GetParam().ignore),
            ShapeOf(GetParam().b, GetParam().ignore));
}

constexpr ShapeRow kSame[] = {
    {"[12/500] CC a.o", "[499/500] CC a.o"},
    {"[  5%] Building", "[100%] Building"},
    {"Fri Nov 27 09:06:01 UTC 2026", "Sat Dec  5 19:16:59 UTC 2026"},
    {"Downloading |###       |  30% 1.5 MB/s",
     "Downloading |##########| 100% 900 kB/s"},
    {" 45%|\u2588\u2588\u2588\u258F      | 450/1000 [00:12<00:15]",
     "100%|\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588\u2588| "
     "1000/1000 [00:27<00:00]"},
    {"45%[====>      ] 1,234,567", "100%[===========>] 2,345,678"},
    {"\u280B Working (12s)", "\u2819 Working (1m05s)"},
    {"| building", "/ building"},
    {"HEAD is 1a2b3c4d", "HEAD is 99ffee001122"},
    {"web-7f9c 1/1 Running 0 5d", "web-81aa 1/1 Running 12 6d"},
    {"read 12.5 MiB", "read 1.2 GiB"},
    {"Still creating... [10s elapsed]", "Still creating... [2m10s elapsed]",
     Ignore::kTimes},
    {"CC src/a/b.o", "CC lib/other.o", Ignore::kNames},
};
constexpr ShapeRow kOther[] = {
    {"web 1/1 Running 0", "web 0/1 CrashLoopBackOff 3"},
    {"test a ... ok", "test a ... FAILED"},
    {"CC a.o", "CC b.o"},
    {"epoch 3 of 10", "epoch 4 of 10", Ignore::kTimes},
    {"idle", ""},
};

INSTANTIATE_TEST_SUITE_P(All, SameShape, ::testing::ValuesIn(kSame));
INSTANTIATE_TEST_SUITE_P(All, OtherShape, ::testing::ValuesIn(kOther));

TEST(Shape, IsReadable) {
  EXPECT_EQ(ShapeOf("[12/500] CC src/a.o   1.5 MB/s"), "[#/#] CC src/a.o #");
  EXPECT_EQ(ShapeOf("Downloading 45% |#####    |"), "Downloading #% =");
}

TEST(Shape, TheHeadOfARowSaysWhatItIsAbout) {
  EXPECT_EQ(HeadOf("70% sealing chunk graph FooPlugin"), "sealing");
  EXPECT_EQ(HeadOf("  87% sealing hashing"), "sealing");
  EXPECT_EQ(HeadOf("(#####...) reify:lodash: http fetch"), "reify");
  EXPECT_EQ(HeadOf("src/big.iso  45% copied"), "copied");
  EXPECT_EQ(HeadOf(" 12% 1.5MB/s 0:07"), "");
  EXPECT_EQ(HeadOf("/dev/null 5%[>  ] 545.11K 99.0KB/s eta 1m 43s"), "");
}

TEST(Shape, ARowMayPointAtWhatIsBeingWorkedOn) {
  EXPECT_TRUE(IsPointer("> :compileJava"));
  EXPECT_TRUE(IsPointer("> Starting Daemon > Connecting to Daemon"));
  EXPECT_TRUE(IsPointer("  \u203A case-7"));
  EXPECT_FALSE(IsPointer(" => [2/6] RUN make"));
  EXPECT_FALSE(IsPointer(">name"));
  EXPECT_FALSE(IsPointer("name > other"));
  EXPECT_FALSE(IsPointer(">"));
  EXPECT_FALSE(IsPointer(" > "));
}

// Each of its words could begin a name as long as the rest of the line.
TEST(Shape, OfALineOfAMegabyteTakesAMoment) {
  std::string line = "error ";
  for (int i = 0; i < 600'000; ++i) line += "a-";
  auto begin = std::chrono::steady_clock::now();
  EXPECT_TRUE(ShapeOf(line, Ignore::kNames) == line);
  EXPECT_EQ(HeadOf(line), "error");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST(Shape, TakesAnyBytes) {
  std::string bytes;
  for (int i = 1; i < 256; ++i) bytes += static_cast<char>(i);
  for (size_t from = 0; from < bytes.size(); ++from) {
    EXPECT_LE(ShapeOf(bytes.substr(from)).size(), bytes.size());
    EXPECT_LE(ShapeOf(bytes.substr(0, from), Ignore::kNames).size(), from);
  }
}

}  // namespace
}  // namespace glasstty::motion
