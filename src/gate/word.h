// One word of a command: what the program would get, and how each byte came
// about. So a rule sees through quotes, and still knows that a quoted star is
// not a glob. Values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::gate {

enum class Mark : char {
  kQuoted,    // stands for itself
  kLive,      // unquoted: may be a glob, a tilde, a brace
  kUnknown,   // of an expansion whose value is not known and may be empty
  kNonEmpty,  // the same, but not empty
};

struct Word {
  // After quotes and known expansions; `$X` stays where the value is not known.
  std::string text;
  // One for each byte of `text`.
  std::vector<Mark> marks;
  // Holds the output of a program that fetches from the network.
  bool downloads = false;

  static Word Of(std::string_view text, Mark mark = Mark::kQuoted);
  bool IsKnown() const;
  // All of it is unquoted and of no expansion.
  bool IsLive() const;
  // The byte at `i` is an unquoted `c`.
  bool HasLive(size_t i, char c) const {
    return text[i] == c && marks[i] == Mark::kLive;
  }
  void Append(std::string_view more, Mark mark);
  void Append(const Word& more);
  // As std::string::substr.
  Word Part(size_t from, size_t size = std::string::npos) const;
};

using Words = std::vector<Word>;

// "+x" is one of shells: set +x, date +%s.
bool IsOption(const Word& word);
// As a person would read them: without quotes, one blank between two.
std::string TextOf(const Words& words);
// "rm" of "/bin/rm".
std::string BaseName(std::string_view path);
// "x{a,b}" is "xa" and "xb"; a few dozen words at most.
Words ExpandBraces(const Word& word);

}  // namespace glasstty::gate
