#include "view/looks.h"

#include "support/status.h"
#include "support/text.h"

namespace glasstty::view {
namespace {

constexpr size_t kMostRanges = 4;

// FNV-1a, applied to whole numbers instead of bytes.
uint64_t Mix(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 1099511628211u;
}

}  // namespace

Looks LooksOf(const terminal::Snapshot& snapshot) {
  Looks looks;
  looks.reserve(snapshot.rows.size());
  for (const terminal::SnapshotRow& row : snapshot.rows) {
    uint64_t hash = 14695981039346656037u;
    for (const terminal::StyleRun& run : row.styles) {
      hash = Mix(hash, static_cast<uint64_t>(run.col));
      hash = Mix(hash, static_cast<uint64_t>(run.cols));
      hash = Mix(hash, run.style.foreground);
      hash = Mix(hash, run.style.background);
      hash = Mix(hash, run.style.attributes);
    }
    looks.push_back(hash);
  }
  return looks;
}

std::string RowsWithNewLooks(const Looks& earlier, const Looks& later) {
  if (earlier.size() != later.size()) return "";
  std::vector<std::string> ranges;
  size_t count = 0;
  for (size_t row = 0; row < later.size(); ++row) {
    if (earlier[row] == later[row]) continue;
    size_t last = row;
    while (last + 1 < later.size() && earlier[last + 1] != later[last + 1]) {
      ++last;
    }
    count += last - row + 1;
    ranges.push_back(row == last ? absl::StrFormat("%d", row + 1)
                                 : absl::StrFormat("%d-%d", row + 1, last + 1));
    row = last;
  }
  if (ranges.empty()) return "";
  if (ranges.size() > kMostRanges) return absl::StrFormat("%d rows", count);
  return (count == 1 ? "row " : "rows ") + Join(ranges, ", ");
}

}  // namespace glasstty::view
