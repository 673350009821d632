// Generated streams: the grid shows the cells, the cursor and the history that
// libvterm's own screen shows. The generator leaves out what is known to
// differ; each omission is named.
#include <gtest/gtest.h>

#include <random>

#include "absl/strings/str_format.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "oracle.h"

namespace glasstty {
namespace {

class Generator {
 public:
  Generator(uint64_t seed, bool wide) : random_(seed), wide_(wide) {}

  std::string Stream(int items) {
    std::string out;
    for (int i = 0; i < items; ++i) out += Item();
    return out;
  }

 private:
  int Pick(int limit) {
    return static_cast<int>(random_() % static_cast<uint64_t>(limit));
  }

  std::string Item() {
    int kind = Pick(100);
    if (kind < 45) return Text();
    // Cut wide glyphs differ, so with them nothing is overwritten.
    if (wide_) return Pick(2) == 0 ? "\r\n" : "\n";
    if (kind < 60) {
      return Pick(2) == 0 ? "\r\n" : std::string(1, "\r\n\b\t"[Pick(4)]);
    }
    if (kind < 75) return Sgr();
    if (kind < 97) return Sequence();
    return Escape();
  }

  std::string Text() {
    static constexpr std::u32string_view kNarrow = U"abc XYZ09~\u00E9\u2500";
    static constexpr std::u32string_view kWide = U"\u4E2D\u3042\U0001F600";
    std::string out;
    for (int i = Pick(12); i >= 0; --i) {
      bool is_wide = wide_ && Pick(3) == 0;
      std::u32string_view from = is_wide ? kWide : kNarrow;
      AppendUtf8(from[static_cast<size_t>(Pick(static_cast<int>(from.size())))],
                 &out);
    }
    return out;
  }

  std::string Sgr() {
    return absl::StrFormat("\x1b[%d;%dm", Pick(2), 30 + Pick(70));
  }

  // Not: S T M and scrolls that drop rows at the top, which libvterm counts as
  // history; ED 2 and ED at home, which we save first. Insert and side margins
  // are in the modes below.
  std::string Sequence() {
    static constexpr std::string_view kFinals = "@ABCDEFGHIKLPXZ`adefjkr";
    char final =
        kFinals[static_cast<size_t>(Pick(static_cast<int>(kFinals.size())))];
    switch (Pick(12)) {
      case 0:
        return "\x1b[1J";
      case 1:
        return "\x1b[2;2H\x1b[J";
      case 2: {
        static constexpr std::string_view kModes[] = {"4", "20", "?7", "?6"};
        return absl::StrFormat("\x1b[%s%c", kModes[Pick(4)],
                               Pick(2) == 0 ? 'h' : 'l');
      }
      default:
        return absl::StrFormat("\x1b[%d;%d%c", Pick(12), Pick(24), final);
    }
  }

  std::string Escape() {
    static constexpr std::string_view kEscapes[] = {
        "\x1b"
        "7",
        "\x1b"
        "8",
        "\x1b"
        "E",
        "\x1bM",
        "\x1bH",
        "\x1b#8"};
    return std::string(kEscapes[Pick(6)]);
  }

  std::mt19937_64 random_;
  const bool wide_;
};

void ExpectEqual(const std::string& stream, Size size, bool with_history) {
  OraclePair pair(size);
  pair.guard.Feed(stream);
  ASSERT_EQ(pair.GridRows(), pair.oracle.Rows()) << EscapeBytes(stream);
  Place place = pair.guard.state_layer()->cursor();
  ASSERT_EQ(place, pair.oracle.cursor()) << EscapeBytes(stream);
  if (!with_history) return;
  const Scrollback& scrollback = pair.grid.scrollback();
  ASSERT_EQ(scrollback.rows(), pair.oracle.pushed.size());
  for (size_t i = 0; i < scrollback.rows(); ++i) {
    std::string text(scrollback.row(i).text);
    while (text.ends_with(' ')) text.pop_back();
    ASSERT_EQ(text, pair.oracle.pushed[i]) << EscapeBytes(stream);
  }
}

TEST(Differential, AllSequencesGiveTheCellsOfLibvterm) {
  for (uint64_t seed = 1; seed <= 2000; ++seed) {
    Generator generator(seed, /*wide=*/false);
    ASSERT_NO_FATAL_FAILURE(
        ExpectEqual(generator.Stream(60), {8, 20}, /*with_history=*/false))
        << "seed " << seed;
  }
}

TEST(Differential, WideGlyphsGiveTheCellsAndTheHistoryOfLibvterm) {
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    Generator generator(seed, /*wide=*/true);
    ASSERT_NO_FATAL_FAILURE(
        ExpectEqual(generator.Stream(60), {6, 17}, /*with_history=*/true))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace glasstty
