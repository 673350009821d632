// Finds what a program asks the person at its terminal: in a line, in a drawn
// form or dialog, or just by running, as programs like fzf do.
//
// Pure functions of a terminal. They cannot tell whether the program waits for
// input, so call them only while it does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "terminal/terminal.h"
#include "waits/question.h"

namespace glasstty::waits {

struct Screen {
  Drawing drawing;
  int64_t first_line = 0;  // the number of the first line of `drawing`; 0 on a
                           // full screen
};

// Takes the last lines of the primary screen, as many as the screen has rows,
// or the rows of the alternate screen, with wrapped rows joined. Omits blank
// lines at the end.
Screen TakeScreen(const terminal::Terminal& terminal);

struct Asked {
  std::string text;  // on one line, without frames
  // This is a dialog, a choice, or a text that is not being edited and ends as
  // questions do. Otherwise, `text` may be just the last text that the program
  // printed before it began to wait, or text in an editor.
  bool is_certain = false;
};

// Returns what the program asks; null: nothing. A REPL and a pager wait without
// asking. `program` is the name of the foreground program. If `draws_screens`,
// text counts only in a dialog or a choice, or if it ends as questions do,
// because editors and monitors show many other texts.
std::optional<Asked> FindAsked(const terminal::Terminal& terminal,
                               const std::string& program, bool draws_screens);

}  // namespace glasstty::waits
