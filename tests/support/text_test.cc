// Tests helpers for text, and statuses.
#include "support/text.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "support/status.h"

namespace glasstty {
namespace {

using Strings = std::vector<std::string>;

TEST(Text, SplitAndJoinAreInverse) {
  for (const char* text : {"", "a", "a,b", ",a,", ",,"}) {
    EXPECT_EQ(Join(Split(text, ','), ","), text);
  }
  EXPECT_EQ(Split("", ','), Strings{""});
  EXPECT_EQ(Split("a,,b", ','), (Strings{"a", "", "b"}));
  // Equal parts must not be mistaken for the first one.
  EXPECT_EQ(Join({"a", "a"}, "-"), "a-a");
}

TEST(Text, TrimsOnlyBlanksAtTheEnd) {
  EXPECT_EQ(TrimTrailingBlanks("  a b  "), "  a b");
  EXPECT_EQ(TrimTrailingBlanks("   "), "");
  EXPECT_EQ(TrimTrailingBlanks("a\t "), "a\t");
}

TEST(Text, CountsOneThingWithoutAnS) {
  EXPECT_EQ(Counted(1, "new line"), "1 new line");
  EXPECT_EQ(Counted(0, "line"), "0 lines");
  EXPECT_EQ(Counted(2, "line"), "2 lines");
}

TEST(Text, LowersAsciiOnly) {
  EXPECT_EQ(AsciiLower("AbZ\xC3\x84"), "abz\xC3\x84");
}

TEST(Text, DecodesPercentsAndLeavesTheRest) {
  EXPECT_EQ(PercentDecode("a%20b%3bc%C3%BC"), "a b;cü");
  EXPECT_EQ(PercentDecode("100% %4 %zz %"), "100% %4 %zz %");
}

TEST(Text, CleansWhatStrangersSay) {
  EXPECT_EQ(CleanText("a\x1b[31m\n\tb\x7f\xC2\x9B ü"), "a[31mb ü");
  EXPECT_EQ(CleanText("ok\xFF"), "ok\uFFFD");
  EXPECT_EQ(CleanText("üüü", 2), "üü");
}

TEST(Text, QuotesAWordForAShell) {
  EXPECT_EQ(ShellQuote("a b"), "'a b'");
  EXPECT_EQ(ShellQuote("it's\n"), "'it'\\''s\n'");
  EXPECT_EQ(ShellQuote(""), "''");
  // fish treats a backslash as an escape only before these.
  EXPECT_EQ(ShellQuote(R"(a\n)"), R"('a\n')");
  EXPECT_EQ(ShellQuote(R"(\\'\)"), R"(''\\''\\''\'''\\'')");
}

TEST(ShellJoin, QuotesOnlyWordsThatNeedIt) {
  EXPECT_EQ(ShellJoin({"printf", R"(%s\n)", "a b", "", "x/y.c"}),
            R"(printf '%s\n' 'a b' '' x/y.c)");
  EXPECT_EQ(ShellJoin({"A=1", "~", "=ls", "a;b"}), "'A=1' '~' '=ls' 'a;b'");
}

TEST(Text, CountsEdits) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("tiemout", "timeout"), 1u);  // one swap
}

TEST(Text, SuggestsOnlyWhatASlipExplains) {
  Strings names = {"build", "db", "htop", "session"};
  EXPECT_EQ(Nearest("bild", names), Strings{"build"});
  EXPECT_EQ(Nearest("SESION", names), Strings{"session"});
  EXPECT_TRUE(Nearest("zzzz", names).empty());
  EXPECT_TRUE(Nearest("sessionabc", names).empty());  // three letters
  EXPECT_EQ(DidYouMean("bild", names), "; did you mean build?");
  EXPECT_EQ(DidYouMean("zzzz", names), "");
}

// Comparing all bytes with each candidate would take minutes.
TEST(Text, AnEnormousWordIsNearNothing) {
  std::string word(20'000'000, 'x');
  EXPECT_TRUE(Nearest(word, Strings(100, "session")).empty());
  EXPECT_EQ(CutForMessage(word), std::string(60, 'x') + "...");
  EXPECT_EQ(CutForMessage("name"), "name");
}

TEST(Text, SuggestsTheBestFirst) {
  EXPECT_EQ(Nearest("text", {"next", "text_", "test", "texts"}, 2).size(), 2u);
  EXPECT_EQ(Nearest("abcd", {"abxy", "abcx", "abcd"}),
            (Strings{"abcd", "abcx", "abxy"}));
}

TEST(Status, SaysWhatFailedWithWhichValue) {
  EXPECT_EQ(Message(NotFound("no session '%s'", std::string_view("x"))),
            "no session 'x'");
  EXPECT_EQ(NotFound("x").code(), absl::StatusCode::kNotFound);
  errno = EACCES;
  EXPECT_EQ(Message(ErrnoStatus("open", "/x")), "open /x: Permission denied");
  EXPECT_EQ(Message(ErrnoStatus(ENOENT, "open", "/x")),
            "open /x: No such file or directory");
}

absl::StatusOr<int> Half(int n) {
  if (n % 2 != 0) return InvalidArgument("%d is odd", n);
  return n / 2;
}

absl::StatusOr<int> Quarter(int n) {
  ASSIGN_OR_RETURN(int half, Half(n));
  RETURN_IF_ERROR(Half(half).status());
  return half / 2;
}

TEST(Status, MacrosPassErrorsOn) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_EQ(Message(Quarter(7).status()), "7 is odd");
  EXPECT_EQ(Message(Quarter(6).status()), "3 is odd");
}

TEST(FindText, FindsWhatStringFindFinds) {
  std::mt19937 random(3);
  for (int round = 0; round < 3000; ++round) {
    std::string text, needle;
    for (uint32_t i = random() % 400; i > 0; --i) text += "ab"[random() % 2];
    for (uint32_t i = random() % 12 + 1; i > 0; --i)
      needle += "ab"[random() % 2];
    size_t from = random() % (text.size() + 1);
    ASSERT_EQ(FindText(text, needle, from), text.find(needle, from));
  }
}

}  // namespace
}  // namespace glasstty
