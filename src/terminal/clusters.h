// Texts of cells that hold more than one code point: a character with its
// combining marks.
//
// A cell names its text by an index from kClusterBase on. Equal texts share an
// index. The grid owns the table and sweeps it when it has grown
// (Grid::SweepClusters), so a program that invents clusters without end cannot
// make it grow beyond twice what is on the screen.
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
  // Kept of a cell besides its base character.
  static constexpr size_t kMaxMarks = 5;

  // The text of a cell that showed `text` and gets `mark`; `text` itself when
  // it is full.
  uint32_t WithMark(uint32_t text, char32_t mark);
  // What the cell shows as UTF-8; a blank is a space. Encode writes kMaxBytes
  // at most and returns how many they are.
  static constexpr size_t kMaxBytes = (1 + kMaxMarks) * kMaxUtf8;
  size_t Encode(uint32_t text, char* out) const;
  void AppendText(uint32_t text, std::string* out) const;

  size_t size() const { return clusters_.size(); }
  // True when it has doubled since the last sweep.
  bool needs_sweep() const { return clusters_.size() >= sweep_at_; }
  // Keeps the clusters that are marked in `used`; returns the new index of
  // each.
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
