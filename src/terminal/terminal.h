// A whole terminal as a pure function of bytes: guard, libvterm's state layer,
// grid and scrollback behind one door.
//
// Owns all of them. Does not own descriptors, clocks, processes or a loop: the
// same bytes in any split give the same screen, lines, events and replies.
// One thread. The session (session/session.h) feeds it and reads it; fuzzers,
// benchmarks and `glasstty replay` do the same.
//
// Two ways to look at it. The *screen* is what a person sees now, primary or
// alternate. *Lines* are the logical lines of the primary screen since the
// session began, wrapped rows joined, numbered from 0 and never renumbered;
// lines that left the top live in the scrollback until it is full.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "terminal/modes.h"
#include "terminal/snapshot.h"

namespace glasstty::terminal {

// 2..500 rows, 2..1,000 columns, rows * columns <= 200,000; others are refused
// with a message that says so.
absl::Status CheckSize(Size size);

// Something the program said besides drawing, in stream order.
struct TerminalEvent {
  enum class Type {
    kTitle,  // text: the new title, cleaned
    kBell,
    kCwd,                // text: path from OSC 7 (or 1337 CurrentDir), percent-
                         // decoded. Never trusted for anything but showing
    kMark,               // text: an OSC 133 or 633 payload, e.g. "D;0";
                         // line_bytes is filled
    kClipboard,          // OSC 52 was tried; text: nothing. Never acts
    kProgress,           // OSC 9;4, text: "state;percent"
    kGraphics,           // sixel or kitty graphics were dropped
    kAlternate,          // entered (flag) or left the alternate screen
    kSync,               // DECSET 2026 began (flag) or ended
    kScrollbackCleared,  // ED 3; lines are kept all the same
    kLink,               // text: the URI that OSC 8 gives to what follows
  };
  Type type{};
  bool flag = false;
  std::string text;
  uint64_t offset = 0;  // bytes fed before the sequence was complete
  int64_t line = 0;     // logical line of the cursor (primary screen)
  int col = 0;          // 0-based column of the cursor
  // kMark on the primary screen: bytes of the line's text before the cursor.
  size_t line_bytes = 0;
};

// One logical line, as it was printed: tabs are tabs, and blanks at its end are
// there if a program printed them. A CR LF of the program's own, to which the
// terminal driver adds a CR, leaves the CR at the end.
struct Line {
  int64_t number = 0;
  std::string text;
  uint64_t revision = 0;   // of its last change
  bool concealed = false;  // some of the text cannot be read on a screen
};

// What was dropped instead of obeyed, for `glasstty dump` and the doctor.
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
    // Rows that the scrollback drops are kept for TakeEvicted.
    bool keep_evicted = false;
  };
  static absl::StatusOr<std::unique_ptr<Terminal>> Create(Options options);
  ~Terminal();

  // Takes all of `bytes`. Callers slice: the cost is linear, about 10 to 40 ns
  // a byte.
  void Feed(std::string_view bytes);
  // Error: CheckSize, and nothing changed.
  absl::Status Resize(Size size);

  // Bytes fed since the beginning.
  uint64_t offset() const;
  Size size() const;
  const Modes& modes() const;
  // How often the program has said in which row it goes on (CUP, HVP, VPA), on
  // the primary screen without margins. Full-screen programs do so for each
  // picture; others do once, to clear the screen.
  uint64_t row_addresses() const;
  // On the screen that is shown.
  Cursor cursor() const;
  const std::string& title() const;
  // Rises with every visible change of the shown screen (text, style, cursor
  // place, size, switch of screens).
  uint64_t revision() const;

  // The shown screen as a value. `since`: rows unchanged after that revision
  // have `changed` false.
  Snapshot TakeSnapshot(uint64_t since = 0) const;

  // Lines: [first_line, end_line). end_line is one past the last line that has
  // text or holds the primary screen's cursor.
  int64_t first_line() const;
  int64_t end_line() const;
  // Logical line that holds the primary screen's cursor.
  int64_t cursor_line() const;
  // Bytes of that line's text in front of the cursor.
  size_t cursor_line_bytes() const;
  // Rises with every change of a primary line.
  uint64_t lines_revision() const;
  // Lines of [from, to) that are still held, in order. `since` > 0 leaves out
  // those with revision <= since.
  std::vector<Line> Lines(int64_t from, int64_t to, uint64_t since = 0) const;

  // Text of the rows that the scrollback has dropped since the last call, with
  // newlines between the lines; the last one may go on in the scrollback. Grows
  // until it is taken.
  std::string TakeEvicted();
  // REQUIRES: nothing was fed. The first line has this number.
  void NumberLinesFrom(int64_t line);

  // What happened since the last call, in order; at most 1,024 are kept
  // between calls (the oldest go first).
  std::vector<TerminalEvent> TakeEvents();
  // What the emulator owes the program (DA, DSR, DECRQM ...). At most 4 KiB
  // between two calls; the rest is dropped and counted.
  std::string TakeReplies();
  // While muted nothing is owed: replaying a log must not answer anew.
  void MuteReplies(bool muted);

  const DropCounts& drops() const;
  size_t MemoryBytes() const;

 private:
  class Impl;
  explicit Terminal(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace glasstty::terminal
