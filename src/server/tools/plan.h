// A plan: the steps that a call types, and the answers that it gives while it
// waits.
//
// Contains the arguments `input` and `answers` of several tools, and the class
// Player, which types the steps and gives the answers while it waits. A Player
// lives in the frame of the call and plays one plan in one session, which it
// keeps alive. Loop thread only.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "mcp/schema.h"
#include "tools/reply.h"
#include "tools/steps.h"
#include "tools/workbench.h"
#include "typing/input.h"
#include "waits/answers.h"

namespace glasstty {

// The schema of `input` in all tools. It contains only types, because the
// description of term_send explains the steps in fewer tokens than a schema
// would.
inline constexpr char kInputShape[] =
    R"({"type":["string","array"],"items":{"type":["string","object"]}})";

struct AnswerArgs {
  // A pattern for the question.
  std::string when;
  Json input;
  int times = 1;

  static const std::vector<mcp::Field<AnswerArgs>>& Fields();
};

// The arguments of tools that wait and may also type.
struct PlanArgs {
  // Null: nothing is typed.
  Json input;
  std::vector<AnswerArgs> answers;

  static const std::vector<mcp::Field<PlanArgs>>& Fields();
  // The field `answers` alone, for tools that have their own `input` or none.
  static const std::vector<mcp::Field<PlanArgs>>& AnswerFields();
};

// Returns the deadline of a plan's step that waits without its own time limit:
// `timeout_s` from now, but at most the time that a call may wait without
// reporting progress, because no progress is reported during the typing.
Time StepDeadline(mcp::ToolCall* call, double timeout_s);

// The validated arguments.
struct Plan {
  // Error: names the first invalid argument and what to do; `tool` is the name
  // of the called tool. A step that waits without its own time limit may wait
  // until `deadline`, or for 10 s, if that is longer; in answers, for 10 s.
  // `inherited` is as in ParseSteps.
  static absl::StatusOr<Plan> Parse(std::string_view tool, const PlanArgs& args,
                                    Time deadline,
                                    const record::Inheritance* inherited);

  bool types() const { return !steps.empty(); }

  std::vector<typing::Step> steps;
  struct Answer {
    Pattern when;
    int times;
    std::vector<typing::Step> steps;
    // The answer ends with text, and without an Enter.
    bool is_open;
  };
  std::vector<Answer> answers;
  // Notes for the reply about input that may have been meant otherwise.
  std::vector<std::string> notes;
};

// The outcome of a plan, for the reply.
struct PlanReport {
  void Tell(Reply* reply) const;
  // Adds a question to the quotation `answered "Name?", "Sure (y/n)?"`.
  void AddAnswered(std::string_view question);

  // Notes about the input, for example what was not typed, and why.
  std::vector<std::string> notes;
  // Notes that quote texts of the program: the questions that were answered.
  std::vector<std::string> quotations;
  std::vector<Reply::Shown> shown;
  // The mark that the last entry of `shown` leaves.
  view::ReaderMark mark;
};

class Player {
 public:
  // `confirmed` overrules the gate's objections. The steps {"show": true} read
  // the session as `show` says. Questions after `mark`, or still open, count.
  Player(Workbench* bench, mcp::ToolCall* call, session::SessionRef session,
         Plan plan, bool confirmed, view::ReadRequest show,
         view::ReaderMark mark);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // Call it before Type if the first step is the first effect of the call, so
  // that the gate may ask the user about it in every era.
  void BeginCall() { gated_.begins_call = true; }

  // Types the plan's steps and, with `enter`, Enter after them. Announces the
  // typed lines, and those of later answers, to `until`, which may be null and
  // must outlive the player. Call it only once.
  Task<typing::Typed> Type(bool enter, waits::Waiting* until);

  // Like waits::Await, but gives answers meanwhile. If an answer could not be
  // typed completely, the wait ends with the reason "untyped".
  Task<waits::Result> Await(Predicate look, Time deadline);

  // Waits for `waiting`, which has begun, while giving answers. The reply
  // reports the outcome of the plan and of the wait.
  Task<Reply> AwaitAndTell(waits::Waiting* waiting, waits::Patience patience);

  PlanReport Report() const;
  // Returns whether the gate has refused a step.
  bool refused() const { return gated_.refused; }

 private:
  // Finds the other sessions for which steps wait. Error: one cannot be found.
  absl::Status FindOthers(std::vector<typing::Step>* steps);
  // If `answers` is true, questions between two steps are answered.
  Task<typing::Typed> TypeGuarded(std::vector<typing::Step> steps, bool enter,
                                  bool answers);
  // Types the answer that fits. Returns false if it was not typed completely.
  Task<bool> GiveAnswer();
  // Answers the program's questions before the next step is typed.
  Task<typing::Next> AnswerBetween();
  Task<typing::Next> Show(const typing::Step* step);
  // Names the answers that were not given; "" if all were.
  std::string NotAskedNote() const;

  Workbench* const bench_;
  mcp::ToolCall* const call_;
  const session::SessionRef session_;
  Plan plan_;
  const view::ReadRequest show_;
  waits::Waiting* until_ = nullptr;  // as in Type
  waits::Answers answers_;
  std::set<size_t> given_;  // indices of the plan's answers that were given
  GatedTyping gated_;
  // The value of Person::begun when the player was made.
  const uint64_t turns_;
  PlanReport report_;
};

// Returns a text such as "typed 1 of 3 steps: ...", which also says what was
// discarded or may be missing; "" if there is nothing to report. `steps` is the
// number of steps, in which each text and key of the notation counts
// separately, including a final Enter.
std::string TypedNote(const typing::Typed& typed, size_t steps);

}  // namespace glasstty
