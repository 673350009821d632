#include "gate/word.h"

#include <algorithm>

namespace glasstty::gate {

Word Word::Of(std::string_view text, Mark mark) {
  Word word;
  word.Append(text, mark);
  return word;
}

bool Word::IsKnown() const {
  return std::none_of(marks.begin(), marks.end(), [](Mark mark) {
    return mark == Mark::kUnknown || mark == Mark::kNonEmpty;
  });
}

bool Word::IsUnknown() const {
  return std::ranges::count(marks, Mark::kUnknown) == std::ssize(marks);
}

bool Word::IsLive() const {
  return std::ranges::count(marks, Mark::kLive) == std::ssize(marks);
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

bool IsOption(const Word& word) {
  return word.text.size() > 1 && (word.text[0] == '-' || word.text[0] == '+');
}

std::string TextOf(const Words& words) { return Joined(words, 0).text; }

Words Behind(const Words& words, size_t i) {
  i = std::min(i, words.size());
  return {words.begin() + static_cast<long>(i), words.end()};
}

Word Joined(const Words& words, size_t i) {
  Word joined;
  for (; i < words.size(); ++i) {
    if (!joined.text.empty()) joined.Append(" ", Mark::kQuoted);
    joined.Append(words[i]);
  }
  return joined;
}

std::string BaseName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// Expands from the innermost list outwards, because the first list to end
// contains no other.
Words ExpandBraces(const Word& word) {
  // Longer words are data, and nobody writes more items.
  constexpr size_t kLongest = 512, kMost = 64;
  Words words(1, word);
  if (word.text.find('{') == std::string::npos) return words;
  size_t done = 0;
  while (done < words.size()) {
    const Word one = words[done];
    const size_t size = one.text.size() > kLongest ? 0 : one.text.size();
    std::vector<size_t> cuts;  // the brace, and the commas after it
    size_t end = 0;
    for (; end < size && !one.HasLive(end, '}'); ++end) {
      if (one.HasLive(end, '{')) cuts.clear();
      bool comma = one.HasLive(end, ',') && !cuts.empty();
      if (comma || one.HasLive(end, '{')) cuts.push_back(end);
    }
    if (end == size || cuts.empty() || words.size() > kMost) {
      ++done;
      continue;
    }
    if (cuts.size() == 1) {
      // "{}" and "{a}" are not lists: find(1) and git get them unchanged.
      words[done].marks[end] = Mark::kQuoted;
      continue;
    }
    cuts.push_back(end);
    Words items;
    for (size_t n = 0; n + 1 < cuts.size(); ++n) {
      Word item = one.Part(0, cuts[0]);
      item.Append(one.Part(cuts[n] + 1, cuts[n + 1] - cuts[n] - 1));
      item.Append(one.Part(end + 1));
      items.push_back(std::move(item));
    }
    auto place = words.begin() + static_cast<long>(done);
    words.insert(words.erase(place), items.begin(), items.end());
  }
  return words;
}

}  // namespace glasstty::gate
