#include "support/pattern.h"

#include <re2/re2.h>

#include <utility>

#include "support/status.h"

namespace glasstty {
namespace {

// Bytes of a pattern. An agent that needs more has pasted output into it.
constexpr size_t kMaxSource = 4096;
// For a pattern's automata; RE2 falls back to a slower one when it is used up.
constexpr int64_t kMaxMemory = 8 << 20;
// In the text and not as an option: set_one_line only works in POSIX syntax.
constexpr char kMultiLine[] = "(?m)";

RE2::Options PatternOptions() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

// What RE2 says without the whole pattern, which it repeats with our prefix.
std::string Complaint(const RE2& regex) {
  const std::string& what = regex.error();
  size_t whole = what.find(absl::StrFormat(": %s", regex.pattern()));
  return whole == std::string::npos ? what : what.substr(0, whole);
}

}  // namespace

Pattern::Pattern(std::string source, std::shared_ptr<const re2::RE2> regex)
    : source_(std::move(source)), regex_(std::move(regex)) {}

absl::StatusOr<Pattern> Pattern::Compile(std::string_view source) {
  if (source.size() > kMaxSource) {
    return InvalidArgument("pattern of %d bytes; the limit is %d",
                           source.size(), kMaxSource);
  }
  auto regex = std::make_shared<const RE2>(
      absl::StrFormat("%s%s", kMultiLine, source), PatternOptions());
  if (!regex->ok()) {
    return InvalidArgument("pattern: %s: \"%s\" (RE2 syntax)",
                           Complaint(*regex), source);
  }
  return Pattern(std::string(source), std::move(regex));
}

Pattern Pattern::Literal(std::string_view text) {
  RE2::Options options = PatternOptions();
  options.set_literal(true);
  std::string source(text);
  auto regex = std::make_shared<const RE2>(source, options);
  return Pattern(std::move(source), std::move(regex));
}

std::optional<Pattern::Match> Pattern::Find(std::string_view text,
                                            size_t from) const {
  re2::StringPiece found;
  bool matched = from <= text.size() &&
                 regex_->Match(re2::StringPiece(text.data(), text.size()), from,
                               text.size(), RE2::UNANCHORED, &found, 1);
  if (!matched) return std::nullopt;
  size_t begin = static_cast<size_t>(found.data() - text.data());
  return Match{begin, begin + found.size()};
}

}  // namespace glasstty
