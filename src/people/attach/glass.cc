#include "attach/glass.h"

#include <algorithm>
#include <chrono>

#include "base/visible.h"
#include "observe/painter.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty::attach {
namespace {

// Programs hide the cursor while they draw. A cursor that is hidden for longer
// than this is hidden on purpose.
constexpr Duration kHiddenForGood = std::chrono::milliseconds(250);
// Lines of the past are truncated to this many bytes.
constexpr size_t kMaxLine = 4'096;

// Returns modes for an outer terminal: pastes are always in brackets, and the
// mouse has the encoding that TypedKeys parses. Mouse events are encoded again
// for the program.
terminal::Modes OuterModes(const terminal::Modes& modes, bool types) {
  terminal::Modes outer;
  outer.reverse_screen = modes.reverse_screen;
  outer.cursor_visible = modes.cursor_visible;
  outer.cursor_blink = modes.cursor_blink;
  outer.cursor_style = modes.cursor_style;
  outer.bracketed_paste = true;
  if (!types) return outer;
  outer.application_cursor = modes.application_cursor;
  outer.application_keypad = modes.application_keypad;
  outer.mouse = modes.mouse;
  outer.mouse_encoding = terminal::MouseEncoding::kSgr;
  return outer;
}

// Highlights matches in a line with reverse video. The line's own controls have
// been made visible before, so it contains no other sequences.
std::string Marked(const std::string& line,
                   const std::optional<Pattern>& found) {
  std::string text;
  size_t done = 0;
  for (size_t from = 0; found && from < line.size();) {
    auto match = found->Find(line, from);
    if (!match) break;
    from = std::max(match->end, match->begin + 1);
    // Matches that can be seen may follow an empty one.
    if (match->end == match->begin) continue;
    text += line.substr(done, match->begin - done) + "\x1b[7m" +
            line.substr(match->begin, match->end - match->begin) + "\x1b[m";
    done = match->end;
  }
  return text + line.substr(done);
}

}  // namespace

void Glass::SetSize(terminal::Size outer) {
  outer_ = outer;
  Forget();
}

terminal::Size Glass::window() const {
  return {std::max(outer_.rows - 1, 1), std::max(outer_.cols, 1)};
}

void Glass::Forget() {
  shown_.reset();
  shown_status_.clear();
}

void Glass::Pan(int down, int right) {
  is_pinned_ = true;
  corner_.row += down * std::max(window().rows / 2, 1);
  corner_.col += right * std::max(window().cols / 2, 1);
}

void Glass::MoveTo(const observe::Frame& frame, Time now) {
  bool is_hidden = !frame.cursor.visible && frame.modes.alternate_screen;
  if (!is_hidden) hidden_since_.reset();
  if (is_hidden && !hidden_since_) hidden_since_ = now;
  if (!is_hidden && !is_pinned_) {
    corner_ = observe::CornerOf(frame, window(), corner_);
  }
  bool is_for_good = is_hidden && now - *hidden_since_ >= kHiddenForGood;
  if (is_for_good && !is_pinned_) corner_ = {};
  // The screen or the window may have become smaller.
  int last_row = std::max(frame.size.rows - window().rows, 0);
  int last_col = std::max(frame.size.cols - window().cols, 0);
  corner_.row = std::clamp(corner_.row, 0, last_row);
  corner_.col = std::clamp(corner_.col, 0, last_col);
}

std::string Glass::ShowLive(const terminal::Terminal& terminal, bool types,
                            const StatusLine& status, Time now) {
  observe::Frame frame = observe::TakeFrame(terminal);
  MoveTo(frame, now);
  frame = observe::PartOf(frame, window(), corner_);
  frame.modes = OuterModes(frame.modes, types);
  return Show(std::move(frame), status);
}

std::string Glass::ShowPast(const terminal::Terminal& terminal, int64_t first,
                            const std::optional<Pattern>& found,
                            const StatusLine& status) {
  int64_t end = std::min<int64_t>(first + window().rows, terminal.end_line());
  std::vector<std::string> lines;
  for (const terminal::Line& line : terminal.Lines(first, end)) {
    int64_t invisible = 0;
    lines.push_back(Marked(
        ShowInvisible(line.text.substr(0, kMaxLine), &invisible), found));
  }
  return ShowPage(lines, status);
}

// A temporary terminal lays out the lines. If the window is too large for one,
// the page is empty. A row below the window shows when the window is full: one
// byte enters it at most, so nothing scrolls. In the largest windows this row
// is the last one of the window.
std::string Glass::ShowPage(const std::vector<std::string>& lines,
                            const StatusLine& status) {
  terminal::Size size{window().rows + 1, std::max(window().cols, 2)};
  auto page = terminal::Terminal::Create({.size = size, .scrollback_rows = 0});
  if (!page.ok() && size.rows > 2) {
    --size.rows;
    page = terminal::Terminal::Create({.size = size, .scrollback_rows = 0});
  }
  if (!page.ok()) return Show({}, status);
  std::string begin;
  for (const std::string& line : lines) {
    for (char c : begin + line) {
      if ((*page)->cursor().row == size.rows - 1) break;
      (*page)->Feed({&c, 1});
    }
    begin = "\r\n";
  }
  observe::Frame frame = observe::TakeFrame(**page);
  frame.cursor.visible = false;
  frame.modes = OuterModes({}, false);
  frame.modes.cursor_visible = false;
  return Show(observe::PartOf(frame, window(), {}), status);
}

// The status line is written between DECSC and DECRC, which restore the cursor
// to the painter's position. The line is erased before it is written, because
// afterwards the cursor may be on its last character.
std::string Glass::Show(observe::Frame frame, const StatusLine& status) {
  std::string bytes = observe::Paint(shown_ ? &*shown_ : nullptr, frame);
  // A picture of another size first erases the status line, too.
  if (shown_ && shown_->size != frame.size) shown_status_.clear();
  shown_ = std::move(frame);
  if (status.bell) bytes += '\a';
  std::string text = CleanText(status.text, static_cast<size_t>(outer_.cols));
  if (outer_.rows < 2 || text == shown_status_) return bytes;
  shown_status_ = text;
  return bytes + absl::StrFormat(
                     "\x1b"
                     "7\x1b[%d;1H\x1b[m\x1b[K\x1b[7m%s\x1b[m\x1b"
                     "8",
                     outer_.rows, text);
}

}  // namespace glasstty::attach
