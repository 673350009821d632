// A whole terminal as a pure function of bytes: interpreter, libvterm's state
// layer, grid and scrollback behind one interface.
//
// Owns all of them. Does not own descriptors, clocks, processes or a loop: the
// same bytes in any split give the same screen, lines, events and replies.
// Single-threaded. The session (session/session.h) feeds it and reads it;
// fuzzers, benchmarks and `glasstty replay` do the same.
//
// There are two views of it. The *screen* is what a person sees now, primary or
// alternate. *Lines* are the logical lines of the primary screen since the
// session began, with wrapped rows joined, numbered from 0 and never
// renumbered; lines that have left the top are in the scrollback until it is
// full.
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

// Accepts 2..500 rows, 2..1,000 columns, rows * columns <= 200,000. The error
// for other sizes says so.
absl::Status CheckSize(Size size);

// Something that the program said other than by drawing, in stream order.
struct TerminalEvent {
  enum class Type {
    kTitle,  // text: the new title, cleaned
    kBell,
    kCwd,                // text: path from OSC 7 (or 1337 CurrentDir), percent-
                         // decoded. Never trusted for anything but showing
    kMark,               // text: an OSC 133 or 633 payload, e.g. "D;0";
                         // line_bytes is filled; flag: in bracketed paste
    kClipboard,          // OSC 52 was tried; text: empty. It has no effect
    kProgress,           // OSC 9;4, text: "state;percent"
    kGraphics,           // sixel or kitty graphics were dropped
    kAlternate,          // entered (flag) or left the alternate screen
    kSync,               // DECSET 2026 began (flag) or ended
    kScrollbackCleared,  // ED 3; lines are kept nevertheless
    kLink,               // text: the URI that OSC 8 gives to later text
    // text: what was repaired at the shell's prompt, "margins, autowrap"
    kRepaired,
    kStatus,  // OSC 7501; see Terminal::program_status
    kAsked,   // the first query since Terminal::TakeReplies; without a place
  };
  Type type{};
  bool flag = false;
  std::string text;
  uint64_t offset = 0;  // bytes fed before the sequence was complete
  int64_t line = 0;     // logical line of the cursor (primary screen)
  int col = 0;          // 0-based column of the cursor
  // kMark on the primary screen: bytes of the line's text before the cursor.
  size_t line_bytes = 0;
  // The mark of a command's end, on the primary screen: the texts of the line
  // with the cursor, also behind it, and of those above, the cursor's last.
  // They end before a line that is long or not wholly on the screen.
  std::vector<std::string> last_lines;
};

// A logical line, as it was printed: tabs are tabs, and trailing blanks are
// included if a program printed them. If a program prints CR LF itself, and the
// terminal driver adds a CR, the line ends with a CR.
struct Line {
  int64_t number = 0;
  std::string text;
  uint64_t revision = 0;   // of its last change
  bool concealed = false;  // some of the text is illegible on a screen
  // Says how much longer the line was than `text`, in which a note replaces the
  // part that is no longer kept. 0: it is complete.
  int64_t missing_bytes = 0;
  int64_t missing_characters = 0;
};

// Counts what was dropped instead of obeyed, for `glasstty dump` and the
// doctor.
struct DropCounts {
  uint64_t sequences = 0;  // CSI, ESC and modes not on a list
  uint64_t strings = 0;    // OSC, DCS, APC, PM, SOS not on a list
  uint64_t replies = 0;    // above the reply limit
};

class Terminal {
 public:
  struct Options {
    Size size;
    int scrollback_rows = 10'000;
    // The bytes come from a pipe: they are shown as they were written, and a
    // line feed begins a new line.
    bool newlines = false;
    // Keep the rows that the scrollback drops for TakeEvicted.
    bool keep_evicted = false;
    // The nonce in the marks of the session's own shell. At its prompt the
    // terminal repairs what programs have left behind (recovery.h). Replaying
    // the log requires the same nonce, or else the screen differs.
    std::string nonce = {};
  };
  static absl::StatusOr<std::unique_ptr<Terminal>> Create(Options options);
  ~Terminal();

  // Processes all of `bytes`. Callers should feed slices: the cost is linear,
  // about 10 to 40 ns per byte.
  void Feed(std::string_view bytes);
  // Error: see CheckSize; nothing has changed.
  absl::Status Resize(Size size);

  // The next byte is at `offset` of the stream: the bytes before it are lost,
  // and sequences that they have begun are abandoned. Has no effect if none are
  // lost.
  void SkipTo(uint64_t offset);

  // The number of bytes so far, both fed and lost.
  uint64_t offset() const;
  Size size() const;
  const Modes& modes() const;
  // Counts how often the program has set the cursor's row (CUP, HVP, VPA), on
  // the primary screen without margins. Full-screen programs do so for each
  // picture; others do it once, to clear the screen.
  uint64_t row_addresses() const;
  // Counts how often the program has cleared the whole screen on which it
  // draws.
  uint64_t clears() const;
  // The cursor of the screen that is shown.
  Cursor cursor() const;
  const std::string& title() const;
  // Returns what the program has reported about itself, or null; it stays valid
  // until more is fed. The number of its reports rises with each.
  const ProgramStatus* program_status() const;
  uint64_t status_reports() const;
  // Rises with every visible change of the shown screen (text, style, cursor
  // position, size, switch of screens).
  uint64_t revision() const;

  // Returns the shown screen as a value. Rows unchanged after the revision
  // `since` have `changed` false.
  Snapshot TakeSnapshot(uint64_t since = 0) const;

  // There are lines [first_line, end_line). end_line is one past the last line
  // that has text or contains the primary screen's cursor.
  int64_t first_line() const;
  int64_t end_line() const;
  // The logical line that contains the primary screen's cursor.
  int64_t cursor_line() const;
  // The number of bytes of that line's text before the cursor.
  size_t cursor_line_bytes() const;
  // Rises with every change of a primary line.
  uint64_t lines_revision() const;
  // Returns the lines of [from, to) that are still kept, in order. `since` > 0
  // omits those with revision <= since.
  std::vector<Line> Lines(int64_t from, int64_t to, uint64_t since = 0) const;
  // Returns the number of bytes at the beginning of the line's text that stand
  // in rows which nothing has changed since revision `since`.
  size_t UnchangedBytes(int64_t line, uint64_t since) const;

  // Rows of the primary screen are numbered as they leave its top: the screen
  // begins at top_row(), and the rows [first_row, top_row) above it are still
  // kept. A screen that becomes taller takes rows back.
  int64_t first_row() const;
  int64_t top_row() const;
  // Returns those of the rows [from, to) that are above the screen and still
  // kept, with the columns that they had when they left it.
  std::vector<SnapshotRow> RowsAbove(int64_t from, int64_t to) const;
  // Returns the row in which this line begins, or the nearest one that is kept.
  int64_t RowOf(int64_t line) const;

  // Returns the text of the rows that the scrollback has dropped since the last
  // call, with newlines between the lines; the last one may continue in the
  // scrollback. The text grows until it is taken.
  std::string TakeEvicted();
  // Gives the first line this number. REQUIRES: no line was scrolled off.
  void NumberLinesFrom(int64_t line);

  // Reports that output was lost: this many bytes and lines; 0 lines: unknown.
  // `note` replaces it as a separate line; later lines are numbered as if the
  // others had come.
  void Lose(uint64_t bytes, int64_t lines, std::string_view note);
  // Describes the positions of lost output, in order; the last thousand are
  // kept.
  struct Hole {
    int64_t line = 0;  // the note's line, or the cursor's without a note
    int64_t end = 0;   // the next existing line
    uint64_t bytes = 0;
    int64_t lines = 0;  // 0: unknown
  };
  const std::vector<Hole>& holes() const;
  // The number of all holes, including those that are no longer kept.
  size_t holes_ever() const;

  // Returns what happened since the last call, in order; Reports limits how
  // many events are kept between calls (the oldest are dropped first).
  std::vector<TerminalEvent> TakeEvents();
  // Returns the emulator's replies to the program (DA, DSR, DECRQM ...). At
  // most 4 KiB are kept between two calls; more are dropped and counted.
  std::string TakeReplies();
  // While muted, no replies are created: replaying a log must not answer again.
  void MuteReplies(bool muted);

  // Returns, as bytes for another terminal, everything that determines what
  // this terminal shows and does from now on, except for the lines above its
  // screen. REQUIRES: created without `newlines`, and replies were taken.
  std::string SaveState() const;
  // Takes over the state of the terminal that saved `state`. Lines keep their
  // numbers, and revisions rise. Events and replies that were not taken are
  // lost. Error: no terminal saved this; nothing has changed.
  absl::Status RestoreState(std::string_view state);

  const DropCounts& drops() const;
  size_t MemoryBytes() const;

 private:
  class Impl;
  explicit Terminal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace glasstty::terminal
