// Notices when a text that was on the screen has disappeared.
//
// The owner calls Look after every piece of output, so that a text that appears
// and disappears again is noticed. A text that a dialog hides in part is not
// gone; a text that is completely hidden counts as gone. Borrows nothing. Loop
// thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty::waits {

class GoneText {
 public:
  enum class Sight {
    kNever,  // no Look has found it
    kThere,  // all of it is there, or the part that a dialog leaves visible
    kGone,   // an earlier Look has found it, but this one has not
  };

  explicit GoneText(std::string text) : text_(std::move(text)) {}

  Sight Look(const terminal::Snapshot& screen);
  const std::string& text() const { return text_; }

 private:
  // The text's position, and all rows of the screen that showed it.
  struct Place {
    size_t row = 0;
    size_t first = 0, last = 0;  // columns
    std::vector<terminal::SnapshotRow> rows;
  };
  bool IsCovered(const terminal::Snapshot& screen) const;

  std::string text_;
  std::optional<Place> place_;  // where it was last found
};

}  // namespace glasstty::waits
