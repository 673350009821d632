#include "gate/word.h"

#include <algorithm>

namespace glasstty {

Word Word::Literal(std::string_view text) {
  Word word;
  word.Append(text, Mark::kQuoted);
  return word;
}

bool Word::IsKnown() const {
  return std::none_of(marks.begin(), marks.end(), [](Mark mark) {
    return mark == Mark::kUnknown || mark == Mark::kNonEmpty;
  });
}

bool Word::IsLive() const {
  return std::all_of(marks.begin(), marks.end(),
                     [](Mark mark) { return mark == Mark::kLive; });
}

void Word::Append(std::string_view more, Mark mark) {
  text += more;
  marks.insert(marks.end(), more.size(), mark);
}

void Word::Append(const Word& more) {
  text += more.text;
  marks.insert(marks.end(), more.marks.begin(), more.marks.end());
  downloads |= more.downloads;
}

Word Word::Part(size_t from, size_t size) const {
  Word part;
  part.text = text.substr(from, size);
  auto begin = marks.begin() + static_cast<long>(from);
  part.marks.assign(begin, begin + static_cast<long>(part.text.size()));
  part.downloads = downloads;
  return part;
}

std::string BaseName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// The first group that has a comma; its alternatives are expanded in turn.
void ExpandBraces(const Word& word, size_t limit, std::vector<Word>* out) {
  // Longer words are data. Each brace looks for its end, so the work grows with
  // the square.
  constexpr size_t kLongest = 512;
  size_t size = word.text.size() > kLongest ? 0 : word.text.size();
  auto live = [&word](size_t i, char c) {
    return word.text[i] == c && word.marks[i] == Mark::kLive;
  };
  for (size_t open = 0; open < size; ++open) {
    if (!live(open, '{')) continue;
    // The brace and each comma of its own level.
    std::vector<size_t> cuts = {open};
    int depth = 0;
    size_t i = open + 1;
    for (; i < size && (depth > 0 || !live(i, '}')); ++i) {
      if (live(i, '{')) ++depth;
      if (live(i, '}')) --depth;
      if (depth == 0 && live(i, ',')) cuts.push_back(i);
    }
    // "{}" and "{a}" are no lists: find(1) and git get them as they are.
    if (i == size || cuts.size() == 1) continue;
    cuts.push_back(i);
    for (size_t n = 0; n + 1 < cuts.size() && out->size() < limit; ++n) {
      Word one = word.Part(0, open);
      one.Append(word.Part(cuts[n] + 1, cuts[n + 1] - cuts[n] - 1));
      one.Append(word.Part(i + 1));
      ExpandBraces(one, limit, out);
    }
    return;
  }
  if (out->size() < limit) out->push_back(word);
}

}  // namespace glasstty
