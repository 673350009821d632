#include "tools/run_output.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "support/status.h"

namespace glasstty {
namespace {

// The maximum size of an output, in bytes; a larger one is refused rather than
// truncated.
constexpr size_t kMaxOutput = 16 << 20;

}  // namespace

absl::StatusOr<std::string> OutputOf(const RunOutcome& outcome) {
  std::string text;
  const record::History& history = outcome.session->output().history();
  int64_t next = outcome.begin.line;
  while (next <= outcome.end.line) {
    constexpr int64_t kStep = 1'000;
    int64_t to = std::min(next + kStep, outcome.end.line + 1);
    std::vector<terminal::Line> lines = history.Lines(next, to);
    if (outcome.command) record::RestoreLastLines(*outcome.command, &lines);
    record::TrimToPlaces(outcome.begin, outcome.end, &lines);
    bool is_whole = true;
    for (const terminal::Line& line : lines) {
      text += line.text + "\n";
      is_whole = is_whole && line.missing_bytes == 0;
    }
    if (!is_whole) {
      return ResourceExhausted(
          "term_run: an output to compare or parse has a line of which not all "
          "is kept; let the command write it to a file instead");
    }
    if (text.size() > kMaxOutput) {
      return ResourceExhausted(
          "term_run: an output to compare or parse is larger than %d MiB; "
          "write it to a file instead",
          kMaxOutput >> 20);
    }
    next = to;
  }
  return text;
}

record::SearchRequest SearchOf(const RunOutcome& outcome) {
  const record::History& history = outcome.session->output().history();
  record::SearchRequest request;
  request.from = outcome.begin.line;
  request.to = outcome.end.line + 1;
  // Something may have been drawn over these since.
  int64_t last = outcome.end.line;
  if (outcome.command && !outcome.command->last_lines.empty()) {
    last = std::min(last, outcome.command->last_lines[0].number);
  }
  last = std::max(last, request.from);
  std::vector<terminal::Line> lines;
  if (last > request.from)
    lines = history.Lines(request.from, request.from + 1);
  for (terminal::Line& line : history.Lines(last, request.to)) {
    lines.push_back(std::move(line));
  }
  if (outcome.command) record::RestoreLastLines(*outcome.command, &lines);
  record::TrimToPlaces(outcome.begin, outcome.end, &lines);
  bool ends_in_line = !lines.empty() && lines.back().number == outcome.end.line;
  if (!ends_in_line) request.to = outcome.end.line;
  request.instead = std::move(lines);
  return request;
}

}  // namespace glasstty
