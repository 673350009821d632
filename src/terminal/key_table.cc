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
    {"Enter", kByte, '\r'},
    {"Esc", kByte, 0x1B},
    {"Tab", kByte, '\t'},
    {"BS", kByte, 0x7F},
    {"Space", kByte, ' '},
    {"Up", kCursor, 'A'},
    {"Down", kCursor, 'B'},
    {"Right", kCursor, 'C'},
    {"Left", kCursor, 'D'},
    {"End", kCursor, 'F'},
    {"Home", kCursor, 'H'},
    {"Ins", kTilde, 2},
    {"Del", kTilde, 3},
    {"PageUp", kTilde, 5},
    {"PageDown", kTilde, 6},
    {"F1", kFunction, 'P'},
    {"F2", kFunction, 'Q'},
    {"F3", kFunction, 'R'},
    {"F4", kFunction, 'S'},
    {"F5", kTilde, 15},
    {"F6", kTilde, 17},
    {"F7", kTilde, 18},
    {"F8", kTilde, 19},
    {"F9", kTilde, 20},
    {"F10", kTilde, 21},
    {"F11", kTilde, 23},
    {"F12", kTilde, 24},
    // As the terminfo entry of xterm-256color has them.
    {"F13", kFunction, 'P', kShift},
    {"F14", kFunction, 'Q', kShift},
    {"F15", kFunction, 'R', kShift},
    {"F16", kFunction, 'S', kShift},
    {"F17", kTilde, 15, kShift},
    {"F18", kTilde, 17, kShift},
    {"F19", kTilde, 18, kShift},
    {"F20", kTilde, 19, kShift},
    {"F21", kTilde, 20, kShift},
    {"F22", kTilde, 21, kShift},
    {"F23", kTilde, 23, kShift},
    {"F24", kTilde, 24, kShift},
    {"KP0", kKeypad, '0', {}, 'p'},
    {"KP1", kKeypad, '1', {}, 'q'},
    {"KP2", kKeypad, '2', {}, 'r'},
    {"KP3", kKeypad, '3', {}, 's'},
    {"KP4", kKeypad, '4', {}, 't'},
    {"KP5", kKeypad, '5', {}, 'u'},
    {"KP6", kKeypad, '6', {}, 'v'},
    {"KP7", kKeypad, '7', {}, 'w'},
    {"KP8", kKeypad, '8', {}, 'x'},
    {"KP9", kKeypad, '9', {}, 'y'},
    {"KPEnter", kKeypad, '\r', {}, 'M'},
    {"KPPlus", kKeypad, '+', {}, 'k'},
    {"KPMinus", kKeypad, '-', {}, 'm'},
    {"KPMultiply", kKeypad, '*', {}, 'j'},
    {"KPDivide", kKeypad, '/', {}, 'o'},
    {"KPPeriod", kKeypad, '.', {}, 'n'},
    {"KPComma", kKeypad, ',', {}, 'l'},
    {"KPEqual", kKeypad, '=', {}, 'X'},
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
