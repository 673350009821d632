// Tests what is new for a reader, in memory and after lines have left it.
#include "record/read_mark.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"

namespace glasstty::record {
namespace {

// A screen of 4 rows over 5 lines of scrollback and an archive.
class ReadMarkTest : public testing::Test {
 protected:
  ReadMarkTest() {
    char name[] = "/tmp/glasstty-mark-XXXXXX";
    path_ = mkdtemp(name);
    folder_ = std::make_unique<Folder>(parent_.get(), path_.substr(5));
    terminal_ = *terminal::Terminal::Create(
        {.size = {4, 20}, .scrollback_rows = 5, .keep_evicted = true});
    history_ = std::make_unique<History>(terminal_.get(), folder_.get(),
                                         "lines", 1 << 20);
    uint64_t offset = 0;
    history_->Restore(&offset);
    history_->EndRestore();
  }
  ~ReadMarkTest() override { std::filesystem::remove_all(path_); }

  void Print(std::string_view bytes) {
    terminal_->Feed(bytes);
    history_->Collect(terminal_->offset());
  }
  void PrintLines(int count) {
    for (int i = 0; i < count; ++i) Print(absl::StrFormat("line %d\r\n", i));
  }
  static std::string Joined(const std::vector<terminal::Line>& lines) {
    std::string text;
    for (const terminal::Line& line : lines) {
      text += absl::StrFormat("%d:%s|", line.number, line.text);
    }
    return text;
  }
  std::string Unread(const ReadMark& mark) const {
    std::vector<terminal::Line> lines = UnreadLines(*terminal_, mark);
    EXPECT_EQ(CountUnread(*terminal_, mark), std::ssize(lines));
    return Joined(lines);
  }

  std::string path_;
  UniqueFd parent_{open("/tmp", O_RDONLY | O_DIRECTORY)};
  std::unique_ptr<Folder> folder_;
  std::unique_ptr<terminal::Terminal> terminal_;
  std::unique_ptr<History> history_;
};

TEST_F(ReadMarkTest, OfAScreenThatWasSeenNothingIsNew) {
  EXPECT_EQ(Unread(ReadMark()), "");
  Print("one\r\ntwo");
  EXPECT_EQ(Unread(ReadMark()), "0:one|1:two|");
  EXPECT_EQ(Unread(MarkNow(*terminal_)), "");
}

TEST_F(ReadMarkTest, OfALineSeenInPartTheRestIsNew) {
  Print("one\r\ntw");
  ReadMark mark = MarkNow(*terminal_);
  Print("o\r\n\r\nfour\r\n");
  EXPECT_EQ(Unread(mark), "1:o|2:|3:four|");
}

TEST_F(ReadMarkTest, ALineThatWasRewrittenIsNewFromItsBeginning) {
  Print("one\r\n10%");
  ReadMark mark = MarkNow(*terminal_);
  Print("\r20%");
  EXPECT_EQ(Unread(mark), "1:20%|");
  Print("\033[1;1HONE\033[2;4H");
  EXPECT_EQ(Unread(mark), "0:ONE|1:20%|");
}

TEST_F(ReadMarkTest, ALineThatWasErasedIsAnEmptyLine) {
  Print("working");
  ReadMark mark = MarkNow(*terminal_);
  Print("\r\033[K\r\ndone");
  EXPECT_EQ(Unread(mark), "0:|1:done|");
}

// A carriage return leads to the beginning of its last row.
TEST_F(ReadMarkTest, OfALineWithAWrappedEndThatWasRewrittenItsNewRowsAreNew) {
  int cols = terminal_->size().cols;
  std::string wide(static_cast<size_t>(cols), 'a');
  Print("one\r\n" + wide + "end");
  ReadMark mark = MarkNow(*terminal_);
  std::string wider(static_cast<size_t>(cols), 'b');
  Print("\r" + wider + "END");
  EXPECT_EQ(Unread(mark), "1:" + wider + "END|");
  Print("\r" + wide + "fin");
  EXPECT_EQ(Unread(mark), "1:" + wider + wide + "fin|");
  mark = MarkNow(*terminal_);
  Print("\rnow");
  EXPECT_EQ(Unread(mark), "1:now|");
  mark = MarkNow(*terminal_);
  // The rows above go to the scrollback.
  Print("\r" + wider + "END\r\n2\r\n3\r\n4");
  EXPECT_EQ(Unread(mark), "1:" + wider + "END|2:2|3:3|4:4|");
}

TEST_F(ReadMarkTest, ManyLinesAreCountedWithoutTheirText) {
  ReadMark mark = MarkNow(*terminal_);
  PrintLines(9);
  EXPECT_EQ(CountUnread(*terminal_, mark), 9);
  PrintLines(91);
  EXPECT_EQ(CountUnread(*terminal_, mark), 100);
}

TEST_F(ReadMarkTest, WhatHasLeftTheTerminalIsNewAllTheSame) {
  Print("seen\r\nhal");
  ReadMark mark = MarkNow(*terminal_);
  Print("f\r\n");
  PrintLines(50);
  Excerpt unread = UnreadExcerpt(*history_, mark);
  ASSERT_EQ(unread.lines.size(), 51u);
  EXPECT_EQ(unread.lines[0].number, 1);
  EXPECT_EQ(unread.lines[0].text, "f");
  EXPECT_EQ(unread.lines.back().text, "line 49");
  EXPECT_EQ(unread.gap.count, 0);
}

TEST_F(ReadMarkTest, ALineThatWasSeenWholeIsNotToldAgainWhenItHasLeft) {
  Print("seen\r\nwhole");
  ReadMark mark = MarkNow(*terminal_);
  Print("\r\n");
  PrintLines(50);
  Excerpt unread = UnreadExcerpt(*history_, mark);
  ASSERT_EQ(unread.lines.size(), 50u);
  EXPECT_EQ(unread.lines[0].number, 2);
  EXPECT_EQ(unread.lines[0].text, "line 0");
}

// The position of the gap moves with the line that was removed.
TEST_F(ReadMarkTest, WhatIsLeftOutIsCountedWhereItWas) {
  Print("whole");
  ReadMark mark = MarkNow(*terminal_);
  Print("\r\n");
  PrintLines(20'000);
  Excerpt unread = UnreadExcerpt(*history_, mark);
  ASSERT_GT(unread.gap.count, 0);
  const terminal::Line& before = unread.lines[unread.gap.index - 1];
  const terminal::Line& behind = unread.lines[unread.gap.index];
  EXPECT_EQ(unread.lines[0].number, 1);
  EXPECT_EQ(behind.number - before.number - 1, unread.gap.count);
}

TEST_F(ReadMarkTest, InMemoryAndBeyondItTheSameIsNew) {
  PrintLines(100);
  for (int64_t line = 80; line < terminal_->end_line(); ++line) {
    ReadMark mark;
    mark.line = line;
    mark.shown = absl::StrFormat("line %d", line);
    mark.lines_revision = terminal_->lines_revision();
    // The open line has no text.
    std::string expected;
    for (int64_t next = line + 1; next < 100; ++next) {
      expected += absl::StrFormat("%d:line %d|", next, next);
    }
    EXPECT_EQ(Joined(UnreadExcerpt(*history_, mark).lines), expected) << line;
  }
}

}  // namespace
}  // namespace glasstty::record
