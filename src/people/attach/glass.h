// Draws on a person's own terminal: a session's screen, a page of its past or
// of glasstty's own text, and a status line below.
//
// Produces bytes for the outer terminal, and keeps a copy of what that terminal
// shows. The program's text is always drawn by the painter, so none of its
// control bytes reaches the outer terminal. Borrows nothing. Single-threaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "observe/frame.h"
#include "support/pattern.h"
#include "terminal/terminal.h"

namespace glasstty::attach {

// The content of the last row of the outer terminal.
struct StatusLine {
  std::string text;  // any text; controls are made visible
  bool bell = false;
};

class Glass {
 public:
  // Sets the size of the outer terminal, including its last row.
  void SetSize(terminal::Size outer);
  // The rows and columns that show the session.
  terminal::Size window() const;
  // Forgets the drawn picture, because the outer terminal shows another one.
  void Forget();

  // Shows the present. If `types` is true, sets the modes that the program
  // needs for keys and the mouse. If the screen is larger than the window,
  // shows the part around the cursor or, if a full-screen program hides the
  // cursor, the upper left part.
  std::string ShowLive(const terminal::Terminal& terminal, bool types,
                       const StatusLine& status, Time now);
  // Shows lines from `first` on, and highlights what `found` matches.
  std::string ShowPast(const terminal::Terminal& terminal, int64_t first,
                       const std::optional<Pattern>& found,
                       const StatusLine& status);
  // Shows lines of glasstty's own text, which may set colours and styles.
  std::string ShowPage(const std::vector<std::string>& lines,
                       const StatusLine& status);

  // Moves the window over a larger screen, by multiples of half its size. The
  // window stays there until Follow.
  void Pan(int down, int right);
  // Follows the cursor again.
  void Follow() { is_pinned_ = false; }

  // The position of the window's upper left cell on the session's screen.
  observe::Corner corner() const { return corner_; }

 private:
  std::string Show(observe::Frame frame, const StatusLine& status);
  void MoveTo(const observe::Frame& frame, Time now);

  terminal::Size outer_{24, 80};
  observe::Corner corner_;
  bool is_pinned_ = false;  // the person has moved the window
  // The time since which a full-screen program has hidden the cursor.
  std::optional<Time> hidden_since_;
  std::optional<observe::Frame> shown_;
  std::string shown_status_;
};

}  // namespace glasstty::attach
