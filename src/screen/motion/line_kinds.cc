#include "motion/line_kinds.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "motion/letters.h"
#include "motion/shape.h"
#include "support/text.h"

namespace glasstty::motion {
namespace {

// The limit of kinds for each number of words, beyond which only heavy kinds
// are added. Without it, each line of a list of names would become a kind.
constexpr size_t kMostOfLength = 40;
constexpr size_t kMostShapes = 4096;
constexpr size_t kMostWords = 64;
constexpr size_t kKeptBytes = 400;

std::vector<std::string> WordsOf(const std::string& shape) {
  std::vector<std::string> words = Split(shape, ' ');
  if (words.size() > kMostWords) words.resize(kMostWords);
  return words;
}

size_t CommonHead(const std::vector<std::string>& a,
                  const std::vector<std::string>& b) {
  auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<size_t>(end - a.begin());
}

// Counts the common words at the ends, without the first `from` words of `b`.
size_t CommonTail(const std::vector<std::string>& a,
                  const std::vector<std::string>& b, size_t from) {
  size_t most = std::min(a.size(), b.size() - std::min(from, b.size()));
  size_t same = 0;
  while (same < most && a[a.size() - 1 - same] == b[b.size() - 1 - same]) {
    ++same;
  }
  return same;
}

// Counts the words that contain letters, because others are numbers and signs.
size_t CountNamed(std::vector<std::string>::const_iterator begin,
                  std::vector<std::string>::const_iterator end) {
  return static_cast<size_t>(
      std::count_if(begin, end, [](const std::string& word) {
        return std::any_of(word.begin(), word.end(),
                           [](char c) { return IsLetter(c) || IsHigh(c); });
      }));
}

// Returns the word that determines the weight of a heavy line: a pod that was
// killed must not be grouped with one whose image could not be pulled.
std::string WeighingWord(const std::vector<std::string>& words, Weight weight) {
  if (!IsHeavy(weight)) return "";
  auto weighing = std::find_if(
      words.begin(), words.end(),
      [weight](const std::string& word) { return WeightOf(word) == weight; });
  return weighing == words.end() ? "" : *weighing;
}

std::string JoinWords(const std::vector<std::string>& words) {
  return Join(words, " ");
}

}  // namespace

std::string LineKinds::Kind::Text() const {
  std::string text = JoinWords(head);
  if (has_gap) text += text.empty() ? "\u2026" : " \u2026";
  if (!tail.empty()) text += " " + JoinWords(tail);
  return text;
}

// A kind with a single line has no gap, and all its words are in its head.
bool LineKinds::Widen(Kind* kind, const std::vector<std::string>& words) {
  size_t head = CommonHead(kind->head, words);
  if (!kind->has_gap && head == kind->head.size() && head == words.size()) {
    return true;
  }
  std::vector<std::string> rest(
      kind->head.begin() + static_cast<std::ptrdiff_t>(head), kind->head.end());
  const std::vector<std::string>& ending = kind->has_gap ? kind->tail : rest;
  size_t tail = CommonTail(ending, words, head);
  auto words_end = words.end() - static_cast<std::ptrdiff_t>(tail);
  auto words_begin = words.begin() + static_cast<std::ptrdiff_t>(head);
  size_t all = CountNamed(words.begin(), words.end());
  size_t same = all - CountNamed(words_begin, words_end);
  size_t all_of_kind = CountNamed(kind->head.begin(), kind->head.end()) +
                       CountNamed(kind->tail.begin(), kind->tail.end());
  if (head == 0 || same * 2 < std::max(all, all_of_kind)) return false;
  kind->tail.assign(ending.end() - static_cast<std::ptrdiff_t>(tail),
                    ending.end());
  kind->head.resize(head);
  kind->has_gap = true;
  return true;
}

std::optional<LineKinds::Added> LineKinds::TakeKind(const std::string& shape,
                                                    Weight weight,
                                                    bool may_add) {
  std::vector<std::string> words = WordsOf(shape);
  std::string key(1, static_cast<char>('0' + static_cast<int>(weight)));
  std::string weighing = WeighingWord(words, weight);
  key += words[0] + '\n' + weighing;
  if (auto alike = by_first_.find(key); alike != by_first_.end()) {
    for (size_t index : alike->second) {
      if (Widen(&kinds_[index], words)) return Added{index, false};
    }
  }
  OfLength& of_length = of_length_[std::min(words.size(), kLengths) - 1];
  bool is_full = kinds_.size() >= kMostKinds ||
                 (of_length.kinds >= kMostOfLength && !IsHeavy(weight));
  if (is_full && of_length.rest != kNoKind) return Added{of_length.rest, false};
  if (!may_add) return std::nullopt;
  size_t index = kinds_.size();
  Kind kind;
  kind.weight = weight;
  if (is_full) {
    of_length.rest = index;
    kind.has_gap = true;
  } else {
    kind.head = std::move(words);
    by_first_[key].push_back(index);
  }
  ++of_length.kinds;
  kinds_.push_back(std::move(kind));
  return Added{index, true};
}

// Weighing takes longer than everything else. Lines of one shape may differ in
// weight ("0 errors"), but only if a word of them has a weight, or if they are
// longer than the shape tells.
std::optional<LineKinds::Added> LineKinds::Take(std::string_view line,
                                                bool may_add) {
  std::string_view beginning = Utf8Prefix(line, kTellingBytes);
  std::string shape = ShapeOf(beginning, Ignore::kNames);
  auto known = by_shape_.find(shape);
  if (known == by_shape_.end()) {
    if (by_shape_.size() >= kMostShapes) by_shape_.clear();
    known = by_shape_.emplace(shape, OfShape()).first;
    known->second.may_weigh = MayWeigh(line);
  }
  OfShape& of_shape = known->second;
  bool weighs = of_shape.may_weigh || beginning.size() < line.size();
  Weight weight = weighs ? WeightOf(line) : Weight::kNone;
  size_t& index = of_shape.kinds[static_cast<size_t>(weight)];
  std::optional<Added> added = Added{index, false};
  if (index == kNoKind) added = TakeKind(shape, weight, may_add);
  if (!added) return added;
  index = added->kind;
  Kind& kind = kinds_[index];
  std::string_view cut = Utf8Prefix(line, kKeptBytes);
  if (kind.count == 0) kind.first = std::string(cut);
  kind.last.assign(cut);
  ++kind.count;
  return added;
}

}  // namespace glasstty::motion
