// Input steps: descriptions of what an agent wants typed, and a coroutine that
// types them in order.
//
// A step is one row of `term_send input=[...]`. TypeSteps types each step only
// after the program has read the one before, and stops when the program is
// gone. The tools parse the JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "terminal/keys.h"
#include "typing/pointer.h"
#include "typing/typist.h"
#include "waits/waiting.h"

namespace glasstty::typing {

struct Step {
  enum class Kind {
    kText,    // text: literal, newlines are Enter
    kKey,     // key
    kPaste,   // text
    kSecret,  // text; typed only at a no-echo prompt unless `force`
    kResize,  // size
    kEof,
    kSignal,  // number: signal
    kPause,   // seconds
    kUntil,   // until
    kMouse,   // gesture
    kShow,    // number: of the step, as the caller counts; types nothing
  };
  // Determines which of the members below are used.
  Kind kind = Kind::kText;
  std::string text;
  terminal::Key key;
  terminal::Size size;
  Gesture gesture;
  int number = 0;
  // kShow: the first and the last row to show, counted from 1; {0, 0}: the rows
  // around the cursor; nullopt: all rows.
  std::optional<std::pair<int, int>> rows;
  // kPause: the duration. kUntil: the longest wait, which may last until
  // `latest` in any case.
  double seconds = 0;
  Time latest{};
  bool has_own_time = false;  // kUntil: `seconds` is the caller's
  waits::Until until;
  // kUntil: for a wait in another session, its name as the caller wrote it, the
  // session itself, and the mark of what the caller has seen of it.
  std::string other_name;
  session::ConstSessionRef other;
  record::ReadMark other_mark;
  // kSecret: types the secret although the terminal echoes, as it does at the
  // near end of ssh.
  bool force = false;
};

// Returns the bytes that the step types into the terminal as it is now, or ""
// if it types none or they are not known beforehand.
std::string TypedBytes(const Step& step, const session::Session& session);

// Returns why a step must not be typed, which ends the typing, or "". Called in
// order, before each step that types. May be null.
using StepGuard =
    std::function<Task<std::string>(const std::vector<Step>* steps, size_t)>;

// Called for each kShow step, once the program has dealt with the steps before
// it.
using StepShow = std::function<Task<Next>(const Step*)>;

// Called before each step that types, except the first. Gives prepared answers
// to questions that the program asks meanwhile.
using StepAnswer = std::function<Task<Next>()>;

// Types `steps`. If `enter`, types Enter once the program has read the rest.
// `until`, if given, receives the typed lines; it must outlive the call.
Task<Typed> TypeSteps(session::SessionRef session, std::vector<Step> steps,
                      bool enter, Cancellation* cancellation,
                      waits::Waiting* until = nullptr,
                      StepGuard guard = nullptr, StepShow show = nullptr,
                      StepAnswer answer = nullptr);

}  // namespace glasstty::typing
