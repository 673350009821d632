// Finds what a program asks the person at its terminal: in a line, in a drawn
// form or dialog, or by being a program that is started only to ask.
//
// Pure functions of a terminal. They say nothing of whether the program waits
// for input at all, so call them only while it does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "terminal/terminal.h"
#include "waits/question.h"

namespace glasstty::waits {

struct Screen {
  Drawing drawing;
  int64_t first_line = 0;  // the number of its first line; 0: a full screen
};

// Takes the last lines of the primary screen, as many as it has rows, or the
// rows of the alternate one; without blank ones at the end.
Screen TakeScreen(const terminal::Terminal& terminal);

struct Asked {
  std::string text;  // on one line, without its frame
  // It is a dialog, a choice, or ends as questions do. Otherwise it may be just
  // the last text that the program printed before it began to wait, or text in
  // an editor.
  bool is_certain = false;
};

// Returns null if the program does not ask: a REPL and a pager wait without
// asking. `program` is the name of the one in the foreground. If
// `draws_screens`, only dialogs, choices and text that ends as questions do
// count, because editors and monitors show much that could be a question.
std::optional<Asked> FindAsked(const terminal::Terminal& terminal,
                               const std::string& program, bool draws_screens);

}  // namespace glasstty::waits
