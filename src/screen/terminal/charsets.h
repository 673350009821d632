// The character sets G0 to G3, and the index of the one in use. A plain value.
//
// The interpreter owns the value, saves copies of it with the cursor, and maps
// characters to Unicode before they are put into cells.
#pragma once

#include <array>

namespace glasstty::terminal {

struct Charsets {
  // The final bytes of the designations: 0 line drawing, A British, B ASCII;
  // others count as ASCII.
  std::array<char, 4> sets = {'B', 'B', 'B', 'B'};
  int in_use = 0;

  bool is_ascii() const { return sets[in_use] != '0' && sets[in_use] != 'A'; }
  char32_t Map(char c) const;

  bool operator==(const Charsets&) const = default;
};

}  // namespace glasstty::terminal
