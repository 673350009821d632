// Makes text that others chose harmless to show. Control characters in it could
// act on a person's terminal or begin a new line, and invisible characters
// could show a person something else than a model reads. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty {

// Shows invisible characters in a text of many lines, such as a program's
// output.
//
// Control characters except tabs and line ends become escapes ("\e"). In
// `text`, which must be valid UTF-8, zero-width, bidirectional and tag
// characters become "<U+200B>" (Unicode, "default ignorable"). Joiners between
// letters and one variation selector after a symbol are kept, because scripts
// and emoji need them. Adds the number of characters that it has replaced to
// `*count`.
std::string ShowInvisible(std::string_view text, int64_t* count);

// Returns whether there are control characters other than tabs, newlines and
// carriage returns. Checks many bytes at once.
bool HasControls(std::string_view text);
// Returns `text` with the replacements of ShowInvisible if HasControls(text),
// or else unchanged. This is the final check before a text is sent.
std::string ShowControls(std::string text);

// Prepares a name, a command line or a message for use inside our own text:
// shows invisible characters, on one line, as valid UTF-8. Tabs and line ends
// become escapes, too. A text of more than `most` code points is truncated and
// ends in "...".
std::string ShowOnOneLine(std::string_view text,
                          size_t most = std::string_view::npos);

// The maximum number of code points in a quoted text; enough for a row of a
// wide screen.
inline constexpr size_t kMostQuoted = 200;
// Like ShowOnOneLine, but in double quotes. A backslash precedes each quote,
// each backslash and whatever separates the parts of a reply's header (" | ",
// "; ", "->"), so no text can look as if it had ended.
std::string Quoted(std::string_view text, size_t most = kMostQuoted);
// Quotes a name or a path only if necessary: text that consists of ASCII
// letters, digits and "_./~+-:@%," needs no quotes. Empty text is quoted.
std::string QuotedUnlessPlain(std::string_view text, size_t most = kMostQuoted);

}  // namespace glasstty
