// Fits lines into a reply.
//
// A reply has two budgets, lines and characters. Identical lines are first
// joined into runs, and the budgets are spent on runs: a thousand equal lines
// cost two. If all runs fit, all are shown. If not, the budget is divided
// between the beginning and the end according to `truncate`, each side takes
// whole runs while they fit, and one line in the middle gives the number of
// missing lines. The beginning holds the command and the first error, the end
// the result and the prompt; both are worth more than the middle.
//
// Characters are counted as bytes of UTF-8: the true limit is what a client and
// a model accept, which is nearer to bytes than to glyphs.
#include "view/render.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/text.h"

namespace glasstty::view {
namespace {

// Folding two lines gains nothing, because the note takes a line, too.
constexpr size_t kFoldIdentical = 3;

// A sequence of identical lines.
struct Run {
  size_t first = 0;  // index into the lines
  size_t count = 0;

  // The number of lines of text that the run takes.
  size_t Cost() const { return count >= kFoldIdentical ? 2 : count; }
};

// Joins only neighbours, because the order of lines matters.
std::vector<Run> FindRuns(const std::vector<terminal::Line>& lines,
                          const record::Gap& gap, bool fold) {
  std::vector<Run> runs;
  for (size_t i = 0; i < lines.size(); ++i) {
    bool same =
        fold && !runs.empty() && lines[runs.back().first].text == lines[i].text;
    bool behind_gap = gap.count > 0 && i == gap.index;
    if (same && !behind_gap) {
      ++runs.back().count;
    } else {
      runs.push_back({i, 1});
    }
  }
  return runs;
}

// `line` is the text of each line of the run. Each line ends with a newline.
std::string RunText(const Run& run, const std::string& line) {
  if (run.count >= kFoldIdentical) {
    return absl::StrFormat("%s\n(the same %s %d more times)\n", line,
                           line.empty() ? "empty line" : "line", run.count - 1);
  }
  std::string text;
  for (size_t i = 0; i < run.count; ++i) {
    text += line;
    text += '\n';
  }
  return text;
}

// The limits of one part of a reply.
struct Budget {
  size_t lines;
  // Includes newlines.
  size_t characters;
};

Budget WholeBudget(const Limits& limits) {
  bool bounded = limits.max_lines > 0 && limits.truncate != Truncate::kNone;
  // A limit of more lines than the default also allows more characters.
  bool roomy =
      !bounded || limits.whole || limits.max_lines > Limits().max_lines;
  size_t hard =
      limits.whole ? Limits::kWholeCharacters : Limits::kHardCharacters;
  size_t bytes = roomy ? hard : Limits::kDefaultCharacters;
  if (limits.max_bytes > 0) bytes = std::min(limits.max_bytes, hard);
  return {bounded ? static_cast<size_t>(limits.max_lines) : SIZE_MAX, bytes};
}

// Returns the part of the budget for the beginning; the rest is for the end.
Budget HeadBudget(const Budget& whole, Truncate truncate) {
  switch (truncate) {
    case Truncate::kHead:
      return whole;
    case Truncate::kTail:
      return {0, 0};
    case Truncate::kBoth:
    case Truncate::kNone:
      return {whole.lines / 2, whole.characters / 2};
  }
  return whole;
}

// Takes runs from one end while they fit. Returns their number.
template <class It>
size_t TakeWhileFits(It begin, It end, const std::vector<terminal::Line>& lines,
                     const Budget& budget) {
  size_t taken = 0, used_lines = 0, used_characters = 0;
  for (It run = begin; run != end; ++run, ++taken) {
    // The sums may exceed the budget by the run that no longer fits.
    used_lines += run->Cost();
    used_characters += (lines[run->first].text.size() + 1) * run->Cost();
    if (used_lines > budget.lines) break;
    if (used_characters > budget.characters) break;
  }
  return taken;
}

// Shortens a line that takes more than half of a whole reply.
std::string Shortened(const terminal::Line& line, size_t limit) {
  if (line.text.size() <= limit) return line.text;
  std::string_view head = Utf8Prefix(line.text, limit);
  auto rest =
      static_cast<int64_t>(CountCodePoints(line.text) - CountCodePoints(head));
  return absl::StrFormat("%s [%d more characters of this line: mode=raw]", head,
                         rest + line.missing_characters);
}

// Returns the runs [begin, end). `longest` limits a single line.
std::string RunsText(const std::vector<Run>& runs, size_t begin, size_t end,
                     const std::vector<terminal::Line>& lines, size_t longest) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    text += RunText(runs[i], Shortened(lines[runs[i].first], longest));
  }
  return text;
}

// Counts the lines in the runs [begin, end), including folded ones.
int64_t CountLines(const std::vector<Run>& runs, size_t begin, size_t end) {
  int64_t count = 0;
  for (size_t i = begin; i < end; ++i) {
    count += static_cast<int64_t>(runs[i].count);
  }
  return count;
}

// Returns the number of the first line after the first `head` runs.
int64_t NumberAfter(const std::vector<Run>& runs, size_t head,
                    const std::vector<terminal::Line>& lines) {
  if (head == 0) return lines.front().number;
  const Run& last = runs[head - 1];
  return lines[last.first + last.count - 1].number + 1;
}

// If not everything fits, runs before `head` and from `resume` on are shown.
struct Sides {
  size_t head;
  size_t resume;
};

// Each side has its own budget. Its unused part is not given to the other side,
// so the reply is only shorter.
Sides ChooseSides(const std::vector<Run>& runs,
                  const std::vector<terminal::Line>& lines, const Budget& whole,
                  Truncate truncate, const record::Gap& gap) {
  Budget first = HeadBudget(whole, truncate);
  Budget last = {whole.lines - first.lines,
                 whole.characters - first.characters};
  // Neither side extends over the gap.
  auto head_end = runs.end(), tail_begin = runs.begin();
  if (gap.count > 0) {
    head_end = tail_begin =
        std::find_if(runs.begin(), runs.end(),
                     [&](const Run& run) { return run.first >= gap.index; });
  }
  size_t head = TakeWhileFits(runs.begin(), head_end, lines, first);
  size_t tail = TakeWhileFits(
      runs.rbegin(), std::make_reverse_iterator(tail_begin), lines, last);
  // If the first line alone is too long, show its beginning.
  if (head + tail == 0) head = 1;
  // The sides never overlap.
  return {head, std::max(runs.size() - tail, head)};
}

}  // namespace

Rendered RenderLines(const std::vector<terminal::Line>& lines,
                     const Limits& limits, record::Gap gap) {
  bool fold = limits.truncate != Truncate::kNone && !limits.whole;
  std::vector<Run> runs = FindRuns(lines, gap, fold);
  Budget whole = WholeBudget(limits);
  Rendered out;
  size_t fitting = TakeWhileFits(runs.begin(), runs.end(), lines, whole);
  Sides sides{runs.size(), runs.size()};
  if (fitting < runs.size() || gap.count > 0) {
    sides = ChooseSides(runs, lines, whole, limits.truncate, gap);
  }
  // Leave room for the other end of the text.
  size_t longest = whole.characters / 2;
  out.text = RunsText(runs, 0, sides.head, lines, longest);
  out.left_out = CountLines(runs, sides.head, sides.resume) + gap.count;
  // If only a single line was shortened, the line itself has a note.
  if (out.left_out > 0) {
    out.first_left_out = NumberAfter(runs, sides.head, lines);
    std::string count = Counted(out.left_out, "line");
    if (!limits.whole)
      out.text += absl::StrFormat("[... %s left out]\n", count);
  }
  out.text += RunsText(runs, sides.resume, runs.size(), lines, longest);
  if (!limits.whole && !out.text.empty()) out.text.pop_back();
  return out;
}

namespace {

// Returns true for blank rows, and for an editor's mark for rows after the end
// of the file.
bool IsFiller(const std::string& row) { return row.size() <= 1; }

// Returns a line that replaces `count` rows with this text, or "" if it would
// not be shorter. `counts`: other fillers than blank rows are also replaced by
// their number.
std::string FoldText(const std::string& row, size_t count, bool counts) {
  if (row.empty()) {
    return count < kFoldBlank ? ""
                              : absl::StrFormat("(%d blank rows)\n", count);
  }
  std::string fold = counts && IsFiller(row)
                         ? absl::StrFormat("(%d rows of %s)\n", count, row)
                         : absl::StrFormat("%s\n(the same row %d more times)\n",
                                           row, count - 1);
  return fold.size() < count * (row.size() + 1) ? fold : "";
}

std::string FoldRows(const std::vector<std::string>& rows, bool counts) {
  // Blank rows at the end are omitted, because the header has the size of the
  // screen.
  size_t end = rows.size();
  while (end > 0 && rows[end - 1].empty()) --end;
  std::string text;
  for (size_t row = 0; row < end;) {
    size_t next = row + 1;
    while (next < end && rows[next] == rows[row]) ++next;
    std::string fold = FoldText(rows[row], next - row, counts);
    text += fold.empty() ? rows[row] + "\n" : fold;
    row = fold.empty() ? row + 1 : next;
  }
  if (!text.empty()) text.pop_back();
  return text;
}

// Returns the number of blanks with which every row that is not empty begins.
int CommonIndent(const std::vector<std::string>& rows) {
  size_t indent = SIZE_MAX;
  for (const std::string& row : rows) {
    if (!row.empty()) indent = std::min(indent, row.find_first_not_of(' '));
  }
  return indent == SIZE_MAX ? 0 : static_cast<int>(indent);
}

}  // namespace

std::string RenderRows(const std::vector<std::string>& rows) {
  return FoldRows(rows, false);
}

std::string RenderScreen(const terminal::Snapshot& snapshot) {
  std::vector<std::string> rows;
  rows.reserve(snapshot.rows.size());
  for (const terminal::SnapshotRow& row : snapshot.rows)
    rows.push_back(row.text);
  return RenderRows(rows);
}

Cropped RenderCropped(const terminal::Snapshot& snapshot) {
  std::vector<std::string> rows;
  size_t fillers = 0, filled = 0;
  for (const terminal::SnapshotRow& row : snapshot.rows) {
    rows.push_back(row.text);
    ++(IsFiller(row.text) ? fillers : filled);
  }
  int indent = CommonIndent(rows);
  bool crops =
      fillers >= filled && static_cast<size_t>(indent) * filled >= kWorthCrop;
  if (!crops) indent = 0;
  for (std::string& row : rows) row.erase(0, static_cast<size_t>(indent));
  return {FoldRows(rows, true), indent};
}

RowRange RowRange::On(const terminal::Snapshot& snapshot) const {
  int rows = static_cast<int>(std::ssize(snapshot.rows));
  int cursor = snapshot.cursor.row + 1;
  bool is_near = first == 0;
  return {std::clamp(is_near ? cursor - kNear : first, 1, rows),
          std::clamp(is_near ? cursor + kNear : last, 1, rows)};
}

std::string RenderRange(const terminal::Snapshot& snapshot,
                        const RowRange& range) {
  std::vector<std::string> rows;
  for (int row = range.first; row <= range.last; ++row) {
    rows.push_back(snapshot.rows[static_cast<size_t>(row - 1)].text);
  }
  return RenderRows(rows);
}

std::string CutRows(std::string rows, const Limits& limits, int64_t* left_out) {
  std::vector<std::string> lines = Split(rows, '\n');
  int64_t count = std::ssize(lines);
  bool bounded = limits.max_lines > 0 && limits.truncate != Truncate::kNone;
  *left_out = bounded ? std::max<int64_t>(count - limits.max_lines, 0) : 0;
  if (*left_out == 0) return rows;
  int64_t kept = limits.max_lines;
  int64_t head = limits.truncate == Truncate::kHead   ? kept
                 : limits.truncate == Truncate::kTail ? 0
                                                      : (kept + 1) / 2;
  std::vector<std::string> shown(lines.begin(), lines.begin() + head);
  shown.push_back(absl::StrFormat("[... %d rows left out]", *left_out));
  shown.insert(shown.end(), lines.begin() + head + *left_out, lines.end());
  return Join(shown, "\n");
}

}  // namespace glasstty::view
