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
  const std::string& source() const { return source_; }

 private:
  Pattern(std::string source, std::shared_ptr<const re2::RE2> regex);

  std::string source_;
  std::shared_ptr<const re2::RE2> regex_;
};

}  // namespace glasstty
