#include "waits/answers.h"

#include <algorithm>
#include <string_view>

#include "support/text.h"
#include "waits/asked.h"

namespace glasstty::waits {
namespace {

// A question has only a few lines. Lines before these are not part of it.
constexpr size_t kQuestionLines = 40;

// Finds a match of `pattern` that ends after `from`. Returns, without frames,
// the line in which the match ends or, if that line has no text, the next line
// that has text. Returns nullopt if there is no such match.
std::optional<std::string> FindBehind(const Pattern& pattern,
                                      const std::string& text, size_t from) {
  size_t at = 0;
  while (auto match = pattern.Find(text, at)) {
    if (match->end > from) {
      size_t end = match->end - 1;
      size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
      std::string_view line;
      while (line.empty() && begin < text.size()) {
        size_t line_end = text.find('\n', begin);
        line =
            TrimFrame(std::string_view(text).substr(begin, line_end - begin));
        begin = line_end + 1;
      }
      return std::string(line);
    }
    // An empty match would be found again for ever.
    at = std::max(match->end, match->begin + 1);
    if (at > text.size()) break;
  }
  return std::nullopt;
}

// A program of another user, such as sudo or passwd, cannot be examined. A
// terminal in canonical mode without output for a while (session/state.cc) is
// enough, because an answer is typed only at its own question.
bool ReadsLines(const session::Session& session) {
  const wire::ProbeAnswer* answer = session.questions().prober().current();
  return answer != nullptr && answer->canonical &&
         answer->waiting == wire::Waiting::kOpaque;
}

// Behind a relay, such as ssh or sudo with its own terminal, the reader cannot
// be seen. So the output must end like a question or with ')', and nothing must
// follow for a while (session/state.cc). If nobody reads yet, the answer waits
// in the terminal.
bool IsAtQuestion(const session::Session& session) {
  std::string line = session.output().TextBeforeCursor();
  return session::LooksLikeQuestion(line) ||
         TrimTrailingBlanks(line).ends_with(')');
}

}  // namespace

void Answers::Begin(const session::Session* session, record::ReadMark mark) {
  session_ = session;
  mark_ = std::move(mark);
  mark_.lines_revision = 0;
  mark_.shown.clear();
  if (answers_.empty()) return;
  interest_ = session->questions().Keep(session::Interest::kState);
  answering_.Begin(session);
  typed_to_ = Reader();
}

std::string Answers::Trimmed(std::string_view line, Trim trim) {
  switch (trim) {
    case Trim::kNothing:
      break;
    case Trim::kBlanks:
      line = TrimLineEnd(line);
      break;
    case Trim::kFrame:
      line = TrimFrame(line);
      break;
  }
  return std::string(line);
}

int Answers::Reader() const {
  const wire::ProbeAnswer* answer = session_->questions().prober().last();
  return answer == nullptr ? 0 : answer->foreground_pid;
}

// If the lines are printed one after another, only unread lines can ask,
// because the earlier ones have been answered.
Answers::Text Answers::Printed(Trim trim) const {
  std::vector<terminal::Line> lines =
      record::UnreadLines(session_->output().terminal(), mark_);
  while (!lines.empty() && TrimTrailingBlanks(lines.back().text).empty()) {
    lines.pop_back();
  }
  size_t from = lines.size() - std::min(lines.size(), kQuestionLines);
  Text text;
  for (size_t i = from; i < lines.size(); ++i) {
    text.question = text.all.size();
    text.all += Trimmed(lines[i].text, trim) + "\n";
  }
  return text;
}

Answers::Text Answers::Drawn(const Drawing& drawing, size_t first, size_t end,
                             Trim trim) {
  size_t from = first - std::min(first, kQuestionLines);
  Text text;
  for (size_t i = from; i < end; ++i) {
    if (i == first) text.question = text.all.size();
    text.all += Trimmed(drawing.lines[i], trim) + "\n";
  }
  return text;
}

bool Answers::IsSettled(const Asked& asked) const {
  if (!given_ || given_->line != asked.line) return false;
  if (Reader() != typed_to_) return false;
  const Drawing& before = given_->drawing;
  if (before.full_screen != asked.drawing.full_screen) return false;
  // If only the revision has changed, the program has asked again.
  if (before.lines == asked.drawing.lines &&
      before.cursor == asked.drawing.cursor) {
    return session_->output().terminal().revision() == revision_;
  }
  return IsStillAsked(before, asked.drawing);
}

std::optional<Answers::Asked> Answers::FindAsked() const {
  Screen screen = TakeScreen(session_->output().terminal());
  std::optional<Place> place = FindQuestion(screen.drawing);
  if (!place) return std::nullopt;
  Asked asked;
  asked.printed = place->printed;
  const Drawing& all = screen.drawing;
  for (size_t end : {place->end, all.lines.size()}) {
    for (Trim trim : {Trim::kNothing, Trim::kBlanks, Trim::kFrame}) {
      asked.texts.push_back(
          place->printed ? Printed(trim) : Drawn(all, place->first, end, trim));
    }
    if (!place->may_go_on) break;
  }
  asked.line = screen.first_line + static_cast<int64_t>(place->first);
  asked.drawing = std::move(screen.drawing);
  Drawing& drawing = asked.drawing;
  drawing.lines.erase(
      drawing.lines.begin(),
      drawing.lines.begin() + static_cast<std::ptrdiff_t>(place->first));
  if (drawing.cursor && drawing.cursor->line >= place->first) {
    drawing.cursor->line -= place->first;
  } else {
    drawing.cursor.reset();
  }
  return asked;
}

Look Answers::Check() {
  asked_in_vain_ = is_waiting_ = false;
  if (answers_.empty() || session_->finished()) return false;
  std::optional<session::SessionState> state =
      session_->verdict().settled_state();
  if (!state || state->activity == session::Activity::kBusy) return false;
  bool is_known =
      state->evidence != session::Evidence::kGuess || ReadsLines(*session_);
  bool waits = (is_known || IsAtQuestion(*session_)) &&
               state->activity != session::Activity::kPrompt;
  is_waiting_ = !waits;
  if (!waits) return false;
  // A program that always polls shows the previous question until it has dealt
  // with the last input.
  bool is_same = Reader() == typed_to_;
  if (is_same) {
    if (Look answered = answering_.IsOver(); !answered.met()) return answered;
  }
  is_waiting_ = true;
  std::optional<Asked> asked = FindAsked();
  if (!asked || IsSettled(*asked)) return false;
  std::optional<size_t> which = FindFitting(*asked);
  if (which) {
    if (asked->printed) question_ = session_->output().TextBeforeCursor();
    asked_ = *std::move(asked);
    fitting_ = *which;
    return true;
  }
  asked_in_vain_ = any_left();
  return false;
}

bool Answers::any_left() const {
  return std::any_of(answers_.begin(), answers_.end(),
                     [](const Answer& answer) { return answer.times > 0; });
}

// Prefers an answer that fits the question itself to one that fits its choices.
std::optional<size_t> Answers::FindFitting(const Asked& asked) {
  for (size_t from = 0; from < asked.texts.size(); from += kTrims) {
    for (size_t i = 0; i < answers_.size(); ++i) {
      if (answers_[i].times == 0) continue;
      for (size_t t = from; t < from + kTrims; ++t) {
        const Text& text = asked.texts[t];
        auto line = FindBehind(answers_[i].when, text.all, text.question);
        if (!line) continue;
        question_ = *std::move(line);
        return i;
      }
    }
  }
  return std::nullopt;
}

void Answers::Give() {
  --answers_[fitting_].times;
  given_ = std::move(asked_);
  typed_to_ = Reader();
  revision_ = session_->output().terminal().revision();
  mark_ = record::MarkNow(session_->output().terminal());
}

}  // namespace glasstty::waits
