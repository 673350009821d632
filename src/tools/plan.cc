#include "tools/plan.h"

#include <utility>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {

using session::SessionRef;

namespace {

// More prepared questions than this are a mistake.
constexpr size_t kMaxAnswers = 50;

constexpr char kAnswersHelp[] =
    "[{when: RE2, input, times: 1}]: types `input` when it asks and its "
    "last line matches `when`.";

}  // namespace

const std::vector<mcp::Field<AnswerArgs>>& AnswerArgs::Fields() {
  using A = AnswerArgs;
  static const auto* fields = new std::vector<mcp::Field<A>>{
      mcp::Required("when", &A::when, ""),
      mcp::Required("input", &A::input, "", mcp::Shape{kInputShape}),
      mcp::Optional("times", &A::times, "", mcp::Range{1, 1000}),
  };
  return *fields;
}

const std::vector<mcp::Field<PlanArgs>>& PlanArgs::AnswerFields() {
  static const auto* fields = new std::vector<mcp::Field<PlanArgs>>{
      mcp::Optional("answers", &PlanArgs::answers, kAnswersHelp, mcp::Terse{}),
  };
  return *fields;
}

const std::vector<mcp::Field<PlanArgs>>& PlanArgs::Fields() {
  static const auto* fields =
      new std::vector<mcp::Field<PlanArgs>>(mcp::With<PlanArgs>(
          {
              mcp::Optional("input", &PlanArgs::input,
                            "As in term_send, once it waits.",
                            mcp::Shape{kInputShape}),
          },
          AnswerFields()));
  return *fields;
}

absl::StatusOr<Plan> Plan::Parse(std::string_view tool, const PlanArgs& args) {
  Plan plan;
  if (!args.input.is_null()) {
    ASSIGN_OR_RETURN(plan.steps, ParseSteps(tool, "input", args.input));
  }
  if (args.answers.size() > kMaxAnswers) {
    return InvalidArgument("%s: %d answers were given; at most %d are allowed",
                           tool, args.answers.size(), kMaxAnswers);
  }
  for (size_t i = 0; i < args.answers.size(); ++i) {
    const AnswerArgs& answer = args.answers[i];
    std::string place = absl::StrFormat("answers[%d].input", i);
    auto when = Pattern::Compile(answer.when);
    if (!when.ok()) {
      return InvalidArgument("%s: answers[%d].when: %s", tool, i,
                             Message(when.status()));
    }
    ASSIGN_OR_RETURN(std::vector<typing::Step> steps,
                     ParseSteps(tool, place, answer.input));
    plan.answers.push_back({*std::move(when), answer.times, std::move(steps)});
  }
  return plan;
}

namespace {

std::vector<waits::Answers::Answer> PatternsOf(const Plan& plan) {
  std::vector<waits::Answers::Answer> answers;
  answers.reserve(plan.answers.size());
  for (const Plan::Answer& answer : plan.answers) {
    answers.push_back({answer.when, answer.times});
  }
  return answers;
}

}  // namespace

Player::Player(Workbench* bench, mcp::ToolCall* call, SessionRef session,
               Plan plan, bool confirmed, view::ReadRequest show,
               view::ReaderMark mark)
    : bench_(bench),
      call_(call),
      session_(std::move(session)),
      plan_(std::move(plan)),
      show_(std::move(show)),
      answers_(PatternsOf(plan_)),
      turns_(session_->person().begun()) {
  report_.mark = std::move(mark);
  gated_.confirmed = confirmed;
  answers_.Begin(session_.get(), report_.mark);
}

Task<typing::Typed> Player::TypeGuarded(std::vector<typing::Step> steps,
                                        bool enter, waits::UntilCheck* until) {
  if (session_->person().begun() != turns_) {
    typing::Typed none;
    none.stopped = typing::kPersonTook;
    co_return none;
  }
  // Counts steps, so it begins anew with each list of them.
  gated_.agreed = 0;
  typing::StepGuard guard =
      bench_->gatekeeper()->GuardSteps(bench_, call_, session_, &gated_);
  typing::StepShow show = [this](int step) { return Show(step); };
  co_return co_await typing::TypeSteps(session_, std::move(steps), enter,
                                       call_->cancellation(), until,
                                       std::move(guard), std::move(show));
}

Task<typing::Typed> Player::Type(bool enter, waits::UntilCheck* until) {
  size_t count = plan_.steps.size() + (enter ? 1 : 0);
  typing::Typed typed =
      co_await TypeGuarded(std::move(plan_.steps), enter, until);
  report_.notes.push_back(TypedNote(typed, count));
  co_return typed;
}

// As a call's own reading does: of the present moment, and of a whole frame.
Task<bool> Player::Show(int step) {
  co_await bench_->AwaitShownStates(call_,
                                    std::vector<SessionRef>(1, session_));
  session::Session* s = session_.get();
  co_await s->WaitFor([s] { return s->IsFrameWhole(); }, Time::max(),
                      call_->cancellation());
  view::ReadResult read = view::ReadSession(*session_, report_.mark, show_);
  report_.mark = read.mark;
  report_.shown.push_back({step, std::move(read)});
  co_return true;
}

bool Player::HasAnswer() {
  std::optional<size_t> which = answers_.Look();
  next_answer_ = which.value_or(0);
  return which.has_value();
}

Task<bool> Player::GiveAnswer() {
  report_.notes.push_back(absl::StrFormat(
      "answered \"%s\"", std::string(TrimTrailingBlanks(answers_.question()))));
  answers_.Give(next_answer_);
  std::vector<typing::Step> steps = plan_.answers[next_answer_].steps;
  size_t count = steps.size();
  typing::Typed typed = co_await TypeGuarded(std::move(steps), false, nullptr);
  report_.notes.push_back(TypedNote(typed, count));
  co_return typed.stopped.empty() && !typed.cancelled;
}

Task<Reply> Player::AwaitAndTell(std::vector<waits::UntilCheck>* checks,
                                 Patience patience) {
  size_t which = 0;
  WaitResult wait = co_await AwaitAnswering(
      bench_->loop(), call_, std::vector<SessionRef>(1, session_),
      std::vector<Player*>(1, this),
      LookAtAny(checks, patience.deadline, &which), patience.deadline);
  Reply reply(session_);
  reply.SetWait(wait);
  Report().Tell(&reply);
  reply.AddNote(patience.note);
  if (wait.outcome == Outcome::kTimeout) {
    reply.SetMissed((*checks)[0].DescribeMissed(), Reply::Missed::kNearest);
  }
  co_return reply;
}

PlanReport Player::Report() const {
  PlanReport report = report_;
  if (answers_.asked_in_vain()) {
    report.notes.push_back("none of the answers matched");
  }
  report.notes.push_back(gated_.note);
  return report;
}

void PlanReport::Tell(Reply* reply) const {
  for (const std::string& note : notes) reply->AddNote(note);
  if (!shown.empty()) reply->SetShown(shown, mark);
}

Task<WaitResult> AwaitAnswering(Loop* loop, mcp::ToolCall* call,
                                std::vector<SessionRef> sessions,
                                std::vector<Player*> players, Look look,
                                Time deadline) {
  Time began = loop->Now();
  Player* answering = nullptr;
  Look either = [&players, &look, &answering](Time* again) {
    for (Player* player : players) {
      if (!player->HasAnswer()) continue;
      answering = player;
      return std::optional<waits::Reason>(waits::Reason{"answer", ""});
    }
    return look(again);
  };
  while (true) {
    answering = nullptr;
    WaitResult result =
        co_await AwaitLook(loop, call, sessions, either, deadline);
    bool go_on = answering != nullptr && co_await answering->GiveAnswer();
    result.waited = loop->Now() - began;
    if (go_on) continue;
    if (answering != nullptr) result.reason = waits::Reason{"stopped", ""};
    co_return result;
  }
}

std::string TypedNote(const typing::Typed& typed, size_t steps) {
  if (typed.stopped.empty()) return "";
  if (steps == 1 && typed.done == 0 && typed.partly == 0) {
    return "not typed: " + typed.stopped;
  }
  return absl::StrFormat("typed %d of %d steps: %s", typed.done, steps,
                         typed.stopped);
}

}  // namespace glasstty
