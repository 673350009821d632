#include "typing/pointer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/check.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/keys.h"

namespace glasstty::typing {
namespace {

// Returns a terminal whose program takes clicks, drags and the wheel, spelled
// as numbers.
std::unique_ptr<terminal::Terminal> Screen(std::string_view drawn) {
  auto terminal = terminal::Terminal::Create({.size = {6, 40}});
  CHECK(terminal.ok());
  (*terminal)->Feed("\033[?1002h\033[?1006h");
  (*terminal)->Feed(drawn);
  return *std::move(terminal);
}

Spot On(std::string text) {
  return {.kind = Spot::Kind::kText, .text = std::move(text), .cell = {}};
}

Spot At(int row, int col) {
  return {.kind = Spot::Kind::kCell, .text = "", .cell = {row, col}};
}

Gesture ClickOn(Spot spot) {
  Gesture gesture;
  gesture.from = std::move(spot);
  return gesture;
}

std::string Encoded(const Gesture& gesture,
                    const terminal::Terminal& terminal) {
  auto events = EncodeGesture(gesture, terminal);
  return events.ok() ? Join(*events, "") : Message(events.status());
}

TEST(Pointer, AClickOnATextLandsInItsMiddle) {
  auto terminal = Screen("\033[3;10H< Cancel >");
  EXPECT_EQ(Encoded(ClickOn(On("Cancel")), *terminal),
            "\033[<0;14;3M\033[<0;14;3m");
}

TEST(Pointer, WideCharactersCountTwoColumns) {
  auto terminal = Screen("世界 OK");
  EXPECT_EQ(FindOnScreen(terminal->TakeSnapshot(), "OK"),
            (std::vector<CellPlace>{{0, 5}}));
  // The text has four columns, of which the second is the middle.
  EXPECT_EQ(Encoded(ClickOn(On("世界")), *terminal),
            "\033[<0;2;1M\033[<0;2;1m");
}

TEST(Pointer, MarksOnALetterTakeNoColumn) {
  auto terminal = Screen("e\xCC\x81t OK");
  EXPECT_EQ(FindOnScreen(terminal->TakeSnapshot(), "OK"),
            (std::vector<CellPlace>{{0, 3}}));
}

TEST(Pointer, OfTwoAlikeNoneIsClickedAndBothAreNamed) {
  auto terminal = Screen("[OK] text [OK]\r\n\r\nOK");
  EXPECT_EQ(Encoded(ClickOn(On("OK")), *terminal),
            "\"OK\" is on the screen 3 times: [1, 2] [1, 12] [3, 1]; give "
            "one of these [row, col], or a longer text");
}

TEST(Pointer, SixPlacesAreNamedAndTheRestIsCounted) {
  for (auto [drawn, end] :
       {std::pair{"x x x x x x", "[1, 9] [1, 11]; give one of"},
        std::pair{"x x x x x x x", "[1, 9] [1, 11] and 1 more; give one of"}}) {
    std::string error = Encoded(ClickOn(On("x")), *Screen(drawn));
    EXPECT_NE(error.find(end), std::string::npos) << error;
  }
}

TEST(Pointer, ATextThatIsNotThereIsAnError) {
  auto terminal = Screen("Yes No");
  EXPECT_EQ(Encoded(ClickOn(On("OK")), *terminal),
            "\"OK\" is not on the screen; term_read mode=snapshot shows what "
            "is");
}

TEST(Pointer, ACellOutsideTheScreenIsAnError) {
  auto terminal = Screen("");
  EXPECT_EQ(Encoded(ClickOn(At(6, 0)), *terminal),
            "[7, 1] is outside the screen of 6x40");
  EXPECT_EQ(Encoded(ClickOn(At(0, 40)), *terminal),
            "[1, 41] is outside the screen of 6x40");
  EXPECT_EQ(Encoded(ClickOn(At(5, 39)), *terminal),
            "\033[<0;40;6M\033[<0;40;6m");
}

TEST(Pointer, NothingIsSentToAProgramThatDoesNotTakeTheMouse) {
  auto terminal = Screen("OK\033[?1002l");
  EXPECT_EQ(Encoded(ClickOn(On("OK")), *terminal),
            "the program does not accept the mouse; use its keys (<Tab>, "
            "<Enter>, <Up>, <PageDown> ...)");
}

TEST(Pointer, ADoubleClickIsTwoClicks) {
  auto terminal = Screen("");
  Gesture gesture = ClickOn(At(0, 0));
  gesture.button = terminal::MouseButton::kRight;
  gesture.times = 2;
  EXPECT_EQ(Encoded(gesture, *terminal),
            "\033[<2;1;1M\033[<2;1;1m\033[<2;1;1M\033[<2;1;1m");
}

TEST(Pointer, EachEventStandsAlone) {
  auto terminal = Screen("\033[?1000h");
  auto events = EncodeGesture(ClickOn(At(0, 0)), *terminal);
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(*events,
            (std::vector<std::string>{"\033[<0;1;1M", "\033[<0;1;1m"}));
}

TEST(Pointer, KeysThatAreHeldAreToldWithEachEvent) {
  auto terminal = Screen("");
  Gesture gesture = ClickOn(At(0, 0));
  gesture.kind = Gesture::Kind::kDrag;
  gesture.to = At(0, 1);
  gesture.modifiers = terminal::kShift | terminal::kAlt | terminal::kControl;
  EXPECT_EQ(Encoded(gesture, *terminal),
            "\033[<28;1;1M\033[<60;2;1M\033[<28;2;1m");
}

TEST(Pointer, TheWheelTurnsAtTheCursorOrInTheMiddleWhenItIsHidden) {
  auto terminal = Screen("\033[2;5H");
  Gesture gesture;
  gesture.kind = Gesture::Kind::kScroll;
  gesture.button = terminal::MouseButton::kWheelUp;
  gesture.times = 2;
  EXPECT_EQ(Encoded(gesture, *terminal), "\033[<64;5;2M\033[<64;5;2M");
  terminal->Feed("\033[?25l");
  EXPECT_EQ(Encoded(gesture, *terminal), "\033[<64;21;4M\033[<64;21;4M");
}

TEST(Pointer, ADragPressesMovesAndReleases) {
  auto terminal = Screen("");
  Gesture gesture = ClickOn(At(0, 0));
  gesture.kind = Gesture::Kind::kDrag;
  gesture.to = At(0, 2);
  EXPECT_EQ(Encoded(gesture, *terminal),
            "\033[<0;1;1M\033[<32;2;1M\033[<32;3;1M\033[<0;3;1m");
}

TEST(Pointer, AProgramThatHearsOfClicksOnlyGetsTheEndsOfADrag) {
  auto terminal = Screen("\033[?1002l\033[?1000h");
  Gesture gesture = ClickOn(At(0, 0));
  gesture.kind = Gesture::Kind::kDrag;
  gesture.to = At(4, 20);
  EXPECT_EQ(Encoded(gesture, *terminal), "\033[<0;1;1M\033[<0;21;5m");
}

TEST(Pointer, AProgramWithTheX10MouseHearsOfPressesOnly) {
  auto terminal = Screen("\033[?1006l\033[?9hOK");
  Gesture gesture = ClickOn(At(1, 2));
  gesture.times = 2;
  EXPECT_EQ(Encoded(gesture, *terminal), "\033[M #\"\033[M #\"");
  Gesture held = gesture, wheel = gesture, drag = gesture;
  held.modifiers = terminal::kControl;
  wheel.kind = Gesture::Kind::kScroll;
  wheel.button = terminal::MouseButton::kWheelDown;
  drag.kind = Gesture::Kind::kDrag;
  for (const Gesture& refused : {held, wheel, drag}) {
    EXPECT_EQ(Encoded(refused, *terminal),
              "the program hears only of pressed buttons (mode 9, the X10 "
              "mouse): without modifiers, dragging and the wheel; use its keys "
              "for the rest");
  }
}

}  // namespace
}  // namespace glasstty::typing
