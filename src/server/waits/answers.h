// Finds the prepared answer that fits the question that a program is asking.
//
// An answer fits if the kernel reports that the program waits for input, the
// program has dealt with what was typed, and the answer's pattern matches the
// last line that was printed or the question that was drawn (question.h). If
// the kernel cannot report the wait, canonical mode suffices, or output that
// ends like a question. An answered question counts again only once the program
// has drawn it again. Lives in the frame of the waiting coroutine and types
// nothing itself. Loop thread only; the session must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/read_mark.h"
#include "session/session.h"
#include "support/loop.h"
#include "support/pattern.h"
#include "waits/answering.h"
#include "waits/question.h"

namespace glasstty::waits {

class Answers {
 public:
  struct Answer {
    Pattern when;
    // The number of times that this answer may still be given.
    int times = 1;
  };

  explicit Answers(std::vector<Answer> answers)
      : answers_(std::move(answers)) {}

  // Questions printed after `mark` count, and so does an earlier question that
  // is still open on the screen. Must be called before Check.
  void Begin(const session::Session* session, record::ReadMark mark);

  // Met if the program asks and an answer fits.
  Look Check();
  // The index of the answer that fits. REQUIRES: the last Check was met.
  size_t fitting() const { return fitting_; }
  // Marks the question on the screen as answered, because its answer is about
  // to be typed. REQUIRES: the last Check was met.
  void Give();

  // True if the program asked at the last Check, but no remaining answer
  // fitted.
  bool asked_in_vain() const { return asked_in_vain_; }
  // True if the program seemed to wait for input at the last Check. If it may
  // ask, it had also dealt with what was typed.
  bool is_waiting() const { return is_waiting_; }
  // True while an answer may still be given.
  bool any_left() const;
  // The line for which the last Check found an answer.
  const std::string& question() const { return question_; }

 private:
  // A text against which the pattern of an answer is matched.
  struct Text {
    std::string all;
    // The offset in `all` after which a match must end.
    size_t question = 0;
  };
  struct Asked {
    int64_t line = 0;      // the question's first line
    bool printed = false;  // as in Place
    // The question and the lines above it, trimmed in each way (Trim), and, if
    // it may go on, the same with everything below.
    std::vector<Text> texts;
    Drawing drawing;  // from the question's first line on
  };
  // An agent may write "Go on? " with or without the blank, and without a
  // frame.
  enum class Trim { kNothing, kBlanks, kFrame };
  static constexpr size_t kTrims = 3;
  static std::string Trimmed(std::string_view line, Trim trim);

  // Returns the foreground process at the last probe; 0: unknown.
  int Reader() const;
  std::optional<Asked> FindAsked() const;
  bool IsSettled(const Asked& asked) const;
  Text Printed(Trim trim) const;
  static Text Drawn(const Drawing& drawing, size_t first, size_t end,
                    Trim trim);
  std::optional<size_t> FindFitting(const Asked& asked);

  std::vector<Answer> answers_;
  const session::Session* session_ = nullptr;
  record::ReadMark mark_;
  session::Questions::Kept interest_;  // Interest::kState
  Answering answering_;
  Asked asked_;  // the question for which the last Check found an answer
  size_t fitting_ = 0;
  std::optional<Asked> given_;  // the last question that was answered
  uint64_t revision_ = 0;       // the screen's revision at that time
  // Reader() at the last answer or, before the first one, at Begin.
  int typed_to_ = 0;
  std::string question_;
  bool asked_in_vain_ = false;
  bool is_waiting_ = false;
};

}  // namespace glasstty::waits
