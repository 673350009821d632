// Input steps: what an agent wants typed, and typing it in order.
//
// A step is one row of `term_send input=[...]`. TypeSteps is a coroutine that
// gives each step to the program only after it has read the one before, and
// stops when the program is gone. Parsing JSON is the tools' business.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "session/session.h"
#include "support/cancellation.h"
#include "support/task.h"
#include "terminal/keys.h"
#include "typing/pointer.h"
#include "typing/typist.h"
#include "waits/until.h"

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
  // Which of the members below count is said at the kind.
  Kind kind = Kind::kText;
  std::string text;
  terminal::Key key;
  terminal::Size size;
  Gesture gesture;
  int number = 0;
  // kPause: how long. kUntil: the longest wait.
  double seconds = 0;
  waits::Until until;
  // kSecret: types it although the terminal echoes, as it does at the near end
  // of ssh.
  bool force = false;
};

// What the step types into the terminal as it is now; empty for steps that type
// nothing that is known beforehand.
std::string TypedBytes(const Step& step, const session::Session& session);

// Asked before each step that types, in order: why it must not be typed; empty:
// it may. It then ends the typing. May be null.
using StepGuard =
    std::function<Task<std::string>(const std::vector<Step>* steps, size_t)>;

// Called for each kShow step with its number, once the program has dealt with
// the steps before it. False ends the typing.
using StepShow = std::function<Task<bool>(int)>;

// Types `steps`. With `enter`, Enter follows once the program has read the
// rest. `until`, if given, is told of the lines typed; it must outlive the
// call.
Task<Typed> TypeSteps(session::SessionRef session, std::vector<Step> steps,
                      bool enter, Cancellation* cancellation,
                      waits::UntilCheck* until = nullptr,
                      StepGuard guard = nullptr, StepShow show = nullptr);

}  // namespace glasstty::typing
