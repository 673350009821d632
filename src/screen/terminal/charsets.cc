// Only two sets differ from ASCII: line drawing, which ncurses uses for frames
// if it does not trust UTF-8, and British, which differs in one character.
// Other national sets are not supported, because no program uses them any more.
#include "terminal/charsets.h"

namespace glasstty::terminal {
namespace {

// DEC Special Graphics from '_' to '~'.
constexpr char32_t kLineDrawing[] =
    U"\u00A0\u25C6\u2592\u2409\u240C\u240D\u240A\u00B0\u00B1\u2424\u240B\u2518"
    U"\u2510\u250C\u2514\u253C\u23BA\u23BB\u2500\u23BC\u23BD\u251C\u2524\u2534"
    U"\u252C\u2502\u2264\u2265\u03C0\u2260\u00A3\u00B7";

}  // namespace

char32_t Charsets::Map(char c) const {
  char set = sets[in_use];
  if (set == '0' && c >= '_' && c <= '~') return kLineDrawing[c - '_'];
  if (set == 'A' && c == '#') return 0xA3;  // pound sign
  return static_cast<char32_t>(c);
}

}  // namespace glasstty::terminal
