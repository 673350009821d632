#include "terminal/clusters.h"

#include <algorithm>
#include <utility>

#include "terminal/widths.h"

namespace glasstty::terminal {

// The limit is necessary because programs have printed a million marks on one
// letter. Marks beyond it are dropped, which loses only decoration.
uint32_t ClusterTable::WithMark(uint32_t text, char32_t mark) {
  if (text < kClusterBase) {
    return Intern({static_cast<char32_t>(text == 0 ? ' ' : text), mark});
  }
  const std::u32string& cluster = clusters_[text - kClusterBase];
  bool is_emoji = (TraitsOf(cluster[0]) & kPictograph) != 0;
  if (cluster.size() > (is_emoji ? kMaxMarks : kMaxAccents)) return text;
  return Intern(cluster + mark);
}

bool ClusterTable::IsJoint(const Cell& cell) const {
  if (cell.text < kClusterBase) return false;
  const std::u32string& glyph = text(cell.text);
  return WidthOf(glyph[0]) != cell.width ||
         std::any_of(glyph.begin() + 1, glyph.end(),
                     [](char32_t c) { return WidthOf(c) > 0; });
}

// Each text is stored twice, as key and by index. This is fine, because there
// are seldom more than a few dozen.
uint32_t ClusterTable::Intern(const std::u32string& cluster) {
  auto next = kClusterBase + static_cast<uint32_t>(clusters_.size());
  auto [entry, is_new] = index_of_.try_emplace(cluster, next);
  if (is_new) clusters_.push_back(cluster);
  return entry->second;
}

size_t ClusterTable::Encode(uint32_t text, char* out) const {
  if (text == 0) text = ' ';
  if (text < kClusterBase) return EncodeUtf8(text, out);
  size_t size = 0;
  for (char32_t c : clusters_[text - kClusterBase]) {
    size += EncodeUtf8(c, out + size);
  }
  return size;
}

// Appends all bytes at once, because screens may contain many such cells.
void ClusterTable::AppendText(uint32_t text, std::string* out) const {
  char bytes[kMaxBytes];
  out->append(bytes, Encode(text, bytes));
}

// The next sweep is due when the number has doubled, so the cost of visiting
// all cells is spread over at least 512 new clusters.
std::vector<uint32_t> ClusterTable::Sweep(const std::vector<bool>& used) {
  std::vector<uint32_t> moved(clusters_.size());
  std::vector<std::u32string> old = std::exchange(clusters_, {});
  index_of_.clear();
  for (size_t i = 0; i < old.size(); ++i) {
    if (used[i]) moved[i] = Intern(old[i]);
  }
  sweep_at_ = std::max(kFirstSweep, 2 * clusters_.size());
  return moved;
}

size_t ClusterTable::MemoryBytes() const {
  // Counts a string, its copy as a key, and the overhead of a hash node.
  constexpr size_t kEach = 2 * sizeof(std::u32string) + 64;
  return clusters_.size() * kEach;
}

}  // namespace glasstty::terminal
