// Control sequences: the table of those that are obeyed, and what each does.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "terminal/guard.h"
#include "terminal/queries.h"

namespace glasstty {

// A row is a sequence; adding one is adding a row and, when libvterm does not
// know it, a function. Leader and intermediate 0 mean none.
struct Guard::Sequences {
  struct Row {
    char leader;
    char intermediate;
    char final;
    int max_params;  // more are left out
    void (*act)(Guard& guard, const Csi& csi);
  };
  static const Row kRows[];

  static const Row* Find(const Csi& csi);
  static std::string Spell(const Csi& csi);
  static bool FillMargins(const Csi& csi, int size, int* first, int* last);

  static void Forward(Guard& guard, const Csi& csi);
  static void AddressRow(Guard& guard, const Csi& csi);
  static void MoveRows(Guard& guard, const Csi& csi);
  static void EraseCells(Guard& guard, const Csi& csi);
  static void ShiftLines(Guard& guard, const Csi& csi);
  static void ClearTabs(Guard& guard, const Csi& csi);
  static void Scroll(Guard& guard, const Csi& csi);
  static void TabForward(Guard& guard, const Csi& csi);
  static void EraseDisplay(Guard& guard, const Csi& csi);
  static void Repeat(Guard& guard, const Csi& csi);
  static void Margins(Guard& guard, const Csi& csi);
  static void SideMargins(Guard& guard, const Csi& csi);
  static void Restore(Guard& guard, const Csi& csi);
  static void SetModes(Guard& guard, const Csi& csi);
  static void Sgr(Guard& guard, const Csi& csi);
  static void SoftReset(Guard& guard, const Csi& csi);
  static void CursorStyle(Guard& guard, const Csi& csi);
  static void Protect(Guard& guard, const Csi& csi);
  static void ModifyKeys(Guard& guard, const Csi& csi);
  static void KittyFlags(Guard& guard, const Csi& csi);
  static void Attributes(Guard& guard, const Csi& csi);
  static void Version(Guard& guard, const Csi& csi);
  static void Status(Guard& guard, const Csi& csi);
  static void Window(Guard& guard, const Csi& csi);
  static void Answer(Guard& guard, const std::optional<std::string>& answer);
  static void ReportMode(Guard& guard, const Csi& csi);
};

// What is missing on purpose: SL and SR, rectangles (DECCARA and its kin),
// window operations, media copy, colour stacks. Nobody needs them to draw.
const Guard::Sequences::Row Guard::Sequences::kRows[] = {
    {0, 0, '@', 1, &Forward},         // ICH
    {0, 0, 'A', 1, &MoveRows},        // CUU
    {0, 0, 'B', 1, &MoveRows},        // CUD
    {0, 0, 'C', 1, &Forward},         // CUF
    {0, 0, 'D', 1, &Forward},         // CUB
    {0, 0, 'E', 1, &MoveRows},        // CNL
    {0, 0, 'F', 1, &MoveRows},        // CPL
    {0, 0, 'G', 1, &Forward},         // CHA
    {0, 0, 'H', 2, &AddressRow},      // CUP
    {0, 0, 'I', 1, &TabForward},      // CHT
    {0, 0, 'J', 1, &EraseDisplay},    // ED
    {0, 0, 'K', 1, &EraseCells},      // EL
    {0, 0, 'L', 1, &ShiftLines},      // IL
    {0, 0, 'M', 1, &ShiftLines},      // DL
    {0, 0, 'P', 1, &Forward},         // DCH
    {0, 0, 'S', 2, &Scroll},          // SU
    {0, 0, 'T', 2, &Scroll},          // SD
    {0, 0, 'X', 1, &EraseCells},      // ECH
    {0, 0, 'Z', 1, &Forward},         // CBT
    {0, 0, '`', 1, &Forward},         // HPA
    {0, 0, 'a', 1, &Forward},         // HPR
    {0, 0, 'b', 1, &Repeat},          // REP
    {0, 0, 'c', 1, &Attributes},      // DA1
    {0, 0, 'd', 1, &AddressRow},      // VPA
    {0, 0, 'e', 1, &Forward},         // VPR
    {0, 0, 'f', 2, &AddressRow},      // HVP
    {0, 0, 'g', 1, &ClearTabs},       // TBC
    {0, 0, 'h', 32, &SetModes},       // SM
    {0, 0, 'j', 1, &Forward},         // HPB
    {0, 0, 'k', 1, &Forward},         // VPB
    {0, 0, 'l', 32, &SetModes},       // RM
    {0, 0, 'm', 32, &Sgr},            // SGR
    {0, 0, 'n', 1, &Status},          // DSR
    {0, 0, 'r', 2, &Margins},         // DECSTBM
    {0, 0, 's', 2, &SideMargins},     // DECSLRM or SCOSC
    {0, 0, 't', 1, &Window},          // XTWINOPS
    {0, 0, 'u', 1, &Restore},         // SCORC
    {0, ' ', 'q', 1, &CursorStyle},   // DECSCUSR
    {0, '!', 'p', 0, &SoftReset},     // DECSTR
    {0, '"', 'q', 1, &Protect},       // DECSCA
    {0, '$', 'p', 1, &ReportMode},    // DECRQM, ANSI
    {0, '\'', '}', 1, &Forward},      // DECIC
    {0, '\'', '~', 1, &Forward},      // DECDC
    {'?', 0, 'J', 1, &EraseCells},    // DECSED
    {'?', 0, 'K', 1, &EraseCells},    // DECSEL
    {'?', 0, 'h', 32, &SetModes},     // DECSET
    {'?', 0, 'l', 32, &SetModes},     // DECRST
    {'?', 0, 'n', 1, &Status},        // DSR, DEC
    {'?', 0, 'u', 1, &KittyFlags},    // the question
    {'?', '$', 'p', 1, &ReportMode},  // DECRQM
    {'=', 0, 'c', 1, &Attributes},    // DA3
    {'>', 0, 'c', 1, &Attributes},    // DA2
    {'>', 0, 'm', 2, &ModifyKeys},    // XTMODKEYS
    {'>', 0, 'q', 1, &Version},       // XTVERSION
    {'>', 0, 'u', 1, &KittyFlags},    // push
    {'<', 0, 'u', 1, &KittyFlags},    // pop
    {'=', 0, 'u', 2, &KittyFlags},    // set
};

// The first row of each final byte without leader and intermediate: those are
// nearly all that come.
const Guard::Sequences::Row* Guard::Sequences::Find(const Csi& csi) {
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

void Guard::ControlSequence(const Csi& csi) {
  char32_t before = last_glyph_;
  EndText();
  // No sequence of so many parameters means anything but SGR and mode lists,
  // and libvterm writes the 17th beyond its array.
  constexpr int kMaxOthers = 15;
  const Sequences::Row* row = Sequences::Find(csi);
  bool takes_all = row != nullptr && row->max_params == Csi::kMaxParams;
  bool is_sgr = takes_all && csi.final == 'm';
  if (row == nullptr || (csi.joined != 0 && !is_sgr) ||
      (!takes_all && (csi.overflow || csi.count > kMaxOthers))) {
    return reports_->DropSequence();
  }
  if (row->act == &Sequences::Repeat) last_glyph_ = before;
  if (csi.count <= row->max_params) return row->act(*this, csi);
  Csi shorter = csi;
  shorter.count = static_cast<uint8_t>(row->max_params);
  row->act(*this, shorter);
}

// Only checked numbers: the parser ends them at 9,999, and libvterm does
// nothing slow or wrong with any up to that.
std::string Guard::Sequences::Spell(const Csi& csi) {
  std::string out = "\x1b[";
  if (csi.leader != 0) out += csi.leader;
  for (int i = 0; i < csi.count; ++i) {
    if (i > 0) out += ';';
    if (csi.values[i] >= 0) out += std::to_string(csi.values[i]);
  }
  if (csi.intermediate != 0) out += csi.intermediate;
  out += csi.final;
  return out;
}

// On our own path when it is one of those, else through libvterm.
void Guard::Sequences::Forward(Guard& guard, const Csi& csi) {
  if (!guard.flow_.Sequence(csi)) guard.Forward(Spell(csi));
}

// A status line below margins (apt's) makes no full-screen program.
void Guard::Sequences::AddressRow(Guard& guard, const Csi& csi) {
  const Flow& flow = guard.flow_;
  bool margins =
      flow.top_margin() > 0 || flow.bottom_margin() < guard.grid_->size().rows;
  if (!margins && !guard.grid_->alternate()) ++guard.row_addresses_;
  Forward(guard, csi);
}

// As in xterm, it stops at the margin that it comes to; libvterm goes on to the
// edge of the screen. From behind a margin there is none on the way to the
// edge.
void Guard::Sequences::MoveRows(Guard& guard, const Csi& csi) {
  Flow& flow = guard.flow_;
  bool up = csi.final == 'A' || csi.final == 'F';
  int row = flow.cursor().row;
  int first = row >= flow.top_margin() ? flow.top_margin() : 0;
  int last = guard.grid_->size().rows - 1;
  if (row < flow.bottom_margin()) last = flow.bottom_margin() - 1;
  int room = up ? row - first : last - row;
  if (room == 0) {
    flow.EndPendingWrap();
    bool returns = csi.final == 'E' || csi.final == 'F';
    if (returns) flow.Control('\r');
    return;
  }
  Csi within = csi;
  within.count = 1;
  within.values[0] = std::min(csi.Count(0), room);
  Forward(guard, within);
}

// A glyph in the last column that a pending wrap stands behind is not erased by
// what erases from the cursor on: the next glyph would not go there. tmux and
// xterm.js keep it, too; xterm does not, and programs that end each colour with
// EL lose a letter there. What erases elsewhere ends the wrap.
void Guard::Sequences::EraseCells(Guard& guard, const Csi& csi) {
  guard.flow_.Flush();
  bool from_cursor = csi.final == 'X' || csi.Value(0, 0) == 0;
  if (from_cursor && guard.flow_.pending_wrap()) {
    if (csi.final == 'J') guard.flow_.EraseBelow(csi.leader == '?');
    return;
  }
  Forward(guard, csi);
}

// Inside the region the cursor goes to the beginning of its line, as in xterm.
void Guard::Sequences::ShiftLines(Guard& guard, const Csi& csi) {
  Flow& flow = guard.flow_;
  int row = flow.cursor().row;
  Forward(guard, csi);
  bool inside = row >= flow.top_margin() && row < flow.bottom_margin();
  if (inside) flow.Control('\r');
}

void Guard::Sequences::ClearTabs(Guard& guard, const Csi& csi) {
  guard.flow_.ClearTabStops(csi.Value(0, 0));
}

// With more parameters they are mouse highlighting and graphics. Neither ends a
// pending wrap, and SD by 0 does nothing, though a count of 0 means 1
// elsewhere.
void Guard::Sequences::Scroll(Guard& guard, const Csi& csi) {
  if (csi.count > 1) return guard.reports_->DropSequence();
  if (csi.final == 'T' && csi.Value(0, 1) == 0) return;
  Flow& flow = guard.flow_;
  flow.Flush();
  if (!flow.Sequence(csi)) flow.Write(Spell(csi), StateLayer::Writing::kEdit);
}

// As HT, which does not end a pending wrap.
void Guard::Sequences::TabForward(Guard& guard, const Csi& csi) {
  guard.flow_.Flush();
  if (!guard.flow_.pending_wrap()) Forward(guard, csi);
}

// Nothing that was printed is lost by clearing the whole screen.
// ED 0 from home is how `clear` and many redraws say ED 2.
void Guard::Sequences::EraseDisplay(Guard& guard, const Csi& csi) {
  int what = csi.Value(0, 0);
  if (what == 3) {
    return guard.Emit(TerminalEvent::Type::kScrollbackCleared);
  }
  if (what > 3) return guard.reports_->DropSequence();
  bool is_all = what == 2 || (what == 0 && guard.flow_.cursor() == Place());
  if (is_all) {
    guard.flow_.Flush();
    guard.grid_->SaveVisible();
  }
  EraseCells(guard, csi);
}

// libvterm repeats for ever when nothing was printed before, and beyond the row
// when the glyph is wide.
// A count beyond the whole screen shows nothing more.
void Guard::Sequences::Repeat(Guard& guard, const Csi& csi) {
  char32_t glyph = guard.last_glyph_;
  if (glyph == 0) return;
  Size size = guard.grid_->size();
  int count = std::min(csi.Count(0), size.rows * size.cols);
  for (int i = 0; i < count; ++i) guard.Glyphs({&glyph, 1});
}

// Both margins, 0-based and half open; false when they do not form a range.
bool Guard::Sequences::FillMargins(const Csi& csi, int size, int* first,
                                   int* last) {
  *first = csi.Count(0) - 1;
  *last = csi.Value(1, 0);
  if (*last < 1 || *last > size) *last = size;
  return *first + 1 < *last;
}

// libvterm takes a first margin beyond the edge.
void Guard::Sequences::Margins(Guard& guard, const Csi& csi) {
  int top, bottom;
  if (!FillMargins(csi, guard.grid_->size().rows, &top, &bottom)) return;
  guard.flow_.SetMargins(top, bottom);
}

// CSI s saves the cursor unless side margins are enabled; libvterm always sets
// margins.
void Guard::Sequences::SideMargins(Guard& guard, const Csi& csi) {
  if (!guard.modes_.side_margins) {
    if (csi.count == 0) guard.SaveCursor();
    return;
  }
  int left, right;
  if (!FillMargins(csi, guard.grid_->size().cols, &left, &right)) return;
  guard.Forward(absl::StrFormat("\x1b[%d;%ds", left + 1, right));
}

// With parameters it belongs to the kitty keyboard protocol.
void Guard::Sequences::Restore(Guard& guard, const Csi& csi) {
  if (csi.count == 0) guard.RestoreCursor();
}

// ANSI and private modes share the rows; the table tells them apart.
void Guard::Sequences::SetModes(Guard& guard, const Csi& csi) {
  guard.SetModes(csi, csi.final == 'h');
}

// Skipped attributes are counted one by one: a program may send a dozen.
void Guard::Sequences::Sgr(Guard& guard, const Csi& csi) {
  Pen pen = guard.pen_;
  int unknown = ApplySgr(csi, &pen.style);
  for (int i = 0; i < unknown; ++i) guard.reports_->DropSequence();
  guard.SetPen(pen);
}

void Guard::Sequences::SoftReset(Guard& guard, const Csi&) {
  guard.SoftReset();
}

// Remembered, for DECRQSS and for pictures of the screen.
void Guard::Sequences::CursorStyle(Guard& guard, const Csi& csi) {
  int style = csi.Value(0, 0);
  guard.modes_.cursor_style = style <= 6 ? style : 0;
}

// Kept in the pen: selective erase is the grid's.
void Guard::Sequences::Protect(Guard& guard, const Csi& csi) {
  Pen pen = guard.pen_;
  pen.is_protected = csi.Value(0, 0) == 1;
  guard.SetPen(pen);
}

// XTMODKEYS has several resources; one of them changes what keys send.
void Guard::Sequences::ModifyKeys(Guard& guard, const Csi& csi) {
  constexpr int kModifyOtherKeys = 4;
  if (csi.Value(0, 0) == kModifyOtherKeys) {
    guard.modes_.modify_other_keys = std::min(csi.Value(1, 0), 2);
  }
}

// What a program asks of the keyboard is remembered; the question is not
// answered, which says that nothing was granted.
void Guard::Sequences::KittyFlags(Guard& guard, const Csi& csi) {
  int* flags = &guard.modes_.kitty_flags;
  int* depth = &guard.kitty_depth_;
  constexpr int kAllFlags = 31;
  if (csi.leader == '=') *flags = csi.Value(0, 0) & kAllFlags;
  if (csi.leader == '>') {
    if (*depth < static_cast<int>(guard.kitty_stack_.size())) {
      guard.kitty_stack_[(*depth)++] = *flags;
    }
    *flags = csi.Value(0, 0) & kAllFlags;
  }
  for (int i = 0; csi.leader == '<' && i < csi.Count(0); ++i) {
    *flags = *depth > 0 ? guard.kitty_stack_[--*depth] : 0;
  }
}

// --- questions: answered with constants and numbers only ---

// What is said is in queries.h. The three of DA share a function.
void Guard::Sequences::Attributes(Guard& guard, const Csi& csi) {
  if (csi.Value(0, 0) != 0) return;
  guard.reports_->Reply(DeviceAttributes(csi.leader));
}

void Guard::Sequences::Version(Guard& guard, const Csi& csi) {
  if (csi.Value(0, 0) == 0) guard.reports_->Reply(TerminalVersion());
}

void Guard::Sequences::Status(Guard& guard, const Csi& csi) {
  constexpr int kPlace = 6;
  bool is_dec = csi.leader == '?';
  int number = csi.Value(0, 0);
  if (number == kPlace) {
    Place at = guard.flow_.cursor();
    if (guard.modes_.origin) at.row -= guard.flow_.top_margin();
    return guard.reports_->Reply(PlaceReport(is_dec, at.row + 1, at.col + 1));
  }
  Answer(guard, StatusReport(is_dec, number));
}

// Programs without a window-size call ask this.
void Guard::Sequences::Window(Guard& guard, const Csi& csi) {
  Answer(guard, WindowReport(csi.Value(0, 0), guard.grid_->size()));
}

void Guard::Sequences::Answer(Guard& guard,
                              const std::optional<std::string>& answer) {
  if (!answer) return guard.reports_->DropSequence();
  guard.reports_->Reply(*answer);
}

void Guard::Sequences::ReportMode(Guard& guard, const Csi& csi) {
  guard.ReportMode(csi);
}

}  // namespace glasstty
