#include "attach/glass.h"

#include <algorithm>

#include "observe/painter.h"
#include "support/status.h"
#include "support/text.h"
#include "view/visible.h"

namespace glasstty::attach {
namespace {

// A line of the past that is longer is cut.
constexpr size_t kMaxLine = 4'096;

// For an outer terminal: pastes in brackets always, and the mouse spelled so
// that we can read it (our own encoder spells it for the program).
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

// A line with what is found in it in reverse. Its own controls are visible
// characters by now, so the only sequences are these.
std::string Marked(const std::string& line,
                   const std::optional<Pattern>& found) {
  std::string text;
  size_t from = 0;
  while (found && from < line.size()) {
    auto match = found->Find(line, from);
    if (!match || match->end == match->begin) break;
    text += line.substr(from, match->begin - from) + "\x1b[7m" +
            line.substr(match->begin, match->end - match->begin) + "\x1b[m";
    from = match->end;
  }
  return text + line.substr(from);
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

std::string Glass::ShowLive(const terminal::Terminal& terminal, bool types,
                            const StatusLine& status) {
  observe::Frame frame = observe::TakeFrame(terminal);
  corner_ = observe::CornerOf(frame, window(), corner_);
  frame = observe::PartOf(frame, window(), corner_);
  frame.modes = OuterModes(frame.modes, types);
  return Show(std::move(frame), status);
}

// A terminal of its own lays the lines out; too small a one shows nothing.
std::string Glass::ShowPast(const terminal::Terminal& terminal, int64_t first,
                            const std::optional<Pattern>& found,
                            const StatusLine& status) {
  terminal::Size size{std::max(window().rows, 2), std::max(window().cols, 2)};
  auto page = terminal::Terminal::Create({.size = size, .scrollback_rows = 0});
  if (!page.ok()) return Show({}, status);
  int64_t end = std::min(first + size.rows, terminal.end_line());
  std::string text;
  for (const terminal::Line& line : terminal.Lines(first, end)) {
    int64_t invisible = 0;
    std::string clean =
        view::ShowInvisible(line.text.substr(0, kMaxLine), &invisible);
    (*page)->Feed(text + Marked(clean, found));
    if ((*page)->cursor().row >= size.rows - 1) break;
    text = "\r\n";
  }
  observe::Frame frame = observe::TakeFrame(**page);
  frame.cursor.visible = false;
  frame.modes = OuterModes({}, false);
  frame.modes.cursor_visible = false;
  return Show(observe::PartOf(frame, window(), {}), status);
}

// The line below is written with the cursor put away and fetched again
// (DECSC, DECRC), which keeps it where the painter has left it.
std::string Glass::Show(observe::Frame frame, const StatusLine& status) {
  std::string bytes = observe::Paint(shown_ ? &*shown_ : nullptr, frame);
  shown_ = std::move(frame);
  if (status.bell) bytes += '\a';
  std::string text = CleanText(status.text, static_cast<size_t>(outer_.cols));
  if (outer_.rows < 2 || text == shown_status_) return bytes;
  shown_status_ = text;
  return bytes + absl::StrFormat(
                     "\x1b"
                     "7\x1b[%d;1H\x1b[0;7m%s\x1b[K\x1b[m\x1b"
                     "8",
                     outer_.rows, text);
}

}  // namespace glasstty::attach
