// The encodings are those of the terminfo entry xterm-256color, which TERM
// names.
#include "terminal/key_table.h"

#include "support/text.h"
#include "terminal/keys.h"

namespace glasstty::terminal {
namespace {

using enum KeyKind;

// Home and End are encoded like cursor keys. Ins to PageDown have the numbers
// of the VT220, and F1 to F4 are keys on the keypad of the VT100.
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
    // These are as in the terminfo entry of xterm-256color.
    {"F13", kFunction, 'P', kShift, {}, 57376},
    {"F14", kFunction, 'Q', kShift, {}, 57377},
    {"F15", kFunction, 'R', kShift, {}, 57378},
    {"F16", kFunction, 'S', kShift, {}, 57379},
    {"F17", kTilde, 15, kShift, {}, 57380},
    {"F18", kTilde, 17, kShift, {}, 57381},
    {"F19", kTilde, 18, kShift, {}, 57382},
    {"F20", kTilde, 19, kShift, {}, 57383},
    {"F21", kTilde, 20, kShift, {}, 57384},
    {"F22", kTilde, 21, kShift, {}, 57385},
    {"F23", kTilde, 23, kShift, {}, 57386},
    {"F24", kTilde, 24, kShift, {}, 57387},
    // These are from the same entry, with control.
    {"F25", kFunction, 'P', kControl, {}, 57388},
    {"F26", kFunction, 'Q', kControl, {}, 57389},
    {"F27", kFunction, 'R', kControl, {}, 57390},
    {"F28", kFunction, 'S', kControl, {}, 57391},
    {"F29", kTilde, 15, kControl, {}, 57392},
    {"F30", kTilde, 17, kControl, {}, 57393},
    {"F31", kTilde, 18, kControl, {}, 57394},
    {"F32", kTilde, 19, kControl, {}, 57395},
    {"F33", kTilde, 20, kControl, {}, 57396},
    {"F34", kTilde, 21, kControl, {}, 57397},
    {"F35", kTilde, 23, kControl, {}, 57398},
    {"KP0", kKeypad, '0', {}, 'p', 57399},
    {"KP1", kKeypad, '1', {}, 'q', 57400},
    {"KP2", kKeypad, '2', {}, 'r', 57401},
    {"KP3", kKeypad, '3', {}, 's', 57402},
    {"KP4", kKeypad, '4', {}, 't', 57403},
    {"KP5", kKeypad, '5', {}, 'u', 57404},
    {"KP6", kKeypad, '6', {}, 'v', 57405},
    {"KP7", kKeypad, '7', {}, 'w', 57406},
    {"KP8", kKeypad, '8', {}, 'x', 57407},
    {"KP9", kKeypad, '9', {}, 'y', 57408},
    {"KPEnter", kKeypad, '\r', {}, 'M', 57414},
    {"KPPlus", kKeypad, '+', {}, 'k', 57413},
    {"KPMinus", kKeypad, '-', {}, 'm', 57412},
    {"KPMultiply", kKeypad, '*', {}, 'j', 57411},
    {"KPDivide", kKeypad, '/', {}, 'o', 57410},
    {"KPPeriod", kKeypad, '.', {}, 'n', 57409},
    {"KPComma", kKeypad, ',', {}, 'l', 57416},
    {"KPEqual", kKeypad, '=', {}, 'X', 57415},
    // Without Num Lock, keys of the keypad are encoded like the keys beside it,
    // unless the program requests kitty's protocol.
    {"KPLeft", kCursor, 'D', {}, {}, 57417},
    {"KPRight", kCursor, 'C', {}, {}, 57418},
    {"KPUp", kCursor, 'A', {}, {}, 57419},
    {"KPDown", kCursor, 'B', {}, {}, 57420},
    {"KPPageUp", kTilde, 5, {}, {}, 57421},
    {"KPPageDown", kTilde, 6, {}, {}, 57422},
    {"KPHome", kCursor, 'H', {}, {}, 57423},
    {"KPEnd", kCursor, 'F', {}, {}, 57424},
    {"KPInsert", kTilde, 2, {}, {}, 57425},
    {"KPDelete", kTilde, 3, {}, {}, 57426},
    {"KPBegin", kCursor, 'E'},
    {"Menu", kTilde, 29, {}, {}, 57363},
    // Only kitty's protocol has these keys.
    {"PrintScreen", kNumbered, 57361},
    {"Pause", kNumbered, 57362},
    {"MediaPlay", kNumbered, 57428},
    {"MediaPause", kNumbered, 57429},
    {"MediaPlayPause", kNumbered, 57430},
    {"MediaReverse", kNumbered, 57431},
    {"MediaStop", kNumbered, 57432},
    {"MediaFastForward", kNumbered, 57433},
    {"MediaRewind", kNumbered, 57434},
    {"MediaTrackNext", kNumbered, 57435},
    {"MediaTrackPrevious", kNumbered, 57436},
    {"MediaRecord", kNumbered, 57437},
    {"LowerVolume", kNumbered, 57438},
    {"RaiseVolume", kNumbered, 57439},
    {"MuteVolume", kNumbered, 57440},
    {"CapsLock", kModifier, 57358},
    {"ScrollLock", kModifier, 57359},
    {"NumLock", kModifier, 57360},
    {"LeftShift", kModifier, 57441, kShift},
    {"LeftControl", kModifier, 57442, kControl},
    {"LeftAlt", kModifier, 57443, kAlt},
    {"LeftSuper", kModifier, 57444, kSuper},
    {"LeftHyper", kModifier, 57445, kHyper},
    {"LeftMeta", kModifier, 57446, kMeta},
    {"RightShift", kModifier, 57447, kShift},
    {"RightControl", kModifier, 57448, kControl},
    {"RightAlt", kModifier, 57449, kAlt},
    {"RightSuper", kModifier, 57450, kSuper},
    {"RightHyper", kModifier, 57451, kHyper},
    {"RightMeta", kModifier, 57452, kMeta},
    {"IsoLevel3Shift", kModifier, 57453},
    {"IsoLevel5Shift", kModifier, 57454},
};

struct AliasRow {
  std::string_view alias;
  std::string_view name;
};
// The spellings of vim, tmux, X and the browsers, so that agents can use the
// one that they know best.
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
    {"KPDecimal", "KPPeriod"}, {"KPSeparator", "KPComma"},
    {"KPPgUp", "KPPageUp"},    {"KPPgDn", "KPPageDown"},
    {"KPIns", "KPInsert"},     {"KPDel", "KPDelete"},
    {"Print", "PrintScreen"},
};

// The characters other than letters on a US keyboard, without and with Shift.
constexpr std::u32string_view kPlain = U"`1234567890-=[]\\;',./";
constexpr std::u32string_view kShifted = U"~!@#$%^&*()_+{}|:\"<>?";
static_assert(kPlain.size() == kShifted.size());

// Lower-case letters of alphabets whose capitals are at a fixed distance.
struct Letters {
  char32_t first;
  char32_t last;
  char32_t capitals;  // the distance to the capitals, whose code points are
                      // lower
};
constexpr Letters kLetters[] = {
    {U'a', U'z', 32},                                        // Latin
    {U'\u00E0', U'\u00F6', 32},                              // with accents
    {U'\u00F8', U'\u00FE', 32}, {U'\u03B1', U'\u03C1', 32},  // Greek
    {U'\u03C3', U'\u03CB', 32}, {U'\u0430', U'\u044F', 32},  // Cyrillic
    {U'\u0450', U'\u045F', 80},
};

}  // namespace

char32_t WithShift(char32_t c) {
  for (const Letters& row : kLetters) {
    if (c >= row.first && c <= row.last) return c - row.capitals;
  }
  size_t i = kPlain.find(c);
  return i == std::string::npos ? c : kShifted[i];
}

char32_t WithoutShift(char32_t c) {
  for (const Letters& row : kLetters) {
    char32_t small = c + row.capitals;
    if (small >= row.first && small <= row.last) return small;
  }
  size_t i = kShifted.find(c);
  return i == std::string::npos ? c : kPlain[i];
}

bool IsAsciiLetter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::span<const KeyRow> KeyTable() { return kKeys; }

// A linear search is fine, because there are few names and one look-up per
// step.
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
