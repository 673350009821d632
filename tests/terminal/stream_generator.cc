#include "stream_generator.h"

#include <iterator>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/utf8.h"

namespace glasstty {
namespace {

// Not S, T and M, which drop rows at the top: libvterm counts them as history.
constexpr std::string_view kPlainFinals = "@ABCDEFGHIKLPXZ`adefjkr";
constexpr std::string_view kAllFinals = "@ABCDEFGHIJKLMPSTXZ`abdefgjkrsu";
constexpr std::string_view kPlainModes[] = {"4", "20", "?7", "?6"};
constexpr std::string_view kAllModes[] = {
    "4", "20", "?7", "?6", "?69", "?1049", "?47", "?1048", "?25", "?2026"};
constexpr std::string_view kPlainEscapes[] = {
    "\x1b"
    "7",
    "\x1b"
    "8",
    "\x1b"
    "E",
    "\x1bM",
    "\x1bH",
    "\x1b#8"};
constexpr std::string_view kAllEscapes[] = {
    "\x1b"
    "7",
    "\x1b"
    "8",
    "\x1b"
    "E",
    "\x1bM",
    "\x1b"
    "D",
    "\x1b(0",
    "\x1b(B",
    "\x1b#8",
    "\x1b[!p",
    "\x1b"
    "c",
    "\x1b[1\"q",
    "\x1b[\"q",
    "\x1b]133;A\a",
    "\x1b[6n",
    "\x1b[?K"};

}  // namespace

std::string StreamGenerator::Stream(int items) {
  std::string out;
  for (int i = 0; i < items; ++i) out += Item();
  return out;
}

int StreamGenerator::Pick(int limit) {
  return static_cast<int>(random_() % static_cast<uint64_t>(limit));
}

std::string StreamGenerator::Item() {
  int kind = Pick(100);
  if (kind < 45) return Text();
  if (kind < 60 || kind_ == Kind::kLines) return Control();
  if (kind < 72) return Sgr();
  return kind < 96 ? Sequence() : Escape();
}

std::string StreamGenerator::Text() {
  static constexpr std::u32string_view kNarrow = U"abc XYZ09~\u00E9\u2500";
  static constexpr std::u32string_view kWide = U"\u4E2D\u3042\U0001F600";
  std::string out;
  for (int i = Pick(12); i >= 0; --i) {
    bool is_wide = kind_ != Kind::kNarrow && Pick(3) == 0;
    std::u32string_view from = is_wide ? kWide : kNarrow;
    AppendUtf8(from[static_cast<size_t>(Pick(static_cast<int>(from.size())))],
               &out);
    if (kind_ == Kind::kAll && Pick(20) == 0) out += "\u0301";
  }
  return out;
}

std::string StreamGenerator::Control() {
  // What overwrites wide glyphs cuts them, and libvterm keeps the halves.
  if (kind_ == Kind::kLines) return Pick(2) == 0 ? "\r\n" : "\n";
  static constexpr std::string_view kControls = "\r\n\b\t";
  if (Pick(2) == 0) return "\r\n";
  return std::string(1, kControls[static_cast<size_t>(Pick(4))]);
}

std::string StreamGenerator::Sgr() {
  return absl::StrFormat("\x1b[%d;%dm", Pick(2), 30 + Pick(70));
}

std::string StreamGenerator::Sequence() {
  bool all = kind_ == Kind::kAll;
  std::string_view finals = all ? kAllFinals : kPlainFinals;
  char final =
      finals[static_cast<size_t>(Pick(static_cast<int>(finals.size())))];
  switch (Pick(12)) {
    case 0:
      return "\x1b[1J";
    case 1:
      // Not at home, where we save the screen first.
      return "\x1b[2;2H\x1b[J";
    case 2: {
      std::string_view mode = all ? kAllModes[Pick(std::size(kAllModes))]
                                  : kPlainModes[Pick(std::size(kPlainModes))];
      return absl::StrFormat("\x1b[%s%c", mode, Pick(2) == 0 ? 'h' : 'l');
    }
    case 3:
    case 4:
      return absl::StrFormat("\x1b[%d%c", Pick(4), final);
    default:
      return absl::StrFormat("\x1b[%d;%d%c", Pick(12), Pick(24), final);
  }
}

std::string StreamGenerator::Escape() {
  return std::string(kind_ == Kind::kAll
                         ? kAllEscapes[Pick(std::size(kAllEscapes))]
                         : kPlainEscapes[Pick(std::size(kPlainEscapes))]);
}

}  // namespace glasstty
