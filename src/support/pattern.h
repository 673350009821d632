// Patterns that agents write: RE2, so that no input can blow up time or stack
// (std::regex overflows the stack on long lines). A value, cheap to copy.
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

  // RE2 syntax, at most 4 KiB, multi-line: ^ and $ match at line ends.
  // Error: what is wrong with it.
  static absl::StatusOr<Pattern> Compile(std::string_view source);
  // Matches exactly `text`.
  static Pattern Literal(std::string_view text);

  // Leftmost match at or after `from`.
  std::optional<Match> Find(std::string_view text, size_t from = 0) const;
  // The match in the first line that has one, each line of `lines` being a text
  // of its own; the last may be without a newline. `from` is where a line
  // begins. Looks at all lines at once where it can.
  std::optional<Match> FindLine(std::string_view lines, size_t from) const;
  const std::string& source() const { return source_; }
  // Stands in every match; "" where none is known.
  const std::string& required() const { return required_; }

 private:
  Pattern(std::string source, std::shared_ptr<const re2::RE2> regex);

  std::string source_;
  std::shared_ptr<const re2::RE2> regex_;
  // For many lines: null where each must be looked at by itself.
  std::shared_ptr<const re2::RE2> lines_regex_;
  std::string required_;
  bool is_literal_ = false;  // and nothing else is in a match
};

// A text that is part of every match of a pattern in RE2 syntax, the longest
// that can be told from the pattern's own letters; "" when there is none for
// certain.
std::string RequiredText(std::string_view source);

}  // namespace glasstty
