// Tests UTF-8 that is valid, invalid, or cut anywhere.
#include "base/utf8.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace glasstty {
namespace {

const std::string kBad = "\xEF\xBF\xBD";  // U+FFFD

// Returns the result of the streaming decoder for `bytes` that are fed in two
// parts.
std::string DecodeSplit(std::string_view bytes, size_t split) {
  Utf8Decoder decoder;
  std::string out;
  auto feed = [&](std::string_view part) {
    for (size_t i = 0; i < part.size();) {
      char32_t c = 0;
      auto step = decoder.Feed(static_cast<uint8_t>(part[i]), &c);
      if (step != Utf8Decoder::Step::kMore) AppendUtf8(c, &out);
      if (step != Utf8Decoder::Step::kBadRetry) ++i;
    }
  };
  feed(bytes.substr(0, split));
  feed(bytes.substr(split));
  if (decoder.pending()) AppendUtf8(kReplacement, &out);
  return out;
}

struct Case {
  std::string bytes;
  std::string expected;
};

// These are the rows of tables 3-8 to 3-11 of the Unicode standard, and some
// more.
std::vector<Case> Cases() {
  return {
      {"plain", "plain"},
      {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80",
       "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"},
      {std::string("a\0b", 3), std::string("a\0b", 3)},
      {"\xC0\xAF", kBad + kBad},                        // overlong
      {"\xE0\x80\xBF", kBad + kBad + kBad},             // overlong
      {"\xED\xA0\x80", kBad + kBad + kBad},             // a surrogate
      {"\xF4\x91\x92\x93", kBad + kBad + kBad + kBad},  // above U+10FFFF
      {"\xFF\xFE", kBad + kBad},
      {"\x80", kBad},
      {"\xE1\x80"
       "A",
       kBad + "A"},  // one bad part, then a letter
      {"\xF0\x91\x92\xF1\xBF"
       "A",
       kBad + kBad + "A"},
      {"\xE2\x82", kBad},  // cut at the end
      {"\xF0\x9F\x98", kBad},
      {"\xC3\xC3\xA9", kBad + "\xC3\xA9"},
  };
}

TEST(Utf8, ReplacesEachMaximalBadPartOnce) {
  for (const Case& c : Cases()) {
    EXPECT_EQ(ToValidUtf8(c.bytes), c.expected);
    EXPECT_EQ(IsValidUtf8(c.bytes), c.bytes == c.expected);
  }
}

TEST(Utf8, DecodesTheSameForEverySplit) {
  for (const Case& c : Cases()) {
    for (size_t split = 0; split <= c.bytes.size(); ++split) {
      EXPECT_EQ(DecodeSplit(c.bytes, split), c.expected);
    }
  }
}

TEST(Utf8, EveryCodePointSurvivesARoundTrip) {
  for (char32_t c = 0; c <= 0x110000; ++c) {
    std::string text;
    AppendUtf8(c, &text);
    std::string_view rest = text;
    bool valid = c < 0x110000 && (c < 0xD800 || c >= 0xE000);
    ASSERT_EQ(TakeUtf8(&rest), valid ? c : kReplacement);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(Utf8, EveryPairOfBytesIsTakenWithoutLoss) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      std::string bytes = {static_cast<char>(a), static_cast<char>(b)};
      std::string valid = ToValidUtf8(bytes);
      ASSERT_TRUE(IsValidUtf8(valid));
      ASSERT_EQ(DecodeSplit(bytes, 1), valid);
    }
  }
}

TEST(Utf8, CountsAndCutsByCodePoint) {
  EXPECT_EQ(CountCodePoints("a\xE2\x82\xAC"
                            "b"),
            3u);
  EXPECT_EQ(Utf8Prefix("a\xE2\x82\xAC"
                       "b",
                       5),
            "a\xE2\x82\xAC"
            "b");
  EXPECT_EQ(Utf8Prefix("a\xE2\x82\xAC"
                       "b",
                       4),
            "a\xE2\x82\xAC");
  EXPECT_EQ(Utf8Prefix("a\xE2\x82\xAC"
                       "b",
                       3),
            "a");
  EXPECT_EQ(Utf8Prefix("a\xE2\x82\xAC"
                       "b",
                       0),
            "");
}

}  // namespace
}  // namespace glasstty
