// Where an echo stands. The kernel and most editors of lines write it behind
// the prompt and let the terminal wrap it, which leaves one logical line. zsh
// wraps by itself, so its echo goes on at the beginning of the next lines; the
// blank at which a line broke may not be there. Behind an echo may stand
// what the shell adds (a prompt at the right), so a line of some length is
// looked for anywhere; a short one only at the end, where "ls" is not taken
// from the middle of another word.
//
// While the echo is under way the cursor's line ends with the beginning of the
// typed one. That is taken off too, else half a command could match.
#include "waits/echo.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "support/text.h"

namespace glasstty::waits {
namespace {

// Below it, chance would find a typed line in the middle of another.
constexpr size_t kLongEnough = 4;

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}
bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         text.substr(text.size() - end.size()) == end;
}

// Longest end of `line` that is a beginning of `typed`.
size_t Overlap(std::string_view line, std::string_view typed) {
  for (size_t n = std::min(line.size(), typed.size()); n > 0; --n) {
    if (EndsWith(line, typed.substr(0, n))) return n;
  }
  return 0;
}

// Printed up to the right edge, or to the blank before it.
bool FillsRows(std::string_view line, int cols) {
  size_t width = static_cast<size_t>(cols);
  return !line.empty() && (CountCodePoints(line) + 1) % width <= 1;
}

}  // namespace

void EchoFilter::Add(std::string line) {
  // An empty line has no echo to be told from.
  if (!line.empty()) typed_.push_back(std::move(line));
}

EchoFilter::Parts EchoFilter::FindWhole(const View& view, size_t i,
                                        const std::string& typed) {
  const terminal::Line& line = (*view.lines)[i];
  bool found = typed.size() >= kLongEnough
                   ? line.text.find(typed) != std::string::npos
                   : EndsWith(line.text, typed) ||
                         EndsWith(TrimTrailingBlanks(line.text), typed);
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
    if (under_way && here == view.cursor_line) return parts;
    bool goes_on = i + 1 < lines.size() && lines[i + 1].number == here + 1;
    if (!goes_on || lines[i + 1].text.empty()) {
      // The cursor may stand on the next line, on which nothing is yet.
      bool wraps =
          here + 1 == view.cursor_line && FillsRows(lines[i].text, view.cols);
      return under_way && wraps ? parts : Parts();
    }
    const terminal::Line& next = lines[++i];
    size_t blanks = rest.find_first_not_of(' ');
    if (!StartsWith(rest, next.text) && !StartsWith(next.text, rest) &&
        blanks != rest.npos) {
      rest.remove_prefix(blanks);
    }
    size_t n = std::min(rest.size(), next.text.size());
    if (rest.substr(0, n) != std::string_view(next.text).substr(0, n)) {
      return {};
    }
    parts.push_back({next.number, std::string(rest.substr(0, n))});
    rest.remove_prefix(n);
  }
  return parts;
}

void EchoFilter::StripPart(const Part& part,
                           std::vector<terminal::Line>* lines) const {
  for (terminal::Line& line : *lines) {
    if (line.number != part.line) continue;
    size_t at = line.text.rfind(part.text);
    if (at != std::string::npos) line.text.erase(at, part.text.size());
  }
}

// Echoes come in the order of typing, so those before one that is found will
// not come any more: they were typed where nothing is shown. Only a line of
// some length is believed to have overtaken others.
bool EchoFilter::StripNext(const View& view, size_t i,
                           std::vector<terminal::Line>* lines) {
  for (size_t k = 0; k < typed_.size(); ++k) {
    if (k > 0 && typed_[k].size() < kLongEnough) continue;
    Parts parts = FindWhole(view, i, typed_[k]);
    if (parts.empty()) parts = FindWrapped(view, i, typed_[k], false);
    if (parts.empty()) continue;
    for (Part& part : parts) {
      StripPart(part, lines);
      found_.push_back(std::move(part));
    }
    typed_.erase(typed_.begin(),
                 typed_.begin() + static_cast<ptrdiff_t>(k) + 1);
    return true;
  }
  return false;
}

// The longest beginning of a typed line that ends at the cursor.
void EchoFilter::StripUnderWay(const View& view,
                               std::vector<terminal::Line>* lines) const {
  Parts longest;
  size_t most = 0;
  for (const std::string& typed : typed_) {
    for (size_t i = 0; i < lines->size(); ++i) {
      Parts parts = FindWrapped(view, i, typed, true);
      size_t size = 0;
      for (const Part& part : parts) size += part.text.size();
      if (size <= most) continue;
      most = size;
      longest = std::move(parts);
    }
  }
  for (const Part& part : longest) StripPart(part, lines);
}

void EchoFilter::Strip(std::vector<terminal::Line>* lines, int64_t cursor_line,
                       int cols) {
  // A line is looked at as often as it is fresh or context.
  for (const Part& part : found_) StripPart(part, lines);
  View view{lines, cursor_line, cols};
  for (size_t i = 0; i < lines->size() && !typed_.empty();) {
    if (!StripNext(view, i, lines)) ++i;
  }
  StripUnderWay(view, lines);
}

}  // namespace glasstty::waits
