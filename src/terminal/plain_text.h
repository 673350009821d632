// Output of a program without a terminal: shown as it was written, not obeyed.
//
// Every code point takes its place in the line, controls and escape sequences
// too, and bytes that are not UTF-8 are spelled out ("\xff"). The exception is
// a progress bar: a line that goes on behind a carriage return is obeyed as a
// terminal would, so that of a hundred states the last one is left.
//
// Borrows the guard, which draws, and its grid; both must outlive it. The same
// bytes in any split have the same effect. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/grid.h"
#include "terminal/guard.h"

namespace glasstty::terminal {

class PlainText {
 public:
  PlainText(Guard* guard, Grid* grid);

  void Feed(std::string_view bytes);
  // Bytes fed since the beginning; the guard is fed others.
  uint64_t offset() const { return offset_; }

 private:
  // Each takes what it handles off the front of the text.
  void TakeBar(std::string_view* bytes);
  void TakeRun(std::string_view* bytes);
  bool TakeCodePoint(std::string_view* bytes);
  void TakeControl(std::string_view* bytes);

  // What is written, and how it is drawn.
  void Draw(std::string_view written);
  void DrawAs(std::string_view written, std::string_view text);
  void DrawGlyph(std::string_view written, char32_t c);
  void EndLine();
  // The line is a progress bar from its beginning on.
  void BeginBar();

  // Of a longer line what came first stays as it is when it becomes a bar.
  static constexpr size_t kMostReplayed = 64 << 10;

  // Borrowed.
  Guard* const guard_;
  Grid* const grid_;
  // State.
  uint64_t offset_ = 0;
  std::string rest_;      // the beginning of a code point
  std::string line_;      // what was drawn of this line, as it was written
  bool differs_ = false;  // some of it would be obeyed in a bar
  bool is_bar_ = false;
  int returns_ = 0;       // carriage returns that wait for what follows
  int marks_ = kNoGlyph;  // on the glyph right before
  static constexpr int kNoGlyph = 1000;
};

}  // namespace glasstty::terminal
