// The kernel and most line editors write an echo after the prompt and let the
// terminal wrap it, which leaves one logical line. zsh wraps by itself, so its
// echo continues at the beginning of the next lines, possibly without the blank
// at which a line broke. prompt_toolkit (IPython, ptpython, pgcli) wraps by
// itself, too, and begins each further line with a continuation prompt. The
// shell may add something after an echo (a prompt at the right), so a typed
// line of some length is looked for anywhere in a line, but a short one only as
// the last word, so that "ls" is not found in "tools".
//
// While the echo is incomplete, the cursor's line ends with the beginning of
// the typed line. This is removed, too, or part of a command could match.
#include "waits/echo.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "support/text.h"
#include "terminal/screen_lines.h"

namespace glasstty::waits {
namespace {

// At most this many lines from each end of the typed ones are looked for. The
// next echo is that of the first ones or, if the program has not echoed them,
// that of the last ones. A program such as vim may take thousands of lines
// without an echo.
constexpr size_t kMostTried = 50;
// A shorter typed line would be found by chance in the middle of another line.
constexpr size_t kLongEnough = 4;

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

// Letters of other scripts do not count, because only a table could tell them
// from the symbols of prompts.
bool IsWordByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

// Returns true if `line` ends with `echo`. A short echo must be a whole word,
// so that it does not match the end of a longer word by chance.
bool EndsWithEcho(std::string_view line, std::string_view echo) {
  if (!EndsWith(line, echo)) return false;
  line.remove_suffix(echo.size());
  return echo.size() >= kLongEnough || line.empty() ||
         !IsWordByte(line.back()) || !IsWordByte(echo.front());
}

// Returns the length of the longest end of `line` with which `typed` begins.
size_t Overlap(std::string_view line, std::string_view typed) {
  for (size_t n = std::min(line.size(), typed.size()); n > 0; --n) {
    if (EndsWithEcho(line, typed.substr(0, n))) return n;
  }
  return 0;
}

// Returns `rest` without blanks at its beginning, unless `next` has them, too.
std::string_view BehindBreak(std::string_view rest, std::string_view next) {
  size_t blanks = rest.find_first_not_of(' ');
  bool kept = StartsWith(rest, next) || StartsWith(next, rest);
  return kept || blanks == std::string_view::npos ? rest : rest.substr(blanks);
}

// Returns the length of the continuation prompt after which `line` continues
// with `rest`; 0 if there is none. Such prompts have no letters ("   ...: ").
size_t ContinuationPrompt(std::string_view line, std::string_view rest) {
  constexpr size_t kLongest = 24;
  for (size_t n = 0; n < std::min(line.size(), kLongest); ++n) {
    std::string_view text = line.substr(n);
    size_t shared = std::min(text.size(), rest.size());
    if (text.substr(0, shared) == rest.substr(0, shared)) return n;
    if (std::isalpha(static_cast<unsigned char>(line[n])) != 0) break;
  }
  return 0;
}

// Returns true if the line reaches the last column of a row, or the one before.
bool FillsRows(std::string_view line, int cols) {
  size_t width = static_cast<size_t>(cols);
  return !line.empty() && (CountCodePoints(line) + 1) % width <= 1;
}

}  // namespace

EchoFilter::Screen EchoFilter::ScreenOf(const terminal::Terminal& terminal) {
  return {terminal.cursor_line(), terminal.size().cols,
          terminal.paste_requests()};
}

void EchoFilter::Add(std::string line) {
  // An empty line has no echo that could be recognized.
  if (!line.empty()) typed_.push_back({std::move(line), std::nullopt});
}

void EchoFilter::AddSecond(std::string line, uint64_t paste_requests,
                           std::string prompt) {
  if (line.empty()) return;
  typed_.push_back({std::move(line), paste_requests, std::move(prompt)});
}

EchoFilter::Parts EchoFilter::FindAtPrompt(const View& view, size_t i,
                                           const Typed& typed, bool under_way) {
  const terminal::Line& line = (*view.lines)[i];
  if (typed.prompt.empty() || !line.text.starts_with(typed.prompt)) return {};
  std::string_view rest = line.text;
  rest.remove_prefix(typed.prompt.size());
  bool found = under_way ? line.number == view.screen.cursor_line &&
                               typed.text.starts_with(rest)
                         : TrimLineEnd(rest) == typed.text;
  return found ? Parts{{line.number, std::string(rest)}} : Parts();
}

EchoFilter::Parts EchoFilter::FindWhole(const View& view, size_t i,
                                        const std::string& typed) {
  const terminal::Line& line = (*view.lines)[i];
  bool found = typed.size() >= kLongEnough
                   ? line.text.find(typed) != std::string::npos
                   : EndsWithEcho(line.text, typed) ||
                         EndsWithEcho(TrimTrailingBlanks(line.text), typed);
  return found ? Parts{{line.number, typed}} : Parts();
}

EchoFilter::Parts EchoFilter::FindWrapped(const View& view, size_t i,
                                          const std::string& typed,
                                          bool under_way) {
  const std::vector<terminal::Line>& lines = *view.lines;
  std::string_view rest = typed;
  rest.remove_prefix(Overlap(lines[i].text, typed));
  if (rest.size() == typed.size()) return {};
  Parts parts = {
      {lines[i].number, typed.substr(0, typed.size() - rest.size())}};
  while (!rest.empty()) {
    int64_t here = lines[i].number;
    if (under_way && here == view.screen.cursor_line) return parts;
    bool goes_on = i + 1 < lines.size() && lines[i + 1].number == here + 1;
    if (!goes_on || lines[i + 1].text.empty()) {
      // The cursor may already be on the next line, which is still empty.
      bool wraps = here + 1 == view.screen.cursor_line &&
                   FillsRows(lines[i].text, view.screen.cols);
      return under_way && wraps ? parts : Parts();
    }
    const terminal::Line& next = lines[i + 1];
    std::string_view text = next.text;
    if (FillsRows(lines[i].text, view.screen.cols)) {
      text.remove_prefix(ContinuationPrompt(text, rest));
    }
    ++i;
    rest = BehindBreak(rest, text);
    size_t n = std::min(rest.size(), text.size());
    if (rest.substr(0, n) != text.substr(0, n)) return {};
    parts.push_back({next.number, std::string(rest.substr(0, n))});
    rest.remove_prefix(n);
  }
  // A text is the beginning of an echo only if it ends the cursor's line. Any
  // other text is more likely output, which may match.
  bool at_cursor = lines[i].number == view.screen.cursor_line &&
                   EndsWith(lines[i].text, parts.back().text);
  return under_way && !at_cursor ? Parts() : parts;
}

void EchoFilter::StripPart(const Part& part,
                           std::vector<terminal::Line>* lines) const {
  if (lines->empty() || part.line < lines->front().number) return;
  for (terminal::Line& line : *lines) {
    if (line.number != part.line) continue;
    size_t at = line.text.rfind(part.text);
    if (at != std::string::npos) line.text.erase(at, part.text.size());
  }
}

bool EchoFilter::IsTried(size_t k, size_t before) const {
  return before < kMostTried || k + kMostTried >= typed_.size();
}

// Echoes come in the order of typing. So earlier lines whose echo could have
// come were not echoed, and are dropped.
void EchoFilter::Found(size_t k, const Screen& screen) {
  auto found = typed_.begin() + static_cast<ptrdiff_t>(k);
  auto dropped = std::remove_if(
      typed_.begin(), found,
      [&screen](const Typed& typed) { return CanHaveCome(typed, screen); });
  typed_.erase(dropped, found + 1);
}

// A short line, which may be found by chance, counts only if it is the next.
bool EchoFilter::StripNext(const View& view, size_t i,
                           std::vector<terminal::Line>* lines) {
  size_t before = 0;
  for (size_t k = 0; k < typed_.size(); ++k) {
    const Typed& typed = typed_[k];
    Parts parts;
    if (!CanHaveCome(typed, view.screen)) {
      parts = FindAtPrompt(view, i, typed, false);
    } else if (bool is_next = before == 0;
               IsTried(k, before++) &&
               (is_next || typed.text.size() >= kLongEnough)) {
      parts = FindWhole(view, i, typed.text);
      if (parts.empty()) parts = FindWrapped(view, i, typed.text, false);
    }
    if (parts.empty()) continue;
    for (Part& part : parts) {
      StripPart(part, lines);
      found_.push_back(std::move(part));
    }
    Found(k, view.screen);
    return true;
  }
  return false;
}

// Removes the longest beginning of a typed line that ends at the cursor.
void EchoFilter::StripUnderWay(const View& view,
                               std::vector<terminal::Line>* lines) const {
  Parts longest;
  size_t most = 0;
  size_t before = 0;
  for (size_t k = 0; k < typed_.size(); ++k) {
    const Typed& typed = typed_[k];
    bool can_have_come = CanHaveCome(typed, view.screen);
    if (can_have_come && !IsTried(k, before++)) continue;
    for (size_t i = 0; i < lines->size(); ++i) {
      Parts parts = can_have_come ? FindWrapped(view, i, typed.text, true)
                                  : FindAtPrompt(view, i, typed, true);
      size_t size = 0;
      for (const Part& part : parts) size += part.text.size();
      if (size <= most) continue;
      most = size;
      longest = std::move(parts);
    }
  }
  for (const Part& part : longest) StripPart(part, lines);
}

int64_t EchoFilter::CountLines(int64_t from, int64_t to) const {
  std::set<int64_t> lines;
  for (const Part& part : found_) {
    if (part.line >= from && part.line < to) lines.insert(part.line);
  }
  return std::ssize(lines);
}

void EchoFilter::Strip(std::vector<terminal::Line>* lines,
                       const Screen& screen) {
  // A line may be examined again as context, so echoes are removed each time.
  for (const Part& part : found_) StripPart(part, lines);
  View view{lines, screen};
  for (size_t i = 0; i < lines->size() && !typed_.empty();) {
    if (!StripNext(view, i, lines)) ++i;
  }
  StripUnderWay(view, lines);
}

std::vector<terminal::Line> EchoFilter::RowsOf(
    const terminal::Terminal& terminal, uint64_t since) const {
  terminal::Snapshot snapshot = terminal.TakeSnapshot(since);
  Screen screen = ScreenOf(terminal);
  screen.cursor_line = snapshot.cursor.row;
  std::vector<terminal::Line> rows, at_cursor;
  for (terminal::ScreenLine& line : terminal::ScreenLines(snapshot)) {
    auto row = static_cast<int64_t>(line.row);
    bool has_cursor = line.Has(snapshot.cursor.row);
    if (has_cursor) screen.cursor_line = row;
    if (!line.changed) continue;
    rows.push_back({.number = row, .text = std::move(line.text)});
    if (has_cursor) at_cursor = {rows.back()};
  }
  // An echo in a row cannot be remembered, because rows have no identity. So
  // each look searches again, first at the cursor, where programs show the keys
  // that they read. Elsewhere, a short text may be there by chance.
  EchoFilter anew;
  size_t before = 0;
  for (size_t k = 0; k < typed_.size(); ++k) {
    bool can_have_come = CanHaveCome(typed_[k], screen);
    bool is_tried = IsTried(k, can_have_come ? before++ : k);
    if (is_tried) anew.typed_.push_back(typed_[k]);
  }
  anew.Strip(&at_cursor, screen);
  std::erase_if(anew.typed_, [](const Typed& typed) {
    return typed.text.size() < kLongEnough;
  });
  anew.Strip(&rows, screen);
  return rows;
}

}  // namespace glasstty::waits
