#include "terminal/plain_text.h"

#include <algorithm>
#include <utility>

#include "base/escape.h"
#include "base/utf8.h"
#include "terminal/clusters.h"
#include "terminal/widths.h"

namespace glasstty::terminal {
namespace {

bool IsPlain(char c) {
  auto byte = static_cast<uint8_t>(c);
  return (byte >= ' ' && byte < 0x7F) || c == '\t' || c == '\n';
}

// Returns the length of a code point with this first byte; 0 if the byte is
// invalid.
size_t SizeOf(uint8_t lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

PlainText::PlainText(Interpreter* interpreter, Grid* grid)
    : interpreter_(interpreter), grid_(grid) {
  interpreter_->UseNewlines();
}

void PlainText::Feed(std::string_view bytes) {
  offset_ += bytes.size();
  std::string joined;
  if (!rest_.empty()) {
    joined = std::exchange(rest_, {});
    joined += bytes;
    bytes = joined;
  }
  while (!bytes.empty()) {
    if (is_bar_) {
      TakeBar(&bytes);
    } else if (returns_ > 0 && bytes[0] != '\r' && bytes[0] != '\n') {
      BeginBar();
    } else if (IsPlain(bytes[0])) {
      TakeRun(&bytes);
    } else if (static_cast<uint8_t>(bytes[0]) < 0x80) {
      TakeControl(&bytes);
    } else if (!TakeCodePoint(&bytes)) {
      break;
    }
  }
  rest_ = bytes;
  interpreter_->set_offset(offset_);
}

void PlainText::TakeBar(std::string_view* bytes) {
  size_t end = std::min(bytes->find('\n'), bytes->size());
  interpreter_->Feed(bytes->substr(0, end));
  bytes->remove_prefix(end);
  if (!bytes->empty()) EndBar();
}

// A bar ends with its line: an unfinished sequence is cancelled, DECSTR resets
// the style, modes and character sets, and the alternate screen is left. That
// restores what the program has saved, so DECSTR follows once more.
void PlainText::EndBar() {
  interpreter_->Feed("\x18\x1b[!p");
  if (interpreter_->modes().alternate_screen) {
    interpreter_->Feed("\x1b[?1049l\x1b[!p");
  }
  interpreter_->UseNewlines();
  is_bar_ = false;
}

void PlainText::TakeRun(std::string_view* bytes) {
  if ((*bytes)[0] == '\n') {
    EndLine();
    return bytes->remove_prefix(1);
  }
  auto end = std::find_if(bytes->begin(), bytes->end(),
                          [](char c) { return !IsPlain(c) || c == '\n'; });
  auto size = static_cast<size_t>(end - bytes->begin());
  Draw(bytes->substr(0, size));
  marks_ = (*bytes)[size - 1] == '\t' ? kNoGlyph : 0;
  bytes->remove_prefix(size);
}

// Returns false if the code point is incomplete.
bool PlainText::TakeCodePoint(std::string_view* bytes) {
  size_t size = SizeOf(static_cast<uint8_t>((*bytes)[0]));
  std::string_view written = bytes->substr(0, size);
  bool fits = size > 0 &&
              std::all_of(written.begin() + 1, written.end(), IsContinuation);
  if (fits && written.size() < size) return false;
  if (!fits || !IsValidUtf8(written)) {
    DrawAs(bytes->substr(0, 1), EscapeBytes(bytes->substr(0, 1)));
    bytes->remove_prefix(1);
    return true;
  }
  bytes->remove_prefix(size);
  std::string_view left = written;
  char32_t c = TakeUtf8(&left);
  int width = c < 0xA0 ? 0 : WidthOf(c);
  // A mark that no cell accepts becomes a glyph of its own.
  bool joins = c >= 0xA0 && marks_ < int{ClusterTable::kMaxAccents};
  if (width == 0 && !joins) {
    DrawGlyph(written, c);
    return true;
  }
  Draw(written);
  marks_ = width > 0 ? 0 : marks_ + 1;
  return true;
}

// A NUL is spelled out, because in a cell it would mean a blank.
void PlainText::TakeControl(std::string_view* bytes) {
  std::string_view written = bytes->substr(0, 1);
  bytes->remove_prefix(1);
  char c = written[0];
  if (c == '\r') {
    if (returns_ < Grid::kMostReturns) ++returns_;
  } else if (c == '\0') {
    DrawAs(written, EscapeBytes(written));
  } else {
    DrawGlyph(written, static_cast<char32_t>(c));
  }
}

void PlainText::Draw(std::string_view written) {
  interpreter_->Feed(written);
  if (line_.size() < kMostReplayed) line_ += written;
}

void PlainText::DrawAs(std::string_view written, std::string_view text) {
  interpreter_->Feed(text);
  if (line_.size() < kMostReplayed) line_ += written;
  differs_ = true;
  marks_ = kNoGlyph;
}

void PlainText::DrawGlyph(std::string_view written, char32_t c) {
  interpreter_->PrintAsIs(c);
  if (line_.size() < kMostReplayed) line_ += written;
  differs_ = true;
  marks_ = kNoGlyph;
}

void PlainText::EndLine() {
  if (returns_ > 0) grid_->SetReturns(interpreter_->cursor().row, returns_);
  interpreter_->Feed("\n");
  BeginLine();
}

void PlainText::BeginLine() {
  returns_ = 0;
  line_.clear();
  differs_ = false;
  marks_ = kNoGlyph;
}

// A code point or a bar that was begun does not continue after the lost bytes.
void PlainText::Lose(uint64_t bytes) {
  if (is_bar_) EndBar();
  interpreter_->set_offset(offset_);
  offset_ += bytes;
  rest_.clear();
  BeginLine();
}

// Uses only motions that do not look like those of a full-screen program.
void PlainText::BeginBar() {
  int row = interpreter_->cursor().row;
  int first = row;
  while (first > 0 && grid_->row(first).wrapped) --first;
  bool is_here = !grid_->row(first).wrapped && line_.size() < kMostReplayed;
  if (differs_ && is_here) {
    interpreter_->Feed("\r\x1b[2K");
    for (int i = row; i > first; --i) interpreter_->Feed("\x1b[A\x1b[2K");
    interpreter_->Feed(line_);
  }
  interpreter_->Feed(std::string(static_cast<size_t>(returns_), '\r'));
  returns_ = 0;
  is_bar_ = true;
}

}  // namespace glasstty::terminal
