// Summarises the screens that a program has drawn: the rows that mattered, and
// up to kFrames screens that show the course of events.
//
// Takes samples in order, with times in seconds. The frames are the first
// screen, the screens with the most new rows of words, and the last screen.
// Owns everything; memory is bounded. Single-threaded.
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
    size_t changed = 0;  // rows whose shape the previous sample did not have
    std::vector<std::string> rows;
  };
  // In the order of their times.
  std::vector<Frame> Frames() const;
  // The first changes that mattered (screen_motion.h), and the last one, except
  // switches of screens and drawings on a blank screen. `text` is the text of
  // the row.
  struct Matter {
    double seconds = 0;
    std::string text;
  };
  const std::vector<Matter>& matters() const { return matters_; }
  // The number of all these changes, including those that are not kept.
  int64_t matters_ever() const { return matters_ever_; }
  int64_t samples() const { return samples_; }

 private:
  void TakeMatters(double seconds);
  void Choose(Frame frame);

  ScreenMotion motion_;
  std::unordered_set<std::string> shapes_;  // the shapes of the last sample
  Frame first_, last_;
  std::vector<Frame> chosen_;
  std::vector<Matter> matters_;
  int64_t matters_ever_ = 0;
  int64_t samples_ = 0;
};

// Returns the row without leading blanks, and with long runs of blanks and bars
// shortened, because they would cost the reader tokens.
std::string SqueezeRow(const std::string& row);

}  // namespace glasstty::motion
