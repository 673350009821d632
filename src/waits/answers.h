// Prepared answers: finds the one that fits what a program is asking.
//
// A program is asking if the kernel says that it waits for input (a guess does
// not justify typing) and the last line that it has printed matches an answer's
// pattern. Lives in the frame of the waiting coroutine and types nothing
// itself. Loop thread only; the session must outlive it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "record/read_mark.h"
#include "session/session_view.h"
#include "support/pattern.h"

namespace glasstty::waits {

class Answers {
 public:
  struct Answer {
    Pattern when;
    // How often it may still be given.
    int times = 1;
  };

  explicit Answers(std::vector<Answer> answers)
      : answers_(std::move(answers)) {}

  // What is printed after `mark` may ask, and what stands on the screen above
  // it: a question that the caller has seen is still one.
  // REQUIRES: before Look.
  void Begin(const session::SessionView* session, record::ReadMark mark);

  // The answer that fits; nullopt: nothing is asked, or nothing fits.
  std::optional<size_t> Look();

  // Answer `which` is about to be typed: the question on the screen is settled.
  void Give(size_t which);

  // At the last Look the program asked, and none of the answers that are left
  // fitted.
  bool asked_in_vain() const { return asked_in_vain_; }
  // The line that the last Look found an answer for.
  const std::string& question() const { return question_; }

 private:
  // What the pattern of an answer is held against.
  struct Question {
    std::string text;
    // A match must end behind this byte.
    size_t last_line = 0;
  };
  Question Asked(bool trims) const;

  std::vector<Answer> answers_;
  const session::SessionView* session_ = nullptr;
  record::ReadMark mark_;
  session::SessionView::Kept interest_;  // in the state
  std::string question_;
  bool asked_in_vain_ = false;
};

}  // namespace glasstty::waits
