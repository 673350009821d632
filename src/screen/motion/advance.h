// Detects whether lines and rows show that work makes progress, as opposed to
// clocks and rates, which only change.
//
//   "Copying 12% 1.5 MB/s 0:07" progress once it shows 13 %, whatever the rate
//   "Still creating... [30s]" never progress
//
// A row that is written over makes progress if its bar or a number in it
// reaches a new maximum, or if a plain counter in it reaches a new minimum. The
// row is compared with all earlier rows of its shape (shape.h) and, separately,
// with those at the same place, because several bars may look alike. A count
// that has nearly reached its total may begin again at the same place, and then
// makes progress again. Rates, times and numbers after "ETA" do not count
// (progress.h). Memory is bounded. Owns everything; single-threaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace glasstty::motion {

class Advance {
 public:
  enum class Sight {
    kSame,     // no progress
    kFurther,  // a known row has made progress
    kNew,      // no row of this shape was known
  };
  // Takes a row or line that may be written over. `place` is its position.
  Sight TakeRow(int64_t place, std::string_view text);
  // Takes a line that will not be written over. Returns true if it differs from
  // all earlier lines in more than times and rates.
  bool TakeLine(std::string_view text);

 private:
  struct Range {
    double low, high;
    bool counts = false;  // new minima are progress as well
    double total = 0;     // 0 if there is none, or if the number is a
                          // percentage
  };
  static std::vector<Range> RangesOf(std::string_view text);
  // Extends the ranges that are known for `key`.
  enum class Of { kShape, kPlace };
  Sight Widen(Of of, size_t key, const std::vector<Range>& ranges);

  // The known ranges, by the hash of a shape, or of a shape and a place.
  std::unordered_map<size_t, std::vector<Range>> known_;
  std::unordered_set<size_t> lines_;  // hashes of shapes
};

}  // namespace glasstty::motion
