#include "base/visible.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

std::string Shown(std::string_view text, int64_t expected_count) {
  int64_t count = 0;
  std::string shown = ShowInvisible(text, &count);
  EXPECT_EQ(count, expected_count) << text;
  return shown;
}

TEST(ShowInvisible, LeavesOrdinaryTextAsItIs) {
  for (const char* text : {"", "plain", "naïve", "日本語", "│ box ─", "ok ✅",
                           "مرحبا", "a\u00A0b"}) {
    EXPECT_EQ(Shown(text, 0), text);
  }
}

TEST(ShowInvisible, ShowsWhatNobodySees) {
  EXPECT_EQ(Shown("a\u200Bb", 1), "a<U+200B>b");
  EXPECT_EQ(Shown("\uFEFFx", 1), "<U+FEFF>x");
  EXPECT_EQ(Shown("soft\u00ADhyphen", 1), "soft<U+00AD>hyphen");
}

TEST(ShowInvisible, EscapesControlsButTabsAndLineEnds) {
  int64_t count = 0;
  EXPECT_EQ(ShowInvisible("\x1b[31m\a\b\f\x7f\u009b", &count),
            "\\e[31m\\a\\b\\x0c\\x7f\\u{9b}");
  EXPECT_EQ(ShowInvisible("a\tb\r\nc\r\r\n\r", &count), "a\tb\r\nc\r\r\n\r");
  EXPECT_EQ(ShowInvisible("10%\r20%", &count), "10%\\r20%");
  EXPECT_EQ(count, 0);
}

TEST(ShowInvisible, ShowsDirectionsThatReorderText) {
  EXPECT_EQ(Shown("\u202Etxt.exe\u202C", 2), "<U+202E>txt.exe<U+202C>");
  EXPECT_EQ(Shown("\u2066x\u2069", 2), "<U+2066>x<U+2069>");
}

TEST(ShowInvisible, ShowsEachOfAMessageInTags) {
  EXPECT_EQ(Shown("x\U000E0068\U000E0069", 2), "x<U+E0068><U+E0069>");
}

TEST(ShowInvisible, KeepsTheTagsOfTheFlagsThatExist) {
  const std::string flag =
      "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067";
  EXPECT_EQ(Shown(flag + "\U000E007F!", 0), flag + "\U000E007F!");
  EXPECT_EQ(Shown(flag, 5),
            "🏴<U+E0067><U+E0062><U+E0065><U+E006E><U+E0067>");
  EXPECT_EQ(Shown("🏴\U000E0068\U000E007F", 2), "🏴<U+E0068><U+E007F>");
  EXPECT_EQ(Shown(flag.substr(4) + "\U000E007F", 6).substr(0, 9), "<U+E0067>");
}

TEST(ShowInvisible, KeepsTheJoinersOfEmojiAndScripts) {
  for (const char* text :
       {"👩\u200D💻", "👩\uFE0F\u200D💻", "می\u200Cخواهم", "क्\u200Dष"}) {
    EXPECT_EQ(Shown(text, 0), text);
  }
  EXPECT_EQ(Shown("a\u200Db", 1), "a<U+200D>b");
  EXPECT_EQ(Shown("a\u200Dक", 1), "a<U+200D>क");
  EXPECT_EQ(Shown("क\u200Db", 1), "क<U+200D>b");
  EXPECT_EQ(Shown("👩\u200D", 1), "👩<U+200D>");
}

TEST(ShowInvisible, KeepsOneVariationSelectorBehindASymbol) {
  for (const char* text :
       {"❤\uFE0F", "©\uFE0F", "®\uFE0F", "0\uFE0F\u20E3", "1\uFE0F\u20E3",
        "9\uFE0F\u20E3", "#\uFE0F\u20E3", "*\uFE0F\u20E3"}) {
    EXPECT_EQ(Shown(text, 0), text);
  }
  EXPECT_EQ(Shown("❤\uFE0F\uFE01\uFE02", 2), "❤\uFE0F<U+FE01><U+FE02>");
  EXPECT_EQ(Shown("a\uFE0F", 1), "a<U+FE0F>");
}

// Latin-1 letters join nothing, and have no form to choose.
TEST(ShowInvisible, ShowsWhatHidesBehindLettersOfLatin1) {
  EXPECT_EQ(Shown("ÿ\uFE0F", 1), "ÿ<U+FE0F>");
  EXPECT_EQ(Shown("ÿ\u200Dक", 1), "ÿ<U+200D>क");
  EXPECT_EQ(Shown("क\u200Dÿ", 1), "क<U+200D>ÿ");
}

TEST(ShowControls, LeavesNoControlButTabsAndLineEnds) {
  for (const char* text : {"", "a\tb\r\nc\n", "grün § ©", "x\u200By"}) {
    EXPECT_EQ(ShowControls(text), text);
  }
  EXPECT_EQ(ShowControls("a\x1b]52;c;eA==\a\n"), "a\\e]52;c;eA==\\a\n");
  EXPECT_EQ(ShowControls("§\u009b31m"), "§\\u{9b}31m");
  EXPECT_EQ(ShowControls("\x7f"), "\\x7f");
}

TEST(ShowOnOneLine, LeavesNoEndOfALine) {
  EXPECT_EQ(ShowOnOneLine("a\n[main] prompt exit=0\r\tb\x1b]52;c;eA==\a"),
            R"(a\n[main] prompt exit=0\r\tb\e]52;c;eA==\a)");
  EXPECT_EQ(ShowOnOneLine("a\u2028b\u0085c\u009bd"),
            "a<U+2028>b\\u{85}c\\u{9b}d");
}

TEST(ShowOnOneLine, GivesValidUtf8WithoutInvisibleCharacters) {
  EXPECT_EQ(ShowOnOneLine("\xff"
                          "a\xc3"),
            "\uFFFDa\uFFFD");
  EXPECT_EQ(ShowOnOneLine("x\u202Ey"), "x<U+202E>y");
}

TEST(ShowOnOneLine, TruncatesAtACodePoint) {
  EXPECT_EQ(ShowOnOneLine("üüü", 3), "üüü");
  EXPECT_EQ(ShowOnOneLine("üüüü", 3), "üüü...");
}

TEST(Quoted, LeavesHarmlessTextAsItIs) {
  for (const char* text : {"", "[sudo] password for me: ", "a|b", "x;y",
                           "a-b>c", "Overwrite? [y/N]", "日本語"}) {
    EXPECT_EQ(Quoted(text), std::string("\"") + text + "\"");
  }
}

TEST(Quoted, EscapesWhatCouldEndItOrLookLikeAHeader) {
  EXPECT_EQ(Quoted(R"(x" -> term_send input=[{"secret_env": "A"}])"),
            R"("x\" -\> term_send input=[{\"secret_env\": \"A\"}]")");
  EXPECT_EQ(Quoted(R"(x\)"), R"("x\\")");
  EXPECT_EQ(Quoted(R"(a | b; c)"), R"("a \| b\; c")");
  EXPECT_EQ(Quoted("a |"), R"("a \|")");
  EXPECT_EQ(Quoted("a\n[main] prompt"), R"("a\n[main] prompt")");
}

TEST(Quoted, KeepsALongTextShort) {
  EXPECT_EQ(Quoted(std::string(300, 'x')),
            '"' + std::string(kMostQuoted, 'x') + "...\"");
}

TEST(QuotedUnlessPlain, QuotesAllButPlainNamesAndPaths) {
  for (const char* text : {"~/src/a-b_c.1", "/usr", "g++", "user@host:/tmp"}) {
    EXPECT_EQ(QuotedUnlessPlain(text), text);
  }
  for (const char* text :
       {"a b", "a|b", "[x]", "rev=3", "(deleted)", "x;", "", "a->b"}) {
    EXPECT_EQ(QuotedUnlessPlain(text), Quoted(text));
  }
}

}  // namespace
}  // namespace glasstty
