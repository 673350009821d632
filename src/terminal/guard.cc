// The dispatcher, text, escapes, and what several tables share: the saved
// cursors, switching screens, resets and sizes.
//
// A mode is changed at the moment the sequence is obeyed, never later: the
// bytes may be cut anywhere, and a question may be the next thing that comes.
#include "terminal/guard.h"

#include <algorithm>
#include <utility>

#include "terminal/widths.h"

namespace glasstty::terminal {
namespace {

// Zero width spaces and joiners, directions, the mark of byte order.
bool IsFormatting(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0xAD ||
         c >= 0xE0000;
}

}  // namespace

// Everything begins as after RIS.
Guard::Guard(Size size, Grid* grid, Reports* reports)
    : flow_(size, grid),
      state_layer_(size, &modes_),
      grid_(grid),
      reports_(reports) {}

void Guard::UseNewlines() {
  uses_newlines_ = true;
  modes_.newline = true;
  flow_.SetModes(modes_);
}

// The offset is that after the token, whose last byte has just been seen, so an
// event has the same offset however the bytes were cut.
void Guard::Feed(std::string_view bytes) {
  uint64_t end = offset_ + bytes.size();
  Token token;
  while (parser_.Next(&bytes, &token)) {
    offset_ = end - bytes.size();
    Dispatch(token);
  }
  offset_ = end;
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
  after_text_ = true;
}

// A mark where nothing was printed belongs to the cell under the cursor, as in
// xterm; what only says how to format text does not.
void Guard::Glyphs(std::u32string_view run) {
  std::array<Glyph, Parser::kMaxRun> glyphs;
  size_t count = 0;
  auto add = [&] {
    if (count == 0) return;
    flow_.AddGlyphs({glyphs.data(), count});
    last_glyph_ = glyphs[count - 1].code_point;
    after_text_ = true;
    count = 0;
  };
  bool is_ascii = charsets_.is_ascii();
  for (char32_t c : run) {
    if (c < 0x80 && !is_ascii) c = charsets_.Map(static_cast<char>(c));
    int width = WidthOf(c);
    if (width > 0) {
      if (count == glyphs.size()) add();
      glyphs[count++] = {c, width};
    } else if (count > 0 || after_text_ || !IsFormatting(c)) {
      add();
      flow_.AddMark(c);
    }
  }
  add();
}

void Guard::PrintAsIs(char32_t c) {
  EndText();
  Glyph glyph{c, 1};
  flow_.AddGlyphs({&glyph, 1});
  if (c >= 0x7F) grid_->LastStandsAlone();
}

// REP belongs to a glyph right before it.
void Guard::EndText() {
  last_glyph_ = 0;
  after_text_ = false;
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

// Of C0 only these have an effect. The
// driver makes CR LF of LF, and a program in raw mode ends its lines so itself:
// one CR before a line feed says nothing. Nor do those of a progress bar.
void Guard::Control(uint8_t byte) {
  bool after_text = after_text_ || offset_ == text_end_ + 1;
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
      return flow_.LineFeed();
    case '\t':
      text_end_ = offset_;
      return flow_.Tab();
    case '\r':
      CountReturn(after_text);
      return flow_.Return();
    case '\b':
      return flow_.Back(1);
    case '\v':
    case '\f':
      return flow_.LineFeed();
    case 0x0E:  // SO
    case 0x0F:  // SI
      charsets_.in_use = c == 0x0E ? 1 : 0;
      return;
    default:
      return;  // NUL is padding; ENQ would answer with chosen text
  }
}

struct Guard::Escapes {
  struct Row {
    std::string_view intermediates;
    char final;
    void (*act)(Guard& guard);
  };
  static const Row kRows[];

  static void BackIndex(Guard& guard) { guard.flow_.BackIndex(); }
  static void ForwardIndex(Guard& guard) { guard.flow_.ForwardIndex(); }
  static void Index(Guard& guard) { guard.flow_.Index(); }
  static void NextLine(Guard& guard) { guard.flow_.NextLine(); }
  static void ReverseIndex(Guard& guard) { guard.flow_.ReverseIndex(); }
  static void SetTab(Guard& guard) { guard.flow_.SetTabStop(); }
  // It gives up origin mode and the attributes, too. What is printed next has
  // the pen's colours again, as in xterm.
  static void Align(Guard& guard) {
    guard.modes_.origin = false;
    guard.flow_.SetModes(guard.modes_);
    Pen pen = guard.pen_;
    pen.style.attributes = 0;
    guard.SetPen(Pen{.is_protected = pen.is_protected});
    guard.flow_.FillScreen();
    guard.SetPen(pen);
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
    {"", '6', &BackIndex},     // DECBI
    {"", '7', &Save},          // DECSC
    {"", '8', &Restore},       // DECRC
    {"", '9', &ForwardIndex},  // DECFI
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

// Whoever draws this screen elsewhere puts the last glyph again, to leave a
// wrap pending there.
Cursor Guard::cursor() const {
  Place place = flow_.cursor();
  bool is_pending = flow_.pending_wrap();
  const Row& row = grid_->row(place.row);
  bool is_right_half =
      place.col > 0 && place.col < row.used && row.cells[place.col].width == 0;
  if (is_pending && is_right_half) --place.col;
  return {place.row, place.col, modes_.cursor_visible, is_pending};
}

Place Guard::TextEnd() const {
  Place place = flow_.cursor();
  if (flow_.pending_wrap()) ++place.col;
  return place;
}

// Events on the alternate screen belong to the line that the program was
// started from.
int64_t Guard::CursorLine() const {
  int row =
      grid_->alternate() ? grid_->primary_cursor().row : flow_.cursor().row;
  return grid_->LineAt(row);
}

void Guard::SetPen(const Pen& pen) {
  pen_ = pen;
  grid_->SetPen(pen.style, pen.is_protected);
}

// Each screen has its own.
void Guard::SaveCursor() {
  saved_[grid_->alternate()] = {flow_.Save(), pen_, charsets_, modes_.origin};
}

// Visibility and shape stay.
void Guard::RestoreCursor() {
  const SavedCursor& saved = saved_[grid_->alternate()];
  SetPen(saved.pen);
  charsets_ = saved.charsets;
  modes_.origin = saved.origin;
  flow_.SetModes(modes_);
  flow_.Restore(saved.cursor);
}

// REQUIRES: it is another one than the present.
// The cursor stays where it is on the other screen; 1049 saves and restores it
// around this.
void Guard::SetAlternate(bool on) {
  constexpr int kAlternateScreen = 1047;
  state_layer_.SetMode(kAlternateScreen, on);
  if (on) {
    grid_->EnterAlternate(flow_.cursor());
  } else {
    grid_->LeaveAlternate();
  }
}

// DECSTR.
// Undoes what keeps a shell from being usable after a program died, and leaves
// the screen and the cursor alone.
void Guard::SoftReset() {
  SetPen(Pen());
  flow_.ForgetMargins();
  Modes fresh;
  for (bool Modes::*flag :
       {&Modes::origin, &Modes::side_margins, &Modes::insert, &Modes::autowrap,
        &Modes::reverse_wrap, &Modes::application_cursor,
        &Modes::application_keypad}) {
    modes_.*flag = fresh.*flag;
  }
  constexpr int kCursorVisible = 25;
  state_layer_.SetMode(kCursorVisible, true);
  charsets_ = Charsets();
  protects_ = false;
  flow_.SetModes(modes_);
  Flow::Saved home = flow_.Save();
  home.place = {};
  saved_[grid_->alternate()] = {home, {}, {}, false};
}

// RIS.
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
  state_layer_.Reset();
  charsets_ = Charsets();
  saved_ = {};
  protects_ = false;
  kitty_depth_ = 0;
  flow_.SetModes(modes_);
  flow_.Reset();
  if (uses_newlines_) UseNewlines();
  grid_->Touch();
}

// Saved cursors move with the text they stand in.
void Guard::Resize(Size size) {
  EndText();
  Place place = flow_.cursor();
  Grid::Shifts shifts = grid_->Resize(size, place);
  auto shifted = [size](Place from, int down) {
    return Place{std::clamp(from.row + down, 0, size.rows - 1),
                 std::min(from.col, size.cols - 1)};
  };
  saved_[0].cursor.place = shifted(saved_[0].cursor.place, shifts.primary);
  saved_[1].cursor.place =
      shifted(saved_[1].cursor.place, grid_->alternate() ? shifts.shown : 0);
  flow_.Resize(size, shifted(place, shifts.shown));
  state_layer_.Resize(size);
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
    event.line_bytes = grid_->LineBytesBefore(TextEnd());
  }
  reports_->Add(std::move(event));
}

}  // namespace glasstty::terminal
