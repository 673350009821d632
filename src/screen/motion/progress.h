// Finds progress in a line of text, such as "45 of 100", and estimates when the
// work will be complete.
//
//   "[120/500] CC a.o"         120 of 500
//   "Downloading  45% |###"    45 of 100
//   "1.2GiB 0:00:10 [120MiB/s]"  1288490188.8 bytes, of an unknown total
//
// A Series keeps the values over time; if there are too many, the Series drops
// every second one. Plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glasstty::motion {

struct Reading {
  enum class Form {
    kOf,       // a number of a total
    kPercent,  // a number of percent; the total is 100
    kSize,     // a number with a unit of size, perhaps of a total
    kCount,    // a plain number, which may count down as well
  };
  Form form = Form::kPercent;
  double value = 0;
  std::optional<double> total;
  size_t begin = 0, end = 0;  // the position in the text
};

inline constexpr size_t kMostReadings = 64;
// Returns the numbers in `text` that may be progress, in order, without times,
// rates and parts of names. If there are more than kMostReadings, the others
// are left out.
std::vector<Reading> ReadAllProgress(std::string_view text);

// Parses a number as people write it: "1,204", "-0.5", "3e-4", "1.2GiB". Only
// units of size are parsed; others, such as "%", end the number. Returns
// nullopt if the text does not begin with a number.
std::optional<double> ReadNumber(std::string_view text);

class Series {
 public:
  static constexpr size_t kMost = 128;

  // REQUIRES: `seconds` does not decrease. A value that drops by more than half
  // of the progress so far restarts the series, because something else has
  // begun.
  void Add(double seconds, double value, std::optional<double> total);

  struct Estimate {
    double first = 0, value = 0;
    double first_s = 0, value_s = 0;  // when `first` and `value` appeared
    std::optional<double> total;
    // The increase per second; nullopt if the value has not risen steadily up
    // to the time of the estimate, or if there are too few values.
    std::optional<double> rate;
    std::optional<double> end_s;  // when the total will be reached
  };
  // REQUIRES: !empty().
  Estimate EstimateAt(double seconds) const;
  bool empty() const { return points_.empty(); }
  double value() const { return value_; }
  const std::optional<double>& total() const { return total_; }
  // The number of calls of Add.
  int64_t count() const { return count_; }

 private:
  struct Point {
    double seconds, value;
  };
  // The slope of a fitted line, and how well it fits.
  struct Line {
    double slope = 0;
    double fit = 0;  // R squared
  };
  static Line FitLine(const std::vector<Point>& points, size_t from);

  std::vector<Point> points_;  // some of the values, in the order of time
  double first_ = 0, first_s_ = 0;
  double value_ = 0, value_s_ = 0;
  std::optional<double> total_;
  int64_t count_ = 0;
  size_t step_ = 1;  // one of this many values is kept
  size_t skipped_ = 0;
};

// Returns "45 of 100 (+2.1/s, end in 26 s)", "1.2 GiB (no estimate)", or, for a
// series that has not changed for a while, "45 of 100 (unchanged for 90 s)".
std::string Describe(const Series& series, Reading::Form form, double now_s);

// Returns the current state: "45 of 100", "1.2 GiB".
std::string ReachedText(const Series& series, Reading::Form form);

// Returns "45", "45 %" or "1.2 GiB".
std::string ValueText(double value, Reading::Form form);

// Returns "45 s", "12 min", "3 h 5 min".
std::string DurationText(double seconds);

// Returns whether a row shows a percentage.
bool IsMeter(std::string_view text);

}  // namespace glasstty::motion
