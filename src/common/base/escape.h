// Makes bytes visible ("\e[31m", "\r\n", "\x07"), and converts them back.
//
// Fixtures, `glasstty dump`, log lines and raw reads use this notation. Pure
// functions.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// Shows ESC, CR, LF, TAB, BS, BEL and backslash as \e \r \n \t \b \a \\; other
// control bytes and bytes that are not UTF-8 as \xHH; C1 code points as \u{9b}.
// Other bytes are unchanged.
std::string EscapeBytes(std::string_view bytes);
// Escapes only control characters, except tabs and line ends: a text for people
// that quotes others must not affect their terminal.
std::string EscapeControls(std::string_view text);

// Reverses EscapeBytes; also knows \0 and \u{HEX}. Unknown escapes are
// unchanged.
std::string UnescapeBytes(std::string_view text);

}  // namespace glasstty
