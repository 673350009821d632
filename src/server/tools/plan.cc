#include "tools/plan.h"

#include <algorithm>
#include <utility>

#include "base/visible.h"
#include "support/status.h"
#include "support/text.h"
#include "tools/input_notes.h"

namespace glasstty {

using session::SessionRef;

namespace {

// The note about questions that were answered begins with this.
constexpr std::string_view kAnswered = "answered ";
// If a program has asked nothing for this long, the next step is typed anyway.
constexpr Duration kQuestionPatience = std::chrono::seconds(10);
// More prepared answers than this are a mistake.
constexpr size_t kMaxAnswers = 50;

constexpr char kAnswersHelp[] =
    "[{when: RE2, input, times: 1}]: types `input` when its question matches "
    "`when`.";

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

Time StepDeadline(mcp::ToolCall* call, double timeout_s) {
  waits::Caller caller = CallerOf(call);
  caller.keep_alive = nullptr;
  return waits::PatienceFor(caller, timeout_s).deadline;
}

absl::StatusOr<Plan> Plan::Parse(std::string_view tool, const PlanArgs& args,
                                 Time deadline,
                                 const record::Inheritance* inherited) {
  Plan plan;
  if (!args.input.is_null()) {
    ASSIGN_OR_RETURN(plan.steps,
                     ParseSteps(tool, "input", args.input, inherited));
    for (typing::Step& step : plan.steps) {
      if (step.kind == typing::Step::Kind::kUntil && !step.has_own_time) {
        step.latest = deadline;
      }
    }
    plan.notes.push_back(LiteralKeysNote("input", args.input));
    plan.notes.push_back(PasteNote(plan.steps));
    plan.notes.push_back(DropSecondEnters(&plan.steps));
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
                     ParseSteps(tool, place, answer.input, inherited));
    plan.notes.push_back(PasteNote(steps));
    plan.notes.push_back(DropSecondEnters(&steps));
    bool is_open = !steps.empty() &&
                   steps.back().kind == typing::Step::Kind::kText &&
                   !steps.back().text.ends_with('\n');
    plan.answers.push_back(
        {*std::move(when), answer.times, std::move(steps), is_open});
    plan.notes.push_back(LiteralKeysNote(place, answer.input));
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
  report_.notes = plan_.notes;
  report_.mark = std::move(mark);
  gated_.confirmed = confirmed;
  answers_.Begin(session_.get(), report_.mark);
}

absl::Status Player::FindOthers(std::vector<typing::Step>* steps) {
  for (typing::Step& step : *steps) {
    if (step.other_name.empty()) continue;
    ASSIGN_OR_RETURN(step.other, bench_->FindUnread(call_, step.other_name));
    step.other_mark = view::WaitFrom(bench_->MarkOf(*call_, *step.other));
  }
  return absl::OkStatus();
}

Task<typing::Typed> Player::TypeGuarded(std::vector<typing::Step> steps,
                                        bool enter, bool answers) {
  if (session_->person().begun() != turns_) {
    typing::Typed none;
    none.stopped = typing::kPersonTook;
    co_return none;
  }
  if (absl::Status found = FindOthers(&steps); !found.ok()) {
    typing::Typed none;
    none.stopped = Message(found);
    co_return none;
  }
  // `agreed` is an index in one list of steps, so it is reset for each list.
  gated_.agreed = 0;
  typing::StepGuard guard =
      bench_->gatekeeper()->GuardSteps(bench_, call_, session_, &gated_);
  typing::StepShow show = [this](const typing::Step* step) {
    return Show(step);
  };
  typing::StepAnswer answer;
  if (answers) answer = [this] { return AnswerBetween(); };
  typing::Typed typed = co_await typing::TypeSteps(
      session_, std::move(steps), enter, call_->cancellation(), until_,
      std::move(guard), std::move(show), std::move(answer));
  co_return typed;
}

Task<typing::Typed> Player::Type(bool enter, waits::Waiting* until) {
  // A secret is typed with its own Enter.
  bool has_enter = !plan_.steps.empty() &&
                   plan_.steps.back().kind == typing::Step::Kind::kSecret;
  enter = enter && !has_enter;
  until_ = until;
  size_t count = plan_.steps.size() + (enter ? 1 : 0);
  typing::Typed typed =
      co_await TypeGuarded(std::move(plan_.steps), enter,
                           /*answers=*/!plan_.answers.empty());
  report_.notes.push_back(TypedNote(typed, count));
  co_return typed;
}

// Like the call's final reading, this shows the current moment and a whole
// frame.
Task<typing::Next> Player::Show(const typing::Step* step) {
  co_await bench_->AwaitShownStates(call_,
                                    std::vector<SessionRef>(1, session_));
  session::Session* s = session_.get();
  co_await s->WaitFor([s] { return s->verdict().IsFrameWhole(); }, Time::max(),
                      call_->cancellation());
  view::ReadRequest request = show_;
  // A caller that uses show steps already knows how to name rows.
  report_.mark.crop_told = true;
  if (step->rows) {
    request.rows = view::RowRange{step->rows->first, step->rows->second};
  }
  view::ReadResult read = view::ReadSession(*session_, report_.mark, request);
  report_.mark = read.mark;
  report_.shown.push_back({step->number, std::move(read)});
  co_return typing::Next::kGoOn;
}

void PlanReport::AddAnswered(std::string_view question) {
  // A short quotation is enough, because the text below usually contains the
  // question.
  constexpr size_t kMostCharacters = 60;
  std::string quoted = Quoted(TrimTrailingBlanks(question), kMostCharacters);
  bool goes_on =
      !quotations.empty() && quotations.back().starts_with(kAnswered);
  if (!goes_on) quotations.emplace_back(kAnswered);
  quotations.back() += (goes_on ? ", " : "") + quoted;
}

Task<bool> Player::GiveAnswer() {
  gated_.begins_call = false;
  report_.AddAnswered(answers_.question());
  given_.insert(answers_.fitting());
  answers_.Give();
  const Plan::Answer& answer = plan_.answers[answers_.fitting()];
  std::vector<typing::Step> steps = answer.steps;
  // In canonical mode, a line reaches its reader only with Enter.
  const wire::ProbeAnswer* probe = session_->questions().prober().last();
  bool enter = answer.is_open && probe != nullptr && probe->canonical != 0;
  size_t count = steps.size() + (enter ? 1 : 0);
  typing::Typed typed =
      co_await TypeGuarded(std::move(steps), enter, /*answers=*/false);
  std::string note = TypedNote(typed, count);
  if (!note.empty()) report_.notes.push_back(std::move(note));
  co_return typed.stopped.empty() && !typed.cancelled;
}

// Types the answer that fits the program's question; any other question is for
// the next step. If the program is busy for long, the next step is typed ahead.
Task<typing::Next> Player::AnswerBetween() {
  session::Session* s = session_.get();
  Time deadline = bench_->loop()->Now() + kQuestionPatience;
  // Each answer is a list of its own, so the plan's index is restored
  // afterwards.
  size_t agreed = gated_.agreed;
  typing::Next next = typing::Next::kGoOn;
  while (next == typing::Next::kGoOn && answers_.any_left()) {
    bool is_asked = false;
    Predicate look = [this, s, &is_asked] {
      Look asks = answers_.Check();
      is_asked = asks.met();
      return answers_.is_waiting() || s->finished() ? Look(true) : asks;
    };
    Outcome outcome =
        co_await s->WaitFor(std::move(look), deadline, call_->cancellation());
    next = typing::NextAfter(outcome);
    if (!is_asked) break;
    if (!co_await GiveAnswer()) next = typing::Next::kStop;
  }
  gated_.agreed = agreed;
  co_return next;
}

Task<waits::Result> Player::Await(Predicate look, Time deadline) {
  Time began = bench_->loop()->Now();
  bool is_asked = false;
  Predicate either = [this, &look, &is_asked] {
    Look answer = answers_.Check();
    is_asked = answer.met();
    if (is_asked) return answer;
    Look looked = look();
    if (looked.met()) {
      // The program may have become quiet since the answers were checked.
      answer = answers_.Check();
      is_asked = answer.met();
      if (is_asked) return answer;
    }
    looked.again = std::min(looked.again, answer.again);
    return looked;
  };
  waits::Sessions sessions(1, session_.get());
  waits::Caller caller = CallerOf(call_);
  while (true) {
    is_asked = false;
    waits::Result result =
        co_await waits::Await(caller, sessions, either, deadline);
    bool go_on = is_asked && co_await GiveAnswer();
    result.waited = bench_->loop()->Now() - began;
    // Many short waits must not look like a dead call.
    if (go_on && caller.keep_alive != nullptr) caller.keep_alive();
    if (go_on) continue;
    if (is_asked) result.reason = {"untyped", ""};
    co_return result;
  }
}

Task<Reply> Player::AwaitAndTell(waits::Waiting* waiting,
                                 waits::Patience patience) {
  until_ = waiting;
  waits::Result wait =
      co_await Await(waiting->Start(patience.deadline), patience.deadline);
  Reply reply(session_);
  reply.SetWait(wait);
  Report().Tell(&reply);
  reply.AddNote(patience.note);
  if (wait.outcome == Outcome::kTimeout) {
    reply.SetMissed(waiting->DescribeMissed(), Reply::Missed::kNearest);
  }
  co_return reply;
}

namespace {

// Returns true if the program, or the last command at the prompt, has failed.
bool HasFailed(const session::Session& session) {
  if (session.finished()) {
    return session.verdict().exited() && session.life().exit_status() != 0;
  }
  const record::CommandBlock* last = session.events().commands().Find(-1);
  return last != nullptr && last->finished &&
         last->exit_status.value_or(0) != 0;
}

}  // namespace

// Used after a failure, whose cause is often a wrong answer.
std::string Player::NotAskedNote() const {
  std::vector<std::string> unused;
  for (size_t i = 0; i < plan_.answers.size(); ++i) {
    if (!given_.contains(i)) unused.push_back(absl::StrFormat("[%d]", i));
  }
  return unused.empty() ? "" : "never asked for: answers" + Join(unused, ", ");
}

PlanReport Player::Report() const {
  PlanReport report = report_;
  // Not noted after an answer that matched: the state already says that the
  // program waits.
  bool has_answered = std::any_of(
      report.quotations.begin(), report.quotations.end(),
      [](const std::string& note) { return note.starts_with(kAnswered); });
  if (answers_.asked_in_vain() && !has_answered) {
    report.notes.push_back("none of the answers matched");
  }
  if (has_answered && HasFailed(*session_)) {
    report.notes.push_back(NotAskedNote());
  }
  report.notes.push_back(gated_.note);
  return report;
}

void PlanReport::Tell(Reply* reply) const {
  for (const std::string& note : notes) reply->AddNote(note);
  for (const std::string& note : quotations) reply->AddQuotation(note);
  if (!shown.empty()) reply->SetShown(shown, mark);
}

namespace {

// Returns a note about discarded text that an Enter would have run.
std::string DiscardedNote(const typing::Typed& typed) {
  if (!typed.discarded) return "";
  return absl::StrFormat(
      "the terminal's answers to a program that did not read them were at the "
      "prompt%s: discarded first, as by <C-c>",
      typed.discarded->empty() ? "" : " (" + Quoted(*typed.discarded) + ")");
}

// Programs that discard lines typed ahead do not report it.
constexpr char kAheadNote[] =
    "some lines were typed while the program was still busy with others: if "
    "one is missing, it has thrown it away";

// Returns a note about where the typing stopped early.
std::string StoppedNote(const typing::Typed& typed, size_t steps) {
  if (steps == 1 && typed.done == 0 && typed.partly == 0) {
    return "not typed: " + typed.stopped;
  }
  return absl::StrFormat("typed %d of %d steps: %s", typed.done, steps,
                         typed.stopped);
}

}  // namespace

std::string TypedNote(const typing::Typed& typed, size_t steps) {
  std::vector<std::string> notes;
  notes.push_back(DiscardedNote(typed));
  if (typed.ahead) notes.push_back(kAheadNote);
  if (!typed.stopped.empty()) notes.push_back(StoppedNote(typed, steps));
  std::erase(notes, "");
  return Join(notes, "; ");
}

}  // namespace glasstty
