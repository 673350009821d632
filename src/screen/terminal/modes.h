// Modes of the terminal that readers and the key encoder need. A plain value,
// which the interpreter owns (terminal/interpreter.h) and RIS resets.
//
// The member initializers are the state after a reset. Most members are set by
// the table in interpreter_modes.cc, and the others by sequences of their own.
// Modes that only affect how the cursor moves are included, because programs
// may query each of them (DECRQM).
#pragma once

#include <cstdint>

namespace glasstty::terminal {

// The pointer events that the program has requested.
enum class MouseTracking : uint8_t {
  kOff,
  kPresses,  // 9: press only, without modifiers and the wheel
  kClicks,   // 1000: press and release
  kDrag,     // 1002: also motion with a button down
  kMotion,   // 1003: also all other motion
};
// The encoding of these events: X10 bytes, or DECSET 1005, 1006, 1015.
enum class MouseEncoding : uint8_t { kX10, kUtf8, kSgr, kUrxvt };

struct Modes {
  bool alternate_screen = false;    // 47, 1047, 1049
  bool application_cursor = false;  // DECCKM, 1
  bool application_keypad = false;  // DECKPAM
  bool autowrap = true;             // DECAWM, 7
  bool origin = false;              // DECOM, 6
  bool reverse_screen = false;      // DECSCNM, 5
  bool cursor_visible = true;       // DECTCEM, 25
  bool cursor_blink = false;        // 12
  bool insert = false;              // IRM, ANSI 4
  bool newline = false;             // LNM, ANSI 20
  bool side_margins = false;        // DECLRMM, 69
  bool reverse_wrap = false;        // 45
  bool bracketed_paste = false;     // 2004
  bool focus_reports = false;       // 1004
  bool synchronized = false;        // 2026: a frame is being drawn
  bool clusters = false;            // 2027: columns are counted by glyph
  MouseTracking mouse = MouseTracking::kOff;
  MouseEncoding mouse_encoding = MouseEncoding::kX10;
  int cursor_style = 0;       // DECSCUSR, 0..6
  int modify_other_keys = 0;  // XTMODKEYS, 0..2
  int format_other_keys = 0;  // XTFMTKEYS, 0..1
  int kitty_flags = 0;        // kitty keyboard protocol, for the shown screen

  bool operator==(const Modes&) const = default;
};

}  // namespace glasstty::terminal
