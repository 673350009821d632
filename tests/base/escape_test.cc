// Tests that bytes are made visible, and converted back.
#include "base/escape.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace glasstty {
namespace {

TEST(Escape, ShowsControlBytesByNameAndTheRestByNumber) {
  EXPECT_EQ(EscapeBytes("\x1b[31m\r\n\t\b\a\\"), "\\e[31m\\r\\n\\t\\b\\a\\\\");
  EXPECT_EQ(EscapeBytes(std::string("\0001", 2)), "\\x001");
  EXPECT_EQ(EscapeBytes("\x7f"), "\\x7f");
  EXPECT_EQ(EscapeBytes("\xff\xe2\x82"), "\\xff\\xe2\\x82");
  EXPECT_EQ(EscapeBytes("\xc2\x9b"), "\\u{9b}");
  EXPECT_EQ(EscapeBytes("\xe2\x82\xac"), "\xe2\x82\xac");
  EXPECT_EQ(EscapeBytes("\xef\xbf\xbd"), "\xef\xbf\xbd");
}

TEST(Escape, CanShowNothingButControlCharacters) {
  EXPECT_EQ(EscapeControls("a\\d\t\xc3\xa4\n\x1b]0;x\a\x7f\xc2\x9b\r"),
            "a\\d\t\xc3\xa4\n\\e]0;x\\a\\x7f\\u{9b}\\r");
}

TEST(Escape, ReadsWhatFixturesWrite) {
  EXPECT_EQ(UnescapeBytes("\\e[1m\\0\\x41\\u{20ac}"),
            std::string("\x1b[1m\0A\xe2\x82\xac", 9));
  // An unknown escape is unchanged.
  EXPECT_EQ(UnescapeBytes("\\q\\x4\\u{}\\u{zz}\\"), "\\q\\x4\\u{}\\u{zz}\\");
}

TEST(Escape, EveryPairOfBytesComesBack) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      std::string bytes = {static_cast<char>(a), static_cast<char>(b)};
      ASSERT_EQ(UnescapeBytes(EscapeBytes(bytes)), bytes) << a << " " << b;
    }
  }
}

TEST(Escape, RandomBytesComeBackAndShowNoControlByte) {
  std::mt19937 random(7);
  for (int round = 0; round < 2'000; ++round) {
    std::string bytes;
    for (unsigned n = random() % 40; n > 0; --n) {
      bytes.push_back(static_cast<char>(random()));
    }
    std::string shown = EscapeBytes(bytes);
    ASSERT_EQ(UnescapeBytes(shown), bytes);
    for (char c : shown) ASSERT_TRUE(static_cast<uint8_t>(c) >= 0x20);
  }
}

}  // namespace
}  // namespace glasstty
