#include "waits/asked.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "session/output.h"
#include "session/state.h"
#include "support/text.h"
#include "terminal/row_cells.h"
#include "terminal/screen_lines.h"
#include "waits/dialog.h"

namespace glasstty::waits {
namespace {

Screen TakeFullScreen(const terminal::Terminal& terminal) {
  terminal::Snapshot snapshot = terminal.TakeSnapshot();
  Screen screen;
  screen.drawing.full_screen = true;
  const terminal::Cursor& cursor = snapshot.cursor;
  for (terminal::ScreenLine& line : terminal::ScreenLines(snapshot)) {
    if (cursor.visible && line.Has(cursor.row)) {
      auto row = static_cast<size_t>(cursor.row);
      terminal::RowCells cells = terminal::CutIntoCells(snapshot.rows[row]);
      size_t before = terminal::CellsText(cells, 0, cursor.col).size();
      screen.drawing.cursor = {screen.drawing.lines.size(),
                               line.begins[row - line.row] + before};
    }
    screen.drawing.lines.push_back(std::move(line.text));
  }
  return screen;
}

// Returns true for the possible answers, "(y/n)", alone in their line.
bool OffersAnswers(std::string_view line) {
  line = TrimBlanks(line);
  return line.starts_with('(') && line.find('/') != std::string_view::npos &&
         line.find(' ') == std::string_view::npos;
}

// An interpreter that waits for its next line does not ask a question. Its
// prompt is one word that ends in a sign ("sqlite>", "shop=#", "%"), a name in
// parentheses ("(gdb)"), or IPython's. A question with such an end has several
// words.
bool IsReplPrompt(std::string_view line) {
  line = TrimBlanks(line);
  if (line.starts_with("In [") && line.ends_with("]:")) return true;
  if (line.empty() || line.find(' ') != std::string_view::npos) return false;
  if (OffersAnswers(line)) return false;
  if (line.starts_with('(') && line.ends_with(')')) return true;
  constexpr std::string_view kSigns = ">#%$";
  return kSigns.find(line.back()) != std::string_view::npos;
}

// Pagers show texts, and their own prompts do not count as questions.
constexpr std::string_view kPagers[] = {"less", "more", "most", "pg",
                                        "lv",   "man",  "pager"};
// These programs are started only to ask for a choice, and show no question
// except perhaps a prompt.
constexpr std::string_view kChoosers[] = {"fzf", "sk", "peco", "fzy"};

bool IsOneOf(std::string_view name, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Returns the cursor's line up to the cursor; "" if the cursor is hidden.
std::string TextBeforeShownCursor(const Drawing& drawing) {
  const std::optional<Drawing::Cursor>& cursor = drawing.cursor;
  bool is_on_text = cursor && cursor->line < drawing.lines.size();
  if (!is_on_text) return "";
  return drawing.lines[cursor->line].substr(0, cursor->bytes);
}

// Editors ask in their last rows. Above these, the text at the cursor is being
// edited, such as "else:".
constexpr std::string_view kEditors[] = {
    "vi",    "vim",   "view", "vimdiff", "nvim", "nano", "pico",
    "emacs", "micro", "kak",  "hx",      "joe",  "ne",   "mcedit"};
bool IsInEditedText(const Drawing& drawing, std::string_view program) {
  constexpr size_t kRowsBelow = 3;
  bool is_below = drawing.cursor &&
                  drawing.cursor->line + kRowsBelow >= drawing.lines.size();
  return !is_below && IsOneOf(program, kEditors);
}

// Returns the prompt ("Which one>") or else a text with the program's name.
std::string ChoiceText(const Drawing& drawing, const std::string& program) {
  std::string line(TrimBlanks(TextBeforeShownCursor(drawing)));
  bool has_prompt = line.find_first_not_of(">/ 0123456789") == 0;
  return has_prompt ? line : "the choice of an entry in " + program;
}

// Returns the question on one line, or "" if there is none.
std::string QuestionIn(const Drawing& drawing) {
  std::optional<Place> place = FindQuestion(drawing);
  std::string question;
  if (!place) return question;
  size_t first = place->first;
  // The question is above the answers.
  if (first > 0 && OffersAnswers(drawing.lines[first])) --first;
  for (size_t i = first; i < place->end; ++i) {
    std::string_view line = TrimFrame(drawing.lines[i]);
    if (line.empty()) continue;
    if (!question.empty()) question += ' ';
    question += line;
  }
  return question;
}

}  // namespace

Screen TakeScreen(const terminal::Terminal& terminal) {
  Screen screen;
  if (terminal.modes().alternate_screen) {
    screen = TakeFullScreen(terminal);
  } else {
    int64_t end = terminal.end_line();
    int64_t from = std::max(terminal.first_line(), end - terminal.size().rows);
    screen.first_line = from;
    for (terminal::Line& line : terminal.Lines(from, end)) {
      screen.drawing.lines.push_back(std::move(line.text));
    }
    if (terminal.cursor().visible && terminal.cursor_line() >= from) {
      screen.drawing.cursor = {
          static_cast<size_t>(terminal.cursor_line() - from),
          terminal.cursor_line_bytes()};
    }
  }
  std::vector<std::string>& lines = screen.drawing.lines;
  while (!lines.empty() && TrimTrailingBlanks(lines.back()).empty()) {
    lines.pop_back();
  }
  return screen;
}

std::optional<Asked> FindAsked(const terminal::Terminal& terminal,
                               const std::string& program, bool draws_screens) {
  if (IsOneOf(program, kPagers)) return std::nullopt;
  Drawing drawing = TakeScreen(terminal).drawing;
  if (IsOneOf(program, kChoosers))
    return Asked{ChoiceText(drawing, program), true};
  if (draws_screens) {
    if (auto dialog = DialogText(drawing.lines)) return Asked{*dialog, true};
  }
  std::string before_cursor = session::TextBeforeCursor(terminal);
  if (IsReplPrompt(before_cursor)) return std::nullopt;
  std::string question = QuestionIn(drawing);
  bool is_edited = IsInEditedText(drawing, program);
  bool asks = session::LooksLikeQuestion(question);
  if (asks || (!question.empty() && !draws_screens)) {
    return Asked{std::move(question), asks && !is_edited};
  }
  std::string line(TrimFrame(before_cursor));
  if (!session::LooksLikeQuestion(line)) return std::nullopt;
  return Asked{std::move(line), !is_edited};
}

}  // namespace glasstty::waits
