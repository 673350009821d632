#include "waits/near_miss.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace glasstty::waits {
namespace {

// Shorter parts occur in too many lines by chance.
constexpr size_t kShortest = 4;
// Only so many of the last lines are examined, and the beginning of each, so
// that the end of a wait does not keep the server from other work.
constexpr size_t kMostExamined = 500;
constexpr size_t kMostExaminedBytes = 2 << 10;

using LineSpan = std::span<const terminal::Line>;

std::string_view BeginningOf(const terminal::Line& line) {
  return std::string_view(line.text).substr(0, kMostExaminedBytes);
}

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Returns the text in lower case, without blanks; only ASCII has case here.
std::string Folded(std::string_view text) {
  std::string folded;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (!IsBlank(c)) folded += static_cast<char>(std::tolower(byte));
  }
  return folded;
}

// Returns the literal character for a backslash and `c`, or '\0' for a class,
// an anchor or a code.
char Escaped(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ? '\0' : c;
}

// Returns the position after the class or repetition that begins at `at`.
size_t SkipBracket(std::string_view pattern, size_t at) {
  char close = pattern[at] == '[' ? ']' : '}';
  size_t from = at + 1;
  // A ']' directly after "[" or "[^" is a literal.
  if (close == ']' && pattern.substr(from, 1) == "^") ++from;
  if (close == ']') ++from;
  size_t end = pattern.find(close, from);
  return end == std::string_view::npos ? pattern.size() : end + 1;
}

// Returns roughly the parts of `pattern` that contain no operator.
std::vector<std::string> LiteralParts(std::string_view pattern) {
  std::vector<std::string> parts(1);
  auto end_part = [&] {
    if (!parts.back().empty()) parts.emplace_back();
  };
  for (size_t at = 0; at < pattern.size();) {
    char c = pattern[at];
    if (c == '\\' && at + 1 < pattern.size()) {
      char letter = Escaped(pattern[at + 1]);
      if (letter == '\0') {
        end_part();
      } else {
        parts.back() += letter;
      }
      at += 2;
    } else if (c == '[' || c == '{') {
      end_part();
      at = SkipBracket(pattern, at);
    } else if (c == '*' || c == '?') {
      // The character before this operator is optional.
      if (!parts.back().empty()) parts.back().pop_back();
      end_part();
      ++at;
    } else {
      bool is_operator =
          std::string_view(".^$|()+").find(c) != std::string_view::npos;
      if (is_operator) {
        end_part();
      } else {
        parts.back() += c;
      }
      ++at;
    }
  }
  return parts;
}

// Calls `take` with each word of `text` in lower case. A word has at least two
// letters or digits; all characters of other scripts count as letters.
template <class Take>
void ForEachWord(std::string_view text, const Take& take) {
  std::string word;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80) {
      word += static_cast<char>(std::tolower(byte));
      continue;
    }
    if (word.size() > 1) take(word);
    word.clear();
  }
  if (word.size() > 1) take(word);
}

const std::string* LineWithSpacing(LineSpan lines, std::string_view text) {
  std::string wanted = Folded(text);
  if (wanted.size() < kShortest) return nullptr;
  for (size_t i = lines.size(); i > 0; --i) {
    const terminal::Line& line = lines[i - 1];
    if (Folded(BeginningOf(line)).find(wanted) != std::string::npos) {
      return &line.text;
    }
  }
  return nullptr;
}

const std::string* LineWithMostWords(LineSpan lines, std::string_view text) {
  // For each word, the place of the last line that was seen to have it.
  std::map<std::string, size_t> wanted;
  ForEachWord(text, [&](const std::string& word) { wanted.emplace(word, 0); });
  // A single word is not enough.
  size_t most = std::max<size_t>((wanted.size() + 1) / 2, 2) - 1;
  const std::string* best = nullptr;
  for (size_t i = lines.size(); i > 0; --i) {
    size_t shared = 0;
    ForEachWord(BeginningOf(lines[i - 1]), [&](const std::string& word) {
      auto found = wanted.find(word);
      if (found == wanted.end()) return;
      if (std::exchange(found->second, i) != i) ++shared;
    });
    if (shared <= most) continue;
    most = shared;
    best = &lines[i - 1].text;
  }
  return best;
}

// Replaces each number by one sign, so that "tick 7" and "tick 12" are alike.
std::string ShapeOf(std::string_view line) {
  std::string shape;
  for (char c : line) {
    bool is_digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (is_digit && !shape.empty() && shape.back() == '#') continue;
    shape += is_digit ? '#' : c;
  }
  return shape;
}

const std::string* OddLineOut(LineSpan lines) {
  // Fewer lines of the same shape prove nothing.
  constexpr size_t kFewest = 10;
  constexpr size_t kMostOdd = 3;
  std::map<std::string, size_t> counts;
  size_t total = 0, most = 0;
  for (const terminal::Line& line : lines) {
    if (line.text.empty()) continue;
    most = std::max(most, ++counts[ShapeOf(BeginningOf(line))]);
    ++total;
  }
  if (most < kFewest || total == most || total - most > kMostOdd) {
    return nullptr;
  }
  for (size_t i = lines.size(); i > 0; --i) {
    const terminal::Line& line = lines[i - 1];
    if (line.text.empty()) continue;
    if (counts[ShapeOf(BeginningOf(line))] < most) return &line.text;
  }
  return nullptr;
}

std::string FirstFound(const std::vector<terminal::Line>& given,
                       std::string_view longest, std::string_view all) {
  LineSpan lines(given);
  lines = lines.last(std::min(lines.size(), kMostExamined));
  const std::string* line = LineWithSpacing(lines, longest);
  if (line == nullptr) line = LineWithMostWords(lines, all);
  if (line == nullptr) line = OddLineOut(lines);
  return line == nullptr ? "" : *line;
}

}  // namespace

std::string NearMissOfText(const std::vector<terminal::Line>& lines,
                           std::string_view text) {
  return FirstFound(lines, text, text);
}

std::string NearMissOfPattern(const std::vector<terminal::Line>& lines,
                              std::string_view pattern) {
  std::vector<std::string> parts = LiteralParts(pattern);
  const std::string& longest = *std::max_element(
      parts.begin(), parts.end(),
      [](const auto& a, const auto& b) { return a.size() < b.size(); });
  std::string all;
  for (const std::string& part : parts) all += part + " ";
  return FirstFound(lines, longest, all);
}

}  // namespace glasstty::waits
