// The terminal's answers to queries of programs about its identity, state and
// capabilities.
//
// Answers contain only constants and numbers: they arrive as typed input, so
// they must not contain text that the program chose. Only working features are
// announced. Pure functions; xterm's control sequences (ctlseqs) are the
// reference.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "terminal/snapshot.h"

namespace glasstty::terminal {

// Answers DA1 (leader 0), DA2 ('>') or DA3 ('=').
std::string DeviceAttributes(char leader);
// Answers XTVERSION.
std::string TerminalVersion();
// Answers DSR with this number; `is_dec` is true for DEC's own ('?'). Returns
// nullopt if there is no answer, and for the cursor's position (PlaceReport).
std::optional<std::string> StatusReport(bool is_dec, int number);
// Answers DSR 6 with a position counted from 1; with `is_dec`, in the form of
// DECXCPR.
std::string PlaceReport(bool is_dec, int row, int col);
// Reports the flags of kitty's keyboard protocol.
std::string KeyboardReport(int flags);
// Answers XTQMODKEYS ('m') and XTQFMTKEYS ('f') for one resource.
std::string OtherKeysReport(char final, int resource, int value);
// Answers the operations of XTWINOPS that query sizes.
std::optional<std::string> WindowReport(int operation, Size size);

// Return the colours of OSC 4 (by index), 10, 11 and 12: "rgb:ffff/...". Return
// nullopt if no colour has that number.
std::optional<std::string> PaletteColor(int index);
std::optional<std::string> DynamicColor(int osc);

// Answers XTGETTCAP. `names` is as in the query: hexadecimal, separated by
// semicolons. The first unknown name ends the answer, as in xterm.
std::string CapabilityReport(std::string_view names);

}  // namespace glasstty::terminal
