// A plan: what a call types, and what it answers while it waits.
//
// Contains the arguments `input` and `answers` of several tools, a coroutine
// that types the steps, and one that waits and gives answers. A Player lives in
// the frame of the call and plays one plan in one session, which it holds. Loop
// thread only.
#pragma once

#include <optional>
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

// The schema of `input`, wherever it stands. Types only: the words of term_send
// tell a model the same in fewer tokens than a schema of all steps would.
inline constexpr char kInputShape[] =
    R"({"type":["string","array"],"items":{"type":["string","object"]}})";

struct AnswerArgs {
  // A pattern for the line that asks.
  std::string when;
  Json input;
  int times = 1;

  static const std::vector<mcp::Field<AnswerArgs>>& Fields();
};

// The arguments of tools that wait but do not only type.
struct PlanArgs {
  // Null: nothing is typed.
  Json input;
  std::vector<AnswerArgs> answers;

  static const std::vector<mcp::Field<PlanArgs>>& Fields();
  // The row `answers` alone, for tools with an `input` of their own or none.
  static const std::vector<mcp::Field<PlanArgs>>& AnswerFields();
};

// The arguments, checked.
struct Plan {
  // Error: the first argument that is wrong, with the way out; `tool` names the
  // tool that was called.
  static absl::StatusOr<Plan> Parse(std::string_view tool,
                                    const PlanArgs& args);

  bool types() const { return !steps.empty(); }

  std::vector<typing::Step> steps;
  struct Answer {
    Pattern when;
    int times;
    std::vector<typing::Step> steps;
  };
  std::vector<Answer> answers;
};

// What came of a plan, for the reply.
struct PlanReport {
  void Tell(Reply* reply) const;

  // What was answered, refused and left untyped.
  std::vector<std::string> notes;
  std::vector<Reply::Shown> shown;
  // Of the last that was shown.
  view::ReaderMark mark;
};

class Player {
 public:
  // `confirmed`: the gate's objections have been overruled. `show` is how the
  // steps {"show": true} read the session. Questions count from `mark` on.
  Player(Workbench* bench, mcp::ToolCall* call, session::SessionRef session,
         Plan plan, bool confirmed, view::ReadRequest show,
         view::ReaderMark mark);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  // Types the plan's steps, and Enter behind them with `enter`. `until` is told
  // of the lines typed; may be null.
  Task<typing::Typed> Type(bool enter, waits::UntilCheck* until);

  // The plan's answer to what the session asks now, if there is one. Waits for
  // several sessions ask each of their players.
  bool HasAnswer();
  // Types that answer. False: it was not typed whole, and the wait must end.
  Task<bool> GiveAnswer();

  // Waits for the only one of `checks`, giving answers; the reply tells what
  // came of the plan and of the wait.
  Task<Reply> AwaitAndTell(std::vector<waits::UntilCheck>* checks,
                           Patience patience);

  PlanReport Report() const;
  // The gate has refused something.
  bool refused() const { return gated_.refused; }

 private:
  Task<typing::Typed> TypeGuarded(std::vector<typing::Step> steps, bool enter,
                                  waits::UntilCheck* until);
  Task<bool> Show(int step);

  Workbench* const bench_;
  mcp::ToolCall* const call_;
  const session::SessionRef session_;
  Plan plan_;
  const view::ReadRequest show_;
  waits::Answers answers_;
  GatedTyping gated_;
  // Person::begun when the plan was made.
  const uint64_t turns_;
  PlanReport report_;
  size_t next_answer_ = 0;
};

// AwaitLook that gives the answers of `players`, one for each of `sessions`.
Task<WaitResult> AwaitAnswering(Loop* loop, mcp::ToolCall* call,
                                std::vector<session::SessionRef> sessions,
                                std::vector<Player*> players, Look look,
                                Time deadline);

// "typed 1 of 3 steps: ..."; "" when all were. `steps` counts texts and keys as
// the notation was taken apart, Enter included.
std::string TypedNote(const typing::Typed& typed, size_t steps);

}  // namespace glasstty
