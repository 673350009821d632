// The dispatcher, text, escapes, and what several tables share: the saved
// cursors, switching screens, resets and sizes.
//
// Order is what matters here. Text waits in the state layer until something
// else comes, so whoever changes the pen, looks at the cursor or reports an
// event flushes first (SetPen, Flow::cursor, Emit do it themselves). And a
// shadow is changed at the moment the sequence is obeyed, never later: the
// bytes may be cut anywhere, and a question may be the next thing that comes.
#include "terminal/guard.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "terminal/widths.h"

namespace glasstty {

// Everything begins as after RIS.
Guard::Guard(Size size, Grid* grid, Reports* reports)
    : flow_(size, grid), grid_(grid), reports_(reports) {}

void Guard::UseNewlines() {
  uses_newlines_ = true;
  modes_.newline = true;
  Forward("\x1b[20h");
  flow_.SetModes(modes_);
}

// The offset is that after the token, whose last byte has just been seen, so an
// event has the same offset however the bytes were cut.
void Guard::Feed(std::string_view bytes) {
  uint64_t end = offset_ + bytes.size();
  while (true) {
    Token token = parser_.Next(&bytes);
    offset_ = end - bytes.size();
    if (token.kind == Token::Kind::kNone) break;
    Dispatch(token);
  }
  flow_.Flush();
}

// A string ends the run of text even when it says nothing.
void Guard::Dispatch(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kNone:
      return;
    case Token::Kind::kText:
      return Text(token.text);
    case Token::Kind::kGlyphs:
      return Glyphs(token.glyphs);
    case Token::Kind::kControl:
      return Control(token.byte);
    case Token::Kind::kEscape:
      return Escape(token.text, static_cast<char>(token.byte));
    case Token::Kind::kCsi:
      return ControlSequence(parser_.csi());
    case Token::Kind::kString:
      EndText();
      return String(token);
    case Token::Kind::kDroppedSequence:
      return reports_->DropSequence();
    case Token::Kind::kDroppedString:
      return reports_->DropString();
  }
}

// With line drawing in use ASCII is no ASCII.
void Guard::Text(std::string_view ascii) {
  if (!charsets_.is_ascii())
    return Glyphs(std::u32string(ascii.begin(), ascii.end()));
  flow_.AddAscii(ascii);
  last_glyph_ = static_cast<char32_t>(ascii.back());
  takes_marks_ = true;
}

// Widths are ours, so that a newer emoji than libvterm's table knows does not
// shift the rest of the row against what the program believes.
void Guard::Glyphs(std::u32string_view run) {
  std::array<Glyph, Parser::kMaxRun> glyphs;
  size_t count = 0;
  auto add = [&] {
    if (count > 0) flow_.AddGlyphs({glyphs.data(), count});
    count = 0;
  };
  for (char32_t c : run) {
    if (c < 0x80) c = charsets_.Map(static_cast<char>(c));
    int width = WidthOf(c);
    if (width > 0) {
      if (count == glyphs.size()) add();
      glyphs[count++] = {c, width};
      last_glyph_ = c;
      takes_marks_ = true;
    } else if (takes_marks_) {
      // Marks never reach libvterm: it loses them at the right edge, is
      // quadratic in their number, and a hundred crash it.
      add();
      flow_.Flush();
      grid_->AppendMark(c);
    }
  }
  add();
}

void Guard::PrintAsIs(char32_t c) {
  EndText();
  Glyph glyph{c, 1};
  flow_.AddGlyphs({&glyph, 1});
  flow_.Flush();
}

// REP and marks belong to a glyph right before them.
void Guard::EndText() {
  last_glyph_ = 0;
  takes_marks_ = false;
}

// Only those count that nothing separates from the text and from each other.
// One that moves the cursor goes back over what was printed when anything but
// the line feed comes behind it. One in the first column does nothing, and does
// not count behind a control sequence: line editors write it before a command's
// output.
void Guard::CountReturn(bool after_text) {
  bool goes_on = returns_ > 0 && offset_ == return_end_ + 1;
  if (!goes_on) {
    bool moves = flow_.cursor().col > 0;
    goes_back_ |= moves_back_ || (moves && !after_text);
    moves_back_ = moves;
    returns_ = 0;
    if (!moves && !after_text && offset_ != mark_end_ + 1) {
      text_end_ = offset_;
      return;
    }
  }
  ++returns_;
  return_end_ = offset_;
}

// Of C0 only these have an effect; a bell does not even reach libvterm. The
// driver makes CR LF of LF, and a program in raw mode ends its lines so itself:
// one CR before a line feed says nothing. Nor do those of a progress bar.
void Guard::Control(uint8_t byte) {
  bool after_text = takes_marks_ || offset_ == text_end_ + 1;
  EndText();
  char c = static_cast<char>(byte);
  switch (c) {
    case '\a':
      return Emit(TerminalEvent::Type::kBell);
    case '\n':
      if (returns_ > 1 && !goes_back_ && offset_ == return_end_ + 1) {
        grid_->SetReturns(flow_.cursor().row, returns_ - 1);
      }
      returns_ = 0;
      moves_back_ = false;
      goes_back_ = false;
      text_end_ = offset_;
      break;
    case '\t':
      text_end_ = offset_;
      break;
    case '\r':
      CountReturn(after_text);
      break;
    case '\b':
    case '\v':
    case '\f':
      break;
    case 0x0E:  // SO
    case 0x0F:  // SI
      charsets_.in_use = c == 0x0E ? 1 : 0;
      return;
    default:
      return;  // NUL is padding; ENQ would answer with chosen text
  }
  flow_.Control(c);
}

struct Guard::Escapes {
  struct Row {
    std::string_view intermediates;
    char final;
    void (*act)(Guard& guard);
  };
  static const Row kRows[];

  static void Index(Guard& guard) { guard.flow_.Escape('D'); }
  static void NextLine(Guard& guard) { guard.flow_.Escape('E'); }
  static void ReverseIndex(Guard& guard) { guard.flow_.Escape('M'); }
  static void SetTab(Guard& guard) { guard.flow_.SetTabStop(); }
  // xterm gives up margins and origin mode with it, and goes home.
  static void Align(Guard& guard) {
    guard.Forward("\x1b[?6l\x1b[r");
    if (guard.modes_.side_margins) guard.Forward("\x1b[s");
    guard.flow_.ForgetMargins();
    guard.modes_.origin = false;
    guard.flow_.SetModes(guard.modes_);
    guard.Forward("\x1b#8");
    guard.flow_.MoveTo({0, 0});
  }
  static void Keypad(Guard& guard) { guard.modes_.application_keypad = true; }
  static void Numeric(Guard& guard) { guard.modes_.application_keypad = false; }
  static void Shift2(Guard& guard) { guard.charsets_.in_use = 2; }
  static void Shift3(Guard& guard) { guard.charsets_.in_use = 3; }
  static void Save(Guard& guard) { guard.SaveCursor(); }
  static void Restore(Guard& guard) { guard.RestoreCursor(); }
  static void Reset(Guard& guard) { guard.FullReset(); }
  static void Nothing(Guard&) {}
};

// What is missing on purpose: double-width and double-height lines, 8-bit
// replies, single shifts, DECID.
const Guard::Escapes::Row Guard::Escapes::kRows[] = {
    {"", '7', &Save},          // DECSC
    {"", '8', &Restore},       // DECRC
    {"", '=', &Keypad},        // DECKPAM
    {"", '>', &Numeric},       // DECKPNM
    {"", 'D', &Index},         // IND
    {"", 'E', &NextLine},      // NEL
    {"", 'H', &SetTab},        // HTS
    {"", 'M', &ReverseIndex},  // RI
    {"", '\\', &Nothing},      // ST with nothing to end
    {"", 'c', &Reset},         // RIS
    {"", 'n', &Shift2},        // LS2
    {"", 'o', &Shift3},        // LS3
    {"#", '8', &Align},        // DECALN
};

// Designations first: they are a family, not rows.
void Guard::Escape(std::string_view intermediates, char final) {
  EndText();
  constexpr std::string_view kDesignations = "()*+";
  size_t set = intermediates.size() == 1 ? kDesignations.find(intermediates[0])
                                         : std::string_view::npos;
  if (set != std::string_view::npos) {
    charsets_.sets[set] = final;
    return;
  }
  for (const Escapes::Row& row : Escapes::kRows) {
    if (row.intermediates == intermediates && row.final == final) {
      return row.act(*this);
    }
  }
  reports_->DropSequence();
}

// Nearly everything ends a pending wrap in xterm. libvterm forgets to in
// places, so it is ended for it.
void Guard::Forward(std::string_view bytes, StateLayer::Writing writing) {
  flow_.EndPendingWrap();
  flow_.Write(bytes, writing);
}

// As of the last feed.
Cursor Guard::cursor() {
  Place place = flow_.cursor();
  return {place.row, place.col, modes_.cursor_visible, flow_.pending_wrap()};
}

// Events on the alternate screen belong to the line that the program was
// started from.
int64_t Guard::CursorLine() {
  int row =
      grid_->alternate() ? grid_->primary_cursor().row : flow_.cursor().row;
  return grid_->LineAt(row);
}

void Guard::SetPen(const Pen& pen) {
  // What waits was printed with the old one.
  flow_.Flush();
  pen_ = pen;
  grid_->SetPen(pen.style, pen.is_protected);
}

// libvterm has one slot for both screens, restores the visibility of the cursor
// with it, and never looks whether the place is still on the screen.
void Guard::SaveCursor() {
  saved_[grid_->alternate()] = {flow_.cursor(), pen_, charsets_, modes_.origin};
}

// Spelled as absolute motion: whatever was saved is checked against the screen
// as it is now. Visibility and shape stay, as in xterm.
void Guard::RestoreCursor() {
  const SavedCursor& saved = saved_[grid_->alternate()];
  SetPen(saved.pen);
  charsets_ = saved.charsets;
  if (modes_.origin) Forward("\x1b[?6l");
  modes_.origin = saved.origin;
  flow_.SetModes(modes_);
  flow_.MoveTo(saved.place);
  if (!saved.origin) return;
  // Switching origin mode on moves the cursor home, and CUP then counts from
  // the margin.
  int row = std::max(saved.place.row - flow_.top_margin(), 0);
  Forward(absl::StrFormat("\x1b[?6h\x1b[%d;%dH", row + 1, saved.place.col + 1));
}

// REQUIRES: it is another one than the present.
// The cursor stays where it is on the other screen, as in xterm; 1049 saves and
// restores it around this.
void Guard::SetAlternate(bool on) {
  flow_.EndPendingWrap();
  modes_.alternate_screen = on;
  if (on) grid_->EnterAlternate(flow_.cursor());
  Forward(on ? "\x1b[?1047h" : "\x1b[?1047l");  // on: also erases
  if (!on) grid_->LeaveAlternate();
}

// DECSTR, which libvterm does not know.
// Undoes what keeps a shell from being usable after a program died, and leaves
// the screen alone.
void Guard::SoftReset() {
  Place place = flow_.cursor();
  SetPen(Pen());
  Forward("\x1b[?6l\x1b[?69l\x1b[r\x1b[4l\x1b[20l\x1b[?7h");
  flow_.ForgetMargins();
  flow_.MoveTo(place);
  Modes fresh;
  for (bool Modes::*flag :
       {&Modes::origin, &Modes::side_margins, &Modes::insert, &Modes::newline,
        &Modes::autowrap, &Modes::application_cursor,
        &Modes::application_keypad, &Modes::cursor_visible}) {
    modes_.*flag = fresh.*flag;
  }
  charsets_ = Charsets();
  saved_[grid_->alternate()] = SavedCursor();
  flow_.SetModes(modes_);
  if (uses_newlines_) UseNewlines();
}

// RIS. libvterm would stay on the alternate screen.
// What was visible is kept as lines, like before any clearing.
void Guard::FullReset() {
  SetPen(Pen());
  if (modes_.alternate_screen) {
    SetAlternate(false);
    Emit(TerminalEvent::Type::kAlternate);
  }
  if (modes_.synchronized) Emit(TerminalEvent::Type::kSync);
  grid_->SaveVisible();
  modes_ = Modes();
  charsets_ = Charsets();
  saved_ = {};
  kitty_depth_ = 0;
  flow_.SetModes(modes_);
  Forward(
      "\x1b"
      "c");
  flow_.ForgetMargins();
  flow_.ForgetTabStops();
  if (uses_newlines_) UseNewlines();
  grid_->Touch();
}

// libvterm clamps neither margins nor cursor to another size: leave no margin
// set, and say afterwards where the cursor is.
// Saved cursors move with the text they stand in.
void Guard::Resize(Size size) {
  EndText();
  Place place = flow_.cursor();
  Forward("\x1b[r\x1b[s");
  flow_.ForgetMargins();
  flow_.MoveTo(place);
  Grid::Shifts shifts = grid_->Resize(size, place);
  flow_.Resize(size);
  auto shifted = [size](Place from, int down) {
    return Place{std::clamp(from.row + down, 0, size.rows - 1),
                 std::min(from.col, size.cols - 1)};
  };
  saved_[0].place = shifted(saved_[0].place, shifts.primary);
  saved_[1].place =
      shifted(saved_[1].place, grid_->alternate() ? shifts.shown : 0);
  flow_.MoveTo(shifted(place, shifts.shown));
}

// What was printed before is on the screen by then, and the cursor where the
// program left it: prompt marks depend on both.
void Guard::Emit(TerminalEvent::Type type, std::string text, bool flag) {
  TerminalEvent event;
  event.type = type;
  event.flag = flag;
  event.text = std::move(text);
  event.offset = offset_;
  event.line = CursorLine();
  event.col = flow_.cursor().col;
  if (type == TerminalEvent::Type::kMark && !grid_->alternate()) {
    Place at = flow_.cursor();
    // The glyph in the last column stands before a cursor that is to wrap.
    if (flow_.pending_wrap()) ++at.col;
    event.line_bytes = grid_->LineBytesBefore(at);
  }
  reports_->Add(std::move(event));
}

}  // namespace glasstty
