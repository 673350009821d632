// Control sequences: the table of those that are obeyed, and what each does.
#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "terminal/guard.h"
#include "terminal/queries.h"
#include "terminal/widths.h"

namespace glasstty::terminal {

// A row is a sequence with its handler: a function of the flow, which gets the
// count (1 or more), or one of ours. Leader and intermediate 0 mean none.
struct Guard::Sequences {
  using Act = void (*)(Guard& guard, const Csi& csi);
  using Move = void (Flow::*)(int count);
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
    int max_params;  // more are left out
    Act act = nullptr;
    Move move = nullptr;
  };
  static const Row kRows[];

  static const Row* Find(const Csi& csi);
  static bool FillMargins(const Csi& csi, int size, int* first, int* last);
  static bool ReadRect(const Guard& guard, const Csi& csi, int first,
                       Rect* rect);

  static void AddressPlace(Guard& guard, const Csi& csi);
  static void AddressRow(Guard& guard, const Csi& csi);
  static void EraseLine(Guard& guard, const Csi& csi);
  static void EraseDisplay(Guard& guard, const Csi& csi);
  static void ClearTabs(Guard& guard, const Csi& csi);
  static void ScrollDown(Guard& guard, const Csi& csi);
  static void Repeat(Guard& guard, const Csi& csi);
  static void Margins(Guard& guard, const Csi& csi);
  static void SideMargins(Guard& guard, const Csi& csi);
  static void Restore(Guard& guard, const Csi& csi);
  static void FillRect(Guard& guard, const Csi& csi);
  static void EraseRect(Guard& guard, const Csi& csi);
  static void WipeRect(Guard& guard, const Csi& csi);
  static void CopyRect(Guard& guard, const Csi& csi);
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

// What is missing on purpose: the attributes of rectangles (DECCARA, DECRARA)
// and their checksums, window operations, media copy, colour stacks. Nobody
// needs them to draw.
const Guard::Sequences::Row Guard::Sequences::kRows[] = {
    {0, '@', &Flow::InsertCells},       // ICH
    {0, 'A', &Flow::Up},                // CUU
    {0, 'B', &Flow::Down},              // CUD
    {0, 'C', &Flow::Forward},           // CUF
    {0, 'D', &Flow::Back},              // CUB
    {0, 'E', &Flow::NextLines},         // CNL
    {0, 'F', &Flow::PreviousLines},     // CPL
    {0, 'G', &Flow::GoToColumn},        // CHA
    {0, 0, 'H', 2, &AddressPlace},      // CUP
    {0, 'I', &Flow::TabForward},        // CHT
    {0, 0, 'J', 1, &EraseDisplay},      // ED
    {0, 0, 'K', 1, &EraseLine},         // EL
    {0, 'L', &Flow::InsertLines},       // IL
    {0, 'M', &Flow::DeleteLines},       // DL
    {0, 'P', &Flow::DeleteCells},       // DCH
    {0, 'S', &Flow::ScrollUp},          // SU
    {0, 0, 'T', 2, &ScrollDown},        // SD
    {0, 'X', &Flow::EraseCells},        // ECH
    {0, 'Z', &Flow::TabBack},           // CBT
    {0, '^', &Flow::ScrollDown},        // SD, as ECMA-48 has it
    {0, '`', &Flow::GoToColumn},        // HPA
    {0, 'a', &Flow::ForwardColumns},    // HPR
    {0, 0, 'b', 1, &Repeat},            // REP
    {0, 0, 'c', 1, &Attributes},        // DA1
    {0, 0, 'd', 1, &AddressRow},        // VPA
    {0, 'e', &Flow::DownRows},          // VPR
    {0, 0, 'f', 2, &AddressPlace},      // HVP
    {0, 0, 'g', 1, &ClearTabs},         // TBC
    {0, 0, 'h', 32, &SetModes},         // SM
    {0, 0, 'l', 32, &SetModes},         // RM
    {0, 0, 'm', 32, &Sgr},              // SGR
    {0, 0, 'n', 1, &Status},            // DSR
    {0, 0, 'r', 2, &Margins},           // DECSTBM
    {0, 0, 's', 2, &SideMargins},       // DECSLRM or SCOSC
    {0, 0, 't', 1, &Window},            // XTWINOPS
    {0, 0, 'u', 1, &Restore},           // SCORC
    {' ', '@', &Flow::ScrollLeft},      // SL
    {' ', 'A', &Flow::ScrollRight},     // SR
    {0, ' ', 'q', 1, &CursorStyle},     // DECSCUSR
    {0, '!', 'p', 0, &SoftReset},       // DECSTR
    {0, '"', 'q', 1, &Protect},         // DECSCA
    {0, '$', 'p', 1, &ReportMode},      // DECRQM, ANSI
    {0, '$', 'v', 8, &CopyRect},        // DECCRA
    {0, '$', 'x', 5, &FillRect},        // DECFRA
    {0, '$', 'z', 4, &EraseRect},       // DECERA
    {0, '$', '{', 4, &WipeRect},        // DECSERA
    {'\'', '}', &Flow::InsertColumns},  // DECIC
    {'\'', '~', &Flow::DeleteColumns},  // DECDC
    {'?', 0, 'J', 1, &EraseDisplay},    // DECSED
    {'?', 0, 'K', 1, &EraseLine},       // DECSEL
    {'?', 0, 'h', 32, &SetModes},       // DECSET
    {'?', 0, 'l', 32, &SetModes},       // DECRST
    {'?', 0, 'n', 1, &Status},          // DSR, DEC
    {'?', 0, 'u', 1, &KittyFlags},      // the question
    {'?', '$', 'p', 1, &ReportMode},    // DECRQM
    {'=', 0, 'c', 1, &Attributes},      // DA3
    {'>', 0, 'c', 1, &Attributes},      // DA2
    {'>', 0, 'm', 2, &ModifyKeys},      // XTMODKEYS
    {'>', 0, 'q', 1, &Version},         // XTVERSION
    {'>', 0, 'u', 1, &KittyFlags},      // push
    {'<', 0, 'u', 1, &KittyFlags},      // pop
    {'=', 0, 'u', 2, &KittyFlags},      // set
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

// Of colons only SGR knows the meaning.
void Guard::ControlSequence(const Csi& csi) {
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
  if (row->move != nullptr) return (flow_.*row->move)(csi.Count(0));
  if (row->act == &Sequences::Repeat) last_glyph_ = before;
  if (csi.count <= row->max_params) return row->act(*this, csi);
  Csi shorter = csi;
  shorter.count = static_cast<uint8_t>(row->max_params);
  row->act(*this, shorter);
}

void Guard::Sequences::AddressPlace(Guard& guard, const Csi& csi) {
  guard.CountRowAddress();
  guard.flow_.MoveTo({csi.Count(0) - 1, csi.Count(1) - 1});
}

void Guard::Sequences::AddressRow(Guard& guard, const Csi& csi) {
  guard.CountRowAddress();
  guard.flow_.GoToRow(csi.Count(0));
}

void Guard::Sequences::EraseLine(Guard& guard, const Csi& csi) {
  bool selective = csi.leader == '?' && guard.protects_;
  guard.flow_.EraseInLine(csi.Value(0, 0), selective);
}

// Nothing that was printed is lost by clearing the whole screen.
// ED 0 from home is how `clear` and many redraws say ED 2.
void Guard::Sequences::EraseDisplay(Guard& guard, const Csi& csi) {
  int what = csi.Value(0, 0);
  bool is_dec = csi.leader == '?';
  if (what == 3 && !is_dec) {
    return guard.Emit(TerminalEvent::Type::kScrollbackCleared);
  }
  if (what > 2) return guard.reports_->DropSequence();
  bool is_all = what == 2 || (what == 0 && guard.flow_.cursor() == Place());
  if (is_all && !is_dec) guard.grid_->SaveVisible();
  guard.flow_.EraseInDisplay(what, is_dec && guard.protects_);
}

void Guard::Sequences::ClearTabs(Guard& guard, const Csi& csi) {
  guard.flow_.ClearTabStops(csi.Value(0, 0));
}

// With more parameters, or 0, it belongs to mouse highlighting.
void Guard::Sequences::ScrollDown(Guard& guard, const Csi& csi) {
  if (csi.count > 1 || csi.Value(0, 1) == 0) {
    return guard.reports_->DropSequence();
  }
  guard.flow_.ScrollDown(csi.Count(0));
}

// A count beyond the whole screen shows nothing more.
void Guard::Sequences::Repeat(Guard& guard, const Csi& csi) {
  char32_t glyph = guard.last_glyph_;
  if (glyph == 0) return;
  Size size = guard.grid_->size();
  int count = std::min(csi.Count(0), size.rows * size.cols);
  for (int i = 0; i < count; ++i) guard.Glyphs({&glyph, 1});
  guard.EndText();
}

// Both margins, 0-based and half open; false when they do not form a range.
bool Guard::Sequences::FillMargins(const Csi& csi, int size, int* first,
                                   int* last) {
  *first = csi.Count(0) - 1;
  *last = csi.Value(1, 0);
  if (*last < 1 || *last > size) *last = size;
  return *first + 1 < *last;
}

void Guard::Sequences::Margins(Guard& guard, const Csi& csi) {
  int top, bottom;
  if (!FillMargins(csi, guard.grid_->size().rows, &top, &bottom)) return;
  guard.flow_.SetMargins(top, bottom);
}

// CSI s saves the cursor unless side margins are enabled.
void Guard::Sequences::SideMargins(Guard& guard, const Csi& csi) {
  if (!guard.modes_.side_margins) return guard.SaveCursor();
  int left, right;
  if (!FillMargins(csi, guard.grid_->size().cols, &left, &right)) return;
  guard.flow_.SetSideMargins(left, right);
}

void Guard::Sequences::Restore(Guard& guard, const Csi&) {
  guard.RestoreCursor();
}

// Top, left, bottom, right from parameter `first` on; a side that is missing is
// that of the screen. In origin mode they count from the margins and end at
// them. False when that is no rectangle.
bool Guard::Sequences::ReadRect(const Guard& guard, const Csi& csi, int first,
                                Rect* rect) {
  const Flow& flow = guard.flow_;
  Size size = guard.grid_->size();
  Rect all = {0, size.rows, 0, size.cols};
  if (guard.modes_.origin) {
    all = {flow.top_margin(), flow.bottom_margin(), flow.left_margin(),
           flow.right_margin()};
  }
  auto value = [&](int i, int missing) {
    int given = csi.Value(first + i, 0);
    return given > 0 ? given : missing;
  };
  Place begin =
      flow.FromOrigin({value(0, all.top + 1) - 1, value(1, all.left + 1) - 1});
  Place end = flow.FromOrigin({value(2, all.bottom), value(3, all.right)});
  *rect = {begin.row, std::min(end.row, all.bottom), begin.col,
           std::min(end.col, all.right)};
  return rect->top < rect->bottom && rect->left < rect->right;
}

// The character's number comes first.
void Guard::Sequences::FillRect(Guard& guard, const Csi& csi) {
  Rect rect;
  auto c = static_cast<char32_t>(csi.Value(0, 0));
  bool is_narrow = c >= ' ' && (c < 0x7F || c >= 0xA0) && WidthOf(c) == 1;
  if (!is_narrow || !ReadRect(guard, csi, 1, &rect)) return;
  guard.grid_->Fill(rect, c);
}

void Guard::Sequences::EraseRect(Guard& guard, const Csi& csi) {
  Rect rect;
  if (ReadRect(guard, csi, 0, &rect)) guard.grid_->Fill(rect, ' ');
}

void Guard::Sequences::WipeRect(Guard& guard, const Csi& csi) {
  Rect rect;
  if (ReadRect(guard, csi, 0, &rect)) {
    guard.grid_->Wipe(rect, guard.protects_);
  }
}

// From a rectangle to a corner; each has a page behind it, of which there is
// one.
void Guard::Sequences::CopyRect(Guard& guard, const Csi& csi) {
  constexpr int kTarget = 5;
  Csi corner = csi;
  corner.count = std::min<uint8_t>(csi.count, kTarget + 2);
  Rect from, to;
  if (!ReadRect(guard, csi, 0, &from)) return;
  if (!ReadRect(guard, corner, kTarget, &to)) return;
  int rows = std::min(from.bottom - from.top, to.bottom - to.top);
  int cols = std::min(from.right - from.left, to.right - to.left);
  from.bottom = from.top + rows;
  from.right = from.left + cols;
  to.bottom = to.top + rows;
  to.right = to.left + cols;
  guard.grid_->MoveRect(to, from);
}

// ANSI and private modes share the rows; the table tells them apart.
void Guard::Sequences::SetModes(Guard& guard, const Csi& csi) {
  guard.SetModes(csi, csi.final == 'h');
}

// Skipped attributes are counted one by one: a program may send a dozen.
void Guard::Sequences::Sgr(Guard& guard, const Csi& csi) {
  int unknown = ApplySgr(csi, &guard.pen_.style);
  for (int i = 0; i < unknown; ++i) guard.reports_->DropSequence();
  guard.grid_->SetPen(guard.pen_.style, guard.pen_.is_protected);
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
  int what = csi.Value(0, 0);
  if (what <= 2) pen.is_protected = what == 1;
  guard.protects_ = true;
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
    if (guard.modes_.origin) {
      at.row -= guard.flow_.top_margin();
      at.col -= guard.flow_.left_margin();
    }
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

}  // namespace glasstty::terminal
