// String helpers that Debian's release of abseil does not offer for
// std::string_view. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

// Returns "a, b, c" if the separator is ", ".
std::string Join(const std::vector<std::string>& parts,
                 std::string_view separator);
// Splits at every `separator`; "" gives one empty part.
std::vector<std::string> Split(std::string_view text, char separator);
std::string_view TrimTrailingBlanks(std::string_view text);
// Removes spaces and tabs at both ends.
std::string_view TrimBlanks(std::string_view text);
// Removes spaces, tabs and carriage returns at the end.
std::string_view TrimLineEnd(std::string_view text);
// Returns the first index of `needle` at or after `from`, or npos. Is several
// times as fast as memmem(3), which uses no vector instructions. REQUIRES:
// !needle.empty().
size_t FindText(std::string_view text, std::string_view needle, size_t from);
// Returns "1 line" or "2 lines".
std::string Counted(int64_t count, std::string_view noun);
std::string AsciiLower(std::string_view text);
// Replaces "%41" by "A" (RFC 3986); everything else is unchanged.
std::string PercentDecode(std::string_view text);
// Makes untrusted text safe in headers, in logs and for people: removes control
// characters, replaces invalid UTF-8, and truncates to `max_code_points`.
std::string CleanText(std::string_view text,
                      size_t max_code_points = std::string_view::npos);

// Quotes `text` as one word for a shell: 'it'\''s'. The result is valid in sh,
// bash, zsh and fish.
std::string ShellQuote(std::string_view text);
// Returns a command line that a shell splits into exactly these words. Words of
// plain characters are not quoted.
std::string ShellJoin(const std::vector<std::string>& words);

// Returns the smallest number of edits (insert, delete, replace, swap of
// neighbours) that turn one word into the other.
size_t EditDistance(std::string_view a, std::string_view b);

// Returns at most 60 bytes of a value or a name for an error message, because
// its writer knows the rest.
std::string CutForMessage(std::string_view text);

// Returns at most `limit` candidates, nearest first, that `word` may be a
// typing error for: their EditDistance from it, ignoring case, is at most 2,
// and at most 1 + a third of the length of `word`.
std::vector<std::string> Nearest(std::string_view word,
                                 const std::vector<std::string>& candidates,
                                 size_t limit = 3);

// Returns "; did you mean A or B?", or "" if nothing is near.
std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& candidates);

}  // namespace glasstty
