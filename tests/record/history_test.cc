#include "record/history.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "record/command_log.h"
#include "record/line_search.h"
#include "support/check.h"
#include "testing/no_descriptors.h"

namespace glasstty::record {
namespace {

// A terminal of 4 rows and 5 lines of scrollback over a real directory.
class HistoryTest : public testing::Test {
 protected:
  HistoryTest() {
    char name[] = "/tmp/glasstty-history-XXXXXX";
    path_ = mkdtemp(name);
    folder_ = std::make_unique<Folder>(parent_.get(), path_.substr(5));
    Start(0);
    history_->EndRestore();
  }
  ~HistoryTest() override { std::filesystem::remove_all(path_); }

  // Starts like a server that begins to read the log there, and has read the
  // old part at EndRestore. Returns where it begins.
  uint64_t Start(uint64_t offset, uint64_t cap = 1 << 30) {
    auto terminal = terminal::Terminal::Create(
        {.size = {4, 20}, .scrollback_rows = 5, .keep_evicted = true});
    CHECK(terminal.ok());
    terminal_ = *std::move(terminal);
    history_ =
        std::make_unique<History>(terminal_.get(), folder_.get(), "lines", cap);
    history_->Restore(&offset);
    log_end_ = offset;
    return offset;
  }

  void Print(std::string_view bytes) {
    terminal_->Feed(bytes);
    log_end_ += bytes.size();
    history_->Collect(log_end_);
  }
  // Prints lines "line 1" ... of about `width` bytes, with the numbers [from,
  // to).
  void PrintLines(int from, int to, int width = 0) {
    for (int i = from; i < to; ++i) Print(LineText(i, width) + "\r\n");
  }
  static std::string LineText(int i, int width = 0) {
    std::string text = absl::StrFormat("line %d", i);
    return text + std::string(static_cast<size_t>(std::max(width - 8, 0)), '.');
  }

  std::string Text(int64_t from, int64_t to) {
    std::string text;
    for (const terminal::Line& line : history_->Lines(from, to)) {
      text += absl::StrFormat("%d:%s|", line.number, line.text);
    }
    return text;
  }
  int Files() const {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      files += entry.path().extension() != ".places";
    }
    return files;
  }

  std::string path_;
  UniqueFd parent_{open("/tmp", O_RDONLY | O_DIRECTORY)};
  std::unique_ptr<Folder> folder_;
  std::unique_ptr<terminal::Terminal> terminal_;
  std::unique_ptr<History> history_;
  uint64_t log_end_ = 0;
};

TEST_F(HistoryTest, EveryLineIsThereWhetherInMemoryOrNot) {
  PrintLines(0, 20'000);
  EXPECT_EQ(history_->first_line(), 0);
  EXPECT_EQ(history_->end_line(), 20'001);
  for (int from : {0, 1, 4'711, 19'985, 19'990, 19'996, 19'999}) {
    EXPECT_EQ(Text(from, from + 1), absl::StrFormat("%d:line %d|", from, from));
  }
  std::vector<terminal::Line> all = history_->Lines(0, 20'000);
  ASSERT_EQ(all.size(), 20'000u);
  for (int i = 0; i < 20'000; ++i) ASSERT_EQ(all[i].text, LineText(i));
}

TEST_F(HistoryTest, ALineThatIsPartlyInMemoryIsWhole) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += absl::StrFormat("%010d", i);
  Print("before\r\n" + text);
  EXPECT_EQ(Text(0, 2), "0:before|1:" + text + "|");
  Print("\r\nafter");
  EXPECT_EQ(Text(1, 3), "1:" + text + "|2:after|");
}

TEST_F(HistoryTest, BlanksWithinAWrappedLineStay) {
  std::string text = std::string(15, 'a') + std::string(10, ' ') + "b";
  Print(text + "\r\n");
  PrintLines(1, 30);
  EXPECT_EQ(Text(0, 1), "0:" + text + "|");
}

TEST_F(HistoryTest, LinesAreAsTheyWerePrintedInMemoryAndOnDisk) {
  const std::string printed = "\tindent\ttail \t\r\r\n";
  const std::string text = "\tindent\ttail \t\r";
  for (int i = 0; i < 50; ++i) Print(printed);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(history_->Lines(i, i + 1).front().text, text) << i;
  }
}

TEST_F(HistoryTest, ALineThatWrapsInBlanksOrInATabIsWhole) {
  // At 20 columns, there are blanks over the edge, and a tab that ends at the
  // edge.
  const std::string blanks = std::string(18, 'a') + "     " + "b  ";
  const std::string tab = std::string(15, 'a') + "\t" + std::string(30, 'b');
  const std::string pair = blanks + "\r\n" + tab + "\r\n";
  for (int i = 0; i < 30; ++i) Print(pair);
  for (int i = 0; i < 60; i += 2) {
    ASSERT_EQ(history_->Lines(i, i + 1).front().text, blanks) << i;
    ASSERT_EQ(history_->Lines(i + 1, i + 2).front().text, tab) << i;
  }
}

TEST_F(HistoryTest, BlankLinesHaveNumbersToo) {
  for (int i = 0; i < 50; ++i) Print("\r\n");
  Print("x\r\n");
  PrintLines(0, 30);
  EXPECT_EQ(Text(49, 52), "49:|50:x|51:line 0|");
}

TEST_F(HistoryTest, OfAHugeLineTheBeginningIsKeptAndTheRestCounted) {
  std::string piece(1'000, 'x');
  for (int i = 0; i < 200; ++i) Print(piece);
  Print("\r\n");
  PrintLines(1, 30);
  std::vector<terminal::Line> lines = history_->Lines(0, 2);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].text, std::string(LineArchive::kMaxLineBytes, 'x') +
                               " [... 134464 characters (134464 bytes) of this "
                               "line are not kept ...] ");
  EXPECT_EQ(lines[0].text.size() + lines[0].missing_bytes, 200'000u);
  EXPECT_EQ(lines[1].text, "line 1");
}

// Each "é" has two bytes, which reveals code that counts bytes as characters.
// The end of the line is on the screen and in the scrollback.
TEST_F(HistoryTest, ANoteStandsBetweenTheBeginningAndTheEndOfAHugeLine) {
  std::string piece;
  for (int i = 0; i < 500; ++i) piece += "é";
  Print("begin");
  for (int i = 0; i < 200; ++i) Print(piece);
  Print("end");
  std::vector<terminal::Line> lines = history_->Lines(0, 1);
  ASSERT_EQ(lines.size(), 1u);
  const terminal::Line& line = lines[0];
  EXPECT_TRUE(line.text.starts_with("beginé"));
  EXPECT_TRUE(line.text.ends_with("éend"));
  EXPECT_NE(line.text.find("of this line are not kept ...] é"),
            std::string::npos);
  EXPECT_EQ(line.text.size() + line.missing_bytes, 200'008u);
  EXPECT_EQ(CountCodePoints(line.text) + line.missing_characters, 100'008u);
  // A place after the missing part: a command's output ends there.
  TrimToPlaces({}, {0, 200'005}, &lines);
  EXPECT_TRUE(lines[0].text.ends_with("é"));
}

// Of many matches, both ends are kept and the rest is counted.
TEST_F(HistoryTest, ASearchKeepsTheFirstAndTheLastMatches) {
  PrintLines(0, 40'000, 60);
  for (int64_t max : {1, 2, 5}) {
    LineSearch search(history_.get(), *Pattern::Compile("."),
                      {.from = 0, .to = 40'000, .max = max});
    while (!search.Continue(std::chrono::seconds(1))) {
    }
    EXPECT_EQ(search.matches(), 40'000);
    std::vector<int64_t> numbers;
    int64_t left_out = 0;
    for (const LineSearch::Found& found : search.Take()) {
      numbers.push_back(found.line.number);
      EXPECT_EQ(found.line.text,
                LineText(static_cast<int>(numbers.back()), 60));
      left_out += found.left_out;
    }
    std::vector<int64_t> wanted = {0, 1, 2, 39'998, 39'999};
    if (max == 1) wanted = {0};
    if (max == 2) wanted = {0, 39'999};
    EXPECT_EQ(numbers, wanted);
    EXPECT_EQ(left_out, max == 1 ? 0 : 40'000 - max);
  }
}

TEST_F(HistoryTest, ASearchDoesNotMatchAcrossWhatIsMissingOfALine) {
  Print("b");
  for (int i = 0; i < 300; ++i) Print(std::string(1'000, 'x'));
  Print("e");
  for (int round = 0; round < 2; ++round) {
    LineSearch search(history_.get(), *Pattern::Compile("bx+e"),
                      {.from = 0, .to = 1, .max = 5});
    while (!search.Continue(std::chrono::seconds(1))) {
    }
    EXPECT_TRUE(search.Take().empty());
    // All of it is on disk.
    PrintLines(1, 30);
  }
}

TEST_F(HistoryTest, TheCapRemovesTheOldestAndTheFirstLineTells) {
  Start(0, 2 * LineArchive::kFileBytes);
  PrintLines(0, 200'000, 100);
  int64_t first = history_->first_line();
  EXPECT_GT(first, 50'000);
  EXPECT_LT(first, 150'000);
  EXPECT_LE(Files(), 4);
  EXPECT_EQ(Text(first - 5, first + 1),
            absl::StrFormat("%d:%s|", first, LineText(first, 100)));
  EXPECT_EQ(Text(199'999, 200'000), "199999:" + LineText(199'999, 100) + "|");
}

TEST_F(HistoryTest, AnExcerptHasBothEndsAndCountsWhatIsBetween) {
  PrintLines(0, 100'000);
  Excerpt excerpt = history_->Extract(10, 90'000);
  ASSERT_GT(excerpt.gap.count, 0);
  EXPECT_EQ(excerpt.lines.front().number, 10);
  EXPECT_EQ(excerpt.lines.back().number, 89'999);
  const terminal::Line& before = excerpt.lines[excerpt.gap.index - 1];
  const terminal::Line& behind = excerpt.lines[excerpt.gap.index];
  EXPECT_EQ(behind.number - before.number - 1, excerpt.gap.count);
  EXPECT_LT(excerpt.lines.size(), 5'000u);
  Excerpt whole = history_->Extract(10, 60);
  EXPECT_EQ(whole.gap.count, 0);
  EXPECT_EQ(whole.lines.size(), 50u);
}

// A whole text for a shell may have millions of short lines.
TEST_F(HistoryTest, AnExcerptMayHaveManyLinesFromEachEnd) {
  constexpr int kLines = 300'000;
  std::string all;
  for (int i = 0; i < kLines; ++i) all += LineText(i) + "\r\n";
  Print(all);
  Excerpt excerpt = history_->Extract(
      0, kLines, {.lines = INT64_MAX / 4, .bytes = 1'500'000});
  ASSERT_GT(excerpt.gap.count, 0);
  ASSERT_GT(excerpt.lines.size(), 200'000u);
  EXPECT_EQ(excerpt.lines.back().number, kLines - 1);
  int64_t number = 0;
  for (size_t i = 0; i < excerpt.lines.size(); ++i, ++number) {
    if (i == excerpt.gap.index) number += excerpt.gap.count;
    ASSERT_EQ(excerpt.lines[i].number, number);
  }
}

TEST_F(HistoryTest, EmptyLinesCountAgainstTheLimitOfBytes) {
  Print(std::string(10'000, '\n'));
  EXPECT_LE(history_->Lines(0, 9'000, 1'000).size(), 1'000u);
  Excerpt excerpt =
      history_->Extract(0, 9'000, {.lines = INT64_MAX / 4, .bytes = 1'000});
  EXPECT_LE(excerpt.lines.size(), 2'064u);
}

TEST_F(HistoryTest, AServerThatReadsTheWholeLogMakesTheSameLinesAnew) {
  PrintLines(0, 5'000);
  std::string before = Text(100, 140);
  Start(0);
  EXPECT_EQ(history_->end_line(), 1);
  PrintLines(0, 5'000);
  EXPECT_EQ(Text(100, 140), before);
}

TEST_F(HistoryTest, LinesKeepTheirNumbersWhenTheLogsBeginningHasGone) {
  std::vector<uint64_t> ends;  // of each line, in the log
  for (int i = 0; i < 40'000; ++i) {
    PrintLines(i, i + 1, 60);
    ends.push_back(log_end_);
  }
  uint64_t kept = ends[10'000] + 7;
  uint64_t begin = Start(kept);
  EXPECT_GE(begin, kept);
  // The replay continues at a place that is the beginning of a line.
  auto at = std::find(ends.begin(), ends.end(), begin);
  ASSERT_NE(at, ends.end());
  int next = static_cast<int>(at - ends.begin()) + 1;
  EXPECT_LT(next, 16'000);
  PrintLines(next, 40'000, 60);
  EXPECT_EQ(history_->first_line(), 0);
  EXPECT_EQ(history_->end_line(), 40'001);
  for (int i : {0, 5, 9'999, next - 1, next, next + 1, 39'000, 39'999}) {
    EXPECT_EQ(Text(i, i + 1), absl::StrFormat("%d:%s|", i, LineText(i, 60)));
  }
}

TEST_F(HistoryTest, LinesAreKeptOverManyServersThoughTheLogsBeginningHasGone) {
  std::vector<uint64_t> ends;  // of each line, in the log
  for (int i = 0; i < 60'000; ++i) {
    PrintLines(i, i + 1, 100);
    ends.push_back(log_end_);
  }
  for (int kept : {10'000, 20'000, 30'000}) {
    uint64_t begin = Start(ends[kept] + 7);
    auto at = std::find(ends.begin(), ends.end(), begin);
    ASSERT_NE(at, ends.end());
    PrintLines(static_cast<int>(at - ends.begin()) + 1, 60'000, 100);
    history_->EndRestore();
    ASSERT_EQ(history_->first_line(), 0) << kept;
    ASSERT_EQ(history_->end_line(), 60'001);
    for (int i : {0, kept, 50'000}) {
      EXPECT_EQ(Text(i, i + 1), absl::StrFormat("%d:%s|", i, LineText(i, 100)));
    }
  }
}

TEST_F(HistoryTest, AServerThatDiesWhileItReadsTheLogTakesNoLineAlong) {
  PrintLines(0, 20'000, 60);
  uint64_t end = log_end_;
  int files = Files();
  Start(0);
  PrintLines(0, 10'000, 60);
  // The next server cannot read the log at all.
  Start(end);
  EXPECT_EQ(Text(0, 1), "0:" + LineText(0, 60) + "|");
  EXPECT_EQ(Text(15'000, 15'001), "15000:" + LineText(15'000, 60) + "|");
  history_->EndRestore();
  EXPECT_EQ(Files(), files) << "the half-made files are gone";
}

// Its files begin with other lines than those of the previous server.
TEST_F(HistoryTest, AServerThatDiesBehindAGapInTheLogLeavesNoFileToo) {
  PrintLines(0, 20'000, 60);
  uint64_t end = log_end_;
  int files = Files();
  Start(end / 2);
  PrintLines(0, 5'000, 60);
  EXPECT_GT(Files(), files);
  Start(end);
  history_->EndRestore();
  EXPECT_EQ(Files(), files);
}

TEST_F(HistoryTest, AFileWithoutAWholeLineIsNotTakenOver) {
  std::ofstream(path_ + "/lines.0000000000000000") << "one\n";
  std::ofstream(path_ + "/lines.0000000000000001") << "half";
  Start(1);
  EXPECT_EQ(Text(0, 1), "0:one|");
  history_->EndRestore();
  EXPECT_EQ(Files(), 1);
}

TEST_F(HistoryTest, LinesThatOnlyTheDeadServerHadAreSaidToBeLost) {
  PrintLines(0, 40'000, 60);
  // A place is noted after all that was on disk.
  Print(std::string(300 << 10, '\r'));
  Start(log_end_);
  history_->EndRestore();
  EXPECT_EQ(Text(0, 1), "0:" + LineText(0, 60) + "|");
  EXPECT_EQ(Text(39'995, 39'996), "");
  EXPECT_NE(history_->LostIn(0, 40'000).Text().find("lines are lost"),
            std::string::npos);
  EXPECT_EQ(history_->LostIn(0, 10).Text(), "");
  EXPECT_EQ(history_->end_line(), 40'001);
}

TEST_F(HistoryTest, WithoutWhatWasArchivedTheNumbersStillHold) {
  PrintLines(0, 40'000, 60);
  uint64_t end = log_end_;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    if (entry.path().extension() != ".places") {
      std::filesystem::remove(entry.path());
    }
  }
  Start(end / 2);
  EXPECT_GT(history_->first_line(), 19'000);
  EXPECT_LT(history_->first_line(), 26'000);
}

TEST_F(HistoryTest, ADiskThatRefusesCostsTheOldLinesOnly) {
  PrintLines(0, 10);
  // The directory is gone, so no file can be created in it.
  std::filesystem::remove_all(path_);
  PrintLines(10, 30'000);
  int64_t first = history_->first_line();
  EXPECT_GT(first, 0);
  EXPECT_EQ(Text(29'999, 30'000), "29999:line 29999|");
}

// A full disk refuses the lines before a hole, and causes the hole.
TEST_F(HistoryTest, ADiskThatRefusesLinesBeforeAHoleChangesNoNumbers) {
  // The last lines before the hole are refused while the hole is still to come,
  // at the hole itself, and long before it.
  for (int before : {100, 20, 30'000}) {
    Start(0);
    history_->EndRestore();
    PrintLines(0, before);
    std::filesystem::remove_all(path_);
    terminal_->Feed(std::string(before == 100 ? 300 << 10 : 0, '.'));
    terminal_->Lose(5'000, 1'000, "[lost]");
    std::string after;
    int64_t first = terminal_->end_line() - 1;
    for (int i = 0; i < 30'000; ++i) after += LineText(i) + "\r\n";
    Print(after);
    std::filesystem::create_directory(path_);
    Print(after);
    EXPECT_GT(history_->first_line(), 10) << before;
    for (int64_t i : {30'000, 45'000, 59'999}) {
      EXPECT_EQ(Text(first + i, first + i + 1),
                absl::StrFormat("%d:line %d|", first + i, i % 30'000))
          << before;
    }
    EXPECT_EQ(history_->LostIn(0, history_->end_line()).lines, 1'000);
    EXPECT_EQ(history_->Lines(first + 40'000, first + 50'000).size(), 10'000u);
  }
}

class LineSearchTest : public HistoryTest {
 protected:
  // Returns "match(number), around": "7! 8 9".
  std::string Search(const char* regex, SearchRequest request) {
    if (request.to == 0) request.to = history_->end_line();
    LineSearch search(history_.get(), *Pattern::Compile(regex), request);
    while (!search.Continue(Duration::zero())) ++slices_;
    matches_ = search.matches();
    std::string text;
    for (const LineSearch::Found& row : search.Take()) {
      text += absl::StrFormat("%d%s ", row.line.number, row.match ? "!" : "");
    }
    return text;
  }

  int64_t matches_ = 0;
  int slices_ = 0;
};

TEST_F(LineSearchTest, FindsLinesOnDiskAndInMemoryInSlices) {
  PrintLines(0, 20'000);
  EXPECT_EQ(Search("line (17|12345|19999)$", {}), "17! 12345! 19999! ");
  EXPECT_GT(slices_, 1);
}

TEST_F(LineSearchTest, ShowsSoManyAndCountsAll) {
  PrintLines(0, 1'000);
  EXPECT_EQ(Search("line", {.max = 3}), "0! 1! 999! ");
  EXPECT_EQ(matches_, 1'000);
}

TEST_F(LineSearchTest, FindsTheSameLinesAsALookAtEachOfThem) {
  for (int i = 0; i < 5'000; ++i) {
    Print(i % 7 == 0 ? "\r\n" : LineText(i) + "\r\n");
  }
  for (const char* source : {"9", "line 1", "^line 7", "0$", "[^ ]*99",
                             "\\Aline 5", "line (12|34)", "^$", "1.*2", ""}) {
    Pattern pattern = *Pattern::Compile(source);
    std::vector<int64_t> wanted;
    for (const terminal::Line& line :
         history_->Lines(0, history_->end_line())) {
      if (pattern.Find(line.text)) wanted.push_back(line.number);
    }
    LineSearch search(history_.get(), pattern,
                      {.from = 0, .to = history_->end_line(), .max = 1 << 20});
    while (!search.Continue(Duration::zero())) {
    }
    std::vector<int64_t> found;
    for (const LineSearch::Found& row : search.Take()) {
      found.push_back(row.line.number);
      ASSERT_EQ(row.line.text,
                history_->Lines(row.line.number, row.line.number + 1)[0].text);
    }
    ASSERT_EQ(found, wanted) << source;
    EXPECT_EQ(search.matches(), std::ssize(wanted)) << source;
  }
}

TEST_F(LineSearchTest, WhatCannotBeReadAnyMoreIsNotMadeUp) {
  PrintLines(0, 40'000);
  EXPECT_EQ(Files(), 1);
  std::filesystem::resize_file(path_ + "/lines.0000000000000000", 200'000);
  LineSearch search(history_.get(), *Pattern::Compile("line"),
                    {.from = 0, .to = history_->end_line(), .max = 1 << 20});
  while (!search.Continue(Duration::zero())) {
  }
  std::vector<LineSearch::Found> found = search.Take();
  EXPECT_GT(found.size(), 5'000u);
  EXPECT_LT(found.size(), 35'000u);
  for (const LineSearch::Found& row : found) {
    ASSERT_EQ(row.line.text, LineText(static_cast<int>(row.line.number)));
  }
}

TEST_F(LineSearchTest, LooksWithinTheLinesThatWereNamed) {
  PrintLines(0, 1'000);
  EXPECT_EQ(Search("9$", {.from = 100, .to = 120}), "109! 119! ");
}

TEST_F(LineSearchTest, SomeLinesAreSearchedAndFoundOtherwise) {
  PrintLines(0, 1'000);
  for (int64_t number : {100, 150, 999}) {
    SearchRequest request = {.from = 100, .to = 1'000, .context = 1};
    request.instead = {{.number = number, .text = "another"}};
    std::string around = absl::StrFormat("%d! ", number);
    if (number > 100) around = absl::StrFormat("%d ", number - 1) + around;
    if (number < 999) around += absl::StrFormat("%d ", number + 1);
    EXPECT_EQ(Search("another", request), around);
    Search("line", request);
    EXPECT_EQ(matches_, 899);
  }
}

TEST_F(LineSearchTest, LinesAroundMatchesAreShownOnce) {
  PrintLines(0, 100);
  EXPECT_EQ(Search("line (10|12|13|40)$", {.context = 2}),
            "8 9 10! 11 12! 13! 14 15 38 39 40! 41 42 ");
}

// A search that finds nothing must differ from one that could not search.
TEST_F(HistoryTest, LinesThatCannotBeReadAreToldFromThoseThatAreNotThere) {
  PrintLines(0, 20'000, 40);
  ASSERT_GT(Files(), 0);
  EXPECT_EQ(history_->failed_reads(), 0u);
  {
    NoDescriptors none;
    EXPECT_EQ(Text(0, 2), "");
    LineSearch search(history_.get(), *Pattern::Compile("line 7[.]"),
                      {.to = history_->end_line()});
    while (!search.Continue(Duration::max() / 4)) {
    }
    EXPECT_EQ(search.matches(), 0);
  }
  EXPECT_GT(history_->failed_reads(), 1u);
  EXPECT_NE(history_->ReadFailure().find("Too many open files"),
            std::string::npos);
  uint64_t failed = history_->failed_reads();
  EXPECT_EQ(history_->Lines(0, 1).size(), 1u);
  EXPECT_EQ(history_->failed_reads(), failed);
}

// A file of lines is gone, too.
TEST_F(HistoryTest, ANumberThatIsMissingIsSkippedAndCounted) {
  PrintLines(0, 100);
  terminal_->Lose(5'000, 1'000, "[lost]");
  history_->Collect(log_end_);
  PrintLines(1'100, 1'300);
  EXPECT_EQ(Text(99, 1'102),
            "99:line 99|100:[lost]|1100:line 1100|1101:line 1101|");
  EXPECT_EQ(Text(500, 1'101), "1100:line 1100|");
  EXPECT_EQ(Text(1'299, 1'300), "1299:line 1299|");
  EXPECT_EQ(history_->SkipMissing(101), 1'100);
  Excerpt excerpt = history_->Extract(0, history_->end_line());
  EXPECT_EQ(excerpt.gap.count, 0);
  EXPECT_EQ(excerpt.lines.size(), 302u);
  LineSearch search(history_.get(), *Pattern::Compile("^line"),
                    {.to = history_->end_line()});
  while (!search.Continue(Duration::max() / 4)) {
  }
  EXPECT_EQ(search.matches(), 300);
}

}  // namespace
}  // namespace glasstty::record
