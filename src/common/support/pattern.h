// Compiles and matches regular expressions that agents and people write. RE2
// does the matching, so no input can exhaust time or stack (std::regex
// overflows the stack on long lines). A Pattern is a value and cheap to copy.
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

  // Compiles a pattern in RE2 syntax, of at most 4 KiB. ^ and $ match at the
  // beginning and the end of each line. The error explains what is wrong.
  static absl::StatusOr<Pattern> Compile(std::string_view source);
  // Returns a pattern that matches exactly `text`.
  static Pattern Literal(std::string_view text);

  // Returns the leftmost match at or after `from`.
  std::optional<Match> Find(std::string_view text, size_t from = 0) const;
  // Searches the lines that begin at or after `from`, which must be the
  // beginning of a line. Returns the leftmost match in the first line with a
  // match. Each line counts as a separate text; the last line may lack a
  // newline. Searches all lines at once if possible.
  std::optional<Match> FindLine(std::string_view lines, size_t from) const;
  // Finds the last match in `text` in which the first group takes part. Returns
  // the group's place in `text`, or nullopt if there is no such match.
  std::optional<Match> FindLastGroup(std::string_view text) const;
  // The number of groups.
  int groups() const;
  const std::string& source() const { return source_; }
  // A text that every match contains; "" if no text of useful length is known.
  const std::string& required() const { return required_; }

 private:
  Pattern(std::string source, std::shared_ptr<const re2::RE2> regex);

  std::string source_;
  std::shared_ptr<const re2::RE2> regex_;
  // Searches many lines at once. Null if not possible or not needed.
  std::shared_ptr<const re2::RE2> lines_regex_;
  std::string required_;
  bool is_literal_ = false;  // every match is exactly required_
};

// Returns a text that every match of the pattern `source` (RE2 syntax) must
// contain, or "" if none is found. This is the longest sequence of literal
// characters that a simple parser finds.
std::string RequiredText(std::string_view source);

}  // namespace glasstty
