// A word of a command: the text that the program would get, and the origin of
// each byte. So a rule can ignore quotes, but a quoted star still does not
// count as a glob. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::gate {

enum class Mark : char {
  kQuoted,    // stands for itself
  kLive,      // unquoted: may be a glob, a tilde, a brace
  kUnknown,   // from an expansion with an unknown value that may be empty
  kNonEmpty,  // likewise, but not empty
};

struct Word {
  // The text without quotes, with known values in place of their expansions;
  // `$X` remains if its value is unknown.
  std::string text;
  std::vector<Mark> marks;  // one for each byte of `text`
  // The word contains the output of a program that downloads.
  bool downloads = false;

  static Word Of(std::string_view text, Mark mark = Mark::kQuoted);
  bool IsKnown() const;
  // Returns whether every byte stands for a value that is not known.
  bool IsUnknown() const;
  // Returns whether no byte is quoted or unknown.
  bool IsLive() const;
  // Returns whether the byte at `i` is an unquoted `c`.
  bool HasLive(size_t i, char c) const {
    return text[i] == c && marks[i] == Mark::kLive;
  }
  void Append(std::string_view more, Mark mark);
  void Append(const Word& more);
  // Works like std::string::substr.
  Word Part(size_t from, size_t size = std::string::npos) const;
};

using Words = std::vector<Word>;

// Returns true for "-x" and for "+x", as in "set +x" and "date +%s".
bool IsOption(const Word& word);
// Joins the words with blanks, as a person would read them: without quotes.
std::string TextOf(const Words& words);
// Returns the words from `i` on.
Words Behind(const Words& words, size_t i);
// Returns the words from `i` on as one word, separated by single blanks.
Word Joined(const Words& words, size_t i);
// Returns "rm" for "/bin/rm".
std::string BaseName(std::string_view path);
// Returns "xa" and "xb" for "x{a,b}"; a few hundred words at most.
Words ExpandBraces(const Word& word);

}  // namespace glasstty::gate
