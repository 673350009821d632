// Tells whether work goes on, from lines and rows: what says how far it has
// come, and what merely ticks.
//
//   "Copying 12% 1.5 MB/s 0:07"  goes on once it says 13 %, whatever the rate
//   "Still creating... [30s]"    goes on at no time
//
// A row that is written over goes on if a number in it reaches a new height for
// rows of its shape (shape.h), or for its place on the screen, because several
// bars may look alike; if a plain counter reaches a new depth; or if its bar
// grows. A bar that was nearly full may begin anew in its place. Rates, times
// and what stands behind "ETA" are no such numbers (progress.h). Bounded. Owns
// everything; one thread.
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
    kSame,     // nothing goes on
    kFurther,  // a known row has come further
    kNew,      // there was no such row
  };
  // Takes a row or line that may be written over. `place` is where it stands.
  Sight TakeRow(int64_t place, std::string_view text);
  // Takes a line that will not be written over. Returns whether it differs from
  // all others in more than times and rates.
  bool TakeLine(std::string_view text);

 private:
  struct Range {
    double low, high;
    bool counts = false;  // new depths count as well
    double total = 0;     // 0: none, or a percentage, as meters have
  };
  static std::vector<Range> RangesOf(std::string_view text);
  // Widens what is known of `key`.
  enum class Of { kShape, kPlace };
  Sight Widen(Of of, size_t key, const std::vector<Range>& ranges);

  // By the shape, and by the shape and the place.
  std::unordered_map<size_t, std::vector<Range>> known_;
  std::unordered_set<size_t> lines_;  // hashes of shapes
};

}  // namespace glasstty::motion
