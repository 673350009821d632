// Searches for a pattern in everything that a session has printed.
//
// A value that holds its position and its results, so a search can be
// continued. Borrows the history, which must outlive it and may grow in the
// meantime. Loop thread only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "record/history.h"
#include "support/pattern.h"

namespace glasstty::record {

struct SearchRequest {
  // Lines [from, to), counted from 0.
  int64_t from = 0;
  int64_t to = 0;
  int context = 0;   // lines before and after each match
  int64_t max = 50;  // matches that are kept; the others are counted
};

class LineSearch {
 public:
  LineSearch(const History* history, Pattern pattern, SearchRequest request);

  // Looks on for about `budget`. True when all lines have been looked at.
  bool Continue(Duration budget);

  // All of them, also those beyond `max`. Rises while the search goes on.
  int64_t matches() const { return matches_; }
  // The first line that was looked at; earlier ones are no longer kept.
  int64_t first() const { return first_; }
  struct Found {
    terminal::Line line;
    bool match = false;
    size_t at = 0;  // byte of the text at which the match begins
  };
  // The kept matches, and the lines around them, each line once, in order.
  std::vector<Found> Take() const;

 private:
  // A piece of the archive; false when none begins at next_.
  bool SearchPiece();
  // Lines one by one, wherever they are.
  void SearchLines();
  void Keep(int64_t number, std::string_view text, size_t at);

  // Constant.
  const History* const history_;
  const Pattern pattern_;
  const SearchRequest request_;
  const int64_t first_;
  // State.
  LineArchive::Reader reader_;
  int64_t next_;
  int64_t matches_ = 0;
  std::vector<Found> kept_;
};

}  // namespace glasstty::record
