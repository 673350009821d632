#include "tools/found_lines.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "support/text.h"
#include "view/render.h"

namespace glasstty {
namespace {

using record::LineSearch;

// The maximum length of a shown line, in bytes. The rest can be read by the
// line's number.
constexpr size_t kMaxShown = 400;
// The number of bytes that are shown before a match that begins far inside its
// line.
constexpr size_t kLead = 100;

std::string Excerpted(const LineSearch::Found& row) {
  const std::string& text = row.line.text;
  if (text.size() <= kMaxShown) return text;
  // The excerpt begins with the line if the match is near its beginning.
  size_t begin = row.at + kLead > kMaxShown ? row.at - kLead : 0;
  begin = Utf8Prefix(text, begin).size();
  std::string_view part =
      Utf8Prefix(std::string_view(text).substr(begin), kMaxShown);
  size_t behind = text.size() - begin - part.size();
  return absl::StrFormat("%s%s%s", begin > 0 ? "[...]" : "", part,
                         behind > 0 ? "[...]" : "");
}

// Returns how many rows from one end fit into half a reply, but at least up to
// the first match, because a reply without any match would be useless.
template <class Iterator>
size_t RowsThatFit(Iterator row, Iterator end) {
  size_t count = 0, bytes = 0;
  bool has_match = false;
  for (; row != end; ++row, ++count) {
    bytes += std::min(row->line.text.size(), kMaxShown);
    if (has_match && bytes > view::Limits::kDefaultCharacters / 2) break;
    has_match = has_match || row->match;
  }
  return count;
}

// Builds the text, and counts the matches in it.
class Listing {
 public:
  explicit Listing(bool has_context) : has_context_(has_context) {}

  void Add(const LineSearch::Found& row) {
    int64_t number = row.line.number;
    bool has_gap = has_context_ && before_ >= 0 && number > before_ + 1;
    if (has_gap) shown_.text += "--\n";
    shown_.text += absl::StrFormat("%d%c %s\n", number + 1,
                                   row.match ? ':' : '-', Excerpted(row));
    before_ = number;
    shown_.matches += row.match;
  }
  // `next` is the first row that is shown after the omitted ones, or null.
  void LeaveOut(int64_t matches, const LineSearch::Found* next) {
    shown_.text +=
        absl::StrFormat("[%d match%s left out: from_line=%d", matches,
                        matches == 1 ? "" : "es", before_ + 2);
    if (next != nullptr) {
      shown_.text += absl::StrFormat(" to_line=%d", next->line.number);
    }
    shown_.text += "]\n";
    before_ = -1;
  }
  FoundLines Take() {
    if (!shown_.text.empty()) shown_.text.pop_back();
    return std::move(shown_);
  }

 private:
  const bool has_context_;
  int64_t before_ = -1;
  FoundLines shown_;
};

}  // namespace

FoundLines ShowFound(const std::vector<LineSearch::Found>& found,
                     int64_t matches, bool has_context) {
  // Rows [0, head) and [tail, end) are shown.
  size_t head = found.size(), tail = found.size();
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].left_out > 0) head = tail = i;
  }
  size_t fitting = RowsThatFit(found.begin(), found.end());
  size_t fitting_behind = RowsThatFit(found.rbegin(), found.rend());
  if (fitting + fitting_behind < found.size()) {
    head = std::min(head, fitting);
    tail = std::max(tail, found.size() - fitting_behind);
  }
  int64_t shown =
      std::count_if(found.begin() + static_cast<ptrdiff_t>(tail), found.end(),
                    [](const LineSearch::Found& row) { return row.match; });
  Listing listing(has_context);
  for (size_t i = 0; i < head; ++i) {
    listing.Add(found[i]);
    shown += found[i].match;
  }
  if (shown < matches && !found.empty()) {
    listing.LeaveOut(matches - shown,
                     tail < found.size() ? &found[tail] : nullptr);
  }
  for (size_t i = tail; i < found.size(); ++i) listing.Add(found[i]);
  return listing.Take();
}

Json FoundAsJson(const std::vector<LineSearch::Found>& found) {
  Json rows = Json::array();
  int64_t invisible = 0;
  for (const LineSearch::Found& row : found) {
    rows.push_back({{"line", row.line.number + 1},
                    {"text", ShowInvisible(row.line.text, &invisible)},
                    {"match", row.match}});
  }
  return rows;
}

}  // namespace glasstty
