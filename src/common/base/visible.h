// Makes untrusted text safe to display. Its control characters could act on a
// person's terminal or begin a new line, and its invisible characters could
// hide from a person what a model reads. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty {

// Replaces control and invisible characters in a text of many lines, such as a
// program's output. REQUIRES: `text` is valid UTF-8.
//
// Control characters become escapes ("\e"), except tabs, newlines, and carriage
// returns at the end of a line or of the text. Zero-width, bidirectional and
// tag characters (Unicode, "default ignorable") become "<U+200B>". Writing
// systems and emoji need some of these, which are kept: joiners between letters
// or emoji, one variation selector after a symbol, and the tags of the flags of
// England, Scotland and Wales. Adds the number of replaced invisible characters
// to `*count`; escapes are not counted.
std::string ShowInvisible(std::string_view text, int64_t* count);

// Returns true if `text` has control characters other than tabs, newlines and
// carriage returns. Checks many bytes at once.
bool HasControls(std::string_view text);
// If HasControls(text), returns the text as ShowInvisible does, or else
// unchanged. Call this last, before a text leaves the program.
std::string ShowControls(std::string text);

// Prepares a name, a command line or a message for use inside our own text.
// Replaces the same characters as ShowInvisible, and also tabs, line ends and
// the tags of flags, so the result is one line of valid UTF-8. A text of more
// than `most` code points is truncated, and "..." is added.
std::string ShowOnOneLine(std::string_view text,
                          size_t most = std::string_view::npos);

// The maximum number of code points in a quotation, which is enough for a row
// of a wide screen.
inline constexpr size_t kMostQuoted = 200;
// Like ShowOnOneLine, but in double quotes. Puts a backslash before each quote
// and each backslash, and into each separator of a reply's header (" | ", "; ",
// "->"), so a text cannot contain what looks like the end of the quotation.
std::string Quoted(std::string_view text, size_t most = kMostQuoted);
// Quotes a name or a path only if necessary. A text of 1 to `most` ASCII
// letters, digits and "_./~+-:@%," needs no quotes.
std::string QuotedUnlessPlain(std::string_view text, size_t most = kMostQuoted);

}  // namespace glasstty
