#include "motion/states.h"

#include <algorithm>

#include "base/utf8.h"
#include "motion/letters.h"
#include "motion/shape.h"
#include "support/text.h"

namespace glasstty::motion {
namespace {

constexpr size_t kMostNews = 256;
// A name, a state, and something else: such a line is a row of a table.
constexpr size_t kFewestWords = 3;

bool HasLetter(std::string_view word) {
  return std::any_of(word.begin(), word.end(), IsLetter);
}

// Returns "" if the first word is no name.
std::string NameIn(std::string_view line) {
  line = Utf8Prefix(line, kTellingBytes);
  size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return "";
  line.remove_prefix(begin);
  std::string_view name = line.substr(0, line.find(' '));
  return HasLetter(name) ? std::string(name) : "";
}

std::vector<std::string> WordsIn(std::string_view line) {
  return Split(ShapeOf(Utf8Prefix(line, kTellingBytes)), ' ');
}

}  // namespace

void States::Note(std::string_view line) {
  std::string name = NameIn(line);
  std::vector<std::string> words = WordsIn(line);
  if (name.empty() || words.size() < kFewestWords) return;
  if (news_.size() >= kMostNews) news_.clear();
  news_[std::move(name)] = std::move(words);
}

bool States::IsEnd(std::string_view line) const {
  if (news_.empty()) return false;
  auto news = news_.find(NameIn(line));
  if (news == news_.end()) return false;
  std::vector<std::string> words = WordsIn(line);
  if (words.size() != news->second.size()) return false;
  auto [now, before] =
      std::mismatch(words.begin(), words.end(), news->second.begin());
  if (now == words.end() || !HasLetter(*now) || !HasLetter(*before)) {
    return false;
  }
  return std::equal(now + 1, words.end(), before + 1);
}

void States::Forget(std::string_view line) {
  if (IsEnd(line)) news_.erase(NameIn(line));
}

}  // namespace glasstty::motion
