// The terminal's answers when a program asks what it is and what it can do.
//
// They contain only constants and numbers: an answer arrives as typed input, so
// it must not contain text that the program chose. Only working features are
// announced. Pure functions; xterm's control sequences (ctlseqs) are the
// reference.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

// Returns DA1 (leader 0), DA2 ('>') or DA3 ('=').
std::string DeviceAttributes(char leader);
// XTVERSION.
std::string TerminalVersion();
// Returns DSR with this number, DEC's own ('?') or not, except for the cursor's
// position. nullopt: there is no answer.
std::optional<std::string> StatusReport(bool is_dec, int number);
// Returns DSR 6: the position counts from 1; with '?', in the form of DECXCPR.
std::string PlaceReport(bool is_dec, int row, int col);
// Returns the flags of kitty's keyboard protocol.
std::string KeyboardReport(int flags);
// XTQMODKEYS ('m') and XTQFMTKEYS ('f'), for one resource.
std::string OtherKeysReport(char final, int resource, int value);
// Answers the XTWINOPS that ask for sizes.
std::optional<std::string> WindowReport(int operation, Size size);

// Return the colours of OSC 4 (by index), 10, 11 and 12: "rgb:ffff/...".
// nullopt: no colour has that number.
std::optional<std::string> PaletteColor(int index);
std::optional<std::string> DynamicColor(int osc);

// Answers XTGETTCAP. `names` is as in the question: hexadecimal, separated by
// semicolons. The first unknown name ends the answer, as in xterm.
std::string CapabilityReport(std::string_view names);

}  // namespace glasstty::terminal
