// Patterns that agents write, and those that would hang another engine.
#include "support/pattern.h"

#include <gtest/gtest.h>
#include <time.h>

#include <string>

#include "support/status.h"

namespace glasstty {
namespace {

double CpuSeconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

std::string Error(std::string_view source) {
  auto pattern = Pattern::Compile(source);
  return pattern.ok() ? "" : Message(pattern.status());
}

// The text that `source` matches in `text`, or "none".
std::string Found(std::string_view source, std::string_view text,
                  size_t from = 0) {
  auto pattern = Pattern::Compile(source);
  auto match = pattern->Find(text, from);
  if (!match) return "none";
  return std::string(text.substr(match->begin, match->end - match->begin));
}

TEST(Pattern, FindsTheLeftmostMatch) {
  EXPECT_EQ(Found("b+", "abbbab"), "bbb");
  EXPECT_EQ(Found("b+", "abbbab", 4), "b");
  EXPECT_EQ(Found("b+", "ab", 2), "none");
  EXPECT_EQ(Found("b+", "ab", 99), "none");
  EXPECT_EQ(Found("a|b", "xb"), "b");
  EXPECT_EQ(Found("", "x"), "");
}

TEST(Pattern, AnchorsMatchAtLineEnds) {
  EXPECT_EQ(Found("^ready$", "not\nready\nyet"), "ready");
  EXPECT_EQ(Found("^b", "ab", 1), "none");
  EXPECT_EQ(Found("a.b", "a\nb"), "none");
  EXPECT_EQ(Found("(?s)a.b", "a\nb"), "a\nb");
}

TEST(Pattern, ALiteralIsNoPattern) {
  EXPECT_TRUE(Pattern::Literal("a.b(").Find("xa.b(x"));
  EXPECT_FALSE(Pattern::Literal("a.b(").Find("xaxb(x"));
}

TEST(Pattern, AnErrorSaysWhatIsWrongWithWhich) {
  EXPECT_EQ(Error("(foo"), "pattern: missing ): \"(foo\" (RE2 syntax)");
  EXPECT_EQ(Error("a\\8"),
            "pattern: invalid escape sequence: \\8: \"a\\8\" (RE2 syntax)");
  EXPECT_NE(Error(R"((a)\1)"), "");
  EXPECT_NE(Error(std::string(5'000, 'a')), "");
  EXPECT_NE(Error("((a{100}){100}){100}"), "");
}

// Classic denial-of-service patterns; each is polynomial or exponential in a
// backtracking engine.
TEST(Pattern, NoneOfTheKnownBadPatternsTakesLong) {
  const char* patterns[] = {
      "(a+)+$",        "(a|a)*b",      "(a|aa)+$",      "(.*a){20}b",
      "(a|b)*c",       "^(a+)*b",      "([a-zA-Z]+)*1", "(x+x+)+y",
      "(.*)*=",        "(a*)*b",       "(\\w+\\s?)*$1", "^(.*?,){11}P",
      "(a?){25}a{25}", "(0|1)*00",     "\\s*\\s*\\s*x", "(\\d+)*\\.$",
      ".*.*.*.*=.*",   "(.+)+\\n\\n$", "((a)*)*\\1?",   "[a-z]*[a-z]*9",
  };
  const std::string texts[] = {std::string(1 << 20, 'a'),
                               std::string(1 << 20, ' '),
                               std::string(1 << 20, '0')};
  for (const char* source : patterns) {
    auto pattern = Pattern::Compile(source);
    if (!pattern.ok()) continue;  // refused is as good
    for (const std::string& text : texts) {
      double start = CpuSeconds();
      (void)pattern->Find(text);
      // Generous, for sanitizers; backtracking would take years.
      EXPECT_LT(CpuSeconds() - start, 5.0) << source;
    }
  }
}

}  // namespace
}  // namespace glasstty
