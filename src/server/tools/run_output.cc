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

namespace {

// `command` is null if no shell has reported the command.
record::SearchRequest SearchBetween(const record::History& history,
                                    record::LinePlace begin,
                                    record::LinePlace end,
                                    const record::CommandBlock* command) {
  record::SearchRequest request;
  request.from = begin.line;
  request.to = end.line + 1;
  // The last lines may have been overwritten since, so their stored copies are
  // searched.
  int64_t last = end.line;
  if (command != nullptr && !command->last_lines.empty()) {
    last = std::min(last, command->last_lines[0].number);
  }
  last = std::max(last, request.from);
  std::vector<terminal::Line> lines;
  if (last > request.from)
    lines = history.Lines(request.from, request.from + 1);
  for (terminal::Line& line : history.Lines(last, request.to)) {
    lines.push_back(std::move(line));
  }
  if (command != nullptr) record::RestoreLastLines(*command, &lines);
  record::TrimToPlaces(begin, end, &lines);
  bool ends_in_line = !lines.empty() && lines.back().number == end.line;
  if (!ends_in_line) request.to = end.line;
  request.instead = std::move(lines);
  return request;
}

}  // namespace

record::SearchRequest SearchOf(const RunOutcome& outcome) {
  return SearchBetween(outcome.session->output().history(), outcome.begin,
                       outcome.end,
                       outcome.command ? &*outcome.command : nullptr);
}

record::SearchRequest SearchOfCommand(const record::History& history,
                                      const record::CommandBlock& command) {
  const terminal::Terminal& lines = history.terminal();
  record::LinePlace end = command.end;
  if (!command.finished) {
    end = {lines.cursor_line(), lines.cursor_line_bytes()};
  }
  return SearchBetween(history, command.output, end, &command);
}

Task<RunOutcome> OnlyMatching(mcp::ToolCall* call, LineFilter filter,
                              RunOutcome outcome) {
  if (!outcome.ended) {
    outcome.notes.push_back("not filtered by grep: it has not ended");
    co_return outcome;
  }
  const session::Session& session = *outcome.session;
  std::vector<SearchedRange> ranges = {{&session.output(), SearchOf(outcome)}};
  if (session.errors() != nullptr) {
    ranges.push_back({session.errors(), LinesFrom(*session.errors(), 0)});
  }
  outcome.read =
      co_await OnlyMatching(call, std::move(filter), outcome.session,
                            std::move(ranges), std::move(outcome.read));
  co_return outcome;
}

}  // namespace glasstty
