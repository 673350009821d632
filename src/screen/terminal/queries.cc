#include "terminal/queries.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"

namespace glasstty::terminal {
namespace {

// The reported size of a cell in pixels, for programs that scale pictures.
constexpr Size kCell = {16, 8};

// These are the 16 colours of xterm, in order.
constexpr uint32_t kBaseColors[] = {0x000000, 0xCD0000, 0x00CD00, 0xCDCD00,
                                    0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
                                    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00,
                                    0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF};
constexpr uint32_t kForeground = 0xE5E5E5;
constexpr uint32_t kBackground = 0x000000;

// Each two-digit value is repeated: 0xE5 becomes 0xE5E5 of 0xFFFF.
std::string ColorText(uint32_t rgb) {
  uint32_t red = rgb >> 16, green = rgb >> 8 & 0xFF, blue = rgb & 0xFF;
  return absl::StrFormat("rgb:%04x/%04x/%04x", red * 0x101, green * 0x101,
                         blue * 0x101);
}

struct StatusRow {
  bool is_dec;
  int number;
  const char* answer;
};
// Reports no printer, no locator, one session, keys that cannot be redefined;
// and a dark background, which editors query with 996.
constexpr StatusRow kStatus[] = {
    {false, 5, "\x1b[0n"},         {true, 5, "\x1b[?0n"},
    {true, 15, "\x1b[?13n"},       {true, 25, "\x1b[?21n"},
    {true, 26, "\x1b[?27;1;0;0n"}, {true, 53, "\x1b[?50n"},
    {true, 55, "\x1b[?50n"},       {true, 56, "\x1b[?57;0n"},
    {true, 75, "\x1b[?70n"},       {true, 85, "\x1b[?83n"},
    {true, 996, "\x1b[?997;1n"},
};

// Names of terminfo, and others that programs have agreed on, with values as in
// terminfo; a flag has no value.
struct Capability {
  std::string_view name;
  std::string_view value;
};
constexpr Capability kCapabilities[] = {
    {"TN", "xterm-256color"},
    {"name", "xterm-256color"},
    {"Co", "256"},
    {"colors", "256"},
    {"RGB", "8/8/8"},
    {"Tc", ""},
    {"Su", ""},
    {"Smulx", "\x1b[4:%p1%dm"},
    {"Smol", "\x1b[53m"},
    {"Rmol", "\x1b[55m"},
    {"smxx", "\x1b[9m"},
    {"rmxx", "\x1b[29m"},
    {"sitm", "\x1b[3m"},
    {"ritm", "\x1b[23m"},
    {"Ss", "\x1b[%p1%d q"},
    {"Se", "\x1b[2 q"},
    {"Sync", "\x1b[?2026%?%p1%{1}%-%tl%eh%;"},
};

std::string Hex(std::string_view text) {
  std::string hex;
  for (char c : text) {
    hex += absl::StrFormat("%02X", static_cast<uint8_t>(c));
  }
  return hex;
}

bool EqualHex(std::string_view asked, std::string_view hex) {
  return std::equal(
      asked.begin(), asked.end(), hex.begin(), hex.end(),
      [](unsigned char a, char h) { return absl::ascii_toupper(a) == h; });
}

// Returns "" for an unknown capability.
std::string AnswerFor(std::string_view asked) {
  for (const Capability& capability : kCapabilities) {
    std::string name = Hex(capability.name);
    if (!EqualHex(asked, name)) continue;
    return capability.value.empty() ? name : name + "=" + Hex(capability.value);
  }
  return "";
}

}  // namespace

// Claims to be a VT220 with selective erase (6) and colours (22). Side margins
// and rectangles, which tmux would use (21, 28), pictures (4) and 132 columns
// (1) are not announced. The DA2 is that of libvterm (0;100;0), which vim
// recognizes and handles well.
std::string DeviceAttributes(char leader) {
  switch (leader) {
    case '>':
      return "\x1b[>0;100;0c";
    case '=':
      return "\x1bP!|00000000\x1b\\";
    default:
      return "\x1b[?62;6;22c";
  }
}

// There is no version number, because programs should not depend on one.
std::string TerminalVersion() { return "\x1bP>|glasstty\x1b\\"; }

std::optional<std::string> StatusReport(bool is_dec, int number) {
  for (const StatusRow& row : kStatus) {
    if (row.is_dec == is_dec && row.number == number) return row.answer;
  }
  return std::nullopt;
}

// DECXCPR includes the page. In origin mode, a restored cursor may be outside
// of the margins, so its position relative to them may be less than 1. It is
// clamped, because such a number has no sign.
std::string PlaceReport(bool is_dec, int row, int col) {
  row = std::max(row, 1);
  col = std::max(col, 1);
  return is_dec ? absl::StrFormat("\x1b[?%d;%d;1R", row, col)
                : absl::StrFormat("\x1b[%d;%dR", row, col);
}

std::string KeyboardReport(int flags) {
  return absl::StrFormat("\x1b[?%du", flags);
}

std::string OtherKeysReport(char final, int resource, int value) {
  return absl::StrFormat("\x1b[>%d;%d%c", resource, value, final);
}

// Titles and positions of the window are never reported, because a title would
// arrive as typed input.
std::optional<std::string> WindowReport(int operation, Size size) {
  switch (operation) {
    case 14:  // text area in pixels
      return absl::StrFormat("\x1b[4;%d;%dt", size.rows * kCell.rows,
                             size.cols * kCell.cols);
    case 16:  // a cell in pixels
      return absl::StrFormat("\x1b[6;%d;%dt", kCell.rows, kCell.cols);
    case 18:  // text area in cells
      return absl::StrFormat("\x1b[8;%d;%dt", size.rows, size.cols);
    default:
      return std::nullopt;
  }
}

// There are 16 colours, a cube with six steps per channel, and 24 greys.
std::optional<std::string> PaletteColor(int index) {
  if (index < 0 || index > 255) return std::nullopt;
  auto i = static_cast<uint32_t>(index);
  if (i < std::size(kBaseColors)) return ColorText(kBaseColors[i]);
  if (i >= 232) return ColorText((8 + 10 * (i - 232)) * 0x010101);
  auto step = [](uint32_t level) { return level == 0 ? 0 : 55 + 40 * level; };
  i -= 16;
  return ColorText(step(i / 36) << 16 | step(i / 6 % 6) << 8 | step(i % 6));
}

std::optional<std::string> DynamicColor(int osc) {
  if (osc < 10 || osc > 12) return std::nullopt;
  return ColorText(osc == 11 ? kBackground : kForeground);
}

std::string CapabilityReport(std::string_view names) {
  std::string answers;
  while (!names.empty()) {
    size_t end = names.find(';');
    std::string answer = AnswerFor(names.substr(0, end));
    if (answer.empty()) break;
    answers += (answers.empty() ? "" : ";") + answer;
    names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
  }
  if (answers.empty()) return "\x1bP0+r\x1b\\";
  return "\x1bP1+r" + answers + "\x1b\\";
}

}  // namespace glasstty::terminal
