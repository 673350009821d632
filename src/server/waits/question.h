// Finds the question that a program asks on the screen: wizards and dialogs put
// hints, choices or the end of a frame below it.
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
    size_t bytes = 0;  // of its text before the cursor

    bool operator==(const Cursor&) const = default;
  };
  // Null while the program hides the cursor.
  std::optional<Cursor> cursor;
  bool full_screen = false;
};

struct Place {
  size_t first = 0;  // line of the question
  // The line after its last one. The lines below are hints and choices.
  size_t end = 0;
  // True if choices below may be part of the question; a status line is not.
  bool may_go_on = false;
  // True if the program has just printed its lines, so that only the last one
  // can ask. Otherwise it has drawn them.
  bool printed = false;
};

// Returns the place of the question, or null if the program does not ask,
// because it shows what was answered or is working.
std::optional<Place> FindQuestion(const Drawing& drawing);

// Returns true if the question of `before` is still open although the drawing
// has changed: its field now contains something, perhaps with a complaint about
// it. REQUIRES: both begin with the question's first line, and differ.
bool IsStillAsked(const Drawing& before, const Drawing& now);

// Returns `line` without frames and blanks at both ends, and without the sign
// that a wizard puts before a question.
std::string_view TrimFrame(std::string_view line);

}  // namespace glasstty::waits
