// String helpers that Debian's release of abseil does not offer for
// std::string_view. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty {

// "a, b, c".
std::string Join(const std::vector<std::string>& parts,
                 std::string_view separator);
// At every `separator`; "" gives one empty part.
std::vector<std::string> Split(std::string_view text, char separator);
std::string_view TrimTrailingBlanks(std::string_view text);
// Without blanks and tabs at both ends.
std::string_view TrimBlanks(std::string_view text);
// Without tabs and carriage returns at the end, too.
std::string_view TrimLineEnd(std::string_view text);
// The first place of `needle` at or after `from`; npos when there is none.
// Several times as fast as memmem(3), which knows no wide instructions.
// REQUIRES: !needle.empty().
size_t FindText(std::string_view text, std::string_view needle, size_t from);
// "1 line", "2 lines".
std::string Counted(int64_t count, std::string_view noun);
std::string AsciiLower(std::string_view text);
// "%41" becomes "A" (RFC 3986); anything else stays as it is.
std::string PercentDecode(std::string_view text);
// Valid UTF-8 without control characters, at most so many code points: what
// strangers say, fit for headers, people and logs.
std::string CleanText(std::string_view text,
                      size_t max_code_points = std::string_view::npos);

// As one word for a shell: 'it'\''s'. Right for sh, bash, zsh and fish.
std::string ShellQuote(std::string_view text);

// Edits (insert, delete, replace, swap of neighbours) between two words.
size_t EditDistance(std::string_view a, std::string_view b);

// The candidates nearest to `word`, best first: at most `limit`, and only such
// as a slip of the finger explains (distance <= 1 + a third of the length, case
// ignored). For "did you mean".
std::vector<std::string> Nearest(std::string_view word,
                                 const std::vector<std::string>& candidates,
                                 size_t limit = 3);

// "; did you mean A or B?", or "" when nothing is near.
std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& candidates);

}  // namespace glasstty
