// Describes, for a wait that has ended without its text, how much other text
// has come, and which line is closest to the wanted text.
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "session/streams.h"
#include "terminal/screen_lines.h"
#include "waits/near_miss.h"
#include "waits/until.h"

namespace glasstty::waits {

UntilCheck::Missed UntilCheck::DescribeMissed() const {
  std::vector<terminal::Line> lines = fresh_.AllLines(echo_);
  Missed missed;
  missed.lines = session_->output().terminal().modes().alternate_screen
                     ? std::ssize(lines)
                     : session::CountUnread(*session_, fresh_.baseline());
  for (const terminal::Line& line : lines) {
    if (!line.text.empty()) missed.last = line.text;
  }
  missed.nearest = NearestIn(lines);
  missed.shown = ShownBefore();
  if (value_) missed.value = value_->Text();
  // Text that was on the screen before is no match, but it may show how the
  // wanted text is spelt.
  if (missed.nearest.empty() && session_->verdict().DrawsScreens()) {
    lines.clear();
    for (terminal::ScreenLine& line :
         terminal::ScreenLines(session_->output().terminal().TakeSnapshot())) {
      lines.push_back(
          {.number = std::ssize(lines), .text = std::move(line.text)});
    }
    missed.nearest = NearestIn(lines);
  }
  return missed;
}

// Text that the caller has been shown is no match, but may be the text that the
// caller means.
std::string UntilCheck::ShownBefore() const {
  if (!wanted_ || until_.on == MatchOn::kScreen) return "";
  const terminal::Terminal& terminal = session_->output().terminal();
  if (session_->verdict().DrawsScreens()) {
    for (const terminal::ScreenLine& line :
         terminal::ScreenLines(terminal.TakeSnapshot())) {
      if (!wanted_->Find(line.text)) continue;
      return absl::StrFormat("row %d", line.row + 1);
    }
    return "";
  }
  const record::ReadMark& seen = fresh_.baseline();
  for (const session::Output* stream : session::StreamsOf(*session_)) {
    const record::LineMark& mark = session::MarkOf(*session_, *stream, seen);
    std::vector<terminal::Line> lines =
        stream->terminal().Lines(stream->terminal().first_line(), mark.line);
    lines.push_back({.number = mark.line, .text = mark.shown});
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
      if (!wanted_->Find(line->text)) continue;
      return absl::StrFormat("line %d%s", line->number + 1,
                             stream == session_->errors() ? " of stderr" : "");
    }
  }
  return "";
}

std::string UntilCheck::NearestIn(
    const std::vector<terminal::Line>& lines) const {
  if (until_.text) return NearMissOfText(lines, *until_.text);
  if (until_.regex) return NearMissOfPattern(lines, *until_.regex);
  return "";
}

}  // namespace glasstty::waits
