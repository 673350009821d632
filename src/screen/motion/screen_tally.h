// Sums up the screens that a program has drawn: what mattered on them, and up
// to kFrames of them that show how they went.
//
// Takes samples with times in seconds, in their order. The frames are the first
// screen, those with the most rows of words that stood in no row of the sample
// before, and the last screen. Owns everything, bounded; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "motion/screen_motion.h"
#include "terminal/snapshot.h"

namespace glasstty::motion {

class ScreenTally {
 public:
  static constexpr size_t kFrames = 5;
  static constexpr size_t kMostMatters = 16;

  void Add(const terminal::Snapshot& screen, double seconds);

  struct Frame {
    double seconds = 0;
    size_t changed = 0;  // rows with other words than in the sample before
    std::vector<std::string> rows;
  };
  // In the order of their times.
  std::vector<Frame> Frames() const;
  // Rows that mattered when they came (screen_motion.h): the first ones, and
  // the last.
  struct Matter {
    double seconds = 0;
    std::string text;
  };
  const std::vector<Matter>& matters() const { return matters_; }
  // Counts all of them.
  int64_t matters_ever() const { return matters_ever_; }
  int64_t samples() const { return samples_; }

 private:
  void TakeMatters(double seconds);
  void Choose(Frame frame);

  ScreenMotion motion_;
  std::unordered_set<std::string> shapes_;  // of the last sample
  Frame first_, last_;
  std::vector<Frame> chosen_;
  std::vector<Matter> matters_;
  int64_t matters_ever_ = 0;
  int64_t samples_ = 0;
};

// Returns a row for a reader who pays for bytes: without long runs of blanks
// and bars.
std::string SqueezeRow(const std::string& row);

}  // namespace glasstty::motion
