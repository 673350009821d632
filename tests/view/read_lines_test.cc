// Tests the modes that show lines: what counts as a line, which lines are cut,
// and what is said about those that are not shown.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "absl/strings/str_format.h"
#include "testing/fake_holder.h"
#include "view/reader.h"
#include "view/reader_fixture.h"

namespace glasstty::view {
namespace {

using Lines = ReaderTest;

TEST_F(Lines, ReadAgainIncludeTheOneThatHasNoEndYet) {
  holder_.Print("a\r\nb");
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .since_line = 2}), "b");
}

TEST_F(Lines, OfHistoryThatWereNamedAreNotCut) {
  PrintNumbered(5);
  ReadRequest request{.mode = ReadMode::kHistory,
                      .limits = {.max_lines = 2},
                      .from_line = 1,
                      .lines = 5};
  EXPECT_EQ(Read(request), "1\n2\n3\n4\n5");
  request.mode = ReadMode::kAll;
  EXPECT_EQ(Read(request), "1\n[... 3 lines left out]\n5");
  EXPECT_EQ(last_.hint, "left out: term_read from_line=2 lines=3");
}

class ErrorLines : public ReaderTest {
 protected:
  ErrorLines() {
    holder_.UsePipes();
    session_ = holder_.Open();
  }
};

TEST_F(ErrorLines, IncludeTheOneThatHasNoEndYet) {
  holder_.PrintErrorSilently("one\ntwo");
  holder_.Ring();
  EXPECT_EQ(Read(), "err| one\nerr| two");
  EXPECT_EQ(last_.facts, "2 of stderr");
}

TEST_F(ErrorLines, ThatAreCutAddToTheLinesLeftOut) {
  holder_.PrintErrorSilently("1\n2\n3\n4\n5\n");
  holder_.Print("a\nb\nc\n");
  EXPECT_EQ(Read({.limits = {.max_lines = 2}}),
            "a\n[... 1 line left out]\nc\n"
            "err| 1\n[... 3 lines left out]\nerr| 5");
  EXPECT_EQ(last_.left_out, 4);
}

TEST_F(ErrorLines, AreAllShownHoweverFewTheOutputHas) {
  holder_.PrintErrorSilently("1\n2\n3\n");
  holder_.Print("out\n");
  EXPECT_EQ(Read({.mode = ReadMode::kAll, .stream = OutputStream::kErrors}),
            "1\n2\n3");
}

TEST_F(ErrorLines, AloneLeaveTheOutputUnread) {
  holder_.PrintErrorSilently("1\n");
  holder_.Print("out\n");
  Read({.mode = ReadMode::kAll, .stream = OutputStream::kErrors});
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "out");
}

TEST_F(ErrorLines, StayUnreadWhereOnlyTheOutputIsReadWhole) {
  holder_.PrintErrorSilently("1\n");
  holder_.Print("out\n");
  Read({.mode = ReadMode::kAll, .stream = OutputStream::kOutput});
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "err| 1");
}

TEST_F(ErrorLines, CountForTheGuard) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) {
    lines += "0123456789 " + std::to_string(i) + "\n";
  }
  holder_.PrintErrorSilently(lines);
  holder_.Ring();
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .max_bytes = 9'000}), "");
}

TEST_F(ErrorLines, AreReadAgainFromTheFirstOn) {
  holder_.PrintErrorSilently("wrong\nworse\n");
  holder_.Print("out\n");
  Read();
  EXPECT_EQ(Read({.mode = ReadMode::kStream, .since_line = 1}),
            "out\nerr| wrong\nerr| worse");
}

TEST_F(ErrorLines, AreNamedInTheCallThatShowsTheRest) {
  holder_.PrintErrorSilently("1\n2\n3\n");
  holder_.Ring();
  EXPECT_EQ(Read({.mode = ReadMode::kHistory,
                  .limits = {.truncate = Truncate::kHead, .max_bytes = 4},
                  .from_line = 1,
                  .stream = OutputStream::kErrors}),
            "1\n2\n[... 1 line left out]");
  EXPECT_EQ(last_.hint, "left out: term_read stream=err from_line=3 lines=1");
}

// No archive can be written, and the terminal keeps ten rows above the screen.
class LostLines : public ReaderTest {
 protected:
  LostLines() {
    // The archive's first file would have this name.
    std::filesystem::create_directory(holder_.path() +
                                      "/lines.0000000000000000");
    session_ = holder_.Open({4, 1000}, 10);
  }
  // The archive is written once the last of this many lines has filled it.
  void Lose(int64_t count) {
    for (int64_t i = session_->output().history().end_line(); i < count; ++i)
      holder_.Print("line\r\n");
    holder_.Print(std::string(66'000, 'x') + "\r\n");
    while (session_->output().HasUnfed()) holder_.loop()->RunReady();
    for (int i = 0; i < 100 && session_->output().history().first_line() == 0;
         ++i) {
      holder_.Print("line\r\n");
    }
    ASSERT_EQ(session_->output().history().first_line(), count);
  }
};

TEST_F(LostLines, AreToldFromTheFirstOn) {
  ReadRequest history{.mode = ReadMode::kHistory, .lines = 1};
  Read(history);
  EXPECT_EQ(last_.facts, "no lines of 0");
  Lose(1);
  Read(history);
  EXPECT_TRUE(last_.facts.ends_with(" (kept from 2)")) << last_.facts;
}

TEST_F(LostLines, AreCountedForWhoeverHasNotReadThem) {
  Lose(7);
  Read({.mode = ReadMode::kStream});
  EXPECT_EQ(last_.hint,
            "7 lines before line 8 are no longer kept (they were refused: Is a "
            "directory)");
}

TEST_F(LostLines, AreCountedBehindTheLastThatWasRead) {
  holder_.Print("one");
  Read({.mode = ReadMode::kStream});
  holder_.Print("\r\n");
  Lose(7);
  Read({.mode = ReadMode::kStream});
  EXPECT_EQ(last_.hint,
            "6 lines before line 8 are no longer kept (they were refused: Is a "
            "directory)");
}

TEST_F(LostLines, HaveTheirLinksElsewhere) {
  ReadRequest links{.mode = ReadMode::kLinks};
  PrintNumbered(13);
  Read(links);
  EXPECT_EQ(last_.hint, "");
  holder_.Print("14\r\n");
  Read(links);
  EXPECT_EQ(last_.hint,
            "only lines from 2 on; earlier: term_search regex=\"https?://\"");
}

// ---- commands

using Commands = ReaderTest;

TEST_F(Commands, ShowNothingOfWhatCameAfterThem) {
  PrintPrompt();
  BeginCommand("make");
  holder_.Print("ok\r\n");
  EndCommand();
  PrintPrompt("path\r\n$ ");
  BeginCommand("ls");
  holder_.Print("file\r\nmore");
  EXPECT_EQ(Read({.mode = ReadMode::kCommand, .command = 1}), "ok");
  EXPECT_EQ(last_.facts, "command 1 exit=0 \"make\"");
  EXPECT_EQ(Read({.mode = ReadMode::kCommand, .command = 2}), "file\nmore");
  EXPECT_EQ(last_.facts, "command 2 running \"ls\"");
}

TEST_F(Commands, ThatNobodyKnowsAreSaidToBeUnknown) {
  EXPECT_EQ(Read({.mode = ReadMode::kCommand, .command = 7}), "");
  EXPECT_EQ(last_.used, ReadMode::kCommand);
  EXPECT_EQ(last_.facts,
            "no command 7: 0 are known; shells without integration report "
            "none");
}

TEST_F(Commands, AreListedWithTheirStateAndTime) {
  PrintPrompt();
  BeginCommand("make -j4");
  holder_.Advance(std::chrono::milliseconds(2400));
  EndCommand();
  PrintPrompt();
  BeginCommand("");
  EndCommand();
  PrintPrompt();
  BeginCommand("sleep 9");
  EXPECT_EQ(Read({.mode = ReadMode::kCommands}),
            "  1 exit=0 2.4s make -j4\n  2 exit=0 0.0s\n  3 running sleep 9");
}

}  // namespace
}  // namespace glasstty::view
