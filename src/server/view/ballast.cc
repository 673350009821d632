#include "view/ballast.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "support/text.h"

namespace glasstty::view {
namespace {

// The terminal's form of the interrupt character (ECHOCTL of termios(3)).
constexpr std::string_view kInterruptEcho = "^C";
// This many lines cost less than a hint on how to read them.
constexpr int64_t kFewLines = 5;

// Returns true if the text is empty or may be a short prompt, such as "> ",
// "... " or ">>> ".
bool IsShortPrompt(std::string_view text) {
  return text.size() <= 8 && std::none_of(text.begin(), text.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0;
         });
}

// Drops the echo of typed lines. Keeps lines that the program changed (a
// completion, a highlighted match), and text that was not entered yet.
void DropEcho(const session::Session& session,
              const std::vector<std::string>& typed, record::Excerpt* unread) {
  std::vector<terminal::Line>& lines = unread->lines;
  if (unread->gap.count > 0) return;
  int64_t cursor_line = session.output().terminal().cursor_line();
  ptrdiff_t echoed = 0;
  for (size_t i = 0; i < typed.size() && echoed < std::ssize(lines); ++i) {
    const terminal::Line& line = lines[static_cast<size_t>(echoed)];
    // node ends the echo with an additional carriage return.
    std::string_view shown = line.text;
    if (shown.ends_with('\r')) shown.remove_suffix(1);
    const std::string_view whole = shown;
    shown = TrimTrailingBlanks(shown);
    std::string_view wanted = TrimTrailingBlanks(typed[i]);
    if (line.number == cursor_line || shown.size() < wanted.size()) break;
    size_t before = shown.size() - wanted.size();
    // After the last newline that was typed there is nothing to echo. Behind a
    // prompt for an empty line, its blank still stands, unlike behind output
    // such as "{".
    bool is_blank_line = i + 1 < typed.size() && shown.size() < whole.size();
    bool echoes = wanted.empty() ? is_blank_line && !shown.empty()
                                 : shown.substr(before) == wanted;
    if (!echoes || !IsShortPrompt(shown.substr(0, before))) break;
    ++echoed;
  }
  lines.erase(lines.begin(), lines.begin() + echoed);
}

// Drops the prompt, because the reply's state already reports it.
void DropPrompt(const session::Session& session, record::Excerpt* unread) {
  std::vector<terminal::Line>& lines = unread->lines;
  const record::CommandLog& commands = session.events().commands();
  if (commands.phase() != record::ShellPhase::kReady) return;
  if (session.verdict().LastState().activity != session::Activity::kPrompt)
    return;
  record::LinePlace begin = commands.prompt_begin(),
                    end = commands.prompt_end();
  bool empty = session.output().terminal().cursor_line() == end.line &&
               session.output().terminal().cursor_line_bytes() <= end.bytes;
  bool last = !lines.empty() && lines.back().number == end.line;
  if (!empty || !last || begin.bytes != 0) return;
  while (!lines.empty() && lines.back().number >= begin.line) lines.pop_back();
}

// Returns the first line that was printed after the interrupt: the one with its
// echo, or, without an echo, the one at which it was typed.
std::vector<terminal::Line>::iterator FindInterrupt(
    int64_t interrupted, std::vector<terminal::Line>* lines) {
  auto from = std::find_if(lines->begin(), lines->end(),
                           [interrupted](const terminal::Line& line) {
                             return line.number >= interrupted;
                           });
  auto echo = std::find_if(from, lines->end(), [](const terminal::Line& line) {
    std::string_view text = TrimTrailingBlanks(line.text);
    return text.starts_with(kInterruptEcho) || text.ends_with(kInterruptEcho);
  });
  return echo != lines->end() ? echo : from;
}

int64_t DropBeforeInterrupt(int64_t interrupted, record::Excerpt* unread) {
  std::vector<terminal::Line>& lines = unread->lines;
  auto end = FindInterrupt(interrupted, &lines);
  int64_t count = end - lines.begin();
  bool over_gap =
      unread->gap.count > 0 && count >= static_cast<int64_t>(unread->gap.index);
  if (over_gap) count += unread->gap.count;
  if (count <= kFewLines) return 0;
  if (over_gap) {
    unread->gap = {};
  } else if (unread->gap.count > 0) {
    unread->gap.index -= static_cast<size_t>(count);
  }
  lines.erase(lines.begin(), end);
  return count;
}

void DropInterruptEcho(std::vector<terminal::Line>* lines) {
  auto echo = std::find_if(
      lines->begin(), lines->end(), [](const terminal::Line& line) {
        return TrimTrailingBlanks(line.text) == kInterruptEcho;
      });
  if (echo != lines->end()) lines->erase(echo);
}

// Drops the lines that were on the screen when it was shown to the reader.
int64_t DropRewritten(const ReaderMark& mark, int64_t cursor_line,
                      record::Excerpt* unread) {
  int64_t last = mark.screen_line;
  int64_t first = last - mark.screen->size.rows + 1;
  return static_cast<int64_t>(
      std::erase_if(unread->lines, [&](const terminal::Line& line) {
        return line.number >= first && line.number <= last &&
               line.number != cursor_line;
      }));
}

}  // namespace

Dropped DropBallast(const session::Session& session, const ReaderMark& mark,
                    const ReadRequest& request, record::Excerpt* unread) {
  Dropped dropped;
  if (request.interrupted && !request.since_line) {
    dropped.before = DropBeforeInterrupt(*request.interrupted, unread);
  }
  if (request.hide_rewritten && unread->gap.count == 0) {
    dropped.rewritten =
        DropRewritten(mark, session.output().terminal().cursor_line(), unread);
  }
  if (!request.hide_echo) return dropped;
  DropEcho(session, request.typed, unread);
  if (request.interrupted && unread->gap.count == 0) {
    DropInterruptEcho(&unread->lines);
  }
  DropPrompt(session, unread);
  return dropped;
}

}  // namespace glasstty::view
