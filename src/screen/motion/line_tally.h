// Summarises the lines that a program has printed: their kinds with times, the
// first failure with the lines after it, and the state of progress.
//
// Takes lines in order, with times in seconds; memory is bounded. Owns
// everything; single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "motion/line_kinds.h"
#include "motion/progress.h"

namespace glasstty::motion {

class LineTally {
 public:
  void AddLine(std::string_view line, double seconds);
  // Adds a line that is written over; only its progress counts. `place`
  // distinguishes rows of a screen that look alike.
  void AddOverwritten(std::string_view line, double seconds, int place = 0);

  // The times of the lines of one kind.
  struct Times {
    double first_s = 0, last_s = 0;
    int64_t first_line = 0;  // the first line's number among all lines, from 1
  };
  const std::vector<LineKinds::Kind>& kinds() const { return kinds_.kinds(); }
  // In the order of kinds().
  const std::vector<Times>& times() const { return times_; }
  int64_t lines() const { return lines_; }

  // The first line that reports a failure, with the lines after it; at most
  // kFollowing lines in all.
  struct Failure {
    double seconds = 0;
    int64_t line = 0;
    std::vector<std::string> text;
  };
  const std::optional<Failure>& first_failure() const { return failure_; }

  // A number of a line that may show progress.
  struct Progress {
    std::string label;  // the words before the number
    std::string line;   // the words before the first number of the line
    int place = 0;
    // Counts the earlier numbers of the line that have the same label and form.
    int64_t index = 0;
    Reading::Form form = Reading::Form::kOf;
    Series series;
    double first_s = 0, last_s = 0;
    double first = 0;
    int64_t rises = 0, falls = 0;  // how often the number rose and fell
    double changed_s = 0;          // when the number last rose or fell
    // The longest time between two successive changes, and when it began.
    double pause_s = 0, pause_began_s = 0;
  };
  // Returns the numbers that have risen and have seldom fallen. Of several such
  // numbers in a line, only the one that rose most often is returned; a rise of
  // a number with a total counts ten times.
  std::vector<const Progress*> FindProgress() const;

 private:
  static constexpr size_t kFollowing = 4;
  static constexpr size_t kMostProgress = 96;
  static constexpr size_t kMostLineBytes = 400;

  void AddProgress(std::string_view line, double seconds, int place,
                   bool may_be_size);
  Progress* ProgressOf(const Progress& wanted);
  // Must be called before the value is added to the series.
  static void CountChange(Progress* progress, double value, double seconds);
  // Returns the words of `before` without numbers, names and signs.
  const std::string& LabelOf(std::string_view before);
  void AddToFailure(std::string_view line, Weight weight, double seconds);

  LineKinds kinds_;
  std::vector<Times> times_;
  int64_t lines_ = 0;
  std::optional<Failure> failure_;
  std::vector<Progress> progress_;
  std::unordered_map<std::string, std::string> labels_;  // bounded
};

}  // namespace glasstty::motion
