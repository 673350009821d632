// Makes bytes visible ("\e[31m", "\r\n", "\x07"), and converts them back.
//
// This is the notation of fixtures, `glasstty dump`, log lines and raw reads.
// Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace glasstty {

// Shows ESC, CR, LF, TAB, BS, BEL and backslash as \e \r \n \t \b \a \\; other
// control bytes and bytes that are not UTF-8 as \xHH; C1 code points as \u{9b}.
// Everything else is unchanged.
std::string EscapeBytes(std::string_view bytes);
// Escapes control characters, except tabs and newlines. Use this for messages
// to a person that quote untrusted text, so that the quoted text cannot affect
// the terminal.
std::string EscapeControls(std::string_view text);

// Reverses EscapeBytes; also accepts \0 and \u{HEX}. Unknown escapes are
// unchanged.
std::string UnescapeBytes(std::string_view text);

}  // namespace glasstty
