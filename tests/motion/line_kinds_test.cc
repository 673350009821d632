#include "motion/line_kinds.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"

namespace glasstty::motion {
namespace {

TEST(LineKinds, LinesThatSayTheSameOfOtherThingsAreOneKind) {
  LineKinds kinds;
  EXPECT_TRUE(kinds.Add("   Compiling serde v1.0.2").is_new);
  EXPECT_FALSE(kinds.Add("   Compiling syn v2.0.1").is_new);
  EXPECT_FALSE(kinds.Add("   Compiling proc-macro2 v1.0.99").is_new);
  EXPECT_TRUE(kinds.Add("    Finished release [optimized] in 12.5s").is_new);
  ASSERT_EQ(kinds.kinds().size(), 2u);
  EXPECT_EQ(kinds.kinds()[0].Text(), "Compiling \u2026 v#");
  EXPECT_EQ(kinds.kinds()[0].count, 3);
  EXPECT_EQ(kinds.kinds()[0].first, "   Compiling serde v1.0.2");
}

TEST(LineKinds, ALineOfAnUnknownKindIsNotRecognizedUntilItIsAdded) {
  LineKinds kinds;
  EXPECT_FALSE(kinds.Recognize("Compiling serde v1.0.2"));
  EXPECT_FALSE(kinds.Recognize("Compiling syn v2.0.1"));
  EXPECT_TRUE(kinds.empty());
  kinds.Add("Compiling serde v1.0.2");
  EXPECT_TRUE(kinds.Recognize("Compiling syn v2.0.1"));
  EXPECT_EQ(kinds.kinds()[0].count, 2);
}

TEST(LineKinds, AFailureIsAKindOfItsOwn) {
  LineKinds kinds;
  EXPECT_TRUE(kinds.Add("test net::connect ... ok").is_new);
  EXPECT_FALSE(kinds.Add("test net::listen ... ok").is_new);
  EXPECT_TRUE(kinds.Add("test net::close ... FAILED").is_new);
  EXPECT_FALSE(kinds.Add("test net::open ... FAILED").is_new);
}

TEST(LineKinds, AnotherFailureOfTheSameThingIsAnotherKind) {
  LineKinds kinds;
  kinds.Add("pay-5d8f7-zz9 1/1 Running 0 3m");
  EXPECT_TRUE(kinds.Add("pay-5d8f7-zz9 0/1 ImagePullBackOff 0 3m").is_new);
  EXPECT_TRUE(kinds.Add("pay-5d8f7-zz9 0/1 OOMKilled 3 3m").is_new);
  EXPECT_FALSE(kinds.Add("pay-5d8f7-zz9 0/1 OOMKilled 4 5m").is_new);
}

TEST(LineKinds, AFailedRequestIsNewAmongOthersOfItsShape) {
  LineKinds kinds;
  kinds.Add("10.0.0.1 - - \"GET /a HTTP/1.1\" 200 17");
  EXPECT_FALSE(kinds.Add("10.0.0.1 - - \"GET /a HTTP/1.1\" 304 0").is_new);
  EXPECT_TRUE(kinds.Add("10.0.0.1 - - \"GET /a HTTP/1.1\" 500 17").is_new);
  EXPECT_FALSE(kinds.Add("10.0.0.1 - - \"GET /b HTTP/1.1\" 502 17").is_new);
}

TEST(LineKinds, PathsAndNumbersDoNotCount) {
  LineKinds kinds;
  EXPECT_TRUE(kinds.Add("[1/500] CC src/a.o").is_new);
  EXPECT_FALSE(kinds.Add("[2/500] CC src/deep/er/b.o").is_new);
  EXPECT_TRUE(kinds.Add("[3/500] Linking target src/app").is_new);
}

// A list of names would otherwise be as many kinds.
TEST(LineKinds, AreBounded) {
  LineKinds kinds;
  int found = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::string name;
    for (int n = i; n > 0; n /= 26) name += static_cast<char>('a' + n % 26);
    if (!name.empty() && kinds.Add(name).is_new) ++found;
  }
  EXPECT_LE(found, 60);
  EXPECT_LE(kinds.kinds().size(), LineKinds::kMostKinds);
}

TEST(LineKinds, AFirstErrorIsNewAmongAnyNumberOfLines) {
  LineKinds kinds;
  for (int i = 0; i < 1000; ++i) kinds.Add(absl::StrFormat("tick %d", i));
  EXPECT_TRUE(kinds.Add("error: the disk is full").is_new);
}

TEST(LineKinds, LinesThatAreAllDifferentTakeNoMoreMemory) {
  LineKinds kinds;
  auto add = [&kinds](int from, int to) {
    for (int i = from; i < to; ++i) {
      std::string word = absl::StrFormat("%x", i * 2'654'435'761U);
      std::ranges::transform(word, word.begin(), [](char c) {
        return static_cast<char>(c >= 'a' ? c : c - '0' + 'g');
      });
      kinds.Recognize(word + " and more");
    }
  };
  // By then, the shapes that are remembered have reached their limit.
  add(0, 20'000);
  size_t before = mallinfo2().uordblks;
  add(20'000, 100'000);
  EXPECT_LT(mallinfo2().uordblks, before + 2'000'000);
}

TEST(LineKinds, LinesOfAMegabyteTakeLittleMemory) {
  LineKinds kinds;
  auto before = mallinfo2();
  for (char c = 'a'; c <= 'z'; ++c) {
    kinds.Recognize("line " + std::string(1'000'000, c));
  }
  auto after = mallinfo2();
  EXPECT_LT(after.uordblks + after.hblkhd,
            before.uordblks + before.hblkhd + 10'000'000);
}

TEST(LineKinds, AFailureFarBehindTheBeginningOfALineIsANewKind) {
  LineKinds kinds;
  std::string line(10'000, 'x');
  EXPECT_TRUE(kinds.Add(line + " is done").is_new);
  EXPECT_TRUE(kinds.Add(line + " has failed").is_new);
  EXPECT_FALSE(kinds.Add(line + " has failed").is_new);
}

}  // namespace
}  // namespace glasstty::motion
