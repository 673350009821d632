// Converts the state of a terminal to bytes and back: each class passes its own
// fields through a StateCodec.
//
// A new field of one of these classes must be added here, unless it can be
// derived from other fields. These are left out on purpose: the rows above both
// screens, because they are much larger than the rest; reports that the owner
// has not taken yet; and the revisions and the numbers of clears and paste
// requests, because readers of a restored terminal remember no earlier ones.
// Bounds are checked here, because the bytes may come from a damaged file, and
// the emulator trusts its own fields.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "terminal/grid.h"
#include "terminal/interpreter.h"
#include "terminal/key_protocols.h"
#include "terminal/state_codec.h"

namespace glasstty::terminal {
namespace {

constexpr char32_t kLastCodePoint = 0x10FFFF;
constexpr int kMostCols = 1000;
// The maximum length of a field of a mark, because a mark is an OSC string.
constexpr size_t kLongestRun = Parser::kLongestString;

void CarryColor(StateCodec* codec, Color* color) {
  codec->Carry(color);
  constexpr Color kValue = kPaletteColor - 1;
  bool is_known = *color == kDefaultColor ||
                  (*color >= kPaletteColor && *color < kPaletteColor + 256) ||
                  (*color & ~kValue) == kRgbColor;
  if (!is_known) codec->Refuse();
}

void CarryStyle(StateCodec* codec, Style* style) {
  auto& [foreground, background, attributes] = *style;
  CarryColor(codec, &foreground);
  CarryColor(codec, &background);
  codec->Carry(&attributes, 0, kOverline | (kOverline - 1));
}

void CarryPlace(StateCodec* codec, Size size, Place* place) {
  auto& [row, col] = *place;
  codec->Carry(&row, 0, size.rows - 1);
  codec->Carry(&col, 0, size.cols - 1);
}

// With structured bindings, a new mode causes a compiler error here.
void CarryModes(StateCodec* codec, Modes* modes) {
  auto& [alternate_screen, application_cursor, application_keypad, autowrap,
         origin, reverse_screen, cursor_visible, cursor_blink, insert, newline,
         side_margins, reverse_wrap, bracketed_paste, focus_reports,
         synchronized, clusters, mouse, mouse_encoding, cursor_style,
         modify_other_keys, format_other_keys, kitty_flags] = *modes;
  for (bool* flag :
       {&alternate_screen, &application_cursor, &application_keypad, &autowrap,
        &origin, &reverse_screen, &cursor_visible, &cursor_blink, &insert,
        &newline, &side_margins, &reverse_wrap, &bracketed_paste,
        &focus_reports, &synchronized, &clusters}) {
    codec->Carry(flag);
  }
  codec->Carry(&mouse, MouseTracking::kOff, MouseTracking::kMotion);
  codec->Carry(&mouse_encoding, MouseEncoding::kX10, MouseEncoding::kUrxvt);
  codec->Carry(&cursor_style, 0, 6);
  codec->Carry(&modify_other_keys, 0, 2);
  codec->Carry(&format_other_keys, 0, 1);
  codec->Carry(&kitty_flags, 0, kAllKittyFlags);
}

void CarryCharsets(StateCodec* codec, Charsets* charsets) {
  auto& [sets, in_use] = *charsets;
  for (char& set : sets) codec->Carry(&set, 0, 0x7F);
  codec->Carry(&in_use, 0, static_cast<int>(sets.size()) - 1);
}

void CarryPen(StateCodec* codec, Pen* pen) {
  auto& [style, is_protected] = *pen;
  CarryStyle(codec, &style);
  codec->Carry(&is_protected);
}

void CarryKitty(StateCodec* codec, KittyLevels* kitty) {
  auto& [flags, pushed, depth] = *kitty;
  codec->Carry(&flags, 0, kAllKittyFlags);
  for (int& level : pushed) codec->Carry(&level, 0, kAllKittyFlags);
  codec->Carry(&depth, 0, static_cast<int>(pushed.size()));
}

// Carries the settings at the beginning of a command (interpreter_recovery.cc).
void CarrySettings(StateCodec* codec, std::optional<Settings>* settings) {
  bool is_known = settings->has_value();
  codec->Carry(&is_known);
  if (!is_known) return settings->reset();
  if (codec->reads()) settings->emplace();
  auto& [modes, charsets, pen, margins, tab_stops, above_text, kitty] =
      **settings;
  CarryModes(codec, &modes);
  CarryCharsets(codec, &charsets);
  CarryPen(codec, &pen);
  codec->Carry(&margins);
  size_t cols = tab_stops.size();
  codec->Carry(&cols, 0, kMostCols);
  tab_stops.resize(cols);
  for (size_t col = 0; col < cols; ++col) {
    bool is_stop = tab_stops[col];
    codec->Carry(&is_stop);
    tab_stops[col] = is_stop;
  }
  codec->Carry(&above_text);
  CarryKitty(codec, &kitty);
}

// Indexes of clusters are valid only in this terminal, so their code points are
// carried instead. They are preceded by kClusterBase plus their number, which
// no code point equals.
void CarryText(StateCodec* codec, ClusterTable* clusters, uint32_t* text) {
  std::u32string cluster;
  if (!codec->reads() && *text >= kClusterBase) cluster = clusters->text(*text);
  auto head = static_cast<uint32_t>(kClusterBase + cluster.size());
  if (cluster.empty()) head = *text;
  codec->Carry(&head, 0, kClusterBase + ClusterTable::kMaxMarks + 1);
  if (head < kClusterBase) {
    *text = head;
    return;
  }
  cluster.resize(head - kClusterBase);
  for (char32_t& c : cluster) codec->Carry(&c, 0, kLastCodePoint);
  if (cluster.size() < 2) codec->Refuse();
  if (!codec->reads() || !codec->ok()) return;
  *text = cluster[0];
  for (char32_t mark : cluster.substr(1))
    *text = clusters->WithMark(*text, mark);
}

void CarryCsi(StateCodec* codec, Csi* csi) {
  auto& [leader, intermediate, final, count, overflow, joined, values] = *csi;
  codec->Carry(&leader, 0, 0x7F);
  codec->Carry(&intermediate, 0, 0x7F);
  codec->Carry(&final, 0, 0x7F);
  codec->Carry(&count, 0, Csi::kMaxParams);
  codec->Carry(&overflow);
  codec->Carry(&joined);
  // A colon joins a value to a later one, so the last value has no such bit.
  const uint32_t most = count == 0 ? 0 : (uint32_t{1} << (count - 1)) - 1;
  if (codec->reads()) joined &= most;
  for (int i = 0; i < count; ++i) codec->Carry(&values[i], -1, Csi::kMaxValue);
}

bool LooksLike(const Cell& a, const Cell& b) {
  return SameStyle(a, b) && a.width == b.width && a.flags == b.flags;
}

// Each run of cells that differ only in their texts is preceded by its end and
// by what the cells have in common.
void CarryCells(StateCodec* codec, ClusterTable* clusters, int used,
                std::vector<Cell>* cells) {
  for (int col = 0; col < used && codec->ok();) {
    Cell look = (*cells)[col];
    int end = col + 1;
    while (!codec->reads() && end < used && LooksLike((*cells)[end], look)) {
      ++end;
    }
    codec->Carry(&end, col + 1, used);
    Style style = {look.foreground, look.background, look.attributes};
    CarryStyle(codec, &style);
    codec->Carry(&look.width, 0, 2);
    codec->Carry(&look.flags, 0, kTabsBehindLast | (kTabsBehindLast - 1));
    look.foreground = style.foreground;
    look.background = style.background;
    look.attributes = style.attributes;
    for (; col < end; ++col) {
      CarryText(codec, clusters, &(*cells)[col].text);
      look.text = (*cells)[col].text;
      (*cells)[col] = look;
    }
  }
}

// Returns true if no half of a wide glyph lacks its other half, if the text of
// such a glyph is in its left half and, if the row is marked as plain, it has
// only ASCII in the default style. The emulator relies on all three.
bool IsSound(const Row& row) {
  for (int col = 0; col < row.used; ++col) {
    const Cell& cell = row.cells[col];
    bool is_ascii = cell.text >= ' ' && cell.text < 0x7F && cell.width == 1;
    if (row.plain && (!is_ascii || !SameStyle(cell, Cell()))) return false;
    if (cell.width == 1) continue;
    bool is_pair = cell.width == 2 && col + 1 < row.used &&
                   row.cells[col + 1].width == 0 &&
                   row.cells[col + 1].text == 0;
    if (!is_pair) return false;
    ++col;
  }
  return true;
}

void CarryRow(StateCodec* codec, Size size, ClusterTable* clusters, Row* row) {
  codec->Carry(&row->used, 0, kMostCols);
  auto width = static_cast<size_t>(std::max(row->used, size.cols));
  if (codec->reads()) row->cells.resize(width);
  for (bool* flag : {&row->wrapped, &row->plain, &row->has_tabs,
                     &row->has_lone_marks, &row->has_joints, &row->untouched}) {
    codec->Carry(flag);
  }
  codec->Carry(&row->returns);
  for (uint16_t& count : row->stuck_tabs) {
    codec->Carry(&count, 0, Row::kMostStuckTabs);
  }
  CarryCells(codec, clusters, row->used, &row->cells);
  if (codec->reads() && codec->ok() && !IsSound(*row)) codec->Refuse();
}

}  // namespace

// Carries only the fields that the current state uses. The others are left over
// from earlier tokens, and depend on how the bytes were split.
void Parser::Carry(StateCodec* codec) {
  codec->Carry(&state_, State::kGround, State::kStringEscape);
  Utf8Decoder::Progress progress = decoder_.progress();
  auto& [value, missing, low, high] = progress;
  codec->Carry(&missing, 0, 3);
  if (missing > 0) {
    codec->Carry(&value, 0, kLastCodePoint >> (6 * missing));
    codec->Carry(&low, 0x80, 0xBF);
    codec->Carry(&high, 0x80, 0xBF);
    // This is the greatest value that is possible after the next byte.
    char32_t next = value << 6 | (high & 0x3Fu);
    if (next > kLastCodePoint >> (6 * (missing - 1))) codec->Refuse();
  }
  if (codec->ok()) decoder_.Resume(progress);
  switch (state_) {
    case State::kGround:
      return;
    case State::kEscape:
      return codec->Carry(&intermediates_, kMaxIntermediates);
    case State::kCsi:
    case State::kCsiSkip:
      return CarryCsi(codec, &csi_);
    case State::kString:
    case State::kStringEscape:
      codec->Carry(&string_kind_, 0, 0x7F);
      codec->Carry(&string_, kLongestString);
      codec->Carry(&string_size_, string_.size(), kStringGivenUp);
      if (string_.size() > StringLimit()) codec->Refuse();
      return;
  }
}

// The interpreter carries the modes that the cursor uses.
void ActiveCursor::Carry(StateCodec* codec, const Modes& modes) {
  Size size = grid_->size();
  codec->Carry(&top_, 0, size.rows - 2);
  codec->Carry(&bottom_, top_ + 2, size.rows);
  codec->Carry(&left_, 0, size.cols - 2);
  codec->Carry(&right_, left_ + 2, size.cols);
  for (int col = 0; col < size.cols; ++col) {
    bool is_stop = tab_stops_[col];
    codec->Carry(&is_stop);
    tab_stops_[col] = is_stop;
  }
  CarryPlace(codec, size, &at_);
  codec->Carry(&wraps_);
  codec->Carry(&takes_marks_);
  if (codec->reads()) SetModes(modes);
}

void Grid::Carry(StateCodec* codec, bool is_alternate) {
  if (codec->reads() && is_alternate) EnterAlternate({});
  for (Buffer* buffer : {&buffers_[kPrimary], &buffers_[kAlternate]}) {
    for (Row* row : buffer->order) {
      CarryRow(codec, size_, &clusters_, row);
      if (!codec->ok()) return;
    }
  }
  codec->Carry(&last_put_.row, kNowhere.row, size_.rows - 1);
  codec->Carry(&last_put_.col, kNowhere.col, size_.cols - 1);
  if ((last_put_.row < 0) != (last_put_.col < 0)) codec->Refuse();
  CarryPlace(codec, size_, &primary_cursor_);
  int64_t line = LineAt(0);
  codec->Carry(&line, 0, int64_t{1} << 62);
  if (!codec->reads()) return;
  NumberFrom(line);
  shown_revision_ = lines_revision_ = ++counter_;
  for (Buffer& buffer : buffers_) {
    buffer.moved = counter_;
    for (Row& row : buffer.rows) row.line_revision = counter_;
  }
}

// When reading, also sets those settings of libvterm that may differ.
void Interpreter::Carry(StateCodec* codec) {
  codec->Carry(&offset_);
  CarryModes(codec, &modes_);
  grid_->Carry(codec, modes_.alternate_screen);
  if (!codec->ok()) return;
  parser_.Carry(codec);
  cursor_.Carry(codec, modes_);
  CarryPen(codec, &pen_);
  CarryCharsets(codec, &charsets_);
  for (SavedCursor& saved : saved_) {
    auto& [cursor, pen, charsets, origin] = saved;
    CarryPlace(codec, grid_->size(), &cursor.place);
    codec->Carry(&cursor.wraps);
    CarryPen(codec, &pen);
    CarryCharsets(codec, &charsets);
    codec->Carry(&origin);
  }
  codec->Carry(&last_glyph_, 0, kLastCodePoint);
  codec->Carry(&after_text_);
  codec->Carry(&protects_);
  codec->Carry(&at_prompt_);
  codec->Carry(&prompt_counts_glyphs_);
  codec->Carry(&draws_frames_);
  codec->Carry(&returns_);
  codec->Carry(&moves_back_);
  codec->Carry(&goes_back_);
  for (uint64_t* place :
       {&return_end_, &text_end_, &mark_end_, &string_begin_, &cut_end_}) {
    codec->Carry(place);
  }
  CarrySettings(codec, &began_);
  CarrySettings(codec, &run_began_);
  codec->Carry(&run_, kLongestRun);
  for (KittyLevels& screen : kitty_) CarryKitty(codec, &screen);
  codec->Carry(&row_addresses_);
  if (!codec->reads() || !codec->ok()) return;
  SetPen(pen_);
  Modes modes = modes_;
  constexpr int kReverse = 5, kBlink = 12, kVisible = 25, kAlternate = 1047;
  state_layer_.SetMode(kReverse, modes.reverse_screen);
  state_layer_.SetMode(kBlink, modes.cursor_blink);
  state_layer_.SetMode(kVisible, modes.cursor_visible);
  state_layer_.SetMode(kAlternate, modes.alternate_screen);
  modes_ = modes;
}

}  // namespace glasstty::terminal
