// Texts of cells that contain more than one code point: a character with its
// combining marks, or an emoji of several code points.
//
// A cell refers to its text by an index from kClusterBase on. Equal texts share
// an index. The grid owns the table and sweeps it when it has grown
// (Grid::SweepClusters). So even a program that keeps printing new clusters
// cannot make the table grow beyond 1,024 clusters or, if that is more, twice
// the number in use at the last sweep.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/utf8.h"
#include "terminal/cell.h"

namespace glasstty::terminal {

class ClusterTable {
 public:
  // The maximum number of code points in a cell besides its base character. The
  // longest emoji sequence of Unicode has nine such code points
  // (emoji-zwj-sequences.txt).
  static constexpr size_t kMaxMarks = 9;
  // The limit of marks if the base is not an emoji.
  static constexpr size_t kMaxAccents = 5;

  // Returns the value of Cell::text for `text` with `mark` added; returns
  // `text` unchanged if it has the maximum number of marks.
  uint32_t WithMark(uint32_t text, char32_t mark);
  // Convert a cell's text to UTF-8; a blank is a space. Encode writes at most
  // kMaxBytes bytes and returns their number.
  static constexpr size_t kMaxBytes = (1 + kMaxMarks) * kMaxUtf8;
  size_t Encode(uint32_t text, char* out) const;
  void AppendText(uint32_t text, std::string* out) const;
  // Returns the code points of a cluster. REQUIRES: text >= kClusterBase.
  const std::u32string& text(uint32_t text) const {
    return clusters_[text - kClusterBase];
  }

  // Return the first and the last code point of a cell's text.
  char32_t First(uint32_t text) const {
    return text < kClusterBase ? text : clusters_[text - kClusterBase].front();
  }
  char32_t Last(uint32_t text) const {
    return text < kClusterBase ? text : clusters_[text - kClusterBase].back();
  }
  size_t CodePoints(uint32_t text) const {
    return text < kClusterBase ? 1 : clusters_[text - kClusterBase].size();
  }
  // Returns true if the cell's width differs from that of its first code point,
  // or if another of its code points has a width, as in a flag.
  bool IsJoint(const Cell& cell) const;

  size_t size() const { return clusters_.size(); }
  // Returns true if the table has doubled since the last sweep and contains at
  // least kFirstSweep clusters.
  bool needs_sweep() const { return clusters_.size() >= sweep_at_; }
  // Keeps the clusters that are marked in `used`, and returns the new
  // Cell::text of each. Both vectors are indexed by the old text minus
  // kClusterBase.
  std::vector<uint32_t> Sweep(const std::vector<bool>& used);
  size_t MemoryBytes() const;

 private:
  uint32_t Intern(const std::u32string& cluster);

  static constexpr size_t kFirstSweep = 1024;

  std::vector<std::u32string> clusters_;
  std::unordered_map<std::u32string, uint32_t> index_of_;
  size_t sweep_at_ = kFirstSweep;
};

}  // namespace glasstty::terminal
