#include "support/text.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_format.h"
#include "base/utf8.h"

namespace glasstty {
namespace {

// Returns -1 for a character that is not a digit.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string Join(const std::vector<std::string>& parts,
                 std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string_view TrimTrailingBlanks(std::string_view text) {
  size_t end = text.find_last_not_of(' ');
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

std::string_view TrimBlanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string_view TrimLineEnd(std::string_view text) {
  size_t end = text.find_last_not_of(" \t\r");
  return text.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

// Looks for positions where both the first and the last byte of `needle` match.
// Compilers turn the inner loop, which checks many positions, into a few vector
// instructions.
size_t FindText(std::string_view text, std::string_view needle, size_t from) {
  constexpr size_t kBlock = 64;
  const size_t distance = needle.size() - 1;
  const char first = needle.front(), last = needle.back();
  const char* const data = text.data();
  size_t at = from;
  for (; at + kBlock + distance <= text.size(); at += kBlock) {
    const char* const front = data + at;
    const char* const back = front + distance;
    uint8_t any = 0;
    for (size_t i = 0; i < kBlock; ++i) {
      any |= static_cast<uint8_t>((front[i] == first) & (back[i] == last));
    }
    if (any == 0) continue;
    for (size_t i = 0; i < kBlock; ++i) {
      if (front[i] == first && back[i] == last &&
          std::memcmp(front + i, needle.data(), needle.size()) == 0) {
        return at + i;
      }
    }
  }
  return text.find(needle, at);
}

std::string Counted(int64_t count, std::string_view noun) {
  return absl::StrFormat("%d %s%s", count, noun, count == 1 ? "" : "s");
}

std::string AsciiLower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string PercentDecode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    bool is_escape = text[i] == '%' && i + 2 < text.size() &&
                     HexValue(text[i + 1]) >= 0 && HexValue(text[i + 2]) >= 0;
    if (!is_escape) {
      out += text[i];
      continue;
    }
    out +=
        static_cast<char>(HexValue(text[i + 1]) * 16 + HexValue(text[i + 2]));
    i += 2;
  }
  return out;
}

std::string CleanText(std::string_view text, size_t max_code_points) {
  bool is_clean = text.size() <= max_code_points &&
                  std::ranges::all_of(text, absl::ascii_isprint);
  if (is_clean) return std::string(text);
  std::string out;
  for (size_t i = 0; i < max_code_points && !text.empty();) {
    char32_t c = TakeUtf8(&text);
    if (c < 0x20 || (c >= 0x7F && c < 0xA0)) continue;
    AppendUtf8(c, &out);
    ++i;
  }
  return out;
}

std::string ShellQuote(std::string_view text) {
  std::string out = "'";
  for (size_t i = 0; i < text.size(); ++i) {
    // Unlike other shells, fish has escapes between single quotes: \\ and \'.
    bool may_escape =
        text[i] == '\\' &&
        (i + 1 == text.size() || text[i + 1] == '\\' || text[i + 1] == '\'');
    if (text[i] == '\'' || may_escape) {
      out += std::string("'\\") + text[i] + "'";
    } else {
      out += text[i];
    }
  }
  return out + "'";
}

std::string ShellJoin(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,@";
  std::string line;
  for (const std::string& word : words) {
    bool is_plain =
        !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    if (!line.empty()) line += ' ';
    line += is_plain ? word : ShellQuote(word);
  }
  return line;
}

// Computes the optimal string alignment, which is the restricted
// Damerau-Levenshtein distance, in O(a*b).
size_t EditDistance(std::string_view a, std::string_view b) {
  // Dynamic programming needs three rows here, because a swap refers to the row
  // above the previous one.
  std::vector<size_t> before(b.size() + 1), above(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      bool swapped =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

// A candidate at a greater distance is a different word.
constexpr size_t kNear = 2;

std::string CutForMessage(std::string_view text) {
  constexpr size_t kMaxEcho = 60;
  std::string_view head = Utf8Prefix(text, kMaxEcho);
  return std::string(head) + (head.size() < text.size() ? "..." : "");
}

std::vector<std::string> Nearest(std::string_view word,
                                 const std::vector<std::string>& candidates,
                                 size_t limit) {
  std::vector<std::pair<size_t, std::string>> near;
  std::string lower = AsciiLower(word);
  size_t most = std::min(1 + word.size() / 3, kNear);
  for (const std::string& candidate : candidates) {
    // The distance is at least the difference of the lengths. A word may have
    // megabytes, so compute it only if it can be small.
    size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) > most) continue;
    size_t distance = EditDistance(lower, AsciiLower(candidate));
    if (distance <= most) near.emplace_back(distance, candidate);
  }
  std::stable_sort(near.begin(), near.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  std::vector<std::string> out;
  for (size_t i = 0; i < near.size() && i < limit; ++i) {
    out.push_back(near[i].second);
  }
  return out;
}

std::string DidYouMean(std::string_view word,
                       const std::vector<std::string>& candidates) {
  std::vector<std::string> near = Nearest(word, candidates, 2);
  if (near.empty()) return "";
  return "; did you mean " + Join(near, " or ") + "?";
}

}  // namespace glasstty
