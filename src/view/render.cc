// How lines are fitted into a reply.
//
// A reply has two budgets, lines and characters. Identical lines are first
// joined into runs, and the budgets are spent on runs: a thousand equal lines
// cost two. If all runs fit, all are shown. If not, the budget is divided
// between the beginning and the end as `truncate` says, each side takes whole
// runs while they fit, and one line in the middle says how many lines are
// missing. The beginning holds the command and the first error, the end the
// result and the prompt; both are worth more than the middle.
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

// Two lines are not worth folding: the line that says so would replace one.
constexpr size_t kFoldIdentical = 3;

// A stretch of identical lines.
struct Run {
  size_t first = 0;  // index into the lines
  size_t count = 0;

  // Lines of text that it takes.
  size_t Cost() const { return count >= kFoldIdentical ? 2 : count; }
};

// Only neighbours are joined; order is part of the text.
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

// What one part of a reply may use.
struct Budget {
  size_t lines;
  // Newlines included.
  size_t characters;
};

Budget WholeBudget(const Limits& limits) {
  bool bounded = limits.max_lines > 0 && limits.truncate != Truncate::kNone;
  // Asking for more lines than the default also asks for more characters.
  bool roomy = !bounded || limits.max_lines > Limits().max_lines;
  size_t bytes = roomy ? Limits::kHardCharacters : Limits::kDefaultCharacters;
  if (limits.max_bytes > 0) {
    bytes = std::min(limits.max_bytes, Limits::kHardCharacters);
  }
  return {bounded ? static_cast<size_t>(limits.max_lines) : SIZE_MAX, bytes};
}

// What of the budget goes to the beginning; the rest goes to the end.
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

// Takes runs from one end while they fit. Returns how many.
template <class It>
size_t TakeWhileFits(It begin, It end, const std::vector<terminal::Line>& lines,
                     const Budget& budget) {
  size_t taken = 0, used_lines = 0, used_characters = 0;
  for (It run = begin; run != end; ++run, ++taken) {
    // The sums may pass the budget by the run that no longer fits; it is not
    // taken.
    used_lines += run->Cost();
    used_characters += (lines[run->first].text.size() + 1) * run->Cost();
    if (used_lines > budget.lines) break;
    if (used_characters > budget.characters) break;
  }
  return taken;
}

// A single line that is longer than a whole reply may be.
std::string Shortened(const std::string& line, size_t limit) {
  if (line.size() <= limit) return line;
  std::string_view head = Utf8Prefix(line, limit);
  return absl::StrFormat("%s [%d more characters of this line: mode=raw]", head,
                         CountCodePoints(line) - CountCodePoints(head));
}

// The runs [begin, end). `longest` is for a single line.
std::string RunsText(const std::vector<Run>& runs, size_t begin, size_t end,
                     const std::vector<terminal::Line>& lines, size_t longest) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    text += RunText(runs[i], Shortened(lines[runs[i].first].text, longest));
  }
  return text;
}

// Lines in the runs [begin, end), the folded ones too.
int64_t CountLines(const std::vector<Run>& runs, size_t begin, size_t end) {
  int64_t count = 0;
  for (size_t i = begin; i < end; ++i) {
    count += static_cast<int64_t>(runs[i].count);
  }
  return count;
}

// The number of the first line behind the first `head` runs.
int64_t NumberAfter(const std::vector<Run>& runs, size_t head,
                    const std::vector<terminal::Line>& lines) {
  if (head == 0) return lines.front().number;
  const Run& last = runs[head - 1];
  return lines[last.first + last.count - 1].number + 1;
}

// What is shown when not everything fits: the runs before `head` and those from
// `resume` on.
struct Sides {
  size_t head;
  size_t resume;
};

// Each side gets its own budget, and what one side does not need is not given
// to the other: the reply only gets shorter.
Sides ChooseSides(const std::vector<Run>& runs,
                  const std::vector<terminal::Line>& lines, const Budget& whole,
                  Truncate truncate, const record::Gap& gap) {
  Budget first = HeadBudget(whole, truncate);
  Budget last = {whole.lines - first.lines,
                 whole.characters - first.characters};
  // Neither side reaches over the gap.
  auto head_end = runs.end(), tail_begin = runs.begin();
  if (gap.count > 0) {
    head_end = tail_begin =
        std::find_if(runs.begin(), runs.end(),
                     [&](const Run& run) { return run.first >= gap.index; });
  }
  size_t head = TakeWhileFits(runs.begin(), head_end, lines, first);
  size_t tail = TakeWhileFits(
      runs.rbegin(), std::make_reverse_iterator(tail_begin), lines, last);
  // One line that alone is too long: show its beginning.
  if (head + tail == 0) head = 1;
  // The sides never overlap.
  return {head, std::max(runs.size() - tail, head)};
}

}  // namespace

Rendered RenderLines(const std::vector<terminal::Line>& lines,
                     const Limits& limits, record::Gap gap) {
  bool fold = limits.truncate != Truncate::kNone;
  std::vector<Run> runs = FindRuns(lines, gap, fold);
  Budget whole = WholeBudget(limits);
  Rendered out;
  size_t fitting = TakeWhileFits(runs.begin(), runs.end(), lines, whole);
  Sides sides{runs.size(), runs.size()};
  if (fitting < runs.size() || gap.count > 0) {
    sides = ChooseSides(runs, lines, whole, limits.truncate, gap);
  }
  // Room is left for the other end of the text.
  size_t longest = whole.characters / 2;
  out.text = RunsText(runs, 0, sides.head, lines, longest);
  out.left_out = CountLines(runs, sides.head, sides.resume) + gap.count;
  // A single line that was cut says so itself.
  if (out.left_out > 0) {
    out.first_left_out = NumberAfter(runs, sides.head, lines);
    out.text +=
        absl::StrFormat("[... %s left out]\n", Counted(out.left_out, "line"));
  }
  out.text += RunsText(runs, sides.resume, runs.size(), lines, longest);
  // The final newline.
  if (!out.text.empty()) out.text.pop_back();
  return out;
}

std::string RenderRows(const std::vector<std::string>& rows) {
  // Blank rows at the end say nothing; the header tells the size of the screen.
  size_t end = rows.size();
  while (end > 0 && rows[end - 1].empty()) --end;
  std::string text;
  for (size_t row = 0; row < end;) {
    size_t next = row + 1;
    while (next < end && rows[next] == rows[row]) ++next;
    size_t count = next - row;
    std::string fold =
        rows[row].empty()
            ? absl::StrFormat("(%d blank rows)\n", count)
            : absl::StrFormat("(the same row %d more times)\n", count - 1);
    bool folds = rows[row].empty()
                     ? count >= kFoldBlank
                     : (count - 1) * (rows[row].size() + 1) > fold.size();
    if (!rows[row].empty() || !folds) text += rows[row] + "\n";
    if (folds) text += fold;
    row = folds ? next : row + 1;
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::string RenderScreen(const terminal::Snapshot& snapshot) {
  std::vector<std::string> rows;
  rows.reserve(snapshot.rows.size());
  for (const terminal::SnapshotRow& row : snapshot.rows)
    rows.push_back(row.text);
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
