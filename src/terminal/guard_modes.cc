// Modes: the table of those that are obeyed, and what each does. One row makes
// a mode settable and answers the question for it.
#include <utility>

#include "absl/strings/str_format.h"
#include "terminal/guard.h"

namespace glasstty::terminal {

// A row is a mode. Most only have a flag in Modes, which the flow, the key
// encoder and the readers look at; a few act as well. libvterm keeps some of
// the flags (state_layer.h).
struct Guard::ModeTable {
  struct Row {
    char leader;  // '?', or 0: ANSI
    int number;
    bool Modes::*flag;  // nullptr: a value of the mouse modes
    // After the flag was set.
    void (*act)(Guard& guard, const Row& row, bool on) = nullptr;
    int mouse = 0;
  };
  static const Row kRows[];
  static const Row* Find(char leader, int number);

  static bool IsOn(const Guard& guard, const Row& row);

  static void Keep(Guard& guard, const Row& row, bool on);
  static void Home(Guard& guard, const Row& row, bool on);
  static void Alternate(Guard& guard, const Row& row, bool on);
  static void Cursor(Guard& guard, const Row& row, bool on);
  static void Sync(Guard& guard, const Row& row, bool on);
  static void Tracking(Guard& guard, const Row& row, bool on);
  static void Encoding(Guard& guard, const Row& row, bool on);
};

namespace {

constexpr int Number(MouseTracking tracking) {
  return static_cast<int>(tracking);
}
constexpr int Number(MouseEncoding encoding) {
  return static_cast<int>(encoding);
}

}  // namespace

// Not offered: 3 (80 or 132 columns), 9 and 1001 (older mice), 66 and 67
// (keypad and backarrow in other words).
const Guard::ModeTable::Row Guard::ModeTable::kRows[] = {
    {0, 4, &Modes::insert},    // IRM
    {0, 20, &Modes::newline},  // LNM
    {'?', 1, &Modes::application_cursor},
    {'?', 5, &Modes::reverse_screen, &Keep},
    {'?', 6, &Modes::origin, &Home},
    {'?', 7, &Modes::autowrap},
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
    {'?', 2004, &Modes::bracketed_paste},
    {'?', 2026, nullptr, &Sync},
};

const Guard::ModeTable::Row* Guard::ModeTable::Find(char leader, int number) {
  for (const Row& row : kRows) {
    if (row.leader == leader && row.number == number) return &row;
  }
  return nullptr;
}

// Unknown ones are counted; the others of the list still count.
void Guard::SetModes(const Csi& csi, bool on) {
  for (int i = 0; i < csi.count; ++i) {
    const ModeTable::Row* row = ModeTable::Find(csi.leader, csi.Value(i, 0));
    if (row == nullptr) {
      reports_->DropSequence();
      continue;
    }
    bool is_kept = row->act == &ModeTable::Keep;
    if (row->flag != nullptr && !is_kept) modes_.*row->flag = on;
    flow_.SetModes(modes_);
    if (row->act != nullptr) row->act(*this, *row, on);
  }
}

// For DECRQM. 1048 is an action and not a state, so it counts as reset.
bool Guard::ModeTable::IsOn(const Guard& guard, const Row& row) {
  const Modes& modes = guard.modes_;
  if (row.flag != nullptr) return modes.*row.flag;
  if (row.act == &Alternate) return modes.alternate_screen;
  if (row.act == &Sync) return modes.synchronized;
  if (row.act == &Tracking) return Number(modes.mouse) == row.mouse;
  if (row.act == &Encoding) return Number(modes.mouse_encoding) == row.mouse;
  return false;
}

// Programs try a mode by asking whether it is known: 2026 and 2004 above all.
void Guard::ReportMode(const Csi& csi) {
  int number = csi.Value(0, 0);
  const ModeTable::Row* row = ModeTable::Find(csi.leader, number);
  enum { kUnknown = 0, kSet = 1, kReset = 2 };
  int answer = kUnknown;
  if (row != nullptr) answer = ModeTable::IsOn(*this, *row) ? kSet : kReset;
  reports_->Reply(absl::StrFormat(
      "\x1b[%s%d;%d$y", csi.leader == '?' ? "?" : "", number, answer));
}

// libvterm does, and sets the flag. Reverse video shows every cell otherwise
// without changing one.
void Guard::ModeTable::Keep(Guard& guard, const Row& row, bool on) {
  guard.state_layer_.SetMode(row.number, on);
  if (row.flag == &Modes::reverse_screen) guard.grid_->Touch();
}

// Where that is depends on it.
void Guard::ModeTable::Home(Guard& guard, const Row&, bool) {
  guard.flow_.MoveTo({0, 0});
}

// 1049 saves the cursor before and restores it afterwards, also when it changes
// no screen, and clears the screen that it enters. Of the alternate one nothing
// is kept, so it is blank whoever enters it.
void Guard::ModeTable::Alternate(Guard& guard, const Row& row, bool on) {
  constexpr int kWithCursor = 1049, kClearing = 1047, kAll = 2;
  bool keeps_cursor = row.number == kWithCursor;
  bool changes = guard.modes_.alternate_screen != on;
  if (keeps_cursor && on) guard.SaveCursor();
  if (row.number == kClearing && !on && changes) guard.flow_.EndWrap();
  if (changes) guard.SetAlternate(on);
  if (keeps_cursor && on) {
    guard.flow_.EraseInDisplay(kAll, /*selective=*/false);
  }
  if (keeps_cursor && !on) guard.RestoreCursor();
  if (changes) guard.Emit(TerminalEvent::Type::kAlternate, "", on);
}

// 1049 without the screen.
void Guard::ModeTable::Cursor(Guard& guard, const Row&, bool on) {
  on ? guard.SaveCursor() : guard.RestoreCursor();
}

// Nothing is held back here: the session decides how long it believes that a
// frame is being drawn.
void Guard::ModeTable::Sync(Guard& guard, const Row&, bool on) {
  if (std::exchange(guard.modes_.synchronized, on) == on) return;
  guard.Emit(TerminalEvent::Type::kSync, "", on);
}

// 1000, 1002 and 1003 are one setting with four values, as in xterm.
void Guard::ModeTable::Tracking(Guard& guard, const Row& row, bool on) {
  guard.state_layer_.SetMode(row.number, on);
}

void Guard::ModeTable::Encoding(Guard& guard, const Row& row, bool on) {
  guard.modes_.mouse_encoding =
      on ? static_cast<MouseEncoding>(row.mouse) : MouseEncoding::kX10;
}

}  // namespace glasstty::terminal
