// What a person sees of a session on their own terminal: its screen, or a page
// of its past, and a status line below.
//
// Produces bytes for the outer terminal, and remembers what that shows. The
// program's text gets there only through the painter, so none of its control
// bytes does. Borrows nothing. Used on its owner's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "observe/frame.h"
#include "support/pattern.h"
#include "terminal/terminal.h"

namespace glasstty::attach {

// The last row of the outer terminal.
struct StatusLine {
  std::string text;  // any text; controls are made visible
  bool bell = false;
};

class Glass {
 public:
  // Of the outer terminal, its last row included.
  void SetSize(terminal::Size outer);
  // The rows and columns that show the session.
  terminal::Size window() const;
  // Whatever the outer terminal shows is not ours.
  void Forget();

  // The present, with the modes that keys and the mouse need if the person
  // types.
  std::string ShowLive(const terminal::Terminal& terminal, bool types,
                       const StatusLine& status);
  // Lines from `first` on; what `found` matches in them stands out.
  std::string ShowPast(const terminal::Terminal& terminal, int64_t first,
                       const std::optional<Pattern>& found,
                       const StatusLine& status);

  // Where the window's upper left cell is on the session's screen.
  observe::Corner corner() const { return corner_; }

 private:
  std::string Show(observe::Frame frame, const StatusLine& status);

  terminal::Size outer_{24, 80};
  observe::Corner corner_;
  std::optional<observe::Frame> shown_;
  std::string shown_status_;
};

}  // namespace glasstty::attach
