// What the terminal answers when a program asks what it is and what it can do.
//
// Constants and numbers only: an answer arrives as typed input, so no text that
// the program chose is ever in it. What is announced is what works. Pure
// functions; xterm's control sequences (ctlseqs) are the reference.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

// DA1 (leader 0), DA2 ('>') and DA3 ('=').
std::string DeviceAttributes(char leader);
// XTVERSION.
std::string TerminalVersion();
// DSR with this number, of DEC's own ('?') or not, but for the cursor's place.
// nullopt: there is nothing to say.
std::optional<std::string> StatusReport(bool is_dec, int number);
// DSR 6: the place counts from 1, in the form of DECXCPR with '?'.
std::string PlaceReport(bool is_dec, int row, int col);
// XTWINOPS that ask for sizes.
std::optional<std::string> WindowReport(int operation, Size size);

// The colours of OSC 4 (with the index), 10, 11 and 12: "rgb:ffff/...".
// nullopt: there is none of that number.
std::optional<std::string> PaletteColor(int index);
std::optional<std::string> DynamicColor(int osc);

// XTGETTCAP: `names` as they were asked for, in hexadecimal and separated by
// semicolons. What xterm does not know ends its answer, so it does here.
std::string CapabilityReport(std::string_view names);

}  // namespace glasstty::terminal
