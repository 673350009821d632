// Contains the table of supported modes, and their effects. A row is all that
// is needed to set a mode and to answer the query for it.
#include <utility>

#include "absl/strings/str_format.h"
#include "terminal/interpreter.h"

namespace glasstty::terminal {

// Each row is a mode, with a flag in Modes, an action, or both. The cursor, the
// key encoder and the readers use the flags. libvterm keeps some of them
// (state_layer.h).
struct Interpreter::ModeTable {
  struct Row {
    char leader;  // '?', or 0: ANSI
    int number;
    bool Modes::*flag;  // nullptr: `act` does everything
    // Called after the flag has been set; Keep sets it itself.
    void (*act)(Interpreter& vt, const Row& row, bool on) = nullptr;
    int mouse = 0;  // the value that a mouse mode sets
  };
  static const Row kRows[];
  static const Row* Find(char leader, int number);

  static bool IsOn(const Interpreter& vt, const Row& row);

  static void Keep(Interpreter& vt, const Row& row, bool on);
  static void Home(Interpreter& vt, const Row& row, bool on);
  static void Alternate(Interpreter& vt, const Row& row, bool on);
  static void Cursor(Interpreter& vt, const Row& row, bool on);
  static void Paste(Interpreter& vt, const Row& row, bool on);
  static void Sync(Interpreter& vt, const Row& row, bool on);
  static void Tracking(Interpreter& vt, const Row& row, bool on);
  static void Encoding(Interpreter& vt, const Row& row, bool on);
};

namespace {

constexpr int Number(MouseTracking tracking) {
  return static_cast<int>(tracking);
}
constexpr int Number(MouseEncoding encoding) {
  return static_cast<int>(encoding);
}

}  // namespace

// Intentionally missing are 3 (80 or 132 columns), 66 (a second form of
// DECKPAM), 67 (the code of Backspace) and 1001 (an older mouse mode).
const Interpreter::ModeTable::Row Interpreter::ModeTable::kRows[] = {
    {0, 4, &Modes::insert},    // IRM
    {0, 20, &Modes::newline},  // LNM
    {'?', 1, &Modes::application_cursor},
    {'?', 5, &Modes::reverse_screen, &Keep},
    {'?', 6, &Modes::origin, &Home},
    {'?', 7, &Modes::autowrap},
    {'?', 9, nullptr, &Tracking, Number(MouseTracking::kPresses)},
    {'?', 12, &Modes::cursor_blink, &Keep},
    {'?', 25, &Modes::cursor_visible, &Keep},
    {'?', 45, &Modes::reverse_wrap},
    {'?', 47, nullptr, &Alternate},
    {'?', 69, &Modes::side_margins},
    {'?', 1000, nullptr, &Tracking, Number(MouseTracking::kClicks)},
    {'?', 1002, nullptr, &Tracking, Number(MouseTracking::kDrag)},
    {'?', 1003, nullptr, &Tracking, Number(MouseTracking::kMotion)},
    {'?', 1004, &Modes::focus_reports},
    {'?', 1005, nullptr, &Encoding, Number(MouseEncoding::kUtf8)},
    {'?', 1006, nullptr, &Encoding, Number(MouseEncoding::kSgr)},
    {'?', 1015, nullptr, &Encoding, Number(MouseEncoding::kUrxvt)},
    {'?', 1047, nullptr, &Alternate},
    {'?', 1048, nullptr, &Cursor},
    {'?', 1049, nullptr, &Alternate},
    {'?', 2004, &Modes::bracketed_paste, &Paste},
    {'?', 2026, nullptr, &Sync},
    {'?', 2027, &Modes::clusters},
};

const Interpreter::ModeTable::Row* Interpreter::ModeTable::Find(char leader,
                                                                int number) {
  for (const Row& row : kRows) {
    if (row.leader == leader && row.number == number) return &row;
  }
  return nullptr;
}

// Unknown modes are counted; the other modes of the list take effect
// nevertheless.
void Interpreter::SetModes(const Csi& csi, bool on) {
  for (int i = 0; i < csi.count; ++i) {
    const ModeTable::Row* row = ModeTable::Find(csi.leader, csi.Value(i, 0));
    if (row == nullptr) {
      reports_->DropSequence();
      continue;
    }
    bool is_kept = row->act == &ModeTable::Keep;
    if (row->flag != nullptr && !is_kept) modes_.*row->flag = on;
    cursor_.SetModes(modes_);
    if (row->act != nullptr) row->act(*this, *row, on);
  }
}

// Returns what DECRQM reports. 1048 is an action and not a state, so it counts
// as reset.
bool Interpreter::ModeTable::IsOn(const Interpreter& vt, const Row& row) {
  const Modes& modes = vt.modes_;
  if (row.flag != nullptr) return modes.*row.flag;
  if (row.act == &Alternate) return modes.alternate_screen;
  if (row.act == &Sync) return modes.synchronized;
  if (row.act == &Tracking) return Number(modes.mouse) == row.mouse;
  if (row.act == &Encoding) return Number(modes.mouse_encoding) == row.mouse;
  return false;
}

// Programs use this to find out whether a mode is supported, above all 2026 and
// 2004.
void Interpreter::ReportMode(const Csi& csi) {
  int number = csi.Value(0, 0);
  const ModeTable::Row* row = ModeTable::Find(csi.leader, number);
  enum { kUnknown = 0, kSet = 1, kReset = 2 };
  int answer = kUnknown;
  if (row != nullptr) answer = ModeTable::IsOn(*this, *row) ? kSet : kReset;
  reports_->Reply(absl::StrFormat(
      "\x1b[%s%d;%d$y", csi.leader == '?' ? "?" : "", number, answer));
}

// libvterm keeps the mode and sets the flag. Reverse video is a visible change,
// although no cell changes.
void Interpreter::ModeTable::Keep(Interpreter& vt, const Row& row, bool on) {
  vt.state_layer_.SetMode(row.number, on);
  if (row.flag == &Modes::reverse_screen) vt.grid_->Touch();
}

// Applies the modes of `wanted` that libvterm keeps, except the alternate
// screen.
void Interpreter::KeepModes(const Modes& wanted) {
  for (const ModeTable::Row& row : ModeTable::kRows) {
    bool is_kept = row.act == &ModeTable::Keep;
    if (!is_kept || modes_.*row.flag == wanted.*row.flag) continue;
    ModeTable::Keep(*this, row, wanted.*row.flag);
  }
}

// Setting or resetting origin mode changes where home is, so move there.
void Interpreter::ModeTable::Home(Interpreter& vt, const Row&, bool) {
  vt.cursor_.MoveTo({0, 0});
}

// Setting 1049 saves the cursor and clears the alternate screen; resetting 1049
// restores the cursor. Both do so even if the screen is not switched. With the
// other modes, the alternate screen is blank, too, because its content is not
// kept.
void Interpreter::ModeTable::Alternate(Interpreter& vt, const Row& row,
                                       bool on) {
  constexpr int kWithCursor = 1049, kClearing = 1047, kAll = 2;
  bool keeps_cursor = row.number == kWithCursor;
  bool changes = vt.modes_.alternate_screen != on;
  if (keeps_cursor && on) vt.SaveCursor();
  if (row.number == kClearing && !on && changes) vt.cursor_.EndWrap();
  if (changes) vt.SetAlternate(on);
  if (keeps_cursor && on) {
    vt.cursor_.EraseInDisplay(kAll, /*selective=*/false);
  }
  if (keeps_cursor && !on) vt.RestoreCursor();
  if (changes) vt.Emit(TerminalEvent::Type::kAlternate, "", on);
}

// Implements 1048, which is 1049 without switching screens.
void Interpreter::ModeTable::Cursor(Interpreter& vt, const Row&, bool on) {
  on ? vt.SaveCursor() : vt.RestoreCursor();
}

void Interpreter::ModeTable::Paste(Interpreter& vt, const Row&, bool on) {
  if (on) ++vt.paste_requests_;
}

// Drawing is not delayed: the session decides how long it assumes that a frame
// is being drawn.
void Interpreter::ModeTable::Sync(Interpreter& vt, const Row&, bool on) {
  vt.draws_frames_ = true;
  if (std::exchange(vt.modes_.synchronized, on) == on) return;
  vt.Emit(TerminalEvent::Type::kSync, "", on);
}

// 9, 1000, 1002 and 1003 are one setting with five values, as in xterm.
void Interpreter::ModeTable::Tracking(Interpreter& vt, const Row& row,
                                      bool on) {
  vt.modes_.mouse =
      on ? static_cast<MouseTracking>(row.mouse) : MouseTracking::kOff;
}

void Interpreter::ModeTable::Encoding(Interpreter& vt, const Row& row,
                                      bool on) {
  vt.modes_.mouse_encoding =
      on ? static_cast<MouseEncoding>(row.mouse) : MouseEncoding::kX10;
}

}  // namespace glasstty::terminal
