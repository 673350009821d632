// Makes bytes visible ("\e[31m", "\r\n", "\x07"), and converts them back.
//
// Fixtures, `glasstty dump`, log lines and raw reads use this notation. Pure
// functions.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// ESC, CR, LF, TAB, BS, BEL and backslash as \e \r \n \t \b \a \\; other
// control bytes and bytes that are not UTF-8 as \xHH; C1 code points as \u{9b}.
// The rest is kept.
std::string EscapeBytes(std::string_view bytes);
// The same for control characters only, but tabs and ends of lines: text for
// people that quotes what others wrote does nothing to their terminal.
std::string EscapeControls(std::string_view text);

// The reverse; also knows \0 and \u{HEX}. An unknown escape is kept as it
// stands.
std::string UnescapeBytes(std::string_view text);

}  // namespace glasstty
