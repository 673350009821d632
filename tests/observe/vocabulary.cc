#include "vocabulary.h"

#include <algorithm>
#include <iterator>

#include "base/escape.h"
#include "base/utf8.h"

namespace glasstty::observe {
namespace {

// The final bytes of control sequences that may have digits, semicolons and
// colons before them.
constexpr std::string_view kFinals = "mHGCKJXSTr";

constexpr std::string_view kModes[] = {
    "?9",    "?5",    "20",    "?1",    "?2004", "?12",   "?25",
    "?1000", "?1002", "?1003", "?1005", "?1006", "?1015", "?2026",
};

// Returns the length of the sequence with which `bytes` begin, after an ESC; 0:
// it is none of the painter's.
size_t SequenceLength(std::string_view bytes) {
  if (bytes.starts_with('=') || bytes.starts_with('>')) return 1;
  if (!bytes.starts_with('[')) return 0;
  size_t end = bytes.find_first_not_of("?0123456789;:", 1);
  if (end == std::string_view::npos) return 0;
  std::string_view parameters = bytes.substr(1, end - 1);
  if (bytes.substr(end).starts_with(" q")) return end + 2;
  if (bytes[end] == 'h' || bytes[end] == 'l') {
    bool is_known = std::find(std::begin(kModes), std::end(kModes),
                              parameters) != std::end(kModes);
    return is_known ? end + 1 : 0;
  }
  bool is_known = kFinals.find(bytes[end]) != std::string_view::npos &&
                  parameters.find('?') == std::string_view::npos;
  return is_known ? end + 1 : 0;
}

}  // namespace

std::string ForeignIn(std::string_view bytes) {
  if (!IsValidUtf8(bytes)) return "invalid UTF-8";
  while (!bytes.empty()) {
    std::string_view here = bytes.substr(0, 16);
    char32_t c = TakeUtf8(&bytes);
    if (c == 0x1B) {
      size_t length = SequenceLength(bytes);
      if (length == 0) return EscapeBytes(here);
      bytes.remove_prefix(length);
    } else if (c < 0x20 || (c >= 0x7F && c < 0xA0)) {
      return EscapeBytes(here);
    }
  }
  return "";
}

}  // namespace glasstty::observe
