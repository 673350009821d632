#include "motion/weight.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "motion/letters.h"
#include "support/text.h"

namespace glasstty::motion {
namespace {

struct WordRow {
  std::string_view word;
  Weight weight;
};

// The table is sorted. A word also matches its plural.
constexpr WordRow kWords[] = {
    {"abort", Weight::kFailure},
    {"aborted", Weight::kFailure},
    {"aborting", Weight::kFailure},
    {"alert", Weight::kFailure},
    {"cannot", Weight::kFailure},
    {"caution", Weight::kWarning},
    {"complete", Weight::kEnd},
    {"completed", Weight::kEnd},
    {"conflict", Weight::kFailure},
    {"corrupt", Weight::kFailure},
    {"corrupted", Weight::kFailure},
    {"crash", Weight::kFailure},
    {"crashed", Weight::kFailure},
    {"crashloopbackoff", Weight::kFailure},
    {"critical", Weight::kFailure},
    {"degraded", Weight::kWarning},
    {"denied", Weight::kFailure},
    {"deprecated", Weight::kWarning},
    {"done", Weight::kEnd},
    {"err", Weight::kFailure},
    {"errimagepull", Weight::kFailure},
    {"error", Weight::kFailure},
    {"exception", Weight::kFailure},
    {"fail", Weight::kFailure},
    {"failed", Weight::kFailure},
    {"failing", Weight::kFailure},
    {"failure", Weight::kFailure},
    {"fatal", Weight::kFailure},
    {"finished", Weight::kEnd},
    {"healthy", Weight::kEnd},
    {"imagepullbackoff", Weight::kFailure},
    {"killed", Weight::kFailure},
    {"lost", Weight::kFailure},
    {"nan", Weight::kFailure},
    {"notready", Weight::kFailure},
    {"oomkilled", Weight::kFailure},
    {"panic", Weight::kFailure},
    {"panicked", Weight::kFailure},
    {"passed", Weight::kEnd},
    {"ready", Weight::kEnd},
    {"refused", Weight::kFailure},
    {"rejected", Weight::kFailure},
    {"retry", Weight::kWarning},
    {"retrying", Weight::kWarning},
    {"stalled", Weight::kWarning},
    {"succeeded", Weight::kEnd},
    {"success", Weight::kEnd},
    {"successfully", Weight::kEnd},
    {"terminated", Weight::kFailure},
    {"timeout", Weight::kFailure},
    {"traceback", Weight::kFailure},
    {"unable", Weight::kFailure},
    {"unhealthy", Weight::kFailure},
    {"unreachable", Weight::kFailure},
    {"warn", Weight::kWarning},
    {"warning", Weight::kWarning},
};
constexpr size_t kLongest = 16;  // "crashloopbackoff"

struct PhraseRow {
  std::string_view phrase;
  Weight weight;
};
// Phrases whose words have a weight only together, and signs that are not
// words.
constexpr PhraseRow kPhrases[] = {
    {"not found", Weight::kFailure},
    {"No such file", Weight::kFailure},
    {"timed out", Weight::kFailure},
    {"Segmentation fault", Weight::kFailure},
    {"out of memory", Weight::kFailure},
    {"No space left", Weight::kFailure},
    // Caches count "1 evicted"; with a capital, the word means that a pod was
    // evicted.
    {"Evicted", Weight::kFailure},
    {"\u2717", Weight::kFailure},  // ballot x
    {"\u2718", Weight::kFailure},
    {"\u274C", Weight::kFailure},
    {"\u26A0", Weight::kWarning},
    {"[y/N]", Weight::kQuestion},
    {"[Y/n]", Weight::kQuestion},
    {"(y/n)", Weight::kQuestion},
    {"(yes/no", Weight::kQuestion},
};

// Words that deny the failure that follows them.
constexpr std::string_view kDenials[] = {"0",      "no",    "without", "zero",
                                         "ignore", "allow", "if"};

// These say that work continues; so does "still" before a word in "-ing".
constexpr std::string_view kGoesOn[] = {"heartbeat", "keepalive", "keep-alive",
                                        "s elapsed]", "s elapsed)"};

// Returns true if a word continues beyond this character as a name, as in
// "test_errors" and "a/error".
bool JoinsNames(char c) {
  return IsAlnum(c) || IsHigh(c) || c == '_' || c == '-' || c == '/' ||
         c == '\\' || c == '@';
}

bool StandsAlone(std::string_view line, size_t begin, size_t end) {
  if (begin > 0 && (JoinsNames(line[begin - 1]) || line[begin - 1] == '.')) {
    return false;
  }
  if (end >= line.size()) return true;
  if (line[end] == '.') return end + 1 >= line.size() || line[end + 1] == ' ';
  // "error[E0308]" and "error(s)" count as words; "error=0" is handled as a
  // denial.
  return !JoinsNames(line[end]);
}

const WordRow* FindWord(std::string_view lower) {
  const WordRow* row = std::lower_bound(
      std::begin(kWords), std::end(kWords), lower,
      [](const WordRow& r, std::string_view word) { return r.word < word; });
  return row != std::end(kWords) && row->word == lower ? row : nullptr;
}

const WordRow* FindWordOrPlural(std::string_view lower) {
  const WordRow* row = FindWord(lower);
  if (row != nullptr || lower.empty() || lower.back() != 's') return row;
  return FindWord(lower.substr(0, lower.size() - 1));
}

bool IsDenial(std::string_view word) {
  std::string lower = AsciiLower(word);
  return std::find(std::begin(kDenials), std::end(kDenials), lower) !=
         std::end(kDenials);
}

std::string_view LastWord(std::string_view text) {
  text = TrimTrailingBlanks(text);
  size_t at = text.find_last_of(" \t(,;:[|=");
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

// Returns true if `rest`, the text after a word, begins like ": 0" in "error:
// 0" or "=0" in "failed=0".
bool IsNoughtBehind(std::string_view rest) {
  if (rest.empty() || (rest[0] != ':' && rest[0] != '=')) return false;
  rest.remove_prefix(1);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return !rest.empty() && rest[0] == '0' &&
         (rest.size() == 1 ||
          !(IsLetter(rest[1]) || rest[1] == '.' || IsDigit(rest[1])));
}

bool IsDenied(std::string_view line, size_t begin, size_t end) {
  return IsDenial(LastWord(line.substr(0, begin))) ||
         IsNoughtBehind(line.substr(end));
}

enum class Denials { kBelieved, kIgnored };

Weight WeightOfWords(std::string_view line, Denials denials) {
  Weight heaviest = Weight::kNone;
  for (size_t at = 0; at < line.size();) {
    if (!IsLetter(line[at])) {
      ++at;
      continue;
    }
    size_t end = at;
    std::string lower;
    for (; end < line.size() && IsLetter(line[end]); ++end) {
      if (end - at <= kLongest) {
        lower += ToLower(line[end]);
      }
    }
    const WordRow* row =
        end - at > kLongest + 1 ? nullptr : FindWordOrPlural(lower);
    if (row != nullptr && row->weight > heaviest &&
        StandsAlone(line, at, end) &&
        (denials == Denials::kIgnored || !IsDenied(line, at, end))) {
      heaviest = row->weight;
    }
    at = end;
  }
  return heaviest;
}

// Returns true for "loss=inf" and "loss: inf", but not for "ETA: inf" or for
// other uses of the three letters.
bool IsInfinite(std::string_view line) {
  for (size_t at = line.find("inf"); at != std::string_view::npos;
       at = line.find("inf", at + 1)) {
    bool ends = at + 3 == line.size() || !JoinsNames(line[at + 3]);
    std::string_view before = TrimTrailingBlanks(line.substr(0, at));
    if (before.ends_with('-')) {
      before = TrimTrailingBlanks(before.substr(0, before.size() - 1));
    }
    bool is_value = before.ends_with('=') || before.ends_with(':');
    if (!ends || !is_value) continue;
    before.remove_suffix(1);
    std::string name = AsciiLower(LastWord(before));
    if (name != "eta" && name != "left") return true;
  }
  return false;
}

// Returns true for a line of an access log with a failure of the server, such
// as "GET / HTTP/1.1" 500 17; with `any`, for a line with any status.
bool IsFailedRequest(std::string_view line, bool any) {
  size_t at = line.find(" HTTP/");
  if (at == std::string_view::npos) return false;
  at = line.find("\" ", at);
  if (at == std::string_view::npos || at + 5 > line.size()) return false;
  std::string_view status = line.substr(at + 2, 3);
  return std::all_of(status.begin(), status.end(), IsDigit) &&
         (any || status[0] == '5');
}

// Returns true for "ValueError: ..." or "java.lang.IllegalStateException: ..."
// at the beginning of a line.
bool IsNamedError(std::string_view line) {
  size_t colon = line.find(':');
  if (colon == std::string_view::npos) colon = line.size();
  std::string_view name = line.substr(0, colon);
  bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return IsAlnum(c) || c == '.' || c == '_';
  });
  return is_name && colon < line.size() && name.size() > 5 &&
         (name.ends_with("Error") || name.ends_with("Exception"));
}

// Returns true if the dots of pytest or unittest contain the letter of a
// failure. They form a word of dots and letters of results only, at least half
// of them dots.
bool HasFailedDot(std::string_view line) {
  for (size_t begin = line.find_first_of(".F"); begin < line.size();) {
    size_t end = line.find_first_not_of(".FEsxX", begin);
    if (end == std::string_view::npos) end = line.size();
    std::string_view word = line.substr(begin, end - begin);
    bool is_word = (begin == 0 || line[begin - 1] == ' ') &&
                   (end == line.size() || line[end] == ' ') && word.size() > 1;
    auto dots = std::count(word.begin(), word.end(), '.');
    if (is_word && dots * 2 >= std::ssize(word) &&
        word.find_first_of("FE") != std::string_view::npos) {
      return true;
    }
    begin = line.find_first_of(".F", end + 1);
  }
  return false;
}

bool IsQuestion(std::string_view line) {
  line = TrimTrailingBlanks(line);
  if (line.size() < 3) return false;
  return line.back() == '?' || line.ends_with("?:") ||
         line.ends_with("assword:") || line.ends_with("assphrase:");
}

Weight WeightWith(std::string_view line, Denials denials) {
  Weight weight = WeightOfWords(line, denials);
  for (const PhraseRow& row : kPhrases) {
    if (row.weight > weight &&
        FindText(line, row.phrase, 0) != std::string_view::npos) {
      weight = row.weight;
    }
  }
  if (weight == Weight::kFailure) return weight;
  bool any = denials == Denials::kIgnored;
  bool is_failure = IsNamedError(line) || HasFailedDot(line) ||
                    IsInfinite(line) || IsFailedRequest(line, any);
  if (is_failure) return Weight::kFailure;
  return std::max(weight, IsQuestion(line) ? Weight::kQuestion : Weight::kNone);
}

}  // namespace

bool MayWeigh(std::string_view line) {
  return WeightWith(line, Denials::kIgnored) != Weight::kNone;
}

Weight WeightOf(std::string_view line) {
  return WeightWith(line, Denials::kBelieved);
}

bool SaysItGoesOn(std::string_view line) {
  constexpr std::string_view kStill = "still ";
  std::string lower = AsciiLower(line);
  bool goes_on = std::any_of(std::begin(kGoesOn), std::end(kGoesOn),
                             [&lower](std::string_view word) {
                               return lower.find(word) != std::string::npos;
                             });
  for (size_t at = lower.find(kStill); at != std::string::npos && !goes_on;
       at = lower.find(kStill, at + 1)) {
    size_t begin = at + kStill.size(), end = begin;
    while (end < lower.size() && IsLetter(lower[end])) ++end;
    std::string_view next = std::string_view(lower).substr(begin, end - begin);
    goes_on = (at == 0 || !IsAlnum(lower[at - 1])) && next.ends_with("ing");
  }
  return goes_on && !IsHeavy(WeightOf(line));
}

}  // namespace glasstty::motion
