// Contains the table of supported control sequences, and their effects.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "terminal/interpreter.h"
#include "terminal/key_protocols.h"
#include "terminal/queries.h"
#include "terminal/widths.h"

namespace glasstty::terminal {

// Each row is a sequence with its handler: a function of the cursor, which gets
// the count (1 or more), or a function of this struct. Leader and intermediate
// 0 mean none.
struct Interpreter::Sequences {
  using Act = void (*)(Interpreter& vt, const Csi& csi);
  using Move = void (ActiveCursor::*)(int count);
  struct Row {
    constexpr Row(char leader, char intermediate, char final, int max_params,
                  Act act)
        : leader(leader),
          intermediate(intermediate),
          final(final),
          max_params(max_params),
          act(act) {}
    constexpr Row(char intermediate, char final, Move move)
        : intermediate(intermediate), final(final), max_params(1), move(move) {}

    char leader = 0;
    char intermediate;
    char final;
    int max_params;  // further parameters are ignored
    Act act = nullptr;
    Move move = nullptr;
  };
  static const Row kRows[];

  static const Row* Find(const Csi& csi);
  static bool FillMargins(const Csi& csi, int size, int* first, int* last);
  static bool ReadRect(const Interpreter& vt, const Csi& csi, int first,
                       Rect* rect);

  static void AddressPlace(Interpreter& vt, const Csi& csi);
  static void AddressRow(Interpreter& vt, const Csi& csi);
  static void EraseLine(Interpreter& vt, const Csi& csi);
  static void EraseDisplay(Interpreter& vt, const Csi& csi);
  static void ClearTabs(Interpreter& vt, const Csi& csi);
  static void ScrollDown(Interpreter& vt, const Csi& csi);
  static void Repeat(Interpreter& vt, const Csi& csi);
  static void Margins(Interpreter& vt, const Csi& csi);
  static void SideMargins(Interpreter& vt, const Csi& csi);
  static void Restore(Interpreter& vt, const Csi& csi);
  static void FillRect(Interpreter& vt, const Csi& csi);
  static void EraseRect(Interpreter& vt, const Csi& csi);
  static void WipeRect(Interpreter& vt, const Csi& csi);
  static void CopyRect(Interpreter& vt, const Csi& csi);
  static void SetModes(Interpreter& vt, const Csi& csi);
  static void Sgr(Interpreter& vt, const Csi& csi);
  static void SoftReset(Interpreter& vt, const Csi& csi);
  static void CursorStyle(Interpreter& vt, const Csi& csi);
  static void Protect(Interpreter& vt, const Csi& csi);
  static void ModifyKeys(Interpreter& vt, const Csi& csi);
  static void ModifyNoKeys(Interpreter& vt, const Csi& csi);
  static void ReportKeys(Interpreter& vt, const Csi& csi);
  static void AskKeyboard(Interpreter& vt, const Csi& csi);
  static void ReportKeyboard(Interpreter& vt, const Csi& csi);
  static void Attributes(Interpreter& vt, const Csi& csi);
  static void Version(Interpreter& vt, const Csi& csi);
  static void Status(Interpreter& vt, const Csi& csi);
  static void Window(Interpreter& vt, const Csi& csi);
  static void Answer(Interpreter& vt, const std::optional<std::string>& answer);
  static void ReportMode(Interpreter& vt, const Csi& csi);
};

// Intentionally missing are attributes of rectangles (DECCARA, DECRARA) and
// their checksums, most window operations, media copy and colour stacks.
// Programs do not need them for drawing.
const Interpreter::Sequences::Row Interpreter::Sequences::kRows[] = {
    {0, '@', &ActiveCursor::InsertCells},       // ICH
    {0, 'A', &ActiveCursor::Up},                // CUU
    {0, 'B', &ActiveCursor::Down},              // CUD
    {0, 'C', &ActiveCursor::Forward},           // CUF
    {0, 'D', &ActiveCursor::Back},              // CUB
    {0, 'E', &ActiveCursor::NextLines},         // CNL
    {0, 'F', &ActiveCursor::PreviousLines},     // CPL
    {0, 'G', &ActiveCursor::GoToColumn},        // CHA
    {0, 0, 'H', 2, &AddressPlace},              // CUP
    {0, 'I', &ActiveCursor::TabForward},        // CHT
    {0, 0, 'J', 1, &EraseDisplay},              // ED
    {0, 0, 'K', 1, &EraseLine},                 // EL
    {0, 'L', &ActiveCursor::InsertLines},       // IL
    {0, 'M', &ActiveCursor::DeleteLines},       // DL
    {0, 'P', &ActiveCursor::DeleteCells},       // DCH
    {0, 'S', &ActiveCursor::ScrollUp},          // SU
    {0, 0, 'T', 2, &ScrollDown},                // SD
    {0, 'X', &ActiveCursor::EraseCells},        // ECH
    {0, 'Z', &ActiveCursor::TabBack},           // CBT
    {0, '^', &ActiveCursor::ScrollDown},        // SD, as ECMA-48 has it
    {0, '`', &ActiveCursor::GoToColumn},        // HPA
    {0, 'a', &ActiveCursor::ForwardColumns},    // HPR
    {0, 0, 'b', 1, &Repeat},                    // REP
    {0, 0, 'c', 1, &Attributes},                // DA1
    {0, 0, 'd', 1, &AddressRow},                // VPA
    {0, 'e', &ActiveCursor::DownRows},          // VPR
    {0, 0, 'f', 2, &AddressPlace},              // HVP
    {0, 0, 'g', 1, &ClearTabs},                 // TBC
    {0, 0, 'h', 32, &SetModes},                 // SM
    {0, 0, 'l', 32, &SetModes},                 // RM
    {0, 0, 'm', 32, &Sgr},                      // SGR
    {0, 0, 'n', 1, &Status},                    // DSR
    {0, 0, 'r', 2, &Margins},                   // DECSTBM
    {0, 0, 's', 2, &SideMargins},               // DECSLRM or SCOSC
    {0, 0, 't', 2, &Window},                    // XTWINOPS
    {0, 0, 'u', 1, &Restore},                   // SCORC
    {' ', '@', &ActiveCursor::ScrollLeft},      // SL
    {' ', 'A', &ActiveCursor::ScrollRight},     // SR
    {0, ' ', 'q', 1, &CursorStyle},             // DECSCUSR
    {0, '!', 'p', 0, &SoftReset},               // DECSTR
    {0, '"', 'q', 1, &Protect},                 // DECSCA
    {0, '$', 'p', 1, &ReportMode},              // DECRQM, ANSI
    {0, '$', 'v', 8, &CopyRect},                // DECCRA
    {0, '$', 'x', 5, &FillRect},                // DECFRA
    {0, '$', 'z', 4, &EraseRect},               // DECERA
    {0, '$', '{', 4, &WipeRect},                // DECSERA
    {'\'', '}', &ActiveCursor::InsertColumns},  // DECIC
    {'\'', '~', &ActiveCursor::DeleteColumns},  // DECDC
    {'?', 0, 'J', 1, &EraseDisplay},            // DECSED
    {'?', 0, 'K', 1, &EraseLine},               // DECSEL
    {'?', 0, 'h', 32, &SetModes},               // DECSET
    {'?', 0, 'l', 32, &SetModes},               // DECRST
    {'?', 0, 'g', 1, &ReportKeys},              // XTQFMTKEYS
    {'?', 0, 'm', 1, &ReportKeys},              // XTQMODKEYS
    {'?', 0, 'n', 1, &Status},                  // DSR, DEC
    {'?', 0, 'u', 0, &ReportKeyboard},          // query
    {'?', '$', 'p', 1, &ReportMode},            // DECRQM
    {'=', 0, 'c', 1, &Attributes},              // DA3
    {'>', 0, 'c', 1, &Attributes},              // DA2
    {'>', 0, 'f', 2, &ModifyKeys},              // XTFMTKEYS
    {'>', 0, 'm', 2, &ModifyKeys},              // XTMODKEYS
    {'>', 0, 'n', 1, &ModifyNoKeys},            // XTMODKEYS, off
    {'>', 0, 'q', 1, &Version},                 // XTVERSION
    {'>', 0, 'u', 1, &AskKeyboard},             // push
    {'<', 0, 'u', 1, &AskKeyboard},             // pop
    {'=', 0, 'u', 2, &AskKeyboard},             // set
};

// Finds sequences without leader and intermediate by their final byte in an
// array, because nearly all sequences are of that kind.
const Interpreter::Sequences::Row* Interpreter::Sequences::Find(
    const Csi& csi) {
  static const std::array<const Row*, 128> plain = [] {
    std::array<const Row*, 128> table = {};
    for (const Row& row : kRows) {
      if (row.leader == 0 && row.intermediate == 0) {
        table[static_cast<uint8_t>(row.final)] = &row;
      }
    }
    return table;
  }();
  if (csi.leader == 0 && csi.intermediate == 0) {
    return plain[static_cast<uint8_t>(csi.final)];
  }
  for (const Row& row : kRows) {
    if (row.leader == csi.leader && row.intermediate == csi.intermediate &&
        row.final == csi.final) {
      return &row;
    }
  }
  return nullptr;
}

// Only SGR gives colons a meaning.
void Interpreter::ControlSequence(const Csi& csi) {
  char32_t before = last_glyph_;
  EndText();
  constexpr int kMaxOthers = 15;
  const Sequences::Row* row = Sequences::Find(csi);
  if (row == nullptr) return reports_->DropSequence();
  bool takes_all = row->max_params == Csi::kMaxParams;
  bool is_sgr = takes_all && csi.final == 'm';
  if ((csi.joined != 0 && !is_sgr) ||
      (!takes_all && (csi.overflow || csi.count > kMaxOthers))) {
    return reports_->DropSequence();
  }
  if (row->move != nullptr) return (cursor_.*row->move)(csi.Count(0));
  if (row->act == &Sequences::Repeat) last_glyph_ = before;
  if (csi.count <= row->max_params) return row->act(*this, csi);
  Csi shorter = csi;
  shorter.count = static_cast<uint8_t>(row->max_params);
  row->act(*this, shorter);
}

void Interpreter::Sequences::AddressPlace(Interpreter& vt, const Csi& csi) {
  vt.CountRowAddress();
  vt.cursor_.MoveTo({csi.Count(0) - 1, csi.Count(1) - 1});
}

void Interpreter::Sequences::AddressRow(Interpreter& vt, const Csi& csi) {
  vt.CountRowAddress();
  vt.cursor_.GoToRow(csi.Count(0));
}

void Interpreter::Sequences::EraseLine(Interpreter& vt, const Csi& csi) {
  bool selective = csi.leader == '?' && vt.protects_;
  vt.cursor_.EraseInLine(csi.Value(0, 0), selective);
}

// When the whole screen is cleared (not by DECSED), its text is kept as lines.
// ED 0 at the home position, as used by `clear` and many redraws, counts as ED
// 2, but not if a line editor has only returned to the beginning of its line in
// the first row.
void Interpreter::Sequences::EraseDisplay(Interpreter& vt, const Csi& csi) {
  int what = csi.Value(0, 0);
  bool is_dec = csi.leader == '?';
  if (what == 3 && !is_dec) {
    return vt.Emit(TerminalEvent::Type::kScrollbackCleared);
  }
  if (what > 2) return vt.reports_->DropSequence();
  bool is_home = vt.cursor_.position() == Place() && vt.cursor_.is_addressed();
  bool is_all = what == 2 || (what == 0 && is_home);
  if (is_all) ++vt.clears_;
  if (is_all && !is_dec) vt.grid_->SaveVisible();
  vt.cursor_.EraseInDisplay(what, is_dec && vt.protects_);
}

void Interpreter::Sequences::ClearTabs(Interpreter& vt, const Csi& csi) {
  vt.cursor_.ClearTabStops(csi.Value(0, 0));
}

// With more parameters, or with 0, the sequence is for mouse highlighting.
void Interpreter::Sequences::ScrollDown(Interpreter& vt, const Csi& csi) {
  if (csi.count > 1 || csi.Value(0, 1) == 0) {
    return vt.reports_->DropSequence();
  }
  vt.cursor_.ScrollDown(csi.Count(0));
}

// The count is limited to the size of the screen. Without autowrap, all glyphs
// beyond the edge take the same place, where they may join as many times as a
// cell allows.
void Interpreter::Sequences::Repeat(Interpreter& vt, const Csi& csi) {
  char32_t glyph = vt.last_glyph_;
  if (glyph == 0) return;
  Size size = vt.grid_->size();
  int most = vt.modes_.autowrap
                 ? size.rows * size.cols
                 : size.cols + static_cast<int>(ClusterTable::kMaxMarks);
  int count = std::min(csi.Count(0), most);
  vt.Glyphs(std::u32string(static_cast<size_t>(count), glyph));
  vt.EndText();
}

// Reads both margins, 0-based and half open; returns false if they do not form
// a range of at least two.
bool Interpreter::Sequences::FillMargins(const Csi& csi, int size, int* first,
                                         int* last) {
  *first = csi.Count(0) - 1;
  *last = csi.Value(1, 0);
  if (*last < 1 || *last > size) *last = size;
  return *first + 1 < *last;
}

void Interpreter::Sequences::Margins(Interpreter& vt, const Csi& csi) {
  int top, bottom;
  if (!FillMargins(csi, vt.grid_->size().rows, &top, &bottom)) return;
  vt.cursor_.SetMargins(top, bottom);
}

// CSI s saves the cursor unless side margins are enabled.
void Interpreter::Sequences::SideMargins(Interpreter& vt, const Csi& csi) {
  if (!vt.modes_.side_margins) return vt.SaveCursor();
  int left, right;
  if (!FillMargins(csi, vt.grid_->size().cols, &left, &right)) return;
  vt.cursor_.SetSideMargins(left, right);
}

void Interpreter::Sequences::Restore(Interpreter& vt, const Csi&) {
  vt.RestoreCursor();
}

// Reads top, left, bottom, right from parameter `first` on; a missing side is
// that of the screen or, in origin mode, of the margins. In origin mode,
// positions count from the margins and are limited by them. Returns false if
// the result is not a rectangle.
bool Interpreter::Sequences::ReadRect(const Interpreter& vt, const Csi& csi,
                                      int first, Rect* rect) {
  const ActiveCursor& cursor = vt.cursor_;
  Size size = vt.grid_->size();
  Rect all = {0, size.rows, 0, size.cols};
  if (vt.modes_.origin) {
    all = {cursor.top_margin(), cursor.bottom_margin(), cursor.left_margin(),
           cursor.right_margin()};
  }
  auto value = [&](int i, int missing) {
    int given = csi.Value(first + i, 0);
    return given > 0 ? given : missing;
  };
  Place begin = cursor.FromOrigin({value(0, 1) - 1, value(1, 1) - 1});
  Place end = cursor.FromOrigin({value(2, all.bottom), value(3, all.right)});
  *rect = {begin.row, std::min(end.row, all.bottom), begin.col,
           std::min(end.col, all.right)};
  return rect->top < rect->bottom && rect->left < rect->right;
}

void Interpreter::Sequences::FillRect(Interpreter& vt, const Csi& csi) {
  Rect rect;
  auto c = static_cast<char32_t>(csi.Value(0, 0));
  bool is_narrow = c >= ' ' && (c < 0x7F || c >= 0xA0) && WidthOf(c) == 1;
  if (!is_narrow || !ReadRect(vt, csi, 1, &rect)) return;
  vt.grid_->Fill(rect, c);
}

void Interpreter::Sequences::EraseRect(Interpreter& vt, const Csi& csi) {
  Rect rect;
  if (ReadRect(vt, csi, 0, &rect)) vt.grid_->Fill(rect, ' ');
}

void Interpreter::Sequences::WipeRect(Interpreter& vt, const Csi& csi) {
  Rect rect;
  if (ReadRect(vt, csi, 0, &rect)) {
    vt.grid_->Wipe(rect, vt.protects_);
  }
}

// The parameters are a rectangle and the target's top left corner. Each is
// followed by the number of a page, which is ignored, because there is only one
// page.
void Interpreter::Sequences::CopyRect(Interpreter& vt, const Csi& csi) {
  constexpr int kTarget = 5;
  Csi corner = csi;
  corner.count = std::min<uint8_t>(csi.count, kTarget + 2);
  Rect from, to;
  if (!ReadRect(vt, csi, 0, &from)) return;
  if (!ReadRect(vt, corner, kTarget, &to)) return;
  int rows = std::min(from.bottom - from.top, to.bottom - to.top);
  int cols = std::min(from.right - from.left, to.right - to.left);
  from.bottom = from.top + rows;
  from.right = from.left + cols;
  to.bottom = to.top + rows;
  to.right = to.left + cols;
  vt.grid_->MoveRect(to, from);
}

// ANSI and private modes share the handler; the table of modes distinguishes
// them.
void Interpreter::Sequences::SetModes(Interpreter& vt, const Csi& csi) {
  vt.SetModes(csi, csi.final == 'h');
}

// Counts each skipped attribute, because one sequence may contain a dozen.
void Interpreter::Sequences::Sgr(Interpreter& vt, const Csi& csi) {
  int unknown = ApplySgr(csi, &vt.pen_.style);
  for (int i = 0; i < unknown; ++i) vt.reports_->DropSequence();
  vt.grid_->SetPen(vt.pen_.style, vt.pen_.is_protected);
}

void Interpreter::Sequences::SoftReset(Interpreter& vt, const Csi&) {
  vt.SoftReset();
}

// An unknown style counts as the default.
void Interpreter::Sequences::CursorStyle(Interpreter& vt, const Csi& csi) {
  int style = csi.Value(0, 0);
  vt.modes_.cursor_style = style <= 6 ? style : 0;
}

// The protection is part of the pen; the grid implements selective erasing.
void Interpreter::Sequences::Protect(Interpreter& vt, const Csi& csi) {
  Pen pen = vt.pen_;
  int what = csi.Value(0, 0);
  if (what <= 2) pen.is_protected = what == 1;
  vt.protects_ = true;
  vt.SetPen(pen);
}

// Of the resources of XTMODKEYS and XTFMTKEYS, only this one is supported.
// Without a number, these sequences reset all resources.
constexpr int kOtherKeys = 4;

void Interpreter::Sequences::ModifyKeys(Interpreter& vt, const Csi& csi) {
  if (csi.Value(0, kOtherKeys) != kOtherKeys) return;
  int value = csi.Value(1, 0);
  if (csi.final == 'm') {
    vt.modes_.modify_other_keys = std::min(value, 2);
  } else {
    vt.modes_.format_other_keys = std::min(value, 1);
  }
}

void Interpreter::Sequences::ModifyNoKeys(Interpreter& vt, const Csi& csi) {
  if (csi.Value(0, 0) == kOtherKeys) vt.modes_.modify_other_keys = 0;
}

// Unknown flags are dropped, so that a program that queries the active flags
// sees which are supported.
void Interpreter::Sequences::AskKeyboard(Interpreter& vt, const Csi& csi) {
  enum { kExactly = 1, kAlso = 2, kNot = 3 };
  KittyLevels* kitty = vt.Kitty();
  int flags = csi.Value(0, 0) & kAllKittyFlags;
  if (csi.leader == '>') {
    kitty->Push(flags);
  } else if (csi.leader == '<') {
    kitty->Pop(csi.Count(0));
  } else {
    int how = csi.Value(1, kExactly);
    if (how == kExactly) kitty->flags = flags;
    if (how == kAlso) kitty->flags |= flags;
    if (how == kNot) kitty->flags &= ~flags;
  }
  vt.ShowKittyFlags();
}

// --- queries: answered with constants and numbers only ---

void Interpreter::Sequences::Attributes(Interpreter& vt, const Csi& csi) {
  if (csi.Value(0, 0) != 0) return;
  vt.reports_->Reply(DeviceAttributes(csi.leader));
}

void Interpreter::Sequences::Version(Interpreter& vt, const Csi& csi) {
  if (csi.Value(0, 0) == 0) vt.reports_->Reply(TerminalVersion());
}

void Interpreter::Sequences::Status(Interpreter& vt, const Csi& csi) {
  constexpr int kPlace = 6;
  bool is_dec = csi.leader == '?';
  int number = csi.Value(0, 0);
  if (number == kPlace) {
    Place at = vt.cursor_.position();
    if (vt.modes_.origin) {
      at.row -= vt.cursor_.top_margin();
      at.col -= vt.cursor_.left_margin();
    }
    return vt.reports_->Reply(PlaceReport(is_dec, at.row + 1, at.col + 1));
  }
  Answer(vt, StatusReport(is_dec, number));
}

// Some programs query the window size by this sequence. Programs that set a
// title save the previous one on a stack, and restore it when they end.
void Interpreter::Sequences::Window(Interpreter& vt, const Csi& csi) {
  constexpr int kPushTitle = 22, kPopTitle = 23;
  int operation = csi.Value(0, 0), number = csi.Value(1, 0);
  bool is_title = operation == kPushTitle || operation == kPopTitle;
  if (!is_title || number > static_cast<int>(Titles::Part::kWindow)) {
    return Answer(vt, WindowReport(operation, vt.grid_->size()));
  }
  Titles* titles = vt.reports_->titles();
  auto part = static_cast<Titles::Part>(number);
  if (operation == kPushTitle) return titles->Push(part);
  if (titles->Pop(part)) {
    vt.Emit(TerminalEvent::Type::kTitle, titles->title());
  }
}

void Interpreter::Sequences::Answer(Interpreter& vt,
                                    const std::optional<std::string>& answer) {
  if (!answer) return vt.reports_->DropSequence();
  vt.reports_->Reply(*answer);
}

void Interpreter::Sequences::ReportKeyboard(Interpreter& vt, const Csi&) {
  vt.reports_->Reply(KeyboardReport(vt.modes_.kitty_flags));
}

void Interpreter::Sequences::ReportKeys(Interpreter& vt, const Csi& csi) {
  if (csi.Value(0, 0) != kOtherKeys) return vt.reports_->DropSequence();
  bool is_format = csi.final == 'g';
  int value =
      is_format ? vt.modes_.format_other_keys : vt.modes_.modify_other_keys;
  vt.reports_->Reply(OtherKeysReport(is_format ? 'f' : 'm', kOtherKeys, value));
}

void Interpreter::Sequences::ReportMode(Interpreter& vt, const Csi& csi) {
  vt.ReportMode(csi);
}

}  // namespace glasstty::terminal
