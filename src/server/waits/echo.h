// Removes the echo of typed text before patterns are matched.
//
// A terminal shows what is typed, and "make; echo done" must not match its own
// "done". The typed lines are looked for in new lines, in the order of typing,
// and each echo is removed once, so output that repeats a command later is
// kept.
//
// Text that is typed while a program works is echoed twice: by the kernel at
// once, and by the line editor of the shell that reads it later. Most line
// editors ask for bracketed paste when they begin to read, so a second echo is
// looked for after such a request. Before it, the echo is recognized by a known
// prompt in front of it. A value, kept by a wait.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::waits {

class EchoFilter {
 public:
  // Describes the screen that holds the lines.
  struct Screen {
    int64_t cursor_line;
    int cols;
    uint64_t paste_requests;  // as in Terminal
  };
  static Screen ScreenOf(const terminal::Terminal& terminal);

  // Records a typed line, whose echo is still to come.
  void Add(std::string line);
  // Records a second echo of a typed line, by a line editor: once the terminal
  // counts more than `paste_requests`, or before that directly after `prompt`,
  // unless `prompt` is empty.
  void AddSecond(std::string line, uint64_t paste_requests, std::string prompt);
  // True while the echo of some line has not been seen yet.
  bool pending() const { return !typed_.empty(); }
  // Returns how many of the lines [from, to) contained an echo.
  int64_t CountLines(int64_t from, int64_t to) const;

  // Removes the echoes from `lines`, which are in order. The echo of a line may
  // have wrapped into the lines below it, and may still be incomplete at the
  // cursor's line.
  void Strip(std::vector<terminal::Line>* lines, const Screen& screen);
  // An echo may begin this many lines above its last line. So while an echo is
  // pending, Strip needs these lines as well.
  static constexpr int64_t kMostLines = 20;
  // Returns the rows of the shown screen that have changed since revision
  // `since`, each with its number, without the echoes that are on the screen.
  std::vector<terminal::Line> RowsOf(const terminal::Terminal& terminal,
                                     uint64_t since) const;

 private:
  // The part of an echo that is in one line. The terminal keeps this text, so
  // each Strip removes it again.
  struct Part {
    int64_t line;
    std::string text;
  };
  using Parts = std::vector<Part>;
  struct Typed {
    std::string text;
    std::optional<uint64_t> paste_requests;  // of AddSecond
    std::string prompt = {};
  };

  // FindWhole finds the echo of `typed` within lines[i], FindWrapped from
  // lines[i] on; the result is empty if the echo does not begin there or is
  // incomplete. If `under_way`, an echo that reaches the cursor may be
  // incomplete.
  struct View {
    const std::vector<terminal::Line>* lines;
    Screen screen;
  };
  static bool CanHaveCome(const Typed& typed, const Screen& screen) {
    return !typed.paste_requests ||
           screen.paste_requests > *typed.paste_requests;
  }
  // Returns whether the echo of typed_[k], which can have come, is looked for.
  // `before` is the number of such lines before it.
  bool IsTried(size_t k, size_t before) const;
  // Notes that the echo of typed_[k] was found.
  void Found(size_t k, const Screen& screen);
  static Parts FindWhole(const View& view, size_t i, const std::string& typed);
  // Finds the second echo of `typed` after its prompt in lines[i].
  static Parts FindAtPrompt(const View& view, size_t i, const Typed& typed,
                            bool under_way);
  static Parts FindWrapped(const View& view, size_t i, const std::string& typed,
                           bool under_way);
  void StripPart(const Part& part, std::vector<terminal::Line>* lines) const;
  // Returns false if no typed line has its echo at lines[i].
  bool StripNext(const View& view, size_t i,
                 std::vector<terminal::Line>* lines);
  void StripUnderWay(const View& view,
                     std::vector<terminal::Line>* lines) const;

  // The lines whose echo was not seen yet, in the order of typing.
  std::deque<Typed> typed_;
  Parts found_;
};

}  // namespace glasstty::waits
