// Decides what each token of the output means: what is not on a list is dropped
// and counted, the rest is done with checked numbers.
//
// Owns the parser, the pen, the modes, the saved cursors, the character sets
// and the flow (flow.h), which has the cursor and all that it does to cells.
// Owns libvterm too (state_layer.h), which keeps some of the modes: it hears
// nothing but what is spelled out here. Borrows the grid and the reports, which
// must outlive it. One thread. The same bytes in any split have the same
// effect.
//
// Each list is a table: control sequences in guard_csi.cc, modes in
// guard_modes.cc, strings (OSC, DCS ...) in sequences.cc, escapes in guard.cc.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "terminal/charsets.h"
#include "terminal/csi.h"
#include "terminal/flow.h"
#include "terminal/grid.h"
#include "terminal/modes.h"
#include "terminal/parser.h"
#include "terminal/pen.h"
#include "terminal/reports.h"
#include "terminal/state_layer.h"

namespace glasstty::terminal {

class Guard {
 public:
  Guard(Size size, Grid* grid, Reports* reports);

  // The bytes come from a pipe, where no terminal driver makes CR LF of a
  // newline: LNM is on from here, also after a reset.
  void UseNewlines();

  void Feed(std::string_view bytes);
  // REQUIRES: CheckSize(size) is fine.
  void Resize(Size size);
  // One column for this code point, whatever it means to a terminal.
  void PrintAsIs(char32_t c);
  // Events from now on are behind so many bytes.
  void set_offset(uint64_t offset) { offset_ = offset; }

  uint64_t offset() const { return offset_; }
  const Modes& modes() const { return modes_; }
  uint64_t row_addresses() const { return row_addresses_; }
  // With a wrap pending the column is the first one of the last glyph.
  Cursor cursor() const;
  // The cursor's place, or the one behind the glyph that a pending wrap stands
  // behind.
  Place TextEnd() const;
  // Logical line of the primary screen's cursor.
  int64_t CursorLine() const;
  size_t MemoryBytes() const { return parser_.MemoryBytes(); }

 private:
  // The tables and what their rows do, each in the file named above.
  struct Escapes;
  struct Sequences;
  struct ModeTable;
  struct Strings;

  struct SavedCursor {
    Flow::Saved cursor;
    Pen pen;
    Charsets charsets;
    bool origin = false;
  };

  // One token each.
  void Dispatch(const Token& token);
  void Text(std::string_view ascii);
  void Glyphs(std::u32string_view run);
  void Control(uint8_t byte);
  void Escape(std::string_view intermediates, char final);
  void ControlSequence(const Csi& csi);
  void SetModes(const Csi& csi, bool on);
  void ReportMode(const Csi& csi);
  void String(const Token& token);

  void SetPen(const Pen& pen);
  void SaveCursor();
  void RestoreCursor();
  void SetAlternate(bool on);
  void SoftReset();  // DECSTR
  void FullReset();  // RIS
  // No glyph is right before: REP has nothing to refer to.
  void EndText();
  // A status line below margins (apt's) makes no full-screen program.
  void CountRowAddress() {
    if (!flow_.has_row_margins() && !grid_->alternate()) ++row_addresses_;
  }
  // CR; `after_text`: nothing came between them.
  void CountReturn(bool after_text);
  // Reports an event at the present offset, line and column.
  void Emit(TerminalEvent::Type type, std::string text = "", bool flag = false);

  // Owned.
  Parser parser_;
  Modes modes_;
  Flow flow_;
  StateLayer state_layer_;
  // Borrowed.
  Grid* const grid_;
  Reports* const reports_;
  // State.
  uint64_t offset_ = 0;  // after the last token
  Pen pen_;
  Charsets charsets_;
  std::array<SavedCursor, 2> saved_;  // of the primary, the alternate screen
  char32_t last_glyph_ = 0;           // right before; for REP
  bool after_text_ = false;           // a glyph was right before
  bool protects_ = false;             // DECSCA was used since the last reset
  // Of this line: the carriage returns of the last row of them, whether that
  // row moved the cursor, and whether anything but a line feed came behind one
  // that did. The offsets at which the last of them, and the last tab or line
  // feed, ended.
  int returns_ = 0;
  bool moves_back_ = false;
  bool goes_back_ = false;
  uint64_t return_end_ = 0;
  uint64_t text_end_ = 0;
  uint64_t mark_end_ = 0;  // likewise, of the last mark of a shell
  std::array<int, 8> kitty_stack_ = {};
  bool uses_newlines_ = false;
  uint64_t row_addresses_ = 0;
  int kitty_depth_ = 0;
};

}  // namespace glasstty::terminal
