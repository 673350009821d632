#include "view/reader.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "testing/fake_holder.h"
#include "testing/no_descriptors.h"
#include "view/reader_fixture.h"

namespace glasstty::view {
namespace {

TEST_F(ReaderTest, EachLineIsShownOnce) {
  holder_.Print("one\r\ntwo\r\n");
  EXPECT_EQ(Read(), "one\ntwo");
  holder_.Print("three\r\n");
  EXPECT_EQ(Read(), "three");
  EXPECT_EQ(last_.facts, "line 3");
  EXPECT_EQ(Read(), "");
  EXPECT_EQ(last_.facts, "nothing new");
}

TEST_F(ReaderTest, TwoReadersEachSeeEveryLineOnce) {
  ReaderMark marks[2];
  std::string seen[2], all;
  for (int i = 0; i < 300; ++i) {
    std::string line = "line " + std::to_string(i);
    holder_.Print(line + "\r\n");
    all += line + "\n";
    // Sometimes one reads, sometimes the other, both, or nobody.
    for (int reader = 0; reader < 2; ++reader) {
      if ((i * 7 + reader * 3) % (reader + 2) != 0 && i < 299) continue;
      ReadResult result = ReadSession(*session_, marks[reader], {});
      marks[reader] = result.mark;
      seen[reader] += result.body + (result.body.empty() ? "" : "\n");
    }
  }
  EXPECT_EQ(seen[0], all);
  EXPECT_EQ(seen[1], all);
}

TEST_F(ReaderTest, OfALineShownInPartOnlyTheRestFollows) {
  holder_.Print("$ ");
  EXPECT_EQ(Read(), "$ ");
  holder_.Print("ls\r\nfile\r\n$ ");
  EXPECT_EQ(Read(), "ls\nfile\n$ ");
}

TEST_F(ReaderTest, ALineThatWasRewrittenIsShownWhole) {
  holder_.Print("10%");
  EXPECT_EQ(Read(), "10%");
  holder_.Print("\r90%");
  EXPECT_EQ(Read(), "90%");
}

TEST_F(ReaderTest, LinesOfStderrAreMarkedAndCountedApart) {
  holder_.UsePipes();
  session_ = holder_.Open();
  holder_.PrintErrorSilently("warning\n");
  holder_.Ring();
  EXPECT_EQ(Read(), "err| warning");
  EXPECT_EQ(last_.facts, "1 of stderr");
  holder_.PrintErrorSilently("worse\nworst\n");
  holder_.Print("out\n");
  EXPECT_EQ(Read(), "out\nerr| worse\nerr| worst");
  EXPECT_EQ(last_.facts, "line 1, 2 of stderr");
}

TEST_F(ReaderTest, ErrorsThatCannotBeReadFromDiskStayUnread) {
  holder_.UsePipes();
  session_ = holder_.Open({6, 20}, /*scrollback_rows=*/1'000);
  std::string lines;
  for (int i = 1; i <= 50'000; ++i) {
    lines += "wrong " + std::to_string(i) + "\n";
  }
  holder_.PrintErrorSilently(lines);
  holder_.Ring();
  const ReadRequest all{.mode = ReadMode::kStream,
                        .limits = {.max_lines = 100}};
  {
    NoDescriptors none;
    Read(all);
    EXPECT_NE(last_.hint.find("cannot be read"), std::string::npos)
        << last_.hint << last_.body;
  }
  EXPECT_NE(Read(all).find("wrong 1\n"), std::string::npos) << last_.body;
}

TEST_F(ReaderTest, AProgressBarIsOneLine) {
  for (int i = 0; i <= 100; ++i) {
    holder_.Print("\rprogress " + std::to_string(i) + "%");
  }
  holder_.Print("\r\nok\r\n");
  EXPECT_EQ(Read(), "progress 100%\nok");
}

TEST_F(ReaderTest, MoreThanTheCallerWantsStaysUnread) {
  holder_.Print("0123456789\r\n");
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .max_bytes = 1}), "");
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .max_bytes = 5}), "");
  EXPECT_EQ(last_.facts, "nothing shown: about 11 bytes");
  EXPECT_NE(last_.hint.find("use force=true"), std::string::npos);
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .max_bytes = 10}), "");
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .max_bytes = 11}), "0123456789");
}

TEST_F(ReaderTest, WhatStandsOutIsNamedOfFullScreenProgramsOnly) {
  holder_.Print("\033[7muser@host\033[m $ ");
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.focus, std::vector<std::string>{});
  holder_.Print("\033[?1049h\033[Hone\r\n\033[7mtwo\033[m");
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.focus, std::vector<std::string>{"two"});
}

TEST_F(ReaderTest, TheEchoOfWhatWasTypedIsLeftOutAlsoWithoutAPrompt) {
  holder_.Print("hello\r\nhello\r\n");
  EXPECT_EQ(
      Read({.mode = ReadMode::kStream, .typed = {"hello"}, .hide_echo = true}),
      "hello");
}

TEST_F(ReaderTest, AnEchoMayStandBehindAShortPrompt) {
  ReadRequest request{
      .mode = ReadMode::kStream, .typed = {"hello"}, .hide_echo = true};
  holder_.Print("......> hello\r\nok\r\n");
  EXPECT_EQ(Read(request), "ok");
  holder_.Print(".......> hello\r\nok\r\n");
  EXPECT_EQ(Read(request), ".......> hello\nok");
}

// The reply's state says that the prompt is there.
TEST_F(ReaderTest, APromptAtWhichNothingIsTypedIsLeftOut) {
  const std::pair<std::string, std::string> prompts[] = {
      {"$ ", "$ "}, {"$", "$"}, {"path\r\n$", "path\n$"}};
  for (const auto& [printed, shown] : prompts) {
    FakeHolder holder;
    holder.Answer(wire::Waiting::kRead, false, false, "bash");
    session::SessionRef session = holder.Open({4, 20});
    holder.Print("ok\r\n\033]133;A;aid=n0nce\a" + printed +
                 "\033]133;B;aid=n0nce\a");
    ASSERT_TRUE(AskState(session));
    ReadRequest request{.mode = ReadMode::kStream, .hide_echo = true};
    EXPECT_EQ(ReadSession(*session, {}, request).body, "ok") << printed;
    holder.Print("ls");
    ASSERT_TRUE(AskState(session));
    EXPECT_EQ(ReadSession(*session, {}, request).body, "ok\n" + shown + "ls");
  }
}

TEST_F(ReaderTest, APromptBehindOutputInItsLineIsShown) {
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  holder_.Print("ok\033]133;A;aid=n0nce\a$ \033]133;B;aid=n0nce\a");
  ASSERT_TRUE(AskState(session_));
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .hide_echo = true}), "ok$ ");
}

TEST_F(ReaderTest, LinesCanBeReadAgainFromTheFirstOn) {
  holder_.Print("a\r\nb\r\n");
  EXPECT_EQ(Read(), "a\nb");
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .since_line = 1}), "a\nb");
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .since_line = 2}), "b");
}

TEST_F(ReaderTest, BlankLinesAreKept) {
  holder_.Print("a\r\n\r\nb\r\n");
  EXPECT_EQ(Read(), "a\n\nb");
}

TEST_F(ReaderTest, WrappedRowsAreOneLine) {
  holder_.Print("0123456789012345678901234\r\n");
  EXPECT_EQ(Read(), "0123456789012345678901234");
}

TEST_F(ReaderTest, LinesThatScrolledAwayAreShown) {
  std::string expected;
  for (int i = 0; i < 20; ++i) {
    holder_.Print(std::to_string(i) + "\r\n");
    expected += (i > 0 ? "\n" : "") + std::to_string(i);
  }
  EXPECT_EQ(Read(), expected);
}

TEST_F(ReaderTest, AutoShowsTheScreenOfAFullScreenProgram) {
  holder_.Print("shell\r\n");
  Read();
  holder_.Print("\033[?1049h\033[2J\033[Hmenu");
  EXPECT_EQ(Read(), "menu");
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
  holder_.Print("\033[?1049lback\r\n");
  EXPECT_EQ(Read(), "back");
  EXPECT_EQ(last_.used, ReadMode::kStream);
}

TEST_F(ReaderTest, AutoShowsTheScreenOfOneThatAddressesRowsFromTheFirstLook) {
  holder_.Print("\033[H\033[2Ja\033[2;3Hb\033[3;3Hc\033[4dd");
  EXPECT_EQ(Read(), "a\n  b\n  c\n   d");
  EXPECT_EQ(last_.why, "addresses rows");
  holder_.Print("\033[3;3HC");
  Read();
  EXPECT_EQ(last_.why, "addresses rows");
}

TEST_F(ReaderTest, AShellThatClearsItsScreenIsRead) {
  for (int i = 0; i < 8; ++i) {
    holder_.Print("$ clear\r\n\033[H\033[2J\033[3J");
    holder_.Print("$ echo hi\r\nhi\r\n$ ");
    holder_.Answer(wire::Waiting::kRead, false, false, "bash");
    AskState(session_);
    holder_.Advance(std::chrono::milliseconds(50));
    AskState(session_);
    Read();
    EXPECT_EQ(last_.used, ReadMode::kStream) << i;
  }
}

// The screen has four rows; the block of meters takes three of them.
TEST_F(ReaderTest, LinesThatScrolledPastAboveABlockAreShownToo) {
  holder_.Print("\033[H\033[2Jstart\033[2;1Ha: 1\033[3;1Hb: 1\033[4;1Hc: 1");
  Read();
  EXPECT_EQ(last_.why, "addresses rows");
  auto log = [this](int i) {
    holder_.Print("\033[2;1Hline " + std::to_string(i) +
                  "\033[K\033[3;1Ha: 1\033[K\033[4;1Hb: 1\033[K\r\nc: 1");
  };
  for (int i = 0; i < 6; ++i) log(i);
  EXPECT_EQ(Read({.limits = {.max_lines = 0}}),
            "line 0\nline 1\nline 2\nline 3\nline 4\n--- screen ---\n"
            "1| line 5");
  // All of it has been seen.
  EXPECT_EQ(record::CountUnread(session_->output().terminal(), mark_), 0);
  for (int i = 6; i < 20; ++i) log(i);
  std::string some = Read({.limits = {.max_lines = 4}});
  EXPECT_NE(some.find("lines left out]"), std::string::npos) << some;
  EXPECT_NE(last_.hint.find("from_line="), std::string::npos) << last_.hint;
}

// The lines above show only how the screen was before.
TEST_F(ReaderTest, EarlierFramesAreNoLinesAboveABlock) {
  const std::string frame = "\033[H\033[Ja\033[2;3Hb\033[3;3Hc\033[4d";
  holder_.Print(frame + "1");
  Read();
  holder_.Print(frame + "2" + frame + "3");
  EXPECT_EQ(Read().find("---"), std::string::npos);
}

TEST_F(ReaderTest, AStatusLineBelowMarginsIsNoFullScreenProgram) {
  for (int i = 0; i < 100; i += 5) {
    holder_.Print("Unpacking\r\n\0337\033[1;3r\0338\033[1A");
    holder_.Print("\0337\033[4;1fProgress: " + std::to_string(i) + "%\0338");
  }
  Read();
  EXPECT_EQ(last_.used, ReadMode::kStream);
}

TEST_F(ReaderTest, AScreenThatWasShownIsToldByWhatChanged) {
  holder_.Print("\033[?1049h\033[H\033[2Jthe first row\r\nthe second row");
  Read();
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
  holder_.Print("\033[1;5H1.\033[K");
  EXPECT_EQ(Read(), "1| the 1.");
  EXPECT_EQ(last_.used, ReadMode::kDiff);
  EXPECT_EQ(last_.change.substr(0, 13), "+1 row since ");
  EXPECT_EQ(Read(), "");
  EXPECT_EQ(last_.change.substr(0, 16), "unchanged since ");
}

TEST_F(ReaderTest, OfAScreenTheRowsAreNamedThatOnlyChangedTheirColours) {
  holder_.Print("\033[?1049h\033[H\033[2Jone\r\n\033[7mtwo\033[m\r\nthree");
  Read();
  // Choose the next entry.
  holder_.Print("\033[2;1Htwo\r\n\033[7mthree\033[m");
  EXPECT_EQ(Read(), "");
  EXPECT_EQ(last_.change.substr(0, 34), "colours changed in rows 2-3 since ");
  // Other text changes as well.
  holder_.Print("\033[1;1H1\033[K\033[3;1Hthree");
  EXPECT_EQ(Read(), "1| 1");
  EXPECT_EQ(last_.change.substr(0, 13), "+1 row since ");
  EXPECT_NE(last_.change.find(", colours in row 3"), std::string::npos);
  Read();
  EXPECT_EQ(last_.change.substr(0, 16), "unchanged since ");
}

// This is a toggle: the line is drawn again with the same text.
TEST_F(ReaderTest, ALineThatOnlyChangedItsColoursIsToldToo) {
  holder_.Answer(wire::Waiting::kPoll, false, false);
  holder_.Print("Really? \033[4mno\033[m / yes");
  AskState(session_);
  holder_.loop()->RunReady();
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "Really? no / yes");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "");
  EXPECT_EQ(last_.facts, "nothing new");
  holder_.Print("\rReally? no / \033[4myes\033[m");
  AskState(session_);
  holder_.loop()->RunReady();
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "");
  EXPECT_EQ(last_.facts, "nothing new, but colours changed in row 1");
}

TEST_F(ReaderTest, AScreenThatChangedALotIsShownWhole) {
  holder_.Print("\033[?1049h\033[H\033[2Jthe first row\r\nthe second row");
  Read();
  holder_.Print("\033[H\033[2Jsomething else");
  EXPECT_EQ(Read(), "something else");
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
}

TEST_F(ReaderTest, WhoHasReadLinesInBetweenIsShownTheWholeScreen) {
  holder_.Print("a long row to begin with");
  Read({.mode = ReadMode::kDiff});
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
  Read({.mode = ReadMode::kDiff});
  EXPECT_EQ(last_.used, ReadMode::kDiff);
  Read({.mode = ReadMode::kStream});
  EXPECT_EQ(mark_.screen, nullptr);
  Read({.mode = ReadMode::kDiff});
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
}

TEST_F(ReaderTest, TextThatNobodyCouldSeeIsNamedByItsLine) {
  holder_.Print("plain\r\n\033[8mconcealed\033[m\r\n");
  holder_.Print("\033[31;41mred on red\033[m\r\n\033[41m   \033[m\r\n");
  // Bold is brighter, so a border in it is visible (dialog).
  holder_.Print("\033[1;37;47m---\033[m\r\n");
  Read();
  EXPECT_EQ(last_.concealed, (std::vector<int64_t>{2, 3}));
  // For the screen, rows are counted.
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{1});
}

TEST_F(ReaderTest, ConcealedTextIsReportedOnceUntilItChanges) {
  holder_.Print("\033[?1049h\033[8mconcealed\033[m");
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{1});
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{});
  // Elsewhere on the screen it counts as the same text.
  holder_.Print("\033[1;1H\033[L");
  Read({.mode = ReadMode::kDiff});
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{});
  holder_.Print("\033[4;1H\033[8munseen words\033[m");
  Read({.mode = ReadMode::kDiff});
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{4});
}

// They are shown as "<U+200B>".
TEST_F(ReaderTest, RowsWithInvisibleCharactersAreKnownAgain) {
  holder_.Print("\033[?1049h\033[8mun\u200bseen\033[m\r\ntw\u200bo");
  Read();
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{1});
  holder_.Print("\033[2;1H\033[7mtw\u200bo\033[m");
  EXPECT_EQ(Read(), "");
  EXPECT_EQ(last_.concealed, std::vector<int64_t>{});
  EXPECT_EQ(last_.change.substr(0, 24), "colours changed in row 2");
}

TEST_F(ReaderTest, InvisibleCharactersAreShownAndCounted) {
  holder_.Print("a\u200Bb \u202Etxt\r\n");
  EXPECT_EQ(Read(), "a<U+200B>b <U+202E>txt");
  EXPECT_EQ(last_.invisible, 2);
}

TEST_F(ReaderTest, LimitsHoldForScreens) {
  holder_.Print("\033[31m1\033[m\r\n2\r\n3\r\n4");
  Limits limits{.max_lines = 2};
  ReadRequest request{.mode = ReadMode::kSnapshot, .limits = limits};
  EXPECT_EQ(Read(request), "1\n[... 2 rows left out]\n4");
  request.limits.truncate = Truncate::kTail;
  EXPECT_EQ(Read(request), "[... 2 rows left out]\n3\n4");
  request.limits.truncate = Truncate::kHead;
  request.styled = true;
  EXPECT_EQ(Read(request), "\\e[31m1\\e[m\n2\n[... 2 rows left out]");
  request.limits.truncate = Truncate::kNone;
  EXPECT_EQ(Read(request), "\\e[31m1\\e[m\n2\n3\n4");
}

TEST_F(ReaderTest, AStyledScreenHasItsColoursEscaped) {
  holder_.Print("\033[1;31mred\033[m \033[48;5;200mbg\033[38;2;1;2;3mx\033[m");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .styled = true}),
            "\\e[1;31mred\\e[m \\e[48;5;200mbg\\e[m"
            "\\e[38;2;1;2;3;48;5;200mx\\e[m");
}

TEST_F(ReaderTest, LinksOnTheScreenOfAFullScreenProgramAreListed) {
  holder_.Print("https://a.example/x\r\n\033[?1049h\033[2;3H");
  // It is wrapped.
  holder_.Print("go to https://b.example/a/path/of/two/rows");
  EXPECT_EQ(Read({.mode = ReadMode::kLinks}),
            "line 1: https://a.example/x\n"
            "row 2: https://b.example/a/path/of/two/rows");
}

TEST_F(ReaderTest, TheCutLabelOfAHyperlinkIsNoLink) {
  for (std::string label : {"https://a.example/ve…", "https://a.example/ve...",
                            "https://a.example/ve"}) {
    holder_.Print("\033c\033]8;;https://a.example/very/long\033\\" + label +
                  "\033]8;;\033\\\r\n");
    std::string links = Read({.mode = ReadMode::kLinks});
    EXPECT_EQ(links.substr(links.find(": ")), ": https://a.example/very/long");
  }
}

TEST_F(ReaderTest, AnAddressBesideAHyperlinkBelowItIsALink) {
  for (std::string address : {"https://a.example", "https://a.example/"}) {
    holder_.Print("\033c" + address +
                  " \033]8;;https://a.example/b\033\\b\033]8;;\033\\\r\n");
    std::string links = Read({.mode = ReadMode::kLinks});
    EXPECT_NE((links + "\n").find(": " + address + "\n"), std::string::npos)
        << links;
  }
}

TEST_F(ReaderTest, LinksAreListedOnceWithTheirLastLine) {
  holder_.Print("see https://a.example/x. and\r\n(https://b.example/y)\r\n");
  holder_.Print("\033]8;;https://c.example/z\033\\text\033]8;;\033\\\r\n");
  holder_.Print("https://a.example/x\r\n");
  EXPECT_EQ(Read({.mode = ReadMode::kLinks}),
            "line 2: https://b.example/y\nline 3: https://c.example/z\n"
            "line 4: https://a.example/x");
}

TEST_F(ReaderTest, ALinkKeepsTheParenthesesThatAreItsOwn) {
  const std::pair<const char*, const char*> rows[] = {
      {"(http://a/b)", "http://a/b"},
      {"http://a/b_(c)", "http://a/b_(c)"},
      {"(http://a/b_(c))", "http://a/b_(c)"},
      {"http://a/b)c", "http://a/b)c"},
  };
  for (const auto& [printed, link] : rows) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({4, 20});
    holder.Print(std::string(printed) + "\r\n");
    EXPECT_EQ(ReadSession(*session, {}, {.mode = ReadMode::kLinks}).body,
              absl::StrFormat("line 1: %s", link));
  }
}

TEST_F(ReaderTest, ATitleIsNoLink) {
  holder_.Print("\033]2;title\a\a\033[?1049h\033[?1049lok\r\n");
  EXPECT_EQ(Read({.mode = ReadMode::kLinks}), "");
}

TEST_F(ReaderTest, LinksOfOneLineAreListedInTheirOrder) {
  holder_.Print("http://a.example http://b.example\r\n");
  EXPECT_EQ(Read({.mode = ReadMode::kLinks}),
            "line 1: http://a.example\nline 1: http://b.example");
}

TEST_F(ReaderTest, ACommandIsNamedByItsText) {
  holder_.Print(
      "\033]133;A;aid=n0nce\a$ \033]133;B;aid=n0nce\amake\r\n"
      "\033]133;C;aid=n0nce\aok\r\n\033]133;D;0;aid=n0nce\a");
  EXPECT_EQ(Read({.mode = ReadMode::kCommand, .command = 1}), "ok");
  EXPECT_EQ(last_.facts, "command 1 exit=0 \"make\"");
}

TEST_F(ReaderTest, CommandsThatAreLeftOutAreCounted) {
  for (int i = 0; i < 3; ++i) {
    holder_.Print(
        "\033]133;A;aid=n0nce\a$ \033]133;B;aid=n0nce\amake\r\n"
        "\033]133;C;aid=n0nce\a\033]133;D;0;aid=n0nce\a");
  }
  ReadRequest request{.mode = ReadMode::kCommands};
  Read(request);
  EXPECT_EQ(last_.facts, "3 commands");
  EXPECT_EQ(last_.hint, "");
  request.limits = {.max_lines = 2, .truncate = Truncate::kTail};
  Read(request);
  EXPECT_EQ(last_.left_out, 1);
  EXPECT_EQ(last_.hint, "1 left out: max_lines=0 or truncate=tail");
}

TEST_F(ReaderTest, RawShowsTheLogsBytesFromAnOffset) {
  holder_.Print("a\033[31mb\r\n");
  EXPECT_EQ(Read({.mode = ReadMode::kRaw}), "a\\e[31mb\\r\\n");
  EXPECT_EQ(last_.facts, "bytes 0-9 of 9");
  EXPECT_EQ(Read({.mode = ReadMode::kRaw, .since_offset = 6}), "b\\r\\n");
}

TEST_F(ReaderTest, RawSaysHowToGoOnWhileThereIsMore) {
  holder_.Print(std::string(8000, 'x') + "y");
  Read({.mode = ReadMode::kRaw, .since_offset = 0});
  EXPECT_EQ(last_.facts, "bytes 0-8000 of 8001");
  EXPECT_EQ(last_.hint, "continue: term_read mode=raw since=8000");
  EXPECT_EQ(Read({.mode = ReadMode::kRaw, .since_offset = 8000}), "y");
  EXPECT_EQ(last_.facts, "bytes 8000-8001 of 8001");
  EXPECT_EQ(last_.hint, "");
}

TEST_F(ReaderTest, RawIsThatOfTheStreamThatWasAskedFor) {
  holder_.UsePipes();
  session_ = holder_.Open();
  holder_.PrintErrorSilently("wrong");
  holder_.Print("out");
  EXPECT_EQ(Read({.mode = ReadMode::kRaw}), "out");
  EXPECT_EQ(Read({.mode = ReadMode::kRaw, .stream = OutputStream::kErrors}),
            "wrong");
}

TEST_F(ReaderTest, OnlyTheRevisionShownLastCanBeComparedWith) {
  holder_.Print("text");
  Read({.mode = ReadMode::kSnapshot});
  uint64_t shown = mark_.screen->revision;
  Read({.mode = ReadMode::kDiff, .since_revision = shown});
  EXPECT_EQ(last_.used, ReadMode::kDiff);
  EXPECT_EQ(Read({.mode = ReadMode::kDiff, .since_revision = shown + 1}),
            "text");
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
  EXPECT_EQ(last_.hint.substr(0, 11), "full screen");
}

TEST_F(ReaderTest, ASnapshotDoesNotSwallowLinesThatScrolledPast) {
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot}), "5\n6\n7\n8");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "1\n2\n3\n4\n5\n6\n7\n8");
}

TEST_F(ReaderTest, ASnapshotThatShowsAllThereIsCountsAsRead) {
  holder_.Print("1\r\n2");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot}), "1\n2");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "");
}

TEST_F(ReaderTest, ASnapshotMayShowLinesAboveTheScreen) {
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .scrollback = 1}),
            "2\n--- screen ---\n3\n4\n5\n6");
}

TEST_F(ReaderTest, LinesAboveTheScreenLeaveNoGapWhenRowsAreWrapped) {
  holder_.Print("1\r\n2\r\n3\r\n0123456789012345678901234\r\n5");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .scrollback = 9}),
            "1\n2\n--- screen ---\n3\n01234567890123456789\n01234\n5");
}

TEST_F(ReaderTest, LinesAboveAMostlyBlankScreenAreNotTakenTwice) {
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6\033[2J\033[Hx");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .scrollback = 2}),
            "5\n6\n--- screen ---\nx");
}

TEST_F(ReaderTest, HistoryShowsAnyLinesAndMovesNothing) {
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n");
  ReadRequest request{.mode = ReadMode::kHistory, .from_line = 2, .lines = 2};
  EXPECT_EQ(Read(request), "2\n3");
  EXPECT_EQ(last_.facts, "lines 2-3 of 6");
  request.from_line = -3;
  request.lines = 100;
  EXPECT_EQ(Read(request), "4\n5\n6");
  EXPECT_EQ(Read(), "1\n2\n3\n4\n5\n6");
}

TEST_F(ReaderTest, HistoryIsThatOfTheStreamThatWasAskedFor) {
  holder_.UsePipes();
  session_ = holder_.Open();
  holder_.Print("out\n");
  holder_.PrintErrorSilently("wrong\n");
  holder_.Ring();
  ReadRequest request{.mode = ReadMode::kHistory, .from_line = 1, .lines = 1};
  EXPECT_EQ(Read(request), "out\nerr| wrong");
  request.stream = OutputStream::kOutput;
  EXPECT_EQ(Read(request), "out");
  request.stream = OutputStream::kErrors;
  EXPECT_EQ(Read(request), "wrong");
}

TEST_F(ReaderTest, NoLinesOfHistoryMayBeAskedFor) {
  holder_.Print("1\r\n2\r\n");
  for (int lines : {0, -1}) {
    EXPECT_EQ(
        Read({.mode = ReadMode::kHistory, .from_line = 1, .lines = lines}), "");
    EXPECT_EQ(last_.facts, "no lines of 2");
    EXPECT_EQ(last_.hint, "");
  }
}

TEST_F(ReaderTest, BeforeTheFirstLineOfHistoryNothingIsLost) {
  holder_.Print("1\r\n2\r\n");
  EXPECT_EQ(Read({.mode = ReadMode::kHistory, .from_line = 0, .lines = 1}),
            "1");
  EXPECT_EQ(last_.hint, "");
}

TEST_F(ReaderTest, LinesThatAreNoLongerKeptAreCounted) {
  // The archive's first file would have this name.
  std::filesystem::create_directory(holder_.path() + "/lines.0000000000000000");
  for (int i = 0; i < 30'000; ++i) holder_.PrintSilently("line\r\n");
  holder_.Ring();
  while (session_->output().HasUnfed()) holder_.loop()->RunReady();
  int first = static_cast<int>(session_->output().history().first_line());
  ASSERT_GT(first, 2);
  struct Row {
    int from_line;
    std::string hint;
  };
  for (const Row& row :
       {Row{first + 1, ""},
        Row{first, absl::StrFormat("1 line before line %d is no longer kept "
                                   "(they were refused: Is a directory)",
                                   first + 1)},
        Row{1, absl::StrFormat("%d lines before line %d are no longer kept "
                               "(they were refused: Is a directory)",
                               first, first + 1)}}) {
    EXPECT_EQ(Read({.mode = ReadMode::kHistory,
                    .from_line = row.from_line,
                    .lines = 1}),
              "line");
    EXPECT_EQ(last_.hint, row.hint);
  }
}

TEST_F(ReaderTest, WhatIsCutIsCountedAndItsCallNamed) {
  for (int i = 1; i <= 30; ++i) {
    holder_.Print("line " + std::to_string(i) + "\r\n");
  }
  EXPECT_EQ(Read({.limits = {.max_lines = 4}}),
            "line 1\nline 2\n[... 26 lines left out]\nline 29\nline 30");
  EXPECT_EQ(last_.hint, "left out: term_read from_line=3 lines=26");
}

// Nobody reads so many.
TEST_F(ReaderTest, OfThousandsOfLinesTheSearchIsNamed) {
  for (int i = 1; i <= 2'005; ++i) holder_.Print("line\r\nother\r\n");
  Read({.limits = {.max_lines = 4}});
  EXPECT_EQ(last_.hint, "left out: term_search");
}

// A screen of 40 by 60 that has been shown to a reader who reads for itself.
class LargeScreen : public ReaderTest {
 protected:
  LargeScreen() {
    session_ = holder_.Open({40, 60});
    request_.limits.crop = true;
    holder_.Print("\033[?1049h");
    Fill('a');
    Read(request_);
  }
  // Draws a screen that has nothing in common with those of other letters.
  void Fill(char letter) {
    std::string rows;
    for (int row = 1; row <= 40; ++row) {
      rows += absl::StrFormat("\033[%d;1H%s", row,
                              std::string(static_cast<size_t>(row), letter));
    }
    holder_.Print(rows + "\033[1;1H" + std::string(59, letter));
  }
  ReadRequest request_;
};

TEST_F(LargeScreen, OnceSaysHowToShowSomeRows) {
  EXPECT_EQ(last_.hint, "");
  holder_.Print("\033[2J");
  Fill('b');
  for (int row = 1; row <= 40; ++row) {
    holder_.Print(absl::StrFormat("\033[%d;41Hother %d", row, row));
  }
  Read(request_);
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
  EXPECT_EQ(last_.hint,
            "a last step {\"show\": [first, last]} shows only those rows");
  holder_.Print("\033[2J");
  Fill('c');
  for (int row = 1; row <= 40; ++row) {
    holder_.Print(absl::StrFormat("\033[%d;41Hanother %d", row, row * 7));
  }
  Read(request_);
  EXPECT_EQ(last_.used, ReadMode::kSnapshot);
  EXPECT_EQ(last_.hint, "");
}

TEST_F(LargeScreen, IsCroppedToADialogInItsMiddle) {
  holder_.Print("\033[2J\033[20;31HSure?\033[21;33H<Yes>");
  // The difference might be shorter.
  mark_ = {};
  EXPECT_EQ(Read(request_), "(19 blank rows)\nSure?\n  <Yes>");
  EXPECT_EQ(last_.facts, "40x60 cursor=21:38 columns 31-60");
  request_.mode = ReadMode::kSnapshot;
  request_.limits.crop = false;
  EXPECT_EQ(Read(request_), "(19 blank rows)\n" + std::string(30, ' ') +
                                "Sure?\n" + std::string(32, ' ') + "<Yes>");
}

TEST(WaitFrom, IsBehindWhatWasReadAndWhatAWaitHasShown) {
  ReaderMark mark;
  mark.line = 3;
  mark.lines_revision = 30;
  EXPECT_EQ(WaitFrom(mark).line, 3);
  mark.matched = mark;
  mark.matched->line = 7;
  mark.matched->lines_revision = 40;
  EXPECT_EQ(WaitFrom(mark).line, 7);
  mark.line = 8;
  mark.lines_revision = 40;
  EXPECT_EQ(WaitFrom(mark).line, 8);
  mark.line = 9;
  mark.lines_revision = 50;
  EXPECT_EQ(WaitFrom(mark).line, 9);
}

}  // namespace
}  // namespace glasstty::view
