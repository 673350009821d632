// A whole terminal as a pure function of bytes: interpreter, libvterm's state
// layer, grid and scrollback behind one interface.
//
// Owns all of them. Does not own descriptors, clocks, processes or a loop: the
// same bytes in any split give the same screen, lines, events and replies.
// Single-threaded. The session (session/session.h) feeds it and reads it;
// fuzzers, benchmarks and `glasstty replay` do the same.
//
// There are two views of a terminal. The *screen* is what a person sees now,
// primary or alternate. *Lines* are the logical lines of the primary screen
// since the session began, with wrapped rows joined, numbered from 0. Lines
// that have left the top of the screen keep their numbers; the scrollback keeps
// their text until newer lines displace it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "terminal/modes.h"
#include "terminal/program_status.h"
#include "terminal/snapshot.h"

namespace glasstty::terminal {

// Accepts 2..500 rows and 2..1,000 columns with rows * columns <= 200,000. The
// error for other sizes states these limits.
absl::Status CheckSize(Size size);
// Returns the size nearest to `wanted` that CheckSize accepts.
Size NearestSize(Size wanted);

// An effect of the output other than drawing, in the order of the stream.
struct TerminalEvent {
  enum class Type {
    kTitle,  // text: the new title, cleaned
    kBell,
    kCwd,                // text: path from OSC 7 (or 1337 CurrentDir), percent-
                         // decoded. For display only, never trusted
    kMark,               // text: an OSC 133 or 633 payload, e.g. "D;0";
                         // line_bytes is filled; flag: bracketed paste is on
    kClipboard,          // OSC 52 was used, which has no effect; text: empty
    kProgress,           // OSC 9;4, text: "state;percent"
    kGraphics,           // sixel or kitty graphics were dropped
    kAlternate,          // entered (flag) or left the alternate screen
    kSync,               // DECSET 2026 began (flag) or ended
    kScrollbackCleared,  // ED 3; lines are kept nevertheless
    kLink,               // text: the URI that OSC 8 gives to later text
    // text: the settings that were repaired at a shell's mark, such as
    // "margins, autowrap"
    kRepaired,
    kStatus,  // OSC 7501; see Terminal::program_status
    kAsked,   // the first reply since Terminal::TakeReplies; `offset`, `line`
              // and `col` are 0
  };
  Type type{};
  bool flag = false;
  std::string text;
  uint64_t offset = 0;  // the offset directly after the sequence
  int64_t line = 0;     // logical line of the cursor (primary screen)
  int col = 0;          // 0-based column of the cursor
  // For kMark on the primary screen: the number of bytes of the line's text
  // before the cursor.
  size_t line_bytes = 0;
  // For the mark of a command's end on the primary screen: the texts of up to
  // two lines above the cursor and, last, of the cursor's whole line. A line
  // that is long, or not completely on the screen, is left out together with
  // the lines above it.
  std::vector<std::string> last_lines;
};

// A logical line, as it was printed: tabs are tabs, and trailing spaces are
// included. If a program prints CR LF itself, and the terminal driver adds a
// CR, the line ends with a CR.
struct Line {
  int64_t number = 0;
  std::string text;
  uint64_t revision = 0;   // the revision of its last change
  bool concealed = false;  // some of the text is illegible on a screen
  // Terminal leaves these 0. If an archive has kept only a part of the line, a
  // note in `text` replaces the rest, and these members say how much longer the
  // rest was than the note.
  int64_t missing_bytes = 0;
  int64_t missing_characters = 0;
};

// Counts sequences and replies that were dropped.
struct DropCounts {
  uint64_t sequences = 0;  // CSI, ESC, SGR attributes and modes
  uint64_t strings = 0;    // OSC, DCS, APC, PM, SOS
  uint64_t replies = 0;    // replies beyond the limit
};

class Terminal {
 public:
  struct Options {
    Size size;
    int scrollback_rows = 10'000;
    // True if the bytes come from a pipe: they are shown as they were written,
    // and a line feed begins a new line.
    bool newlines = false;
    // True to keep the rows that the scrollback drops, for TakeEvicted.
    bool keep_evicted = false;
    // The nonce in the marks of the session's own shell. At these marks, the
    // terminal repairs settings that programs have left behind (recovery.h).
    // Replaying the log requires the same nonce, or else the screen may differ.
    std::string nonce = {};
  };
  static absl::StatusOr<std::unique_ptr<Terminal>> Create(Options options);
  ~Terminal();

  // Processes all of `bytes`. Callers should split long input, because the cost
  // is linear, about 10 to 40 ns per byte.
  void Feed(std::string_view bytes);
  // Fails, and changes nothing, if CheckSize(size) fails.
  absl::Status Resize(Size size);

  // Declares that the next byte is at `offset` of the stream. If that skips
  // bytes, they are lost, and a sequence that was begun before them is
  // abandoned. Has no effect with `newlines`.
  void SkipTo(uint64_t offset);

  // The number of bytes so far, both fed and lost.
  uint64_t offset() const;
  Size size() const;
  const Modes& modes() const;
  // Counts how often the program has set the cursor's row (CUP, HVP, VPA), on
  // the primary screen without margins. Full-screen programs do so each time
  // they draw; other programs do it once, to clear the screen.
  uint64_t row_addresses() const;
  // Counts how often the program has cleared the whole screen on which it
  // draws, or entered the alternate screen.
  uint64_t clears() const;
  // Counts how often the program has asked for bracketed paste (DECSET 2004).
  // Most line editors do so each time they begin to read a line.
  uint64_t paste_requests() const;
  // The cursor of the screen that is shown.
  Cursor cursor() const;
  const std::string& title() const;
  // Returns the status that the program has reported (program_status.h), or
  // null. The result is valid until more is fed. status_reports() is the number
  // of accepted reports so far.
  const ProgramStatus* program_status() const;
  uint64_t status_reports() const;
  // Increases with every visible change of the shown screen (text, style,
  // cursor position, size, switch of screens).
  uint64_t revision() const;

  // Returns the shown screen as a value. `changed` is false for rows that have
  // not changed since revision `since`.
  Snapshot TakeSnapshot(uint64_t since = 0) const;

  // The lines [first_line, end_line) exist. end_line is one past the last line
  // that has text or contains the primary screen's cursor.
  int64_t first_line() const;
  int64_t end_line() const;
  // The logical line that contains the primary screen's cursor.
  int64_t cursor_line() const;
  // The number of bytes of that line's text before the cursor.
  size_t cursor_line_bytes() const;
  // Returns that text. If it is long, returns only its last rows, which
  // together have `most` bytes or a little more.
  std::string TextBeforeCursor(size_t most) const;
  // Increases with every change of a line.
  uint64_t lines_revision() const;
  // Returns the lines of [from, to) that are still kept, in order. `since` > 0
  // omits those with revision <= since.
  std::vector<Line> Lines(int64_t from, int64_t to, uint64_t since = 0) const;
  // Returns the number of bytes at the beginning of the line's text whose rows
  // have not changed since revision `since`.
  size_t UnchangedBytes(int64_t line, uint64_t since) const;

  // Rows have numbers, too. The first row of the primary screen is top_row().
  // The rows [first_row, top_row) have left the screen at its top and are still
  // kept. When the screen becomes taller, rows return to it.
  int64_t first_row() const;
  int64_t top_row() const;
  // Returns those of the rows [from, to) that are above the screen and still
  // kept, with the columns that they had when they left the screen.
  std::vector<SnapshotRow> RowsAbove(int64_t from, int64_t to) const;
  // Returns the row in which this line begins, or the nearest one that is kept.
  int64_t RowOf(int64_t line) const;

  // Returns the text of the rows that the scrollback has dropped since the last
  // call, with newlines between lines. The last line may continue in the
  // scrollback. Without calls, the text grows without limit.
  std::string TakeEvicted();
  // Sets the number of the first line. REQUIRES: no line has scrolled off the
  // screen.
  void NumberLinesFrom(int64_t line);

  // Records that `bytes` bytes and `lines` lines of output were lost; 0 lines
  // means an unknown number. On the primary screen, `note` is shown in their
  // place, in a line of its own. Later lines are numbered as if the lost ones
  // existed.
  void Lose(uint64_t bytes, int64_t lines, std::string_view note);
  // The positions of lost output, in order. The last thousand are kept.
  struct Hole {
    int64_t line = 0;  // the line of the note, or of the cursor if there is no
                       // note
    int64_t end = 0;   // the next existing line
    uint64_t bytes = 0;
    int64_t lines = 0;  // 0: unknown
  };
  const std::vector<Hole>& holes() const;
  // The number of all holes, including those that are no longer kept.
  size_t holes_ever() const;

  // Returns the events since the last call, in order; Reports limits how many
  // events are kept between calls.
  std::vector<TerminalEvent> TakeEvents();
  // Returns the emulator's replies to the program (DA, DSR, DECRQM ...). At
  // most 4 KiB are kept between two calls; further replies are dropped and
  // counted.
  std::string TakeReplies();
  // While muted, no replies are created: replaying a log must not send answers
  // again.
  void MuteReplies(bool muted);

  // Returns the state that another terminal needs to continue from here, as
  // bytes. The lines above the screen are not included. REQUIRES: the terminal
  // was created without `newlines`, and its replies were taken.
  std::string SaveState() const;
  // Replaces the state of this terminal by a saved one. Lines keep their
  // numbers, and revisions increase. The lines above the screen, holes, and
  // events and replies that were not taken are lost. Fails, and changes
  // nothing, if `state` is invalid.
  absl::Status RestoreState(std::string_view state);

  const DropCounts& drops() const;
  size_t MemoryBytes() const;

 private:
  class Impl;
  explicit Terminal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace glasstty::terminal
