#include "waits/answers.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "support/text.h"

namespace glasstty::waits {
namespace {

// A question has few lines; what was printed before them is not part of it.
constexpr size_t kQuestionLines = 40;

// True when some match of `pattern` ends behind `from`.
bool EndsBehind(const Pattern& pattern, const std::string& text, size_t from) {
  size_t at = 0;
  while (auto match = pattern.Find(text, at)) {
    if (match->end > from) return true;
    // An empty match would be found again for ever.
    at = std::max(match->end, match->begin + 1);
    if (at > text.size()) break;
  }
  return false;
}

}  // namespace

void Answers::Begin(const session::SessionView* session,
                    record::ReadMark mark) {
  session_ = session;
  mark_ = std::move(mark);
  mark_.lines_revision = 0;
  mark_.shown.clear();
  if (!answers_.empty()) interest_ = session->Keep(session::Interest::kState);
}

// A dialog on the alternate screen has its question anywhere; a program that
// prints lines has it on the last one, which need not be ended.
Answers::Question Answers::Asked(bool trims) const {
  const terminal::Terminal& terminal = session_->terminal();
  Question question;
  if (terminal.modes().alternate_screen) {
    for (const terminal::SnapshotRow& row : terminal.TakeSnapshot().rows) {
      question.text += row.text + "\n";
    }
    return question;
  }
  std::vector<terminal::Line> lines = record::UnreadLines(terminal, mark_);
  while (!lines.empty() && TrimTrailingBlanks(lines.back().text).empty()) {
    lines.pop_back();
  }
  size_t from = lines.size() - std::min(lines.size(), kQuestionLines);
  for (size_t i = from; i < lines.size(); ++i) {
    question.last_line = question.text.size();
    std::string_view text = lines[i].text;
    question.text += trims ? TrimLineEnd(text) : text;
    question.text += '\n';
  }
  return question;
}

std::optional<size_t> Answers::Look() {
  asked_in_vain_ = false;
  if (answers_.empty() || session_->finished()) return std::nullopt;
  std::optional<session::SessionState> state = session_->settled_state();
  bool asks = state && state->evidence != session::Evidence::kGuess &&
              (state->activity == session::Activity::kInput ||
               state->activity == session::Activity::kSecret);
  if (!asks) return std::nullopt;
  // "Go on? " matches as it stands and without its blank.
  const Question questions[] = {Asked(/*trims=*/false), Asked(/*trims=*/true)};
  for (size_t i = 0; i < answers_.size(); ++i) {
    const Answer& answer = answers_[i];
    bool matches = std::any_of(
        std::begin(questions), std::end(questions), [&](const Question& q) {
          return EndsBehind(answer.when, q.text, q.last_line);
        });
    if (answer.times > 0 && matches) {
      question_ = session_->TextBeforeCursor();
      asked_in_vain_ = false;
      return i;
    }
    if (answer.times > 0) asked_in_vain_ = true;
  }
  return std::nullopt;
}

void Answers::Give(size_t which) {
  --answers_[which].times;
  mark_ = record::MarkNow(session_->terminal());
}

}  // namespace glasstty::waits
