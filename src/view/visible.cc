#include "view/visible.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "base/escape.h"
#include "base/utf8.h"

namespace glasstty::view {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};
// Ascending. Default_Ignorable_Code_Point of Unicode, and the interlinear
// annotations. The last block begins with the tags, by which whole hidden texts
// are written. Some code points of the ranges are not assigned; nobody sees
// those either.
constexpr CodePoints kInvisible[] = {
    {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},
    {0x115F, 0x1160},   {0x17B4, 0x17B5},   {0x180B, 0x180F},
    {0x200B, 0x200F},   {0x202A, 0x202E},   {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},
    {0xFFA0, 0xFFA0},   {0xFFF0, 0xFFFB},   {0x1BCA0, 0x1BCA3},
    {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

bool IsInvisible(char32_t c) {
  if (c < kInvisible[0].first) return false;
  auto after = std::upper_bound(
      std::begin(kInvisible), std::end(kInvisible), c,
      [](char32_t x, const CodePoints& r) { return x < r.first; });
  return after != std::begin(kInvisible) && c <= std::prev(after)->last;
}

// ZWNJ and ZWJ join or part letters of Persian and Indic scripts, and make one
// emoji of several. VS1 to VS16 choose a form, the last two text or emoji.
bool IsJoiner(char32_t c) { return c == 0x200C || c == 0x200D; }
bool IsSelector(char32_t c) { return c >= 0xFE00 && c <= 0xFE0F; }

// Letters of other scripts, emoji, and the bases of keycaps.
bool TakesSelector(char32_t c) {
  return c == '#' || c == '*' || (c >= '0' && c <= '9') ||
         (c > 0xFF && !IsInvisible(c));
}
bool TakesJoiner(char32_t c) {
  return (c > 0xFF && !IsInvisible(c)) || IsSelector(c);
}

// `before` is 0 at the beginning, `rest` what follows. True where an invisible
// character changes how a visible neighbour looks, as scripts and emoji need
// it.
bool Belongs(char32_t before, char32_t c, std::string_view rest) {
  if (IsSelector(c)) return TakesSelector(before);
  if (!IsJoiner(c) || rest.empty()) return false;
  return TakesJoiner(before) && TakesJoiner(TakeUtf8(&rest));
}

// Controls act on the terminal of whoever reads them. A carriage return that
// ends a line does nothing there.
bool IsControl(char32_t c, std::string_view rest) {
  if (c == '\r') {
    size_t next = rest.find_first_not_of('\r');
    return next != std::string_view::npos && rest[next] != '\n';
  }
  return (c < ' ' && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
}

bool IsOrdinary(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte >= ' ' && byte < 0x7F) || c == '\n' || c == '\t';
}

}  // namespace

std::string ShowInvisible(std::string_view text, int64_t* count) {
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;
  while (!text.empty()) {
    auto end = std::find_if_not(text.begin(), text.end(), IsOrdinary);
    auto ordinary = static_cast<size_t>(end - text.begin());
    if (ordinary > 0) {
      out += text.substr(0, ordinary);
      before = static_cast<unsigned char>(text[ordinary - 1]);
      text.remove_prefix(ordinary);
      continue;
    }
    std::string_view rest = text;
    char32_t c = TakeUtf8(&rest);
    if (IsControl(c, rest)) {
      out += EscapeBytes(text.substr(0, text.size() - rest.size()));
    } else if (IsInvisible(c) && !Belongs(before, c, rest)) {
      out += absl::StrFormat("<U+%04X>", static_cast<uint32_t>(c));
      ++*count;
    } else {
      out += text.substr(0, text.size() - rest.size());
    }
    before = c;
    text = rest;
  }
  return out;
}

}  // namespace glasstty::view
