// Finds the question that a program asks on the screen, even if hints, choices
// or the end of a frame are below it, as in wizards and dialogs.
//
// Pure functions of what is on the screen. The patterns of answers are matched
// elsewhere (waits/answers.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::waits {

struct Drawing {
  // The lines or rows from the top to the last one that is not blank.
  std::vector<std::string> lines;
  struct Cursor {
    size_t line = 0;   // may be below the last of `lines`
    size_t bytes = 0;  // the size of that line's text before the cursor

    bool operator==(const Cursor&) const = default;
  };
  // Null while the program hides the cursor.
  std::optional<Cursor> cursor;
  bool full_screen = false;
};

struct Place {
  size_t first = 0;  // the first line of the question
  // The line after the question's last line. Hints and choices begin there.
  size_t end = 0;
  // True if the lines below may be part of the question, as choices are. A
  // status line is not.
  bool may_go_on = false;
  // True if the program has printed its lines one after another, so that only
  // the last line can ask; false if it has drawn them.
  bool printed = false;
};

// Returns the place of the question, or null if the program does not ask. It
// then shows no text, an answered question, or that it is working.
std::optional<Place> FindQuestion(const Drawing& drawing);

// Returns true if the question of `before` is still open although the drawing
// has changed: its field now has contents, perhaps with a complaint about them,
// or the sign before it now shows that an answer was rejected. REQUIRES: both
// begin with the question's first line, and differ.
bool IsStillAsked(const Drawing& before, const Drawing& now);

// Returns `line` without frames and blanks at both ends, and without the sign
// that a wizard puts before a question.
std::string_view TrimFrame(std::string_view line);

}  // namespace glasstty::waits
