#include "waits/gone.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "terminal/terminal.h"

namespace glasstty::waits {
namespace {

using Sight = GoneText::Sight;

class Gone : public ::testing::Test {
 protected:
  Sight After(const std::string& bytes) {
    terminal_->Feed(bytes);
    return gone_.Look(terminal_->TakeSnapshot());
  }

  std::unique_ptr<terminal::Terminal> terminal_ =
      *terminal::Terminal::Create({.size = {10, 60}, .scrollback_rows = 10});
  GoneText gone_{"Loading packages"};
};

TEST_F(Gone, TellsWhatWasNeverThereFromWhatHasLeft) {
  EXPECT_EQ(After("hello\r\n"), Sight::kNever);
  EXPECT_EQ(After("Loading packages 4 of 9"), Sight::kThere);
  EXPECT_EQ(After("\r\033[K"), Sight::kGone);
  EXPECT_EQ(After("Loading packages"), Sight::kThere);
}

TEST_F(Gone, IsNotWhatStandsInTwoRows) {
  std::string before(50, '.');
  EXPECT_EQ(After("\033[3;1H" + before + "Loading packages"), Sight::kThere);
  EXPECT_EQ(After("\033[4;1H\033[K"), Sight::kGone);
  EXPECT_EQ(After("\033[3;1H" + before + "Loading packages"), Sight::kThere);
  // The same glyphs, in rows that have nothing to do with each other.
  EXPECT_EQ(After("\033[2J\033[3;51HLoading pa\033[4;1Hckages"), Sight::kGone);
}

TEST_F(Gone, IsWhatAnotherTextReplaces) {
  EXPECT_EQ(After("\033[5;10HLoading packages"), Sight::kThere);
  EXPECT_EQ(After("\033[5;10HLoaded  packages"), Sight::kGone);
  EXPECT_EQ(After("\033[5;10HLoading packages"), Sight::kThere);
  EXPECT_EQ(After("\033[5;10HLoading finished with errors"), Sight::kGone);
}

TEST_F(Gone, IsNotWhatMovesOrWhatAPartOfAListReplaces) {
  EXPECT_EQ(After("\033[5;10HLoading packages"), Sight::kThere);
  EXPECT_EQ(After("\033[5;1H\033[K\033[6;1HLoading packages"), Sight::kThere);
  EXPECT_EQ(After("\033[2J\033[1;1H[ ] one\033[2;1H[ ] two"), Sight::kGone);
  GoneText box("[ ] one");
  EXPECT_EQ(box.Look(terminal_->TakeSnapshot()), Sight::kThere);
  terminal_->Feed("\033[1;1H[x] one\033[2;1H[x] two");
  EXPECT_EQ(box.Look(terminal_->TakeSnapshot()), Sight::kGone);
}

// The right half, then the left half, is behind a frame of three rows.
TEST_F(Gone, IsNotWhatADialogCoversInPart) {
  const std::string text = "\033[2J\033[5;20HLoading packages";
  const std::string frames[] = {
      "\033[4;28H+------------+\033[5;28H| Quit? (y)  "
      "|\033[6;28H+------------+",
      "\033[4;14H+------------+\033[5;14H| Quit? (y)  "
      "|\033[6;14H+------------+",
      // The margin has two blanks in another background.
      "\033[44m\033[3;26H                \033[4;26H  +----------+  "
      "\033[5;26H  |   Quit?  |  \033[6;26H  +----------+  \033[m",
  };
  for (const std::string& frame : frames) {
    ASSERT_EQ(After(text), Sight::kThere);
    EXPECT_EQ(After(frame), Sight::kThere) << frame;
    // The dialog disappears, and the text with it.
    EXPECT_EQ(After("\033[2J"), Sight::kGone) << frame;
  }
}

TEST_F(Gone, IsNotWhatADialogCoversAtTheBottom) {
  const std::string dialog =
      "\033[9;28H+------------+\033[10;28H| Quit? (y)  |";
  for (const char* row : {"9", "10"}) {
    ASSERT_EQ(After(absl::StrFormat("\033[2J\033[%s;20HLoading packages", row)),
              Sight::kThere);
    EXPECT_EQ(After(dialog), Sight::kThere) << row;
  }
}

TEST_F(Gone, IsNotWhatADialogCoversAtTheTop) {
  const std::string dialog = "\033[1;28H| Quit? (y)  |\033[2;28H+------------+";
  for (const char* row : {"1", "2"}) {
    ASSERT_EQ(After(absl::StrFormat("\033[2J\033[%s;20HLoading packages", row)),
              Sight::kThere);
    EXPECT_EQ(After(dialog), Sight::kThere) << row;
  }
}

// A frame begins in about the same column in all its rows; a margin of up to
// three columns hides nothing there.
TEST_F(Gone, IsWhatIsReplacedBesideARowThatBeginsElsewhere) {
  for (auto [col, sight] :
       {std::pair{29, Sight::kThere}, std::pair{28, Sight::kGone},
        std::pair{33, Sight::kThere}, std::pair{34, Sight::kGone}}) {
    ASSERT_EQ(After("\033[2J\033[5;20HLoading packages"), Sight::kThere);
    EXPECT_EQ(After(absl::StrFormat(
                  "\033[4;%dH==============\033[5;30H==============", col)),
              sight)
        << col;
  }
}

// A single column at either end may be equal by chance.
TEST_F(Gone, IsNotWhatADialogCoversUpToTwoColumns) {
  const std::string text = "\033[2J\033[5;20HLoading packages";
  // The left edges of a dialog of 20 columns, counted from 1.
  for (auto [col, sight] :
       {std::pair{1, Sight::kThere}, std::pair{13, Sight::kThere},
        std::pair{14, Sight::kThere}, std::pair{15, Sight::kGone},
        std::pair{21, Sight::kGone}, std::pair{22, Sight::kThere},
        std::pair{35, Sight::kThere}}) {
    std::string dialog;
    for (int row : {4, 5, 6}) {
      dialog += absl::StrFormat("\033[%d;%dH+==================+", row, col);
    }
    ASSERT_EQ(After(text), Sight::kThere);
    EXPECT_EQ(After(dialog), sight) << col;
    After("\033[2J");
  }
}

// Columns are counted, not bytes.
TEST_F(Gone, IsNotWhatADialogCoversBehindOtherLetters) {
  for (const char* before : {"e", "\u00e9", "\u4e16"}) {
    GoneText loading("Loading packages");
    std::string dialog;
    for (int row : {4, 5, 6}) {
      dialog += absl::StrFormat("\033[%d;22H+==================+", row);
    }
    terminal_->Feed("\033[2J\033[5;20HLoading packages\033[5;1H");
    terminal_->Feed(before);
    ASSERT_EQ(loading.Look(terminal_->TakeSnapshot()), Sight::kThere);
    terminal_->Feed(dialog);
    EXPECT_EQ(loading.Look(terminal_->TakeSnapshot()), Sight::kThere) << before;
  }
}

// Its margin consists of blanks that differ from the screen's only by their
// background.
TEST_F(Gone, IsNotWhatADialogOfEightColumnsCovers) {
  struct Case {
    int text, dialog, cols;
    Sight sight;
  };
  for (auto [text, dialog, cols, sight] :
       {Case{20, 28, 8, Sight::kThere}, Case{20, 29, 7, Sight::kGone},
        Case{1, 1, 8, Sight::kThere}, Case{45, 53, 8, Sight::kThere}}) {
    const std::string blanks(static_cast<size_t>(cols), ' ');
    ASSERT_EQ(
        After(absl::StrFormat("\033[m\033[2J\033[5;%dHLoading packages", text)),
        Sight::kThere);
    std::string drawn = "\033[44m";
    for (int row : {4, 5, 6}) {
      drawn += absl::StrFormat("\033[%d;%dH%s", row, dialog, blanks);
    }
    EXPECT_EQ(After(drawn), sight) << text << " " << dialog;
  }
}

TEST_F(Gone, IsWhatIsNotFoundOnAScreenOfAnotherHeight) {
  ASSERT_EQ(After("\033[5;20HLoading packages"), Sight::kThere);
  ASSERT_TRUE(terminal_->Resize({12, 60}).ok());
  EXPECT_EQ(After("\033[2J"), Sight::kGone);
}

}  // namespace
}  // namespace glasstty::waits
