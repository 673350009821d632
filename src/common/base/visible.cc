#include "base/visible.h"

#include <algorithm>
#include <cstdio>

#include "base/escape.h"
#include "base/utf8.h"

namespace glasstty {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};
// The code points with Unicode's property Default_Ignorable_Code_Point, and the
// interlinear annotations, in ascending order. The last range contains the tag
// characters, which can encode a whole hidden text. Unassigned code points in
// the ranges are invisible, too.
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

// Returns true for Unicode's line separator and paragraph separator, at which
// some viewers break lines.
bool IsLineSeparator(char32_t c) { return c == 0x2028 || c == 0x2029; }

// ZWNJ and ZWJ separate or join letters of Persian and Indic scripts, and ZWJ
// combines several emoji into one. The variation selectors VS1 to VS16 select a
// form; VS15 and VS16 select text or emoji.
bool IsJoiner(char32_t c) { return c == 0x200C || c == 0x200D; }
bool IsSelector(char32_t c) { return c >= 0xFE00 && c <= 0xFE0F; }

// Accepts everything visible beyond Latin-1 (letters, emoji), the two emoji in
// Latin-1, and the bases of keycaps.
bool TakesSelector(char32_t c) {
  constexpr char32_t kCopyright = 0xA9, kRegistered = 0xAE;
  return c == '#' || c == '*' || (c >= '0' && c <= '9') || c == kCopyright ||
         c == kRegistered || (c > 0xFF && !IsInvisible(c));
}
bool TakesJoiner(char32_t c) {
  return (c > 0xFF && !IsInvisible(c)) || IsSelector(c);
}

// Returns true if the invisible character `c` changes how a visible neighbour
// looks, as scripts and emoji require. `before` is the character before it, or
// 0; `rest` is the text after it.
bool Belongs(char32_t before, char32_t c, std::string_view rest) {
  if (IsSelector(c)) return TakesSelector(before);
  if (!IsJoiner(c) || rest.empty()) return false;
  return TakesJoiner(before) && TakesJoiner(TakeUtf8(&rest));
}

// Returns the length of the tags at the beginning of `text` that turn a
// preceding black flag into a region's flag; 0 if there are none. Only the tags
// of the flags of England, Scotland and Wales are accepted, so tags cannot
// carry a hidden message.
size_t FlagTags(char32_t before, std::string_view text) {
  constexpr char32_t kBlackFlag = 0x1F3F4, kTag = 0xE0000, kEnd = 0x7F;
  if (before != kBlackFlag) return 0;
  for (std::string_view region : {"gbeng", "gbsct", "gbwls"}) {
    std::string tags;
    for (char c : region) AppendUtf8(kTag + static_cast<char32_t>(c), &tags);
    AppendUtf8(kTag + kEnd, &tags);
    if (text.starts_with(tags)) return tags.size();
  }
  return 0;
}

// Returns true if `c` can affect the terminal that shows it, unlike a carriage
// return at the end of a line or of the text.
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

void AppendCodePoint(char32_t c, std::string* out) {
  char name[16];
  std::snprintf(name, sizeof name, "<U+%04X>", static_cast<unsigned>(c));
  *out += name;
}

// Returns true if `c`, between `before` and `rest`, needs a backslash inside
// quotes.
bool LooksLikeSyntax(char32_t before, char32_t c, std::string_view rest) {
  bool separates = rest.empty() || rest[0] == ' ';
  if (c == '|' || c == ';') return separates;
  return c == '"' || c == '\\' || (c == '>' && before == '-');
}

// Matches ASCII control characters other than tabs and line ends.
uint8_t IsAsciiControl(char c) {
  auto byte = static_cast<unsigned char>(c);
  bool kept = byte == '\n' || byte == '\t' || byte == '\r';
  return (byte < ' ' && !kept) || byte == 0x7F;
}

// The loop over a block has a fixed size and no branch, so compilers turn it
// into a few vector instructions (measured by parts_bench, json/screen).
bool HasAsciiControl(std::string_view text) {
  constexpr size_t kBlock = 32;
  uint8_t found = 0;
  size_t at = 0;
  for (; at + kBlock <= text.size(); at += kBlock) {
    const char* block = text.data() + at;
    for (size_t i = 0; i < kBlock; ++i) found |= IsAsciiControl(block[i]);
  }
  for (char c : text.substr(at)) found |= IsAsciiControl(c);
  return found != 0;
}

// Looks for U+0080 to U+009F, which are 0xC2 and a byte below 0xA0 in UTF-8.
// Some terminals obey these like the corresponding ESC sequences.
bool HasC1Control(std::string_view text) {
  for (size_t at = text.find('\xC2'); at < text.size();
       at = text.find('\xC2', at + 1)) {
    if (at + 1 < text.size() &&
        static_cast<unsigned char>(text[at + 1]) < 0xA0) {
      return true;
    }
  }
  return false;
}

enum class Quotes { kNone, kDouble };

std::string OnOneLine(std::string_view text, size_t most, Quotes quotes) {
  std::string out;
  out.reserve(text.size());
  char32_t before = 0;
  for (size_t i = 0; !text.empty(); ++i) {
    if (i == most) return out + "...";
    std::string_view rest = text;
    char32_t c = TakeUtf8(&rest);
    std::string_view source = text.substr(0, text.size() - rest.size());
    if (c < ' ' || (c >= 0x7F && c < 0xA0)) {
      out += EscapeBytes(source);
    } else if (IsLineSeparator(c) ||
               (IsInvisible(c) && !Belongs(before, c, rest))) {
      AppendCodePoint(c, &out);
    } else {
      if (quotes == Quotes::kDouble && LooksLikeSyntax(before, c, rest)) {
        out += '\\';
      }
      AppendUtf8(c, &out);
    }
    before = c;
    text = rest;
  }
  return out;
}

bool IsPlain(char c) {
  bool is_letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                            (c >= '0' && c <= '9');
  return is_letter_or_digit ||
         std::string_view("_./~+-:@%,").find(c) != std::string_view::npos;
}

}  // namespace

bool HasControls(std::string_view text) {
  return HasAsciiControl(text) || HasC1Control(text);
}

std::string ShowControls(std::string text) {
  if (!HasControls(text)) return text;
  int64_t count = 0;
  return ShowInvisible(text, &count);
}

std::string ShowOnOneLine(std::string_view text, size_t most) {
  return OnOneLine(text, most, Quotes::kNone);
}

std::string Quoted(std::string_view text, size_t most) {
  return '"' + OnOneLine(text, most, Quotes::kDouble) + '"';
}

std::string QuotedUnlessPlain(std::string_view text, size_t most) {
  bool is_plain = !text.empty() && text.size() <= most &&
                  std::all_of(text.begin(), text.end(), IsPlain);
  return is_plain ? std::string(text) : Quoted(text, most);
}

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
    if (size_t tags = FlagTags(before, text); tags > 0) {
      rest = text.substr(tags);
      out += text.substr(0, tags);
    } else if (IsControl(c, rest)) {
      out += EscapeBytes(text.substr(0, text.size() - rest.size()));
    } else if (IsInvisible(c) && !Belongs(before, c, rest)) {
      AppendCodePoint(c, &out);
      ++*count;
    } else {
      out += text.substr(0, text.size() - rest.size());
    }
    before = c;
    text = rest;
  }
  return out;
}

}  // namespace glasstty
