// A plan: what a call types, and what it answers while it waits.
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

// The schema of `input` in all tools. It contains only types: the description
// of term_send tells a model the same in fewer tokens than a schema of all
// steps would.
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
  // The field `answers` alone, for tools with an `input` of their own or none.
  static const std::vector<mcp::Field<PlanArgs>>& AnswerFields();
};

// Returns until when a step of a plan may wait that has no time of its own.
// Nobody tells the client meanwhile that the call is alive.
Time StepDeadline(mcp::ToolCall* call, double timeout_s);

// The validated arguments.
struct Plan {
  // Error: the first invalid argument, with the way out; `tool` names the tool
  // that was called. A step that waits, and has no time of its own, may wait
  // until `deadline`. `inherited` is as in ParseSteps.
  static absl::StatusOr<Plan> Parse(std::string_view tool, const PlanArgs& args,
                                    Time deadline,
                                    const record::Inheritance* inherited);

  bool types() const { return !steps.empty(); }

  std::vector<typing::Step> steps;
  struct Answer {
    Pattern when;
    int times;
    std::vector<typing::Step> steps;
    // It ends with text, and without an Enter.
    bool is_open;
  };
  std::vector<Answer> answers;
  // Tell the caller, in the reply, what may have been meant otherwise.
  std::vector<std::string> notes;
};

// The outcome of a plan, for the reply.
struct PlanReport {
  void Tell(Reply* reply) const;
  // Notes that a question was answered: answered "Name?", "Sure (y/n)?".
  void AddAnswered(std::string_view question);

  // Says what was answered, refused and left untyped.
  std::vector<std::string> notes;
  // The same, with texts of the program.
  std::vector<std::string> quotations;
  std::vector<Reply::Shown> shown;
  // The mark that the last entry of `shown` leaves.
  view::ReaderMark mark;
};

class Player {
 public:
  // `confirmed` overrules the gate's objections. The steps {"show": true} read
  // the session as `show` says. Only questions after `mark` count.
  Player(Workbench* bench, mcp::ToolCall* call, session::SessionRef session,
         Plan plan, bool confirmed, view::ReadRequest show,
         view::ReaderMark mark);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // Types the plan's steps and, with `enter`, Enter after them. Tells `until`,
  // which may be null, about the typed lines.
  Task<typing::Typed> Type(bool enter, waits::Waiting* until);

  // Like waits::Await, but gives answers meanwhile. If one was not typed
  // completely, the wait ends with the reason "untyped".
  Task<waits::Result> Await(Predicate look, Time deadline);

  // Waits for `waiting` while giving answers. The reply reports the outcome of
  // the plan and of the wait.
  Task<Reply> AwaitAndTell(waits::Waiting* waiting, waits::Patience patience);

  PlanReport Report() const;
  // Returns whether the gate has refused something.
  bool refused() const { return gated_.refused; }

 private:
  // Finds the other sessions that steps wait for. Error: there is none of that
  // name.
  absl::Status FindOthers(std::vector<typing::Step>* steps);
  // `answers`: questions between two steps are answered.
  Task<typing::Typed> TypeGuarded(std::vector<typing::Step> steps, bool enter,
                                  waits::Waiting* until, bool answers);
  // Types the answer that fits. Returns false if it was not typed completely.
  Task<bool> GiveAnswer();
  // Answers what the program asks before the next step is typed.
  Task<typing::Next> AnswerBetween();
  Task<typing::Next> Show(const typing::Step* step);
  // Names the answers that were not given; "" if all were.
  std::string NotAskedNote() const;

  Workbench* const bench_;
  mcp::ToolCall* const call_;
  const session::SessionRef session_;
  Plan plan_;
  const view::ReadRequest show_;
  waits::Answers answers_;
  std::set<size_t> given_;  // which of the plan's answers
  GatedTyping gated_;
  // The value of Person::begun when the plan was made.
  const uint64_t turns_;
  PlanReport report_;
};

// Returns a text such as "typed 1 of 3 steps: ...", or "" if all steps were
// typed. `steps` counts the texts and keys into which the notation was split,
// including Enter.
std::string TypedNote(const typing::Typed& typed, size_t steps);

}  // namespace glasstty
