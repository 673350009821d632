// Input steps: descriptions of what an agent wants typed, and a coroutine that
// types them in order.
//
// An element of `term_send input=[...]` is one or more steps. TypeSteps gives
// the program time to read a step before it types the next step, and stops if
// the program is gone. The tools parse the JSON.
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
  // Each kind uses the members of Step that are named beside it.
  enum class Kind {
    kText,    // `text`, literally; newlines are Enter
    kKey,     // `key`
    kPaste,   // `text`, `submits`
    kSecret,  // `text`, `force`
    kResize,  // `size`
    kEof,
    kSignal,  // `number` of the signal
    kPause,   // `seconds`
    kUntil,   // `until`, and all members below that mention kUntil
    kMouse,   // `gesture`
    kShow,    // `number` of the step, as the caller counts; `rows`
  };
  Kind kind = Kind::kText;
  std::string text;
  terminal::Key key;
  terminal::Size size;
  Gesture gesture;
  int number = 0;
  // kShow: the first and the last row to show, counted from 1; {0, 0}: the rows
  // around the cursor; nullopt: no particular rows.
  std::optional<std::pair<int, int>> rows;
  // kPause: the duration. kUntil: the time limit, unless `latest` is later.
  double seconds = 0;
  Time latest{};
  bool has_own_time = false;  // kUntil: the caller has chosen `seconds`
  waits::Until until;
  // kUntil: for a wait in another session, its name as the caller wrote it, the
  // session itself, and the mark of what the caller has seen of that session.
  std::string other_name;
  session::ConstSessionRef other;
  record::ReadMark other_mark;
  // kPaste: Enter is typed in the same write. The text has no newline.
  bool submits = false;
  // kSecret: types the secret even if the terminal is not at a password prompt
  // (canonical mode without echo), for example if ssh reads single keys.
  bool force = false;
};

// Returns the bytes that the step would type into the terminal as it is now.
// Returns "" if the step types none, if they are not known beforehand (kMouse),
// and for a secret without `force`.
std::string TypedBytes(const Step& step, const session::Session& session);

// Called in order, before each step that types, with all steps and the index of
// this one. Returns "", or a reason against this step, which ends the typing.
using StepGuard =
    std::function<Task<std::string>(const std::vector<Step>* steps, size_t)>;

// Called for each kShow step once the program has dealt with earlier steps.
using StepShow = std::function<Task<Next>(const Step*)>;

// Called before each step that types, unless it is the first of the list. Gives
// prepared answers to questions that the program asks meanwhile.
using StepAnswer = std::function<Task<Next>()>;

// Takes the turn (typing/turn.h) and types `steps`, and then, if `enter`, Enter
// as a step of its own. `until` receives the typed lines whose echo may come
// back; it must outlive the call. `until` and the functions may be null.
Task<Typed> TypeSteps(session::SessionRef session, std::vector<Step> steps,
                      bool enter, Cancellation* cancellation,
                      waits::Waiting* until = nullptr,
                      StepGuard guard = nullptr, StepShow show = nullptr,
                      StepAnswer answer = nullptr);

}  // namespace glasstty::typing
