#include "waits/near_miss.h"

#include <cctype>
#include <cstddef>

namespace glasstty::waits {
namespace {

// A shorter part is in too many lines by chance.
constexpr size_t kShortest = 4;

bool IsBlank(char c) { return c == ' ' || c == '\t'; }

// Lower case, without blanks; only ASCII has case here.
std::string Folded(std::string_view text) {
  std::string folded;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (!IsBlank(c)) folded += static_cast<char>(std::tolower(byte));
  }
  return folded;
}

// What a backslash makes of the letter behind it; '\0' is more than a letter
// (a class, an anchor, a code).
char Escaped(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ? '\0' : c;
}

// One past the end of the class or group that begins at `at`.
size_t SkipBracket(std::string_view pattern, size_t at) {
  char close = pattern[at] == '[' ? ']' : '}';
  // A ']' right behind the '[' or "[^" stands for itself.
  size_t from = at + (close == ']' ? 2 : 1);
  size_t end = pattern.find(close, from);
  return end == std::string_view::npos ? pattern.size() : end + 1;
}

// What every match of `pattern` holds, roughly: the longest stretch without an
// operator.
std::string LongestLiteral(std::string_view pattern) {
  std::string longest, part;
  auto end_part = [&] {
    if (part.size() > longest.size()) longest = part;
    part.clear();
  };
  for (size_t at = 0; at < pattern.size();) {
    char c = pattern[at];
    if (c == '\\' && at + 1 < pattern.size()) {
      char letter = Escaped(pattern[at + 1]);
      if (letter == '\0') {
        end_part();
      } else {
        part += letter;
      }
      at += 2;
    } else if (c == '[' || c == '{') {
      end_part();
      at = SkipBracket(pattern, at);
    } else if (c == '*' || c == '?') {
      // What it follows need not be there.
      if (!part.empty()) part.pop_back();
      end_part();
      ++at;
    } else {
      bool is_operator =
          std::string_view(".^$|()+").find(c) != std::string_view::npos;
      if (is_operator) {
        end_part();
      } else {
        part += c;
      }
      ++at;
    }
  }
  end_part();
  return longest;
}

}  // namespace

std::string NearMissOfText(const std::vector<terminal::Line>& lines,
                           std::string_view text) {
  std::string wanted = Folded(text);
  if (wanted.size() < kShortest) return "";
  for (size_t i = lines.size(); i > 0; --i) {
    const std::string& line = lines[i - 1].text;
    if (Folded(line).find(wanted) != std::string::npos) return line;
  }
  return "";
}

std::string NearMissOfPattern(const std::vector<terminal::Line>& lines,
                              std::string_view pattern) {
  return NearMissOfText(lines, LongestLiteral(pattern));
}

}  // namespace glasstty::waits
