// Tests what a reply leaves out because its reader knows it: the echo of what
// was typed, output from before an interrupt, a screen that was redrawn since.
#include "view/ballast.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/fake_holder.h"
#include "view/reader.h"
#include "view/reader_fixture.h"

namespace glasstty::view {
namespace {

using Echo = ReaderTest;

TEST_F(Echo, IsLeftOutAsFarAsItIsWhatWasTyped) {
  struct Row {
    std::vector<std::string> typed;
    std::string printed, shown;
  };
  const Row rows[] = {
      {{"one", "two"}, "one\r\ntwo\r\nout\r\n", "out"},
      {{"one", "two"}, "one\r\n", ""},
      // It is not entered yet.
      {{"hello"}, "hello", "hello"},
      {{"hello"}, "> hello", "> hello"},
      // It is shorter than what was typed.
      {{"hello"}, "lo\r\nout\r\n", "lo\nout"},
      // An empty line was entered at a prompt, and then the end of the input.
      {{"ls", "", ""}, "> ls\r\n> \r\nout\r\n", "out"},
      {{"ls", ""}, "> ls\r\n> \r\nout\r\n", "> \nout"},
      {{"ls", "", ""}, "> ls\r\n\r\nout\r\n", "\nout"},
      // Output without letters may follow an empty line that has no echo.
      {{"", ""}, "{\r\n\"a\": 1\r\n", "{\n\"a\": 1"},
  };
  for (const Row& row : rows) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({4, 20});
    holder.Print(row.printed);
    ReadRequest request{
        .mode = ReadMode::kStream, .typed = row.typed, .hide_echo = true};
    EXPECT_EQ(ReadSession(*session, {}, request).body, row.shown)
        << row.printed;
  }
}

TEST_F(Echo, OfAnInterruptIsLeftOutForWhoeverInterrupted) {
  holder_.Print("a\r\n^C\r\nb\r\n");
  ReadRequest request{.mode = ReadMode::kStream, .hide_echo = true};
  EXPECT_EQ(ReadSession(*session_, {}, request).body, "a\n^C\nb");
  request.interrupted = 0;
  EXPECT_EQ(ReadSession(*session_, {}, request).body, "a\nb");
}

class Interrupt : public ReaderTest {
 protected:
  std::string ReadSince(int64_t line) {
    return Read({.mode = ReadMode::kStream,
                 .limits = {.max_lines = 0, .truncate = Truncate::kNone},
                 .interrupted = line});
  }
};

TEST_F(Interrupt, LeavesOutWhatWasPrintedBeforeIt) {
  PrintNumbered(10);
  EXPECT_EQ(ReadSince(7), "8\n9\n10");
  EXPECT_EQ(last_.hint, "7 lines before ^C left out");
}

TEST_F(Interrupt, LeavesOutAllThatIsAboveItsEcho) {
  for (const char* echo : {"^C", "^Cmore", "more^C"}) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({4, 20});
    holder.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n" + std::string(echo) +
                 "\r\n8\r\n");
    ReadRequest request{.mode = ReadMode::kStream, .interrupted = 2};
    EXPECT_EQ(ReadSession(*session, {}, request).body,
              std::string(echo) + "\n8");
  }
}

TEST_F(Interrupt, ItsEchoMayStandOnTheVeryLineOfTheTyping) {
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n^C\r\n8\r\n^C\r\n");
  EXPECT_EQ(ReadSince(6), "^C\n8\n^C");
}

TEST_F(Interrupt, LeavesAFewLinesBeforeItAlone) {
  PrintNumbered(8);
  ReaderMark before = mark_;
  EXPECT_EQ(ReadSince(5), "1\n2\n3\n4\n5\n6\n7\n8");
  EXPECT_EQ(last_.hint, "");
  mark_ = before;
  EXPECT_EQ(ReadSince(6), "7\n8");
}

TEST_F(Interrupt, LeavesOutNothingOfLinesThatWereAskedFor) {
  PrintNumbered(8);
  EXPECT_EQ(
      Read({.mode = ReadMode::kStream, .since_line = 1, .interrupted = 7}),
      "1\n2\n3\n4\n5\n6\n7\n8");
  EXPECT_EQ(last_.hint, "");
}

// There are so many lines that only the first and the last were fetched.
class InterruptOfMuch : public Interrupt {
 protected:
  InterruptOfMuch() { session_ = holder_.Open({4, 20}, 10); }
};

TEST_F(InterruptOfMuch, LeavesOutTheLinesThatWereNotFetchedToo) {
  PrintNumbered(5000);
  EXPECT_EQ(ReadSince(4997), "4998\n4999\n5000");
  EXPECT_EQ(last_.hint, "4997 lines before ^C left out");
}

TEST_F(InterruptOfMuch, MayBeginWhereFetchingWentOn) {
  PrintNumbered(4400);
  // This is the first line of the fetched end.
  std::string all = ReadSince(0);
  size_t note = all.find(" left out]\n");
  ASSERT_NE(note, std::string::npos);
  int first = std::stoi(all.substr(note + 11));
  mark_ = {};
  std::string shown = ReadSince(first - 1);
  EXPECT_EQ(shown.substr(0, shown.find('\n')), std::to_string(first));
}

TEST_F(InterruptOfMuch, KeepsThePlaceOfTheOneLineThatWasNotFetched) {
  // These are both ends of what is fetched, and a line between them.
  PrintNumbered(4048);
  std::string shown = ReadSince(10);
  EXPECT_EQ(shown.substr(0, 6), "11\n12\n");
  EXPECT_NE(shown.find("\n2000\n[... 1 line left out]\n2002\n"),
            std::string::npos);
}

// A program that drew a screen of lines has ended.
class RewrittenLines : public ReaderTest {
 protected:
  std::string ReadOn() {
    return Read({.mode = ReadMode::kStream, .hide_rewritten = true});
  }
};

TEST_F(RewrittenLines, OfTheWholeScreenThatWasShownAreLeftOut) {
  holder_.Print("above\r\n1\r\n2\r\n3\r\n4");
  Read({.mode = ReadMode::kStream});
  Read({.mode = ReadMode::kSnapshot});
  holder_.Print("\033[HA\r\nB\r\nC\r\nD\r\n$ ");
  EXPECT_EQ(ReadOn(), "$ ");
  EXPECT_EQ(last_.hint, "its last screen is left out: mode=snapshot");
}

TEST_F(RewrittenLines, AreMentionedFromOneLineOn) {
  holder_.Print("1\r\n2\r\n3");
  Read({.mode = ReadMode::kSnapshot});
  holder_.Print("\033[HA\033[3;1Hprompt");
  EXPECT_EQ(ReadOn(), "prompt");
  EXPECT_EQ(last_.hint, "its last screen is left out: mode=snapshot");
}

TEST_F(RewrittenLines, BelowTheScreenThatWasShownAreNew) {
  holder_.Print("1\r\n2");
  Read({.mode = ReadMode::kSnapshot});
  holder_.Print("\033[HA\r\nB\r\nnew\r\n$ ");
  EXPECT_EQ(ReadOn(), "new\n$ ");
}

}  // namespace
}  // namespace glasstty::view
