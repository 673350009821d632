// Executes each token of the output. Sequences and strings that are on no list
// are dropped and counted; the numbers in all others are checked.
//
// Owns the parser, the pen, the modes, the saved cursors, the character sets
// and the cursor (active_cursor.h), which changes the cells. Also owns libvterm
// (state_layer.h), which keeps some of the modes and receives only sequences
// that are composed there. Borrows the grid and the reports, which must outlive
// it. Single-threaded. The same bytes in any split have the same effect.
//
// Each list is a table: control sequences are in interpreter_csi.cc, modes in
// interpreter_modes.cc, strings (OSC, DCS ...) in sequences.cc, escapes in
// interpreter.cc. The repairs at a shell's marks are in
// interpreter_recovery.cc.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "terminal/active_cursor.h"
#include "terminal/charsets.h"
#include "terminal/csi.h"
#include "terminal/grid.h"
#include "terminal/modes.h"
#include "terminal/parser.h"
#include "terminal/pen.h"
#include "terminal/recovery.h"
#include "terminal/reports.h"
#include "terminal/state_codec.h"
#include "terminal/state_layer.h"

namespace glasstty::terminal {

class Interpreter {
 public:
  Interpreter(Size size, Grid* grid, Reports* reports);

  // Turns LNM on, now and after each reset. This is for bytes from a pipe,
  // where no terminal driver turns a newline into CR LF.
  void UseNewlines();

  // Sets the nonce that the marks of the session's own shell carry. If it is
  // empty, no mark counts as that shell's.
  void TrustMarks(std::string nonce) { nonce_ = std::move(nonce); }

  void Feed(std::string_view bytes);
  // REQUIRES: CheckSize(size) succeeds.
  void Resize(Size size);
  // Prints this code point in one column, without interpreting it.
  void PrintAsIs(char32_t c);
  // Records that bytes and lines of output were lost. On the primary screen,
  // `note` is shown in their place. A sequence that began before the hole does
  // not continue after it.
  struct Hole {
    int64_t line = 0;  // the line of the note, or else of the cursor
    int64_t end = 0;   // the next line that exists
  };
  Hole Lose(uint64_t bytes, int64_t lines, std::string_view note);
  // Sets the offset of the next byte, from which the offsets of events follow.
  void set_offset(uint64_t offset) { offset_ = offset; }

  // See Terminal::SkipTo.
  void SkipTo(uint64_t offset);

  uint64_t offset() const { return offset_; }
  // The number of times that a whole screen was cleared or the alternate screen
  // was entered.
  uint64_t clears() const { return clears_; }
  uint64_t paste_requests() const { return paste_requests_; }
  const Modes& modes() const { return modes_; }
  uint64_t row_addresses() const { return row_addresses_; }
  // While a wrap is pending, the column is the first one of the last glyph.
  Cursor cursor() const;
  // Returns the cursor's position or, while a wrap is pending, the position
  // after the last glyph.
  Place TextEnd() const;
  // Returns the logical line of the primary screen's cursor.
  int64_t CursorLine() const;
  size_t MemoryBytes() const { return parser_.MemoryBytes(); }
  // Carries the state of the terminal, including the grid, but not Reports; see
  // saved_state.cc.
  void Carry(StateCodec* codec);

 private:
  // The tables and the actions of their rows, each in the file named above.
  struct Escapes;
  struct Sequences;
  struct ModeTable;
  struct Strings;

  struct SavedCursor {
    ActiveCursor::Saved cursor;
    Pen pen;
    Charsets charsets;
    bool origin = false;
  };

  // Each of these handles one token.
  void Dispatch(const Token& token);
  void Text(std::string_view ascii);
  void Glyphs(std::u32string_view run);
  // Returns true if a code point with these traits may be part of the glyph
  // before it. `follows_glyph` is true if that glyph is in the same run and has
  // not been put into a cell yet.
  bool MayJoin(uint8_t traits, bool follows_glyph) const;
  void Mark(char32_t c);
  bool CountsGlyphs() const;
  void Control(uint8_t byte);
  void Escape(std::string_view intermediates, char final);
  void ControlSequence(const Csi& csi);
  void SetModes(const Csi& csi, bool on);
  void ReportMode(const Csi& csi);
  void String(const Token& token);

  // These repair settings at the marks of a shell (interpreter_recovery.cc).
  struct ShellMark;
  ShellMark ParseMark(std::string_view text) const;
  void RecoverAt(std::string_view text);
  void RecoverAtOwnMark(const ShellMark& mark);
  void RecoverAtTypedMark(const ShellMark& mark);
  Settings CurrentSettings() const;
  void Repair(RecoveryMoment moment, std::optional<Settings> began);
  void Apply(const Settings& wanted);
  void KeepModes(const Modes& wanted);
  void LeaveWithLines();
  void GoBelowText();
  void WipeRemains();

  void SetPen(const Pen& pen);
  void SaveCursor();
  void RestoreCursor();
  void SetAlternate(bool on);
  KittyLevels* Kitty() { return &kitty_[modes_.alternate_screen]; }
  // Sets Modes::kitty_flags to the flags of the screen that is shown.
  void ShowKittyFlags() { modes_.kitty_flags = Kitty()->flags; }
  void SoftReset();  // DECSTR
  void FullReset();  // RIS
  // Records that no glyph directly precedes the next token, so REP has nothing
  // to repeat.
  void EndText();
  // Counts a sequence that sets the cursor's row, unless there are margins:
  // margins above a status line (as apt uses) do not indicate a full-screen
  // program.
  void CountRowAddress() {
    if (!cursor_.has_row_margins() && !grid_->alternate()) ++row_addresses_;
  }
  // Counts a CR. `after_text` is true if it directly follows text, a tab, a
  // line feed or an uncounted return.
  void CountReturn(bool after_text);
  // Reports an event at the current offset, line and column.
  void Emit(TerminalEvent::Type type, std::string text = "", bool flag = false);
  std::vector<std::string> LastLines() const;

  // Owned.
  Parser parser_;
  Modes modes_;
  ActiveCursor cursor_;
  StateLayer state_layer_;
  // Borrowed.
  Grid* const grid_;
  Reports* const reports_;
  // State.
  uint64_t offset_ = 0;  // after the last token
  Pen pen_;
  Charsets charsets_;
  // for the primary and the alternate screen
  std::array<SavedCursor, 2> saved_;
  char32_t last_glyph_ = 0;  // the glyph directly before the next token, for
                             // REP
  bool after_text_ = false;  // a glyph directly precedes the next token
  bool protects_ = false;    // DECSCA was used since the last reset
  // According to the last mark of the session's own shell, the shell is at its
  // prompt, and its line editor counts columns by glyph.
  bool at_prompt_ = false;
  bool prompt_counts_glyphs_ = false;
  bool draws_frames_ = false;  // mode 2026 was used on this screen
  // The carriage returns of the current line (CountReturn).
  int returns_ = 0;          // the number of the latest consecutive returns
  bool moves_back_ = false;  // the first of these returns moved the cursor
  bool goes_back_ = false;   // the line was, or may have been, rewritten
  // The offsets at which the last counted return ended, and the last tab, line
  // feed or uncounted return.
  uint64_t return_end_ = 0;
  uint64_t text_end_ = 0;
  uint64_t mark_end_ = 0;  // the end of the last mark of a shell
  // The offsets of the beginning of the last string, and of the end of the last
  // sequence or string that was dropped as incomplete.
  uint64_t string_begin_ = 0;
  uint64_t cut_end_ = 0;
  // for the primary and the alternate screen
  std::array<KittyLevels, 2> kitty_;
  bool uses_newlines_ = false;
  uint64_t row_addresses_ = 0;
  uint64_t clears_ = 0;
  uint64_t paste_requests_ = 0;
  std::string nonce_;
  // The settings at the beginning of the shell's command, and of a command that
  // was typed with numbered marks; nullopt while no such command runs.
  std::optional<Settings> began_;
  std::optional<Settings> run_began_;
  std::string run_;
};

}  // namespace glasstty::terminal
