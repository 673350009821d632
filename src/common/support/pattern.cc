#include "support/pattern.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/utf8.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The limit in bytes. An agent that exceeds it has probably pasted output into
// the pattern.
constexpr size_t kMaxSource = 4096;
// The memory in bytes for a pattern's automata. If it is used up, RE2 falls
// back to a slower automaton.
constexpr int64_t kMaxMemory = 8 << 20;
// Multi-line mode is set in the pattern, because RE2's option set_one_line
// works in POSIX syntax only.
constexpr char kMultiLine[] = "(?m)";

RE2::Options PatternOptions() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  return options;
}

// Returns RE2's message without the pattern that it quotes, because the quoted
// pattern includes kMultiLine.
std::string Complaint(const RE2& regex) {
  const std::string& what = regex.error();
  size_t whole = what.find(absl::StrFormat(": %s", regex.pattern()));
  return whole == std::string::npos ? what : what.substr(0, whole);
}

std::optional<Pattern::Match> FindWith(const RE2& regex, std::string_view text,
                                       size_t from) {
  re2::StringPiece found;
  bool matched = from <= text.size() &&
                 regex.Match(re2::StringPiece(text.data(), text.size()), from,
                             text.size(), RE2::UNANCHORED, &found, 1);
  if (!matched) return std::nullopt;
  size_t begin = static_cast<size_t>(found.data() - text.data());
  return Pattern::Match{begin, begin + found.size()};
}

// Returns true if the pattern may match differently in a text of many lines
// than in each line alone. \A, \z and a pattern that disables multi-line mode
// distinguish the bounds of a text from those of a line; \C matches any byte,
// even a newline.
bool TellsTextsFromLines(std::string_view source) {
  for (std::string_view what : {"\\A", "\\z", "\\C", "(?"}) {
    size_t at = source.find(what);
    // "(?P<name>" and "(?:" only begin groups, and "(?i)" is harmless, too.
    while (at != std::string::npos && what == "(?") {
      std::string_view flags = source.substr(at + 2);
      flags = flags.substr(0, flags.find_first_not_of("imsU-"));
      if (flags.find('-') != std::string::npos) return true;
      at = source.find(what, at + 2);
    }
    if (at != std::string::npos) return true;
  }
  return false;
}

// Shorter texts occur nearly everywhere, so searching for them first gains
// nothing.
constexpr size_t kMinRequired = 3;

bool IsPunctuation(char c) {
  return std::ispunct(static_cast<unsigned char>(c)) != 0;
}

// Returns the index after the group or class that begins at `at`; npos if this
// parser cannot find its end.
size_t SkipGroup(std::string_view source, size_t at) {
  if (source[at] == '[') {
    size_t next = at + 1;
    if (next < source.size() && source[next] == '^') ++next;
    if (next < source.size() && source[next] == ']') ++next;
    for (; next < source.size() && source[next] != ']'; ++next) {
      if (source[next] == '\\') ++next;
      // This handles "[[:alpha:]]".
      if (source.substr(next, 2) == "[:") next = source.find(":]", next) + 1;
      if (next == 0) return std::string::npos;
    }
    return next < source.size() ? next + 1 : std::string::npos;
  }
  for (size_t next = at + 1; next < source.size(); ++next) {
    if (source[next] == ')') return next + 1;
    if (source[next] == '\\') ++next;
    if (next < source.size() && (source[next] == '[' || source[next] == '(')) {
      next = SkipGroup(source, next);
      if (next == std::string::npos) return next;
      --next;
    }
  }
  return std::string::npos;
}

}  // namespace

// Looks for runs of literal characters. Repeated or optional parts, groups and
// classes end a run. The result is "" if the pattern has alternatives at the
// top level, flags or quoting.
std::string RequiredText(std::string_view source) {
  std::string longest, run;
  auto end_run = [&] {
    if (run.size() > longest.size()) longest = run;
    run.clear();
  };
  for (size_t at = 0; at < source.size();) {
    char c = source[at];
    if (c == '|' || source.substr(at, 2) == "(?" ||
        source.substr(at, 2) == "\\Q") {
      bool is_group =
          source.substr(at, 3) == "(?:" || source.substr(at, 4) == "(?P<";
      if (!is_group) return "";
    }
    if (c == '(' || c == '[') {
      end_run();
      at = SkipGroup(source, at);
      if (at == std::string::npos) return "";
      continue;
    }
    if (c == '?' || c == '*' || c == '{') {
      // A match need not contain the preceding character, which may have
      // several bytes in UTF-8.
      while (!run.empty() && IsContinuation(run.back())) run.pop_back();
      if (!run.empty()) run.pop_back();
      end_run();
      at = c == '{' ? source.find('}', at) : at;
      if (at == std::string::npos) return "";
    } else if (c == '+' || c == '.' || c == '^' || c == '$') {
      end_run();
    } else if (c == '\\') {
      if (++at == source.size()) return "";
      if (IsPunctuation(source[at])) {
        run += source[at];
      } else {
        end_run();
        // The characters after "\x", "\p" and the like are not literal.
        if (std::string_view("xpP01234567").find(source[at]) !=
            std::string::npos) {
          return longest;
        }
      }
    } else {
      run += c;
    }
    ++at;
  }
  end_run();
  return longest;
}

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
  Pattern pattern(std::string(source), std::move(regex));
  pattern.required_ = RequiredText(source);
  if (pattern.required_.size() < kMinRequired) pattern.required_.clear();
  pattern.is_literal_ = !source.empty() && pattern.required_ == source &&
                        source.find('\n') == std::string::npos;
  bool needs_lines = pattern.required_.empty();
  if (!needs_lines || TellsTextsFromLines(source)) return pattern;
  RE2::Options options = PatternOptions();
  // Otherwise "[^a]*" would continue in the next line.
  options.set_never_nl(true);
  pattern.lines_regex_ = std::make_shared<const RE2>(
      absl::StrFormat("%s%s", kMultiLine, source), options);
  return pattern;
}

Pattern Pattern::Literal(std::string_view text) {
  RE2::Options options = PatternOptions();
  options.set_literal(true);
  std::string source(text);
  auto regex = std::make_shared<const RE2>(source, options);
  Pattern pattern(std::move(source), std::move(regex));
  pattern.required_ = pattern.source_;
  pattern.is_literal_ = !text.empty() && text.find('\n') == std::string::npos;
  return pattern;
}

std::optional<Pattern::Match> Pattern::Find(std::string_view text,
                                            size_t from) const {
  return FindWith(*regex_, text, from);
}

std::optional<Pattern::Match> Pattern::FindLastGroup(
    std::string_view text) const {
  std::optional<Match> last;
  re2::StringPiece found[2];
  size_t from = 0;
  while (from <= text.size() &&
         regex_->Match(re2::StringPiece(text.data(), text.size()), from,
                       text.size(), RE2::UNANCHORED, found, 2)) {
    if (found[1].data() != nullptr) {
      auto begin = static_cast<size_t>(found[1].data() - text.data());
      last = Match{begin, begin + found[1].size()};
    }
    auto end =
        static_cast<size_t>(found[0].data() - text.data()) + found[0].size();
    // Skip a byte after an empty match, which would be found again for ever.
    from = std::max(end, from + 1);
  }
  return last;
}

int Pattern::groups() const { return regex_->NumberOfCapturingGroups(); }

// Finding a required text is many times as fast as matching a pattern, so the
// pattern is matched only on lines that contain the required text.
std::optional<Pattern::Match> Pattern::FindLine(std::string_view lines,
                                                size_t from) const {
  if (from >= lines.size()) return std::nullopt;
  if (required_.empty() && lines_regex_ != nullptr) {
    auto match = FindWith(*lines_regex_, lines, from);
    // No line begins after the last newline.
    bool is_behind = match && match->begin == lines.size();
    if (is_behind && lines.back() == '\n') return std::nullopt;
    return match;
  }
  while (from < lines.size()) {
    size_t begin = from;
    if (!required_.empty()) {
      size_t at = FindText(lines, required_, from);
      if (at == std::string::npos) return std::nullopt;
      if (is_literal_) return Match{at, at + required_.size()};
      begin = at == 0 ? 0 : lines.rfind('\n', at - 1) + 1;
    }
    size_t end = std::min(lines.find('\n', begin), lines.size());
    if (auto match = Find(lines.substr(begin, end - begin))) {
      return Match{begin + match->begin, begin + match->end};
    }
    from = end + 1;
  }
  return std::nullopt;
}

}  // namespace glasstty
