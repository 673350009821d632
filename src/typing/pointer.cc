// From a gesture to the events of a mouse.
//
// A program is sent what it asked for and nothing else (terminal/mouse.h), so a
// drag for one that only hears of clicks is a press and a release at its two
// ends. A text must stand on the screen exactly once: of two alike the wrong
// one would be hit half of the time, and an agent can name the cell instead.
#include "typing/pointer.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"
#include "support/status.h"
#include "support/text.h"
#include "terminal/widths.h"

namespace glasstty::typing {
namespace {

// Motion is told in steps, as a hand moves; a program that follows it (a
// divider, a selection) needs some and not one for each cell.
constexpr int kDragSteps = 8;
// Of a text that is there many times; the rest is only counted.
constexpr size_t kPlacesShown = 6;

// Columns of the screen that `text` takes. A cell may hold several code points,
// of which only the first has a width.
int ColumnsOf(std::string_view text) {
  int cols = 0;
  while (!text.empty()) cols += terminal::WidthOf(TakeUtf8(&text));
  return cols;
}

// "4:10, 7:3 and 2 more", rows and columns as agents count them.
std::string ListPlaces(const std::vector<CellPlace>& places) {
  std::vector<std::string> shown;
  for (size_t i = 0; i < std::min(places.size(), kPlacesShown); ++i) {
    shown.push_back(
        absl::StrFormat("[%d, %d]", places[i].row + 1, places[i].col + 1));
  }
  std::string list = Join(shown, " ");
  if (places.size() > kPlacesShown) {
    list += absl::StrFormat(" and %d more", places.size() - kPlacesShown);
  }
  return list;
}

absl::StatusOr<CellPlace> MiddleOfText(const terminal::Snapshot& screen,
                                       const std::string& text) {
  std::vector<CellPlace> places = FindOnScreen(screen, text);
  if (places.empty()) {
    return FailedPrecondition(
        "\"%s\" is not on the screen; term_read mode=snapshot shows what is",
        text);
  }
  if (places.size() > 1) {
    return FailedPrecondition(
        "\"%s\" is on the screen %d times: %s; give one of these [row, "
        "col], or a longer text",
        text, places.size(), ListPlaces(places));
  }
  CellPlace place = places.front();
  place.col += (ColumnsOf(text) - 1) / 2;
  return place;
}

absl::StatusOr<CellPlace> Resolve(const Spot& spot,
                                  const terminal::Snapshot& screen) {
  terminal::Size size = screen.size;
  switch (spot.kind) {
    case Spot::Kind::kAnywhere:
      if (!screen.cursor.visible)
        return CellPlace{size.rows / 2, size.cols / 2};
      return CellPlace{screen.cursor.row, screen.cursor.col};
    case Spot::Kind::kText:
      return MiddleOfText(screen, spot.text);
    case Spot::Kind::kCell:
      break;
  }
  if (spot.cell.row >= size.rows || spot.cell.col >= size.cols) {
    return FailedPrecondition("[%d, %d] is outside the screen of %dx%d",
                              spot.cell.row + 1, spot.cell.col + 1, size.rows,
                              size.cols);
  }
  return spot.cell;
}

// Collects the bytes of one gesture.
class Events {
 public:
  Events(const terminal::Modes& modes, terminal::MouseButton button)
      : modes_(modes), button_(button) {}

  void Add(terminal::MouseAction action, CellPlace at) {
    terminal::MouseEvent event{.action = action, .button = button_};
    event.row = at.row;
    event.col = at.col;
    auto bytes = terminal::EncodeMouse(event, modes_);
    if (bytes.ok()) {
      bytes_ += *bytes;
    } else {
      status_.Update(bytes.status());
    }
  }

  absl::StatusOr<std::string> Finish() {
    if (!status_.ok()) return status_;
    return std::move(bytes_);
  }

 private:
  const terminal::Modes& modes_;
  const terminal::MouseButton button_;
  std::string bytes_;
  absl::Status status_;
};

// In a straight line; the last step is on `to`.
void AddMotion(CellPlace from, CellPlace to, Events* events) {
  int rows = to.row - from.row, cols = to.col - from.col;
  int steps = std::min(kDragSteps, std::max(std::abs(rows), std::abs(cols)));
  for (int i = 1; i <= steps; ++i) {
    events->Add(terminal::MouseAction::kMove,
                {from.row + rows * i / steps, from.col + cols * i / steps});
  }
}

}  // namespace

std::vector<CellPlace> FindOnScreen(const terminal::Snapshot& screen,
                                    const std::string& text) {
  std::vector<CellPlace> places;
  if (text.empty()) return places;
  for (size_t row = 0; row < screen.rows.size(); ++row) {
    std::string_view line = screen.rows[row].text;
    size_t at = line.find(text);
    for (; at != line.npos; at = line.find(text, at + text.size())) {
      places.push_back({static_cast<int>(row), ColumnsOf(line.substr(0, at))});
    }
  }
  return places;
}

absl::StatusOr<std::string> EncodeGesture(const Gesture& gesture,
                                          const terminal::Terminal& terminal) {
  // First of all: it holds whatever the place is.
  if (terminal.modes().mouse == terminal::MouseTracking::kOff) {
    return FailedPrecondition(
        "the program does not accept the mouse; use its keys (<Tab>, <Enter>, "
        "<Up>, <PageDown> ...)");
  }
  terminal::Snapshot screen = terminal.TakeSnapshot();
  ASSIGN_OR_RETURN(CellPlace from, Resolve(gesture.from, screen));
  Events events(terminal.modes(), gesture.button);
  switch (gesture.kind) {
    case Gesture::Kind::kClick:
      for (int i = 0; i < gesture.times; ++i) {
        events.Add(terminal::MouseAction::kPress, from);
        events.Add(terminal::MouseAction::kRelease, from);
      }
      break;
    case Gesture::Kind::kScroll:
      for (int i = 0; i < gesture.times; ++i) {
        events.Add(terminal::MouseAction::kPress, from);
      }
      break;
    case Gesture::Kind::kDrag: {
      ASSIGN_OR_RETURN(CellPlace to, Resolve(gesture.to, screen));
      events.Add(terminal::MouseAction::kPress, from);
      AddMotion(from, to, &events);
      events.Add(terminal::MouseAction::kRelease, to);
      break;
    }
  }
  return events.Finish();
}

}  // namespace glasstty::typing
