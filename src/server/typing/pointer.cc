// Turns a gesture into the events of a mouse.
//
// A program gets only the events that it asked for (terminal/mouse.h). A
// program that asked only for clicks sees a drag as a press where it begins and
// a release where it ends. A text must be on the screen only once, so that a
// click does not hit the wrong place. An agent can name the cell instead.
#include "typing/pointer.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "support/status.h"
#include "support/text.h"
#include "terminal/row_cells.h"

namespace glasstty::typing {
namespace {

// The greatest number of movements in a drag. A program that follows the mouse
// (to move a divider or to select) needs some, but not one for each cell.
constexpr int kDragSteps = 8;
// A message names this many places of a text, and the number of further ones.
constexpr size_t kPlacesShown = 6;

// Returns a text such as "[4, 10] [7, 3]", with numbers as agents count them.
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
  const terminal::SnapshotRow& row = screen.rows[place.row];
  int end = terminal::ColumnAt(row, row.text.find(text) + text.size());
  place.col += std::max(0, end - place.col - 1) / 2;
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

// Collects the events of one gesture that the program asked for.
class Events {
 public:
  Events(const terminal::Modes& modes, const Gesture& gesture)
      : modes_(modes), gesture_(gesture) {}

  void Add(terminal::MouseAction action, CellPlace at) {
    terminal::MouseEvent event{.action = action,
                               .button = gesture_.button,
                               .row = at.row,
                               .col = at.col,
                               .modifiers = gesture_.modifiers};
    auto bytes = terminal::EncodeMouse(event, modes_);
    status_.Update(bytes.status());
    if (bytes.ok() && !bytes->empty()) events_.push_back(*std::move(bytes));
  }

  absl::StatusOr<std::vector<std::string>> Finish() {
    if (!status_.ok()) return status_;
    return std::move(events_);
  }

 private:
  const terminal::Modes& modes_;
  const Gesture& gesture_;
  std::vector<std::string> events_;
  absl::Status status_;
};

// Moves in a straight line; the last step is on `to`.
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
    for (; at != std::string::npos; at = line.find(text, at + text.size())) {
      places.push_back(
          {static_cast<int>(row), terminal::ColumnAt(screen.rows[row], at)});
    }
  }
  return places;
}

absl::StatusOr<std::vector<std::string>> EncodeGesture(
    const Gesture& gesture, const terminal::Terminal& terminal) {
  // This is checked first, because it does not depend on the place.
  if (terminal.modes().mouse == terminal::MouseTracking::kOff) {
    return FailedPrecondition(
        "the program does not accept the mouse; use its keys (<Tab>, <Enter>, "
        "<Up>, <PageDown> ...)");
  }
  bool is_plain =
      gesture.kind == Gesture::Kind::kClick && gesture.modifiers == 0;
  if (terminal.modes().mouse == terminal::MouseTracking::kPresses &&
      !is_plain) {
    return FailedPrecondition(
        "the program hears only of pressed buttons (mode 9, the X10 mouse): "
        "without modifiers, dragging and the wheel; use its keys for the rest");
  }
  terminal::Snapshot screen = terminal.TakeSnapshot();
  ASSIGN_OR_RETURN(CellPlace from, Resolve(gesture.from, screen));
  Events events(terminal.modes(), gesture);
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
