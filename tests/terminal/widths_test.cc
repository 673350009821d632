// Compares the generated table with the C library, whose wcwidth is used by
// bash, vim, less and tmux. There is no exception: where the C library departs
// from the Unicode data, generate_widths.py follows it and says so.
#include "terminal/widths.h"

#include <gtest/gtest.h>
#include <wchar.h>

#include <clocale>

#include "absl/strings/str_format.h"

namespace glasstty::terminal {
namespace {

TEST(Widths, AreThoseOfTheCLibrary) {
  ASSERT_NE(std::setlocale(LC_CTYPE, "C.UTF-8"), nullptr);
  std::string differing;
  for (char32_t c = 0xA0; c < 0x110000; ++c) {
    int library = ::wcwidth(static_cast<wchar_t>(c));
    int ours = WidthOf(c);
    // -1 means that it is not assigned in the library's version of Unicode, or
    // a surrogate.
    if (library < 0 || library == ours) continue;
    differing += absl::StrFormat("U+%04X library %d, ours %d\n",
                                 static_cast<uint32_t>(c), library, ours);
  }
  std::setlocale(LC_CTYPE, "C");
  EXPECT_EQ(differing, "");
}

TEST(Widths, OfKnownCharacters) {
  EXPECT_EQ(WidthOf('a'), 1);
  EXPECT_EQ(WidthOf(0xE9), 1);
  EXPECT_EQ(WidthOf(0xAD), 1) << "soft hyphen";
  EXPECT_EQ(WidthOf(0x301), 0) << "combining acute";
  EXPECT_EQ(WidthOf(0x200D), 0) << "zero width joiner";
  EXPECT_EQ(WidthOf(0xFE0F), 0) << "variation selector";
  EXPECT_EQ(WidthOf(0x600), 1) << "Arabic number sign";
  EXPECT_EQ(WidthOf(0x1100), 2) << "Hangul lead";
  EXPECT_EQ(WidthOf(0x1161), 0) << "Hangul vowel";
  EXPECT_EQ(WidthOf(0x4E2D), 2);
  EXPECT_EQ(WidthOf(0xFF21), 2) << "fullwidth A";
  EXPECT_EQ(WidthOf(0x1F600), 2);
  EXPECT_EQ(WidthOf(0x1FAE0), 2) << "Unicode 14";
  EXPECT_EQ(WidthOf(0x1FA77), 2) << "Unicode 15";
  EXPECT_EQ(WidthOf(0x1F1E9), 1) << "half of a flag";
  EXPECT_EQ(WidthOf(0x2764), 1) << "heart, text by default";
  EXPECT_EQ(WidthOf(0xE0041), 0) << "tag";
  EXPECT_EQ(WidthOf(0x10FFFF), 1);
}

}  // namespace
}  // namespace glasstty::terminal
