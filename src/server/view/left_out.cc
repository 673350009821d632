#include "view/left_out.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/visible.h"
#include "motion/weight.h"
#include "support/text.h"

namespace glasstty::view {
namespace {

// Longer lines are truncated to this, in code points.
constexpr size_t kQuotedCharacters = 100;
constexpr size_t kMostQuoted = 3;

}  // namespace

std::string QuoteHeavy(const record::History& history, int64_t first,
                       int64_t count) {
  if (count > kMostSearched) return "";
  motion::Weight heaviest = motion::Weight::kWarning;
  std::vector<std::string> quoted;
  int64_t found = 0;
  for (const terminal::Line& line : history.Lines(first, first + count)) {
    motion::Weight weight = motion::WeightOf(line.text);
    if (weight < heaviest) continue;
    if (weight > heaviest) {
      heaviest = weight;
      quoted.clear();
      found = 0;
    }
    ++found;
    if (quoted.size() == kMostQuoted) continue;
    quoted.push_back(
        absl::StrFormat("%d: %s", line.number + 1,
                        Quoted(TrimBlanks(line.text), kQuotedCharacters)));
  }
  std::string text = Join(quoted, ", ");
  int64_t more = found - std::ssize(quoted);
  return more > 0 ? absl::StrFormat("%s and %d more", text, more) : text;
}

}  // namespace glasstty::view
