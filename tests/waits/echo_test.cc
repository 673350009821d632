#include "waits/echo.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace glasstty::waits {
namespace {

// Returns what is left of lines with these texts, with the cursor on the last
// one.
std::vector<std::string> Stripped(EchoFilter* filter,
                                  const std::vector<std::string>& texts,
                                  int cols = 80, uint64_t paste_requests = 0) {
  std::vector<terminal::Line> lines;
  for (const std::string& text : texts) {
    terminal::Line line;
    line.number = static_cast<int64_t>(lines.size());
    line.text = text;
    lines.push_back(std::move(line));
  }
  filter->Strip(&lines,
                {static_cast<int64_t>(lines.size()) - 1, cols, paste_requests});
  std::vector<std::string> left;
  left.reserve(lines.size());
  for (terminal::Line& line : lines) left.push_back(std::move(line.text));
  return left;
}

using Strings = std::vector<std::string>;

EchoFilter Typed(const Strings& typed) {
  EchoFilter filter;
  for (const std::string& line : typed) filter.Add(line);
  return filter;
}

TEST(Echo, IsTakenOffOnceAndStaysOff) {
  EchoFilter filter = Typed({"echo hi"});
  EXPECT_EQ(Stripped(&filter, {"$ echo hi", ""}), (Strings{"$ ", ""}));
  EXPECT_FALSE(filter.pending());
  EXPECT_EQ(Stripped(&filter, {"$ echo hi", "you said: echo hi"}),
            (Strings{"$ ", "you said: echo hi"}));
}

TEST(Echo, HasLinesThatCanBeCounted) {
  EchoFilter filter = Typed({"echo hi", "echo you"});
  EXPECT_EQ(filter.CountLines(0, 9), 0);
  Stripped(&filter, {"$ echo hi", "hi", "$ echo you"});
  EXPECT_EQ(filter.CountLines(0, 2), 1);
  EXPECT_EQ(filter.CountLines(0, 3), 2);
  EXPECT_EQ(filter.CountLines(1, 3), 1);
}

// Returns the filter for lines that are typed ahead after `paste_requests`.
EchoFilter TypedAhead(const Strings& typed, uint64_t paste_requests,
                      const std::string& prompt = "") {
  EchoFilter filter;
  for (const std::string& line : typed) {
    filter.Add(line);
    filter.AddSecond(line, paste_requests, prompt);
  }
  return filter;
}

// vim echoes no line as a terminal does, and takes many.
TEST(Echo, IsLookedForAmongTheFirstAndTheLastOfManyLines) {
  Strings typed;
  for (int i = 0; i < 1000; ++i) {
    typed.push_back("line <" + std::to_string(i) + ">");
  }
  EchoFilter next = Typed(typed);
  EXPECT_EQ(Stripped(&next, {"$ line <0>", "> line <1>", "line <500>"}),
            (Strings{"$ ", "> ", "line <500>"}));
  EchoFilter last = Typed(typed);
  EXPECT_EQ(Stripped(&last, {"$ line <999>", "line <500>"}),
            (Strings{"$ ", "line <500>"}));
  EXPECT_FALSE(last.pending());
  // All echoes that come in the order of typing are found.
  EchoFilter all = Typed(typed);
  EXPECT_EQ(Stripped(&all, typed), Strings(typed.size()));
  EchoFilter ahead = TypedAhead(typed, 0);
  EXPECT_EQ(Stripped(&ahead, typed), Strings(typed.size()));
  Strings twice = typed;
  twice.insert(twice.end(), typed.begin(), typed.end());
  EXPECT_EQ(Stripped(&ahead, twice, 80, 1), Strings(twice.size()));
  EXPECT_FALSE(ahead.pending());
}

TEST(Echo, OfTextTypedAheadComesAgainOnceALineEditorReads) {
  EchoFilter filter = TypedAhead({"echo hi"}, 3);
  EXPECT_EQ(Stripped(&filter, {"echo hi", "said: echo hi", "$ "}, 80, 3),
            (Strings{"", "said: echo hi", "$ "}));
  Strings both = {"echo hi", "$ echo hi", "echo hi"};
  EXPECT_EQ(Stripped(&filter, both, 80, 4), (Strings{"", "$ ", "echo hi"}));
  EXPECT_FALSE(filter.pending());
}

TEST(Echo, OfLinesTypedAheadComeAgainInTheirOrder) {
  for (const char* second : {"echo hi", "y"}) {
    EchoFilter filter = TypedAhead({"sleep 2", second}, 0);
    EXPECT_EQ(Stripped(&filter, {"sleep 2", second}), (Strings{"", ""}));
    std::string prompt = std::string("$ ") + second;
    Strings all = {"sleep 2", second, "$ sleep 2", prompt, second};
    EXPECT_EQ(Stripped(&filter, all, 80, 2),
              (Strings{"", "", "$ ", "$ ", second}));
  }
}

// Python's line editor does not ask for bracketed paste.
TEST(Echo, ThatComesAgainIsKnownByThePromptBeforeIt) {
  const std::string typed = "print('hi')";
  for (size_t size = 0; size <= typed.size(); ++size) {
    EchoFilter filter = TypedAhead({typed}, 0, ">>> ");
    EXPECT_EQ(Stripped(&filter, {typed, ">>> " + typed.substr(0, size)}),
              (Strings{"", ">>> "}));
    Strings all = {typed, ">>> " + typed, "hi", ">>> " + typed};
    EXPECT_EQ(Stripped(&filter, all), (Strings{"", ">>> ", "hi", all[3]}));
  }
  // mksh prints CR LF itself, and the kernel adds a CR.
  EchoFilter mksh = TypedAhead({typed}, 0, "# ");
  EXPECT_EQ(Stripped(&mksh, {typed, "# " + typed + "\r"}), (Strings{"", "# "}));
  EchoFilter filter = TypedAhead({typed}, 0, ">>> ");
  Strings output = {typed, "said: " + typed, ">>> " + typed + "!"};
  EXPECT_EQ(Stripped(&filter, output), (Strings{"", output[1], output[2]}));
}

// The line editor has echoed it, and the kernel has not.
TEST(Echo, ThatComesOnceIsTakenOffOnce) {
  EchoFilter filter = TypedAhead({"echo hi"}, 0);
  EXPECT_EQ(Stripped(&filter, {"$ echo hi"}, 80, 1), (Strings{"$ "}));
  filter.Add("echo you");
  EXPECT_EQ(Stripped(&filter, {"$ echo hi", "$ echo you", "echo hi"}, 80, 2),
            (Strings{"$ ", "$ ", "echo hi"}));
}

TEST(Echo, UnderWayIsTakenOffTheCursorsLineOnly) {
  EchoFilter filter = Typed({"echo hi"});
  EXPECT_EQ(Stripped(&filter, {"an e", "$ ech"}), (Strings{"an e", "$ "}));
  EXPECT_TRUE(filter.pending());
}

TEST(Echo, UnderWayMayBeOneLetter) {
  EchoFilter filter = Typed({"echo hi"});
  EXPECT_EQ(Stripped(&filter, {"an e", "$ e"}), (Strings{"an e", "$ "}));
}

TEST(Echo, WithoutAPromptIsTheWholeLine) {
  for (const char* typed : {"ls", "ls -l"}) {
    EchoFilter filter = Typed({typed});
    EXPECT_EQ(Stripped(&filter, {typed, "a.txt"}), (Strings{"", "a.txt"}));
    EXPECT_FALSE(filter.pending()) << typed;
  }
}

TEST(Echo, OfTwoThatMayBeUnderWayIsTheLonger) {
  EchoFilter filter = Typed({"tests", "make tests now"});
  EXPECT_EQ(Stripped(&filter, {"$ make tes"}), (Strings{"$ "}));
}

TEST(Echo, OfSeveralLinesComesInTheirOrder) {
  EchoFilter filter = Typed({"one", "two!"});
  EXPECT_EQ(Stripped(&filter, {"> one", "two!", "> two!", "two"}),
            (Strings{"> ", "", "> two!", "two"}));
}

TEST(Echo, OfTextsTypedOneAfterTheOtherMayStandOnOneLine) {
  EchoFilter filter = Typed({"git ", "status"});
  EXPECT_EQ(Stripped(&filter, {"$ git status", "status"}),
            (Strings{"$ ", "status"}));
}

TEST(Echo, MayHaveBeenWrappedByAShell) {
  EchoFilter filter = Typed({"echo a line of words here"});
  // The blank at which it broke is not kept.
  EXPECT_EQ(Stripped(&filter, {"$ echo a", "line of", "words here", "out"}, 10),
            (Strings{"$ ", "", "", "out"}));
}

TEST(Echo, ThatWrapsIsTakenOffWhileItIsUnderWay) {
  EchoFilter filter = Typed({"echo abcdefghij"});
  EXPECT_EQ(Stripped(&filter, {"$ echo abc", "defg"}, 10), (Strings{"$ ", ""}));
  EXPECT_EQ(Stripped(&filter, {"$ echo abc", ""}, 10), (Strings{"$ ", ""}));
  EXPECT_TRUE(filter.pending());
  // A line that ends early is not an echo that wraps.
  EXPECT_EQ(Stripped(&filter, {"some", ""}, 10), (Strings{"some", ""}));
}

TEST(Echo, MayKeepTheBlankAtWhichItWraps) {
  EchoFilter filter = Typed({"echo abc def ghijk lm"});
  EXPECT_EQ(Stripped(&filter, {"$ echo abc", " def ghijk", " lm", "out"}, 10),
            (Strings{"$ ", "", "", "out"}));
}

// As IPython 8.5 draws it at 40 columns.
TEST(Echo, MayHaveContinuationPromptsWhereItWraps) {
  const std::string typed =
      "x = \"abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz "
      "123456789\"";
  const Strings drawn = {"In [1]: x = \"abcdefghijklmnopqrstuvwxyz0",
                         "   ...: 123456789abcdefghijklmnopqrstuvw",
                         "   ...: xyz 123456789\""};
  EchoFilter filter = Typed({typed});
  Strings printed = drawn;
  printed.push_back("123456789");
  EXPECT_EQ(Stripped(&filter, printed, 40),
            (Strings{"In [1]: ", "   ...: ", "   ...: ", "123456789"}));
  // In each moment in which it is drawn, letter by letter.
  for (size_t row = 0; row < drawn.size(); ++row) {
    for (size_t size = 9; size <= drawn[row].size(); ++size) {
      Strings moment(drawn.begin(), drawn.begin() + static_cast<int>(row));
      moment.push_back(drawn[row].substr(0, size));
      EchoFilter under_way = Typed({typed});
      for (const std::string& left : Stripped(&under_way, moment, 40)) {
        EXPECT_LE(left.size(), 8u) << row << " " << size << " " << left;
      }
    }
  }
  // A line that does not reach the last column did not wrap.
  EchoFilter other = Typed({typed});
  EXPECT_EQ(Stripped(&other, {"In [1]: x = \"abc", "   ...: def", "out"}, 40),
            (Strings{"In [1]: x = \"abc", "   ...: def", "out"}));
}

TEST(Echo, ThatNeverComesDoesNotHideTheNext) {
  EchoFilter filter = Typed({"password", "make needle"});
  EXPECT_EQ(Stripped(&filter, {"Password:", "$ make nee"}),
            (Strings{"Password:", "$ "}));
  EXPECT_EQ(Stripped(&filter, {"Password:", "$ make needle", "x"}),
            (Strings{"Password:", "$ ", "x"}));
  EXPECT_FALSE(filter.pending());
}

// Fewer than four letters may be anywhere by chance.
TEST(Echo, OfAShortLineOvertakesNone) {
  EchoFilter filter = Typed({"make all", "ls"});
  EXPECT_EQ(Stripped(&filter, {"tools", "$ make all", "$ ls", ""}),
            (Strings{"tools", "$ ", "$ ", ""}));
  filter = Typed({"password", "make"});
  EXPECT_EQ(Stripped(&filter, {"Password:", "$ make", ""}),
            (Strings{"Password:", "$ ", ""}));
  EXPECT_FALSE(filter.pending());
}

// A missed match is worse than one in such a short echo.
TEST(Echo, OfAShortLineBehindOneThatNeverComesIsTakenOffAtTheCursorOnly) {
  EchoFilter filter = Typed({"password", "ls"});
  EXPECT_EQ(Stripped(&filter, {"Password:", "tools", "$ ls"}),
            (Strings{"Password:", "tools", "$ "}));
  for (const Strings& texts :
       {Strings{"Password:", "$ ls", "tools", ""}, Strings{"tools", "x"},
        Strings{"ls", "x"}, Strings{"$ l", "s", "x"}, Strings{"$ l", "some"}}) {
    EXPECT_EQ(Stripped(&filter, texts), texts);
  }
}

TEST(Echo, OfAShortLineIsNoEndOfAWord) {
  for (const Strings& typed : {Strings{"y"}, Strings{"password", "y"}}) {
    EchoFilter filter = Typed(typed);
    for (const Strings& texts :
         {Strings{"all ready"}, Strings{"all ready", ""}}) {
      EXPECT_EQ(Stripped(&filter, texts), texts);
    }
    EXPECT_EQ(Stripped(&filter, {"[y/n]y"}), (Strings{"[y/n]"}));
  }
  EchoFilter filter = Typed({"ls"});
  EXPECT_EQ(Stripped(&filter, {"tools", "tool", "s", "$ ls", ""}),
            (Strings{"tools", "tool", "s", "$ ", ""}));
}

TEST(Echo, OfAShortLineStandsBelowTheOneBeforeIt) {
  EchoFilter filter = Typed({"make all", "ls"});
  EXPECT_EQ(Stripped(&filter, {"tools", "$ make all", ""}),
            (Strings{"tools", "$ ", ""}));
}

TEST(Echo, MayHaveSomethingBehindItUnlessItIsShort) {
  EchoFilter filter = Typed({"make all"});
  EXPECT_EQ(Stripped(&filter, {"$ make all      [12:00]"}),
            (Strings{"$       [12:00]"}));
  filter = Typed({"make"});
  EXPECT_EQ(Stripped(&filter, {"$ make      [12:00]"}),
            (Strings{"$       [12:00]"}));
  filter = Typed({"lsb"});
  EXPECT_EQ(Stripped(&filter, {"$ lsb      [12:00]"}),
            (Strings{"$ lsb      [12:00]"}));
  filter = Typed({"ls"});
  EXPECT_EQ(Stripped(&filter, {"tools are", "$ ls"}),
            (Strings{"tools are", "$ "}));
}

}  // namespace
}  // namespace glasstty::waits
