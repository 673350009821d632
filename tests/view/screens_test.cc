// Tests when a program counts as one that draws the whole screen, and what a
// reader has seen after it was shown a screen.
#include <gtest/gtest.h>

#include <string>

#include "testing/fake_holder.h"
#include "view/reader.h"
#include "view/reader_fixture.h"

namespace glasstty::view {
namespace {

class Screens : public ReaderTest {
 protected:
  ReaderMark ShowScreen() {
    Read({.mode = ReadMode::kSnapshot});
    return mark_;
  }
};

TEST_F(Screens, AreToldWithTheirSizeAndCursor) {
  holder_.Print("a\r\nbc");
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.facts, "4x20 cursor=2:3");
  EXPECT_EQ(last_.hint, "");
  holder_.Print("\033[?25l");
  Read({.mode = ReadMode::kSnapshot});
  EXPECT_EQ(last_.facts, "4x20 cursor=2:3(hidden)");
}

TEST_F(Screens, ThatShowEveryUnreadLineCountAsRead) {
  for (int unread : {4, 5}) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({4, 20});
    for (int i = 1; i < unread; ++i) holder.Print("line\r\n");
    holder.Print("last");
    ReaderMark mark =
        ReadSession(*session, {}, {.mode = ReadMode::kSnapshot}).mark;
    EXPECT_EQ(
        ReadSession(*session, mark, {.mode = ReadMode::kStream}).body.empty(),
        unread == 4);
  }
}

TEST_F(Screens, ThatBeginInsideAnUnreadLineDoNotCountAsRead) {
  const std::string a(60, 'a'), b(60, 'b'), c(60, 'c');
  holder_.Print(a + "\r\n" + b + "\r\n" + c);
  ShowScreen();
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), a + "\n" + b + "\n" + c);
}

TEST_F(Screens, OfTheAlternateKindLeaveTheLinesBehindThemUnread) {
  holder_.Print("warning\r\n\033[?1049h\033[Hmenu");
  ShowScreen();
  holder_.Print("\033[2Jpage");
  ShowScreen();
  holder_.Print("\033[?1049l");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "warning");
}

TEST_F(Screens, OfTheAlternateKindCountTheCommandThatOpenedThemAsRead) {
  PrintPrompt();
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "$ ");
  BeginCommand("vim");
  holder_.Print("\033[?1049h\033[Htext");
  ShowScreen();
  holder_.Print("\033[?1049l");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "");
}

TEST_F(Screens, OfTheAlternateKindCountTheEchoOfWhatWasTypedAsRead) {
  holder_.Print("> ");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "> ");
  holder_.Print("menu\r\n\033[?1049h\033[Htext");
  Read({.mode = ReadMode::kSnapshot, .typed = {"menu"}, .hide_echo = true});
  holder_.Print("\033[?1049l");
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "");
}

TEST_F(Screens, ThatAreClearedCountTheirEarlierFramesAsReadAndNothingElse) {
  for (const char* before : {"", "warning\r\n"}) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({4, 20});
    ReaderMark mark;
    auto read = [&](ReadMode mode) {
      ReadResult result = ReadSession(*session, mark, {.mode = mode});
      mark = result.mark;
      return result.body;
    };
    const std::string clear = "\033[H\033[J";
    holder.Print(before + clear + "frame 1");
    EXPECT_EQ(read(ReadMode::kSnapshot), "frame 1");
    holder.Print(clear + "frame 2" + clear + "frame 3");
    EXPECT_EQ(read(ReadMode::kSnapshot), "frame 3");
    bool is_shown = read(ReadMode::kStream).starts_with("warning\n");
    EXPECT_EQ(is_shown, *before != '\0');
  }
}

TEST_F(Screens, OfTheAlternateKindHaveNoLinesAbove) {
  PrintNumbered(9);
  holder_.Print("\033[?1049h\033[Hmenu");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .scrollback = 3}), "menu");
}

TEST_F(Screens, CutToOneRowSaySo) {
  holder_.Print("1\r\n2\r\n3\r\n4");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .limits = {.max_lines = 1}}),
            "1\n[... 3 rows left out]");
  EXPECT_EQ(last_.hint, "3 rows left out: max_lines=0 shows them");
}

TEST_F(Screens, ToBeDrawnComeAsAFrameAndMoveNothing) {
  holder_.Print("text");
  EXPECT_EQ(Read({.mode = ReadMode::kPicture}), "");
  EXPECT_EQ(last_.used, ReadMode::kPicture);
  EXPECT_EQ(last_.facts, "4x20 cursor=1:5");
  ASSERT_NE(last_.frame, nullptr);
  EXPECT_EQ(last_.frame->rows[0].text, "text");
  EXPECT_EQ(last_.frame_revision, session_->output().terminal().revision());
  EXPECT_EQ(Read({.mode = ReadMode::kStream}), "text");
}

TEST_F(Screens, StyledHaveBrightAndNumberedColours) {
  holder_.Print("\033[37ma\033[90mb\033[97mc\033[38;5;16md\033[100me\033[m");
  EXPECT_EQ(Read({.mode = ReadMode::kSnapshot, .styled = true}),
            "\\e[37ma\\e[m\\e[90mb\\e[m\\e[97mc\\e[m\\e[38;5;16md\\e[m"
            "\\e[38;5;16;100me\\e[m");
}

// ---- programs that draw on the primary screen

TEST_F(Screens, ThatWereShownGoOnUntilSomethingIsPrintedBelow) {
  holder_.Print("1\r\n2\r\n3");
  ShowScreen();
  holder_.Print("\rthree");
  EXPECT_EQ(DrawsFullScreen(*session_, mark_), "rewrites rows");
  holder_.Print("\r\n");
  EXPECT_EQ(DrawsFullScreen(*session_, mark_), "");
}

TEST_F(Screens, ThatWereShownEndWithThePrompt) {
  PrintPrompt();
  holder_.Answer(wire::Waiting::kRead, false, false, "bash");
  ASSERT_TRUE(AskState(session_));
  ShowScreen();
  holder_.Print("l");
  ASSERT_TRUE(AskState(session_));
  EXPECT_EQ(DrawsFullScreen(*session_, mark_), "");
}

TEST_F(Screens, AreKnownByACursorFarAboveTheText) {
  session_ = holder_.Open({8, 20});
  holder_.Print("1\r\n2\r\n3\r\n4\r\n5\033[3A");
  EXPECT_EQ(DrawsFullScreen(*session_, {}), "");
  holder_.Print("\033[1A");
  EXPECT_EQ(DrawsFullScreen(*session_, {}), "rewrites rows");
}

TEST_F(Screens, AreKnownByFourRowsThatAreNotAsTheyWere) {
  for (int rewritten : {3, 4}) {
    FakeHolder holder;
    session::SessionRef session = holder.Open({8, 20});
    holder.Print("1\r\n2\r\n3\r\n4\r\n5\r\n6");
    ReaderMark mark =
        ReadSession(*session, {}, {.mode = ReadMode::kStream}).mark;
    holder.Print("\033[5A\r");
    for (int i = 0; i < rewritten; ++i) holder.Print("new\r\n");
    holder.Print("\033[5B\r\n");
    EXPECT_EQ(DrawsFullScreen(*session, mark),
              rewritten == 4 ? "rewrites rows" : "");
  }
}

// ---- programs that have left what they drew

class LeftScreen : public Screens {
 protected:
  void Draw() { holder_.Print("\033[H1\r\n2\r\n3\r\n4"); }
};

TEST_F(LeftScreen, IsKnownByThePromptBehindTheCommandThatDrewIt) {
  PrintPrompt();
  BeginCommand("top");
  Draw();
  EXPECT_FALSE(HasLeftScreen(*session_, mark_)) << "never shown";
  ShowScreen();
  EXPECT_FALSE(HasLeftScreen(*session_, mark_)) << "still runs";
  Draw();
  EndCommand();
  EXPECT_FALSE(HasLeftScreen(*session_, mark_)) << "no prompt yet";
  PrintPrompt();
  EXPECT_TRUE(HasLeftScreen(*session_, mark_));
  EXPECT_FALSE(HasLeftScreen(*session_, {})) << "never shown";
  holder_.Print("\033[?1049h");
  EXPECT_FALSE(HasLeftScreen(*session_, mark_)) << "another screen";
}

TEST_F(LeftScreen, IsNoneWhereItWasShownAfterTheCommand) {
  PrintPrompt();
  BeginCommand("top");
  Draw();
  EndCommand();
  ShowScreen();
  PrintPrompt();
  EXPECT_FALSE(HasLeftScreen(*session_, mark_));
}

TEST_F(LeftScreen, IsNoneOnTheAlternateScreenAndWithoutCommands) {
  PrintPrompt();
  ShowScreen();
  holder_.Print("x");
  EXPECT_FALSE(HasLeftScreen(*session_, mark_)) << "no command";
  BeginCommand("vim");
  holder_.Print("\033[?1049htext");
  ShowScreen();
  holder_.Print("\033[?1049l");
  EndCommand();
  PrintPrompt();
  EXPECT_FALSE(HasLeftScreen(*session_, mark_)) << "restored by vim";
}

}  // namespace
}  // namespace glasstty::view
