// Encodings are those of xterm with the terminfo entry xterm-256color, since
// that is what TERM says.
#include "terminal/key_table.h"

#include "support/text.h"
#include "terminal/keys.h"

namespace glasstty::terminal {
namespace {

using enum KeyKind;

// Home and End are cursor keys to a terminal, Ins to PageDown are numbers from
// the VT220, and F1 to F4 are left from the keypad of the VT100.
constexpr KeyRow kKeys[] = {
    {"Enter", kByte, '\r', 0},
    {"Esc", kByte, 0x1B, 0},
    {"Tab", kByte, '\t', 0},
    {"BS", kByte, 0x7F, 0},
    {"Space", kByte, ' ', 0},
    {"Up", kCursor, 0, 'A'},
    {"Down", kCursor, 0, 'B'},
    {"Right", kCursor, 0, 'C'},
    {"Left", kCursor, 0, 'D'},
    {"End", kCursor, 0, 'F'},
    {"Home", kCursor, 0, 'H'},
    {"Ins", kTilde, 2, 0},
    {"Del", kTilde, 3, 0},
    {"PageUp", kTilde, 5, 0},
    {"PageDown", kTilde, 6, 0},
    {"F1", kFunction, 0, 'P'},
    {"F2", kFunction, 0, 'Q'},
    {"F3", kFunction, 0, 'R'},
    {"F4", kFunction, 0, 'S'},
    {"F5", kTilde, 15, 0},
    {"F6", kTilde, 17, 0},
    {"F7", kTilde, 18, 0},
    {"F8", kTilde, 19, 0},
    {"F9", kTilde, 20, 0},
    {"F10", kTilde, 21, 0},
    {"F11", kTilde, 23, 0},
    {"F12", kTilde, 24, 0},
    // As the terminfo entry of xterm-256color has them.
    {"F13", kFunction, 0, 'P', kShift},
    {"F14", kFunction, 0, 'Q', kShift},
    {"F15", kFunction, 0, 'R', kShift},
    {"F16", kFunction, 0, 'S', kShift},
    {"F17", kTilde, 15, 0, kShift},
    {"F18", kTilde, 17, 0, kShift},
    {"F19", kTilde, 18, 0, kShift},
    {"F20", kTilde, 19, 0, kShift},
    {"F21", kTilde, 20, 0, kShift},
    {"F22", kTilde, 21, 0, kShift},
    {"F23", kTilde, 23, 0, kShift},
    {"F24", kTilde, 24, 0, kShift},
    {"KP0", kKeypad, '0', 'p'},
    {"KP1", kKeypad, '1', 'q'},
    {"KP2", kKeypad, '2', 'r'},
    {"KP3", kKeypad, '3', 's'},
    {"KP4", kKeypad, '4', 't'},
    {"KP5", kKeypad, '5', 'u'},
    {"KP6", kKeypad, '6', 'v'},
    {"KP7", kKeypad, '7', 'w'},
    {"KP8", kKeypad, '8', 'x'},
    {"KP9", kKeypad, '9', 'y'},
    {"KPEnter", kKeypad, '\r', 'M'},
    {"KPPlus", kKeypad, '+', 'k'},
    {"KPMinus", kKeypad, '-', 'm'},
    {"KPMultiply", kKeypad, '*', 'j'},
    {"KPDivide", kKeypad, '/', 'o'},
    {"KPPeriod", kKeypad, '.', 'n'},
    {"KPComma", kKeypad, ',', 'l'},
    {"KPEqual", kKeypad, '=', 'X'},
};

struct AliasRow {
  std::string_view alias;
  std::string_view name;
};
// Spellings of vim, tmux, X and the browsers: whichever a writer knows best.
constexpr AliasRow kAliases[] = {
    {"Return", "Enter"},       {"CR", "Enter"},
    {"Escape", "Esc"},         {"Backspace", "BS"},
    {"BSpace", "BS"},          {"Delete", "Del"},
    {"Insert", "Ins"},         {"PgUp", "PageUp"},
    {"Page_Up", "PageUp"},     {"PgDn", "PageDown"},
    {"PgDown", "PageDown"},    {"Page_Down", "PageDown"},
    {"ArrowUp", "Up"},         {"ArrowDown", "Down"},
    {"ArrowLeft", "Left"},     {"ArrowRight", "Right"},
    {"KPAdd", "KPPlus"},       {"KPSubtract", "KPMinus"},
    {"KPDecimal", "KPPeriod"},
};

}  // namespace

std::span<const KeyRow> KeyTable() { return kKeys; }

// Names are few and looked up once a step: no map.
int FindKey(std::string_view name) {
  std::string wanted = AsciiLower(name);
  for (const AliasRow& row : kAliases) {
    if (AsciiLower(row.alias) == wanted) wanted = AsciiLower(row.name);
  }
  for (size_t i = 0; i < std::size(kKeys); ++i) {
    if (AsciiLower(kKeys[i].name) == wanted) return static_cast<int>(i);
  }
  return -1;
}

std::vector<std::string> KeyNames() {
  std::vector<std::string> names;
  for (const KeyRow& row : kKeys) names.emplace_back(row.name);
  for (const AliasRow& row : kAliases) names.emplace_back(row.alias);
  return names;
}

}  // namespace glasstty::terminal
