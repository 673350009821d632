// Regular expressions that agents write. RE2 matches them, so no input can
// exhaust time or stack (std::regex overflows the stack on long lines). A
// Pattern is a value and cheap to copy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace re2 {
class RE2;
}

namespace glasstty {

class Pattern {
 public:
  struct Match {
    size_t begin = 0;
    size_t end = 0;
  };

  // Compiles RE2 syntax, at most 4 KiB, multi-line: ^ and $ match at line ends.
  // The error says what is wrong.
  static absl::StatusOr<Pattern> Compile(std::string_view source);
  // Returns a pattern that matches exactly `text`.
  static Pattern Literal(std::string_view text);

  // Returns the leftmost match at or after `from`.
  std::optional<Match> Find(std::string_view text, size_t from = 0) const;
  // Returns the match in the first line that has one. Each line of `lines` is a
  // separate text; the last may lack a newline. `from` must be the beginning of
  // a line. Searches all lines at once if possible.
  std::optional<Match> FindLine(std::string_view lines, size_t from) const;
  // Returns what the first group matches in the last match of `text` in which
  // it takes part; nullopt if there is none.
  std::optional<Match> FindLastGroup(std::string_view text) const;
  // The number of groups.
  int groups() const;
  const std::string& source() const { return source_; }
  // A text that every match contains; "" if none is known.
  const std::string& required() const { return required_; }

 private:
  Pattern(std::string source, std::shared_ptr<const re2::RE2> regex);

  std::string source_;
  std::shared_ptr<const re2::RE2> regex_;
  // Searches many lines at once; null if each line must be searched separately.
  std::shared_ptr<const re2::RE2> lines_regex_;
  std::string required_;
  bool is_literal_ = false;  // matches consist of required_ alone
};

// Returns a text that every match of a pattern in RE2 syntax contains: the
// longest that the literal characters of the pattern prove, or "" if none is
// certain.
std::string RequiredText(std::string_view source);

}  // namespace glasstty
