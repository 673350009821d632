// Searches for a pattern in everything that a session has printed.
//
// A value that holds its position and its results, so a search can be
// continued. Borrows the history, which must outlive it and may grow in the
// meantime. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "record/history.h"
#include "support/pattern.h"

namespace glasstty::record {

// The matches that a search keeps if there are more than `max`: `max`/2 from
// each end, because the important messages of builds and logs are at either
// end; or only those of one end. All matches are counted.
enum class Kept { kBothEnds, kFirst, kLast };

struct SearchRequest {
  // Searches lines [from, to), counted from 0.
  int64_t from = 0;
  int64_t to = 0;
  int context = 0;   // lines around each match, within the range
  int64_t max = 50;  // matches to keep
  Kept kept = Kept::kBothEnds;
  // Lines that are searched and returned instead of those with the same numbers
  // in the history, such as the unread parts of lines. In ascending order.
  std::vector<terminal::Line> instead;
};

class LineSearch {
 public:
  LineSearch(const History* history, Pattern pattern, SearchRequest request);

  // Searches for about `budget`. Returns true when all lines were searched.
  bool Continue(Duration budget);

  // The number of all matches, including those that are not kept. It rises
  // while the search continues.
  int64_t matches() const { return matches_; }
  // The first line that was searched: `from`, or the first line of the history.
  int64_t first() const { return first_; }
  struct Found {
    terminal::Line line;
    bool match = false;
    size_t at = 0;  // the byte of the text at which the match begins
    // The number of matches that were left out directly before this line.
    int64_t left_out = 0;
  };
  // Returns the kept matches and the lines around them, each line once, in
  // order.
  std::vector<Found> Take() const;

 private:
  // Searches a piece of the archive. Returns false if SearchLines must search
  // next_.
  bool SearchPiece();
  // Searches line by line, in the archive or in the terminal.
  void SearchLines();
  // Returns the first line from next_ on that has a replacement (`instead`), or
  // the end of the range.
  int64_t NextInstead() const;
  std::vector<terminal::Line> Lines(int64_t from, int64_t to,
                                    size_t most_bytes) const;
  void Keep(int64_t number, size_t at);
  int64_t MostLast() const;

  // Constant.
  const History* const history_;
  const Pattern pattern_;
  const SearchRequest request_;
  const int64_t first_;
  // State.
  LineArchive::Reader reader_;
  int64_t next_;
  int64_t matches_ = 0;
  // A match that is kept: its line, and the byte at which it begins. The text
  // is fetched at the end, because most of the last ones are replaced.
  struct Match {
    int64_t number;
    size_t at;
  };
  std::vector<Match> first_matches_;
  std::deque<Match> last_matches_;
};

}  // namespace glasstty::record
