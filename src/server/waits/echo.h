// Removes the echo of typed text before patterns are matched.
//
// A terminal shows what is typed, and "make; echo done" must not match its own
// "done". The typed lines are looked for in new lines, in the order of typing,
// and each is removed once, so output that repeats a command later is kept. A
// value, kept by a wait.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal/terminal.h"

namespace glasstty::waits {

class EchoFilter {
 public:
  // Records a typed line, whose echo is still to come.
  void Add(std::string line);
  // True while the echo of some line has not been seen yet.
  bool pending() const { return !typed_.empty(); }

  // Removes the echoes from `lines`, which are in order. The echo of a line may
  // have wrapped into the lines below it, and may still be incomplete at
  // `cursor_line`. `cols` is the width of the screen.
  void Strip(std::vector<terminal::Line>* lines, int64_t cursor_line, int cols);

 private:
  // The part of an echo that is in one line. The terminal keeps this text, so
  // each Strip removes it again.
  struct Part {
    int64_t line;
    std::string text;
  };
  using Parts = std::vector<Part>;

  // FindWhole finds the echo of `typed` within lines[i], FindWrapped from
  // lines[i] on; the result is empty if the echo does not begin there or is
  // incomplete. If `under_way`, an echo that reaches the cursor may be
  // incomplete.
  struct View {
    const std::vector<terminal::Line>* lines;
    int64_t cursor_line;
    int cols;
  };
  static Parts FindWhole(const View& view, size_t i, const std::string& typed);
  static Parts FindWrapped(const View& view, size_t i, const std::string& typed,
                           bool under_way);
  void StripPart(const Part& part, std::vector<terminal::Line>* lines) const;
  // Returns false if no typed line has its echo at lines[i].
  bool StripNext(const View& view, size_t i,
                 std::vector<terminal::Line>* lines);
  void StripUnderWay(const View& view,
                     std::vector<terminal::Line>* lines) const;

  // The lines whose echo was not seen yet, in the order of typing.
  std::vector<std::string> typed_;
  Parts found_;
};

}  // namespace glasstty::waits
