// Counts what a program has printed: kinds of lines with their times, the first
// failure with what follows it, and how far things have come.
//
// Takes lines with times in seconds, in their order; keeps a bounded amount of
// them. Owns everything; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "motion/line_kinds.h"
#include "motion/progress.h"

namespace glasstty::motion {

class LineTally {
 public:
  void AddLine(std::string_view line, double seconds);
  // A line that is written over: only how far it says that something has come
  // counts.
  void AddOverwritten(std::string_view line, double seconds);

  // Lines of one kind.
  struct Times {
    double first_s = 0, last_s = 0;
    int64_t first_line = 0;  // its number among those that were added, from 1
  };
  const std::vector<LineKinds::Kind>& kinds() const { return kinds_.kinds(); }
  // In the order of kinds().
  const std::vector<Times>& times() const { return times_; }
  int64_t lines() const { return lines_; }

  // The first line that speaks of a failure, with up to kFollowing lines.
  struct Failure {
    double seconds = 0;
    int64_t line = 0;
    std::vector<std::string> text;
  };
  const std::optional<Failure>& first_failure() const { return failure_; }

  // Something that came further: what stands before the number in its line.
  struct Progress {
    std::string label;
    Reading::Form form = Reading::Form::kOf;
    Series series;
    double first_s = 0, last_s = 0;
    double first = 0;
    int64_t falls = 0;  // how often it went back
  };
  const std::vector<Progress>& progress() const { return progress_; }

 private:
  static constexpr size_t kFollowing = 4;
  static constexpr size_t kMostProgress = 24;
  static constexpr size_t kMostLineBytes = 400;

  void AddProgress(std::string_view line, double seconds, bool may_be_size);
  Progress* FindProgress(std::string_view before, const Reading& reading);
  void AddToFailure(std::string_view line, Weight weight, double seconds);

  LineKinds kinds_;
  std::vector<Times> times_;
  int64_t lines_ = 0;
  std::optional<Failure> failure_;
  std::vector<Progress> progress_;
  // The text before the last number, and whose it is.
  std::string last_before_;
  size_t last_progress_ = 0;
};

}  // namespace glasstty::motion
