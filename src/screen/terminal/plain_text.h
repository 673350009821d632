// Shows the output of a program that has no terminal as it was written, without
// executing control sequences.
//
// Every code point is shown in its line, including controls and escape
// sequences. NUL, and bytes that are not UTF-8, are spelled out ("\xff").
// Progress bars are an exception: in a line that continues after a carriage
// return, controls are executed as by a terminal, so that only the last state
// of the bar remains.
//
// Borrows the interpreter, which draws, and its grid; both must outlive it. The
// same bytes in any split have the same effect. Single-threaded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/grid.h"
#include "terminal/interpreter.h"

namespace glasstty::terminal {

class PlainText {
 public:
  PlainText(Interpreter* interpreter, Grid* grid);

  void Feed(std::string_view bytes);
  // Records that the next bytes are lost, and that a new line begins after
  // them. Call Interpreter::Lose afterwards.
  void Lose(uint64_t bytes);
  // The number of bytes so far, both fed and lost. The interpreter's own offset
  // differs, because it is fed other bytes.
  uint64_t offset() const { return offset_; }

 private:
  // Each of these handles a part at the front of `bytes` and removes it.
  void TakeBar(std::string_view* bytes);
  void TakeRun(std::string_view* bytes);
  bool TakeCodePoint(std::string_view* bytes);
  void TakeControl(std::string_view* bytes);

  // These draw `written`, the original bytes, in the given form.
  void Draw(std::string_view written);
  void DrawAs(std::string_view written, std::string_view text);
  void DrawGlyph(std::string_view written, char32_t c);
  void EndLine();
  void EndBar();
  void BeginLine();
  // Treats the line as a progress bar, from its beginning if possible.
  void BeginBar();

  // A line of at least this many bytes is not drawn again when it becomes a
  // bar.
  static constexpr size_t kMostReplayed = 64 << 10;

  // Borrowed.
  Interpreter* const interpreter_;
  Grid* const grid_;
  // State.
  uint64_t offset_ = 0;
  std::string rest_;      // an incomplete code point, the last bytes fed
  std::string line_;      // the written bytes of this line that were drawn
  bool differs_ = false;  // a part of the line would be executed in a bar
  bool is_bar_ = false;
  int returns_ = 0;       // carriage returns whose effect depends on the next
                          // byte; at most Grid::kMostReturns
  int marks_ = kNoGlyph;  // marks on the glyph directly before
  static constexpr int kNoGlyph = 1000;
};

}  // namespace glasstty::terminal
