// Tests patterns that agents write, and those that would hang another engine.
#include "support/pattern.h"

#include <gtest/gtest.h>
#include <time.h>

#include <random>
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

// Returns the text that `source` matches in `text`, or "none".
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

// These are classic denial-of-service patterns; each is polynomial or
// exponential in a backtracking engine.
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
    if (!pattern.ok()) continue;  // refusing it is also correct
    for (const std::string& text : texts) {
      double start = CpuSeconds();
      (void)pattern->Find(text);
      // The limit is generous for sanitizers; backtracking would take years.
      EXPECT_LT(CpuSeconds() - start, 5.0) << source;
    }
  }
}

TEST(Pattern, RequiresTheLongestTextThatStandsInEveryMatch) {
  const struct {
    const char* source;
    const char* required;
  } kRows[] = {
      {"timed out", "timed out"},
      {"^error: .*timeout [0-9]+$", "timeout "},
      {"a\\.out \\[ok\\]", "a.out [ok]"},
      {"colou?r map", "r map"},
      {"ab{0,2}cdef", "cdef"},
      {"(one|two) three", " three"},
      {"(?:a(b[)]c)d)efg", "efg"},
      {"[[:alpha:]]]x[^]]yz", "]x"},
      {"caf\u00e9*s", "caf"},
      {"wor+d\\swide", "wide"},
      {"tail\\x41bc", "tail"},
      {"one|two", ""},
      {"(?i)error", ""},
      {"\\Qa.b\\E", ""},
      {"", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(RequiredText(row.source), row.required) << row.source;
  }
}

// Returns the correct result of FindLine: the first line that matches by
// itself.
std::optional<Pattern::Match> FirstLine(const Pattern& pattern,
                                        std::string_view lines) {
  for (size_t at = 0; at < lines.size();) {
    size_t end = std::min(lines.find('\n', at), lines.size());
    if (auto match = pattern.Find(lines.substr(at, end - at))) {
      return Pattern::Match{at + match->begin, at + match->end};
    }
    at = end + 1;
  }
  return std::nullopt;
}

TEST(Pattern, FindsTheFirstLineAsIfEachWereATextOfItsOwn) {
  const char* const kSources[] = {
      "abc",   "a",       "^b",     "c$",    "^$",       "a[^b]*c",
      "\\Aab", "b\\z",    "a\\s+b", "x*",    "(?-m)^a$", "(?s)a.b",
      "a\nb",  "(?i)ABC", "ab|^c",  "\\bbc", "abc.*abc", "[^a]+$",
      "a\\nb", "(?m:^c)", "bca?b",  "\\Ba"};
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string lines;
    for (uint32_t i = random() % 200; i > 0; --i) {
      lines += "abc a\n"[random() % 6];
    }
    for (const char* source : kSources) {
      auto pattern = Pattern::Compile(source);
      ASSERT_TRUE(pattern.ok()) << source;
      auto found = pattern->FindLine(lines, 0);
      auto wanted = FirstLine(*pattern, lines);
      ASSERT_EQ(found.has_value(), wanted.has_value()) << source << "\n"
                                                       << lines;
      if (!found) continue;
      ASSERT_EQ(found->begin, wanted->begin) << source << "\n" << lines;
      ASSERT_EQ(found->end, wanted->end) << source << "\n" << lines;
    }
  }
}

}  // namespace
}  // namespace glasstty
