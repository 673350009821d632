// Contains the dispatcher, text, escapes, and code that several tables share:
// the saved cursors, switching screens, resets and sizes.
//
// A mode changes as soon as its sequence is executed: the bytes may be split
// anywhere, and a query of the mode may follow immediately.
#include "terminal/interpreter.h"

#include <algorithm>
#include <utility>

#include "terminal/widths.h"

namespace glasstty::terminal {
namespace {

// Returns true for code points that only format text: zero-width spaces and
// joiners, direction marks, the byte order mark, tags and the like.
bool IsFormatting(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0xAD ||
         c >= 0xE0000;
}

// Code points with these traits may be part of the previous glyph, although
// they have a width.
constexpr uint8_t kMayJoin = kPictograph | kSpacingMark | kSkinTone | kFlagHalf;

}  // namespace

// The initial state is that after RIS.
Interpreter::Interpreter(Size size, Grid* grid, Reports* reports)
    : cursor_(grid),
      state_layer_(size, &modes_),
      grid_(grid),
      reports_(reports) {}

void Interpreter::UseNewlines() {
  uses_newlines_ = true;
  modes_.newline = true;
  cursor_.SetModes(modes_);
}

void Interpreter::SkipTo(uint64_t offset) {
  if (std::exchange(offset_, offset) == offset) return;
  parser_ = Parser();
  EndText();
}

// Sets the offset to the end of each token before the token is executed, so an
// event has the same offset however the bytes are split.
void Interpreter::Feed(std::string_view bytes) {
  uint64_t end = offset_ + bytes.size();
  Token token;
  while (parser_.Next(&bytes, &token)) {
    offset_ = end - bytes.size();
    Dispatch(token);
  }
  offset_ = end;
}

// The effects of the lost output are unknown, so modes and margins are
// unchanged. Lost lines would have pushed up the screen's content.
Interpreter::Hole Interpreter::Lose(uint64_t bytes, int64_t lines,
                                    std::string_view note) {
  uint64_t behind = offset_ + bytes;
  Feed("\x18");  // CAN ends any sequence
  offset_ = behind;
  EndText();
  int64_t before = CursorLine();
  if (grid_->alternate()) return {before, before + 1};
  const int rows = grid_->size().rows, cols = grid_->size().cols;
  int top = cursor_.top_margin(), bottom = cursor_.bottom_margin();
  int left = cursor_.left_margin(), right = cursor_.right_margin();
  cursor_.ForgetMargins();
  grid_->SetPen({}, false);
  int row = rows;
  while (row > 0 && !grid_->row(row - 1).HasText()) --row;
  cursor_.Restore({{std::min(row, rows - 1), 0}, false});
  if (row == rows) cursor_.Index();
  grid_->SetWrapped(cursor_.position().row, false);
  cursor_.AddAscii(note);
  int64_t line = CursorLine();
  cursor_.Restore({{cursor_.position().row, 0}, false});
  cursor_.Index();
  Hole hole{line, std::max(line + 1, before + lines)};
  if (hole.end > line + 1) {
    grid_->SaveVisible();
    grid_->SkipNumbers(hole.end - line - 1);
    cursor_.Restore({{0, 0}, false});
  }
  Place at = cursor_.position();
  if (top > 0 || bottom < rows) cursor_.SetMargins(top, bottom);
  if (left > 0 || right < cols) cursor_.SetSideMargins(left, right);
  cursor_.Restore({at, false});
  SetPen(pen_);
  return hole;
}

// A string ends a run of text even if the string has no effect.
void Interpreter::Dispatch(const Token& token) {
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
      cut_end_ = offset_;
      return reports_->DropSequence();
    case Token::Kind::kDroppedString:
      cut_end_ = offset_;
      return reports_->DropString();
  }
}

// Character sets other than ASCII map some ASCII bytes to other glyphs.
void Interpreter::Text(std::string_view ascii) {
  if (!charsets_.is_ascii())
    return Glyphs(std::u32string(ascii.begin(), ascii.end()));
  cursor_.AddAscii(ascii);
  last_glyph_ = static_cast<char32_t>(ascii.back());
  after_text_ = true;
}

// Guesses how the program counts the columns of an emoji sequence: by glyph, or
// by the wcwidth of its code points (measurements: docs/widths.md). Programs
// that use features of modern terminals count by glyph. Full-screen programs
// with wcwidth, above all those with ncurses, use none of them. On the primary
// screen, only line editors at a prompt count by code point.
bool Interpreter::CountsGlyphs() const {
  if (modes_.clusters || modes_.kitty_flags != 0) return true;
  if (grid_->alternate()) return draws_frames_;
  return !at_prompt_ || prompt_counts_glyphs_;
}

// Code points that only format text are ignored if they do not directly follow
// a glyph.
void Interpreter::Mark(char32_t c) {
  if (!after_text_ && IsFormatting(c)) return;
  cursor_.AddMark(c);
  bool selects = c == kEmojiSelector || (c == kTextSelector && modes_.clusters);
  if (selects && CountsGlyphs()) cursor_.Select(c);
}

// An emoji joins only if a joiner precedes it, and a joiner is put into the
// cell of its glyph at once.
bool Interpreter::MayJoin(uint8_t traits, bool follows_glyph) const {
  if ((traits & kMayJoin) == 0) return false;
  if (follows_glyph && (traits & kPictograph) != 0) return false;
  return (traits & kSpacingMark) != 0 ? modes_.clusters : CountsGlyphs();
}

// Glyphs are put in runs, but a code point can join the previous glyph only
// when that glyph is in its cell.
void Interpreter::Glyphs(std::u32string_view run) {
  std::array<Glyph, Parser::kMaxRun> glyphs;
  size_t count = 0;
  auto add = [&] {
    if (count == 0) return;
    cursor_.AddGlyphs({glyphs.data(), count});
    last_glyph_ = glyphs[count - 1].code_point;
    after_text_ = true;
    count = 0;
  };
  bool is_ascii = charsets_.is_ascii();
  for (char32_t c : run) {
    if (c < 0x80 && !is_ascii) c = charsets_.Map(static_cast<char>(c));
    uint8_t traits = TraitsOf(c);
    int width = traits & kWidthBits;
    if (width == 0) {
      add();
      Mark(c);
      continue;
    }
    if (MayJoin(traits, count > 0)) {
      add();
      if (cursor_.Join(c)) {
        after_text_ = true;
        continue;
      }
    }
    if (count == glyphs.size()) add();
    glyphs[count++] = {c, width};
  }
  add();
}

void Interpreter::PrintAsIs(char32_t c) {
  EndText();
  Glyph glyph{c, 1};
  cursor_.AddGlyphs({&glyph, 1});
  if (c >= 0x7F) grid_->LastStandsAlone();
}

// REP repeats a glyph only if it directly precedes the sequence.
void Interpreter::EndText() {
  last_glyph_ = 0;
  after_text_ = false;
}

// A return that moves the cursor rewrites the line unless a line feed follows.
// A return that does not directly follow text may rewrite the line even then. A
// return in the first column has no effect. It counts only directly after text
// or a shell's mark, because line editors write other such returns before a
// command's output.
void Interpreter::CountReturn(bool after_text) {
  bool goes_on = returns_ > 0 && offset_ == return_end_ + 1;
  if (!goes_on) {
    bool moves = cursor_.position().col > 0;
    goes_back_ |= moves_back_ || (moves && !after_text);
    moves_back_ = moves;
    returns_ = 0;
    if (!moves && !after_text && offset_ != mark_end_ + 1) {
      text_end_ = offset_;
      return;
    }
  }
  // The first one is not part of the line.
  if (returns_ <= Grid::kMostReturns) ++returns_;
  return_end_ = offset_;
}

// Only these C0 controls have an effect. A single CR before a line feed is not
// part of the line, because the driver turns LF into CR LF, and programs in raw
// mode print CR LF themselves. Neither are the returns of a progress bar.
void Interpreter::Control(uint8_t byte) {
  bool after_text = after_text_ || offset_ == text_end_ + 1;
  EndText();
  char c = static_cast<char>(byte);
  switch (c) {
    case '\a':
      return Emit(TerminalEvent::Type::kBell);
    case '\n':
      if (returns_ > 1 && !goes_back_ && offset_ == return_end_ + 1) {
        grid_->SetReturns(cursor_.position().row, returns_ - 1);
      }
      returns_ = 0;
      moves_back_ = false;
      goes_back_ = false;
      text_end_ = offset_;
      return cursor_.LineFeed();
    case '\t':
      text_end_ = offset_;
      return cursor_.Tab();
    case '\r':
      CountReturn(after_text);
      return cursor_.Return();
    case '\b':
      return cursor_.Back(1);
    case '\v':
    case '\f':
      return cursor_.LineFeed();
    case 0x0E:  // SO
    case 0x0F:  // SI
      charsets_.in_use = c == 0x0E ? 1 : 0;
      return;
    default:
      return;  // NUL is padding; ENQ requests a text, which no reply contains
  }
}

struct Interpreter::Escapes {
  struct Row {
    std::string_view intermediates;
    char final;
    void (*act)(Interpreter& vt);
  };
  static const Row kRows[];

  static void BackIndex(Interpreter& vt) { vt.cursor_.BackIndex(); }
  static void ForwardIndex(Interpreter& vt) { vt.cursor_.ForwardIndex(); }
  static void Index(Interpreter& vt) { vt.cursor_.Index(); }
  static void NextLine(Interpreter& vt) { vt.cursor_.NextLine(); }
  static void ReverseIndex(Interpreter& vt) { vt.cursor_.ReverseIndex(); }
  static void SetTab(Interpreter& vt) { vt.cursor_.SetTabStop(); }
  // DECALN also resets origin mode and the attributes. Later text has the pen's
  // colours again, as in xterm.
  static void Align(Interpreter& vt) {
    vt.modes_.origin = false;
    vt.cursor_.SetModes(vt.modes_);
    Pen pen = vt.pen_;
    pen.style.attributes = 0;
    vt.SetPen(Pen{.is_protected = pen.is_protected});
    vt.cursor_.FillScreen();
    vt.SetPen(pen);
  }
  static void Keypad(Interpreter& vt) { vt.modes_.application_keypad = true; }
  static void Numeric(Interpreter& vt) { vt.modes_.application_keypad = false; }
  static void Shift2(Interpreter& vt) { vt.charsets_.in_use = 2; }
  static void Shift3(Interpreter& vt) { vt.charsets_.in_use = 3; }
  static void Save(Interpreter& vt) { vt.SaveCursor(); }
  static void Restore(Interpreter& vt) { vt.RestoreCursor(); }
  static void Reset(Interpreter& vt) { vt.FullReset(); }
  static void Nothing(Interpreter&) {}
};

// Intentionally missing are double-width and double-height lines, 8-bit
// replies, single shifts and DECID.
const Interpreter::Escapes::Row Interpreter::Escapes::kRows[] = {
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
    {"", '\\', &Nothing},      // ST outside of a string
    {"", 'c', &Reset},         // RIS
    {"", 'n', &Shift2},        // LS2
    {"", 'o', &Shift3},        // LS3
    {"#", '8', &Align},        // DECALN
};

// Handles designations first, because they are a family of sequences and have
// no rows.
void Interpreter::Escape(std::string_view intermediates, char final) {
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

// While a wrap is pending, returns the first column of the last glyph. A copy
// of this screen must print that glyph there once more to make its wrap
// pending.
Cursor Interpreter::cursor() const {
  Place place = cursor_.position();
  bool is_pending = cursor_.pending_wrap();
  const Row& row = grid_->row(place.row);
  bool is_right_half =
      place.col > 0 && place.col < row.used && row.cells[place.col].width == 0;
  if (is_pending && is_right_half) --place.col;
  return {place.row, place.col, modes_.cursor_visible, is_pending};
}

Place Interpreter::TextEnd() const {
  Place place = cursor_.position();
  if (cursor_.pending_wrap()) ++place.col;
  return place;
}

// Events on the alternate screen are assigned to the line in which the cursor
// was when the program entered it.
int64_t Interpreter::CursorLine() const {
  int row =
      grid_->alternate() ? grid_->primary_cursor().row : cursor_.position().row;
  return grid_->LineAt(row);
}

void Interpreter::SetPen(const Pen& pen) {
  pen_ = pen;
  grid_->SetPen(pen.style, pen.is_protected);
}

// Each screen has its own saved cursor.
void Interpreter::SaveCursor() {
  saved_[grid_->alternate()] = {cursor_.Save(), pen_, charsets_, modes_.origin};
}

// Visibility and shape of the cursor are not restored.
void Interpreter::RestoreCursor() {
  const SavedCursor& saved = saved_[grid_->alternate()];
  SetPen(saved.pen);
  charsets_ = saved.charsets;
  modes_.origin = saved.origin;
  cursor_.SetModes(modes_);
  cursor_.Restore(saved.cursor);
}

// REQUIRES: the screen differs from the current one. The cursor's position is
// unchanged; 1049 saves and restores it before and after.
void Interpreter::SetAlternate(bool on) {
  constexpr int kAlternateScreen = 1047;
  state_layer_.SetMode(kAlternateScreen, on);
  draws_frames_ = false;
  if (on) {
    ++clears_;
    grid_->EnterAlternate(cursor_.position());
  } else {
    grid_->LeaveAlternate();
  }
  ShowKittyFlags();
}

// Implements DECSTR: resets settings that make a shell unusable after a program
// has died, and does not change the content of the screen or the position of
// the cursor.
void Interpreter::SoftReset() {
  SetPen(Pen());
  cursor_.ForgetMargins();
  Modes fresh;
  for (bool Modes::*flag :
       {&Modes::origin, &Modes::side_margins, &Modes::insert, &Modes::autowrap,
        &Modes::reverse_wrap, &Modes::application_cursor,
        &Modes::application_keypad}) {
    modes_.*flag = fresh.*flag;
  }
  modes_.modify_other_keys = fresh.modify_other_keys;
  modes_.format_other_keys = fresh.format_other_keys;
  *Kitty() = {};
  ShowKittyFlags();
  constexpr int kCursorVisible = 25;
  state_layer_.SetMode(kCursorVisible, true);
  charsets_ = Charsets();
  protects_ = false;
  cursor_.SetModes(modes_);
  ActiveCursor::Saved home = cursor_.Save();
  home.place = {};
  saved_[grid_->alternate()] = {home, {}, {}, false};
}

// Implements RIS. The visible text is kept as lines, as whenever the screen is
// cleared.
void Interpreter::FullReset() {
  SetPen(Pen());
  if (modes_.alternate_screen) {
    SetAlternate(false);
    Emit(TerminalEvent::Type::kAlternate);
  }
  if (modes_.synchronized) Emit(TerminalEvent::Type::kSync);
  ++clears_;
  grid_->SaveVisible();
  reports_->statuses()->Forget();
  modes_ = Modes();
  state_layer_.Reset();
  charsets_ = Charsets();
  saved_ = {};
  protects_ = false;
  kitty_ = {};
  draws_frames_ = false;
  cursor_.SetModes(modes_);
  cursor_.Reset();
  if (uses_newlines_) UseNewlines();
  grid_->Touch();
}

// Saved cursors move with their text.
void Interpreter::Resize(Size size) {
  EndText();
  Place place = cursor_.position();
  Grid::Shifts shifts = grid_->Resize(size, place);
  auto shifted = [size](Place from, int down) {
    return Place{std::clamp(from.row + down, 0, size.rows - 1),
                 std::min(from.col, size.cols - 1)};
  };
  saved_[0].cursor.place = shifted(saved_[0].cursor.place, shifts.primary);
  saved_[1].cursor.place =
      shifted(saved_[1].cursor.place, grid_->alternate() ? shifts.shown : 0);
  cursor_.Resize(shifted(place, shifts.shown));
  state_layer_.Resize(size);
}

// REQUIRES: the primary screen is shown.
std::vector<std::string> Interpreter::LastLines() const {
  // The hooks of shells need only the end of the output, so the texts are
  // limited.
  constexpr size_t kMostLines = 3;
  constexpr size_t kMostBytes = 1000;
  std::vector<std::string> texts;
  int last = cursor_.position().row;
  while (last + 1 < grid_->size().rows && grid_->row(last + 1).wrapped) ++last;
  while (last >= 0 && texts.size() < kMostLines) {
    int first = last;
    while (first > 0 && grid_->row(first).wrapped) --first;
    if (grid_->row(first).wrapped) break;
    std::string text;
    for (int row = first; row <= last; ++row) {
      grid_->row(row).AppendLine(grid_->clusters(), &text);
    }
    if (text.size() > kMostBytes) break;
    texts.insert(texts.begin(), std::move(text));
    last = first - 1;
  }
  return texts;
}

// Must be called after all earlier text is on the screen and the cursor is at
// its position, because prompt marks depend on both.
void Interpreter::Emit(TerminalEvent::Type type, std::string text, bool flag) {
  TerminalEvent event;
  event.type = type;
  event.flag = flag;
  event.text = std::move(text);
  event.offset = offset_;
  event.line = CursorLine();
  event.col = cursor_.position().col;
  if (type == TerminalEvent::Type::kMark) {
    event.flag = modes_.bracketed_paste;
    if (!grid_->alternate()) {
      event.line_bytes = grid_->LineBytesBefore(TextEnd());
      if (event.text.starts_with('D')) event.last_lines = LastLines();
    }
  }
  reports_->Add(std::move(event));
}

}  // namespace glasstty::terminal
