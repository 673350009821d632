// term_run: runs a command and waits for its end. It can repeat the command
// until it succeeds, or compare it with another one.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/status.h"
#include "support/text.h"
#include "tools/all_tools.h"
#include "tools/event_replies.h"
#include "tools/output_args.h"
#include "tools/parse_output.h"
#include "tools/reach.h"
#include "tools/remains.h"
#include "tools/run_compare.h"
#include "tools/run_once.h"
#include "tools/run_output.h"
#include "tools/run_success.h"

namespace glasstty {

// The growth of the pause from one attempt to the next.
enum class Backoff { kExponential, kLinear, kFixed };
template <>
struct mcp::EnumNames<Backoff> {
  static constexpr std::string_view kNames[] = {"exponential", "linear",
                                                "fixed"};
};

// The treatment of output by `parse`: kOnly and kSummary replace the text.
enum class Parse { kNone, kAuto, kOnly, kSummary };
template <>
struct mcp::EnumNames<Parse> {
  static constexpr std::string_view kNames[] = {"none", "auto", "only",
                                                "summary"};
};

namespace {

struct RetryArgs {
  int times = 3;       // in addition to the first attempt
  double delay_s = 1;  // before the second attempt
  Backoff backoff = Backoff::kExponential;

  static const std::vector<mcp::Field<RetryArgs>>& Fields() {
    using A = RetryArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>{
        mcp::Optional("times", &A::times, "", mcp::Range{1, 100}),
        mcp::Optional("delay_s", &A::delay_s, "", mcp::Range{0, 3600}),
        mcp::Optional("backoff", &A::backoff, ""),
    };
    return *fields;
  }
};

struct RunArgs : OutputArgs, RunSpec, PlanArgs {
  // In seconds, for one attempt; PatienceFor limits the call.
  double timeout_s = 30;
  int max_bytes = 0;
  std::optional<SuccessArgs> success;
  std::optional<RetryArgs> retry;
  std::optional<std::string> compare_with;
  std::optional<std::string> grep;
  std::optional<int> context;
  Parse parse = Parse::kNone;
  // Conditions that remain in effect after the call.
  Json watch;

  static const std::vector<mcp::Field<RunArgs>>& Fields() {
    using A = RunArgs;
    static const auto* fields = new std::vector<mcp::Field<A>>(mcp::With<A>(
        {
            Own("command", &RunSpec::command, "Can be multi-line."),
            Own("argv", &RunSpec::argv,
                "No shell or terminal; separate stderr."),
            Own("session", &RunSpec::session,
                "Default: main. Opened if missing."),
            Own("fresh", &RunSpec::fresh, "In a new session."),
            mcp::Unlisted(Own("on", &RunSpec::on,
                              "Run elsewhere, as in term_open; the session is "
                              "then named after the place.",
                              mcp::Shape{kOnShape})),
            Own("cwd", &RunSpec::cwd, "For this command."),
            Own("env", &RunSpec::env, ""),
            mcp::Unlisted(Own("rows", &RunSpec::rows,
                              "Rows of a fresh terminal; default: 40.",
                              mcp::Range{2, 500})),
            mcp::Unlisted(Own("cols", &RunSpec::cols,
                              "Columns of a fresh terminal; default: 120.",
                              mcp::Range{2, 1000})),
            mcp::Unlisted(
                Own("confirm", &RunSpec::confirm, "Run it despite a refusal.")),
            mcp::Optional("timeout_s", &A::timeout_s, "Then it keeps running.",
                          TimeoutRules()),
            mcp::Unlisted(mcp::Optional(
                "max_bytes", &A::max_bytes,
                "Show at most this many bytes of output.", mcp::Range{0, 1e9})),
            mcp::Optional(
                "success", &A::success,
                "{exit_codes, regex: in the output, file: exists, file_regex}; "
                "default: exit 0.",
                mcp::Terse{}),
            mcp::Unlisted(
                mcp::Optional("retry", &A::retry,
                              "Until success: {times, delay_s, backoff: "
                              "exponential|linear|fixed}.",
                              mcp::Terse{})),
            mcp::Unlisted(mcp::Optional("compare_with", &A::compare_with,
                                        "Run this, too; diff the outputs.")),
            mcp::Optional("grep", &A::grep, "Only matching lines (RE2)."),
            mcp::Unlisted(mcp::Optional(
                "context", &A::context,
                "Lines around each match of grep (default: 0), or unchanged "
                "lines around each difference (default: 3).",
                mcp::Range{0, 1000})),
            mcp::Unlisted(mcp::Optional(
                "parse", &A::parse,
                "Facts from the output of git, which and type: none; auto adds "
                "a summary to the first line; summary and only replace the "
                "output with a summary or JSON.")),
            mcp::Unlisted(WatchField(&A::watch)),
        },
        mcp::With<A>(AsOwn(PlanArgs::Fields()), OutputArgs::LimitFields())));
    return *fields;
  }

  view::Limits ToLimits(const mcp::ToolCall& call) const {
    view::Limits limits = ToRequest(call).limits;
    limits.max_bytes = static_cast<size_t>(max_bytes);
    return limits;
  }

 private:
  static std::vector<mcp::Field<RunArgs>> AsOwn(
      const std::vector<mcp::Field<PlanArgs>>& fields) {
    return {fields.begin(), fields.end()};
  }

  // Converts a member of a base to one of RunArgs, because template deduction
  // in Optional does not convert.
  template <class T>
  static mcp::Field<RunArgs> Own(const char* name, T RunSpec::*member,
                                 const char* doc, mcp::ArgRules rules = {}) {
    return mcp::Optional<RunArgs>(name, static_cast<T RunArgs::*>(member), doc,
                                  std::move(rules));
  }
};

// Checks what the schema cannot express: which arguments go together.
absl::Status CheckArgs(const RunArgs& args) {
  if (args.command.has_value() == !args.argv.empty()) {
    return InvalidArgument("term_run: give either 'command' or 'argv'");
  }
  if (args.command && args.command->empty()) {
    return InvalidArgument("term_run: 'command' is empty");
  }
  bool plays = !args.input.is_null() || !args.answers.empty();
  if (plays && !args.argv.empty()) {
    return InvalidArgument(
        "term_run: 'input' and 'answers' need a terminal, which 'argv' does "
        "not have: give 'command'");
  }
  if (!args.input.is_null() && (args.retry || args.compare_with)) {
    return InvalidArgument(
        "term_run: 'input' is typed to one command: leave out %s",
        args.retry ? "'retry'" : "'compare_with'");
  }
  bool own = args.fresh || !args.argv.empty();
  if (own && !args.session.empty()) {
    return InvalidArgument(
        "term_run: 'session' and %s exclude each other: such a command runs "
        "in a session of its own",
        args.fresh ? "'fresh'" : "'argv'");
  }
  if (args.grep && (args.compare_with || args.parse != Parse::kNone)) {
    return InvalidArgument("term_run: 'grep' and '%s' exclude each other",
                           args.compare_with ? "compare_with" : "parse");
  }
  if (args.compare_with && (args.retry || args.success || !args.command)) {
    return InvalidArgument(
        "term_run: 'compare_with' works with 'command', not with 'argv', "
        "'success' or 'retry'");
  }
  return absl::OkStatus();
}

// Returns the pause after an attempt; attempts count from 1.
Duration PauseBefore(const RetryArgs& retry, int attempt) {
  double factor = 1;
  if (retry.backoff == Backoff::kLinear) factor = attempt;
  if (retry.backoff == Backoff::kExponential) factor = std::exp2(attempt - 1);
  // Limited to an hour, because 2^100 seconds would overflow the clock.
  return FromSeconds(std::min(retry.delay_s * factor, 3600.0));
}

// Returns the time, in seconds, that all attempts and their pauses may take.
double WholeTime(const RunArgs& args) {
  if (!args.retry) return args.timeout_s;
  double seconds = args.timeout_s;
  for (int i = 1; i <= args.retry->times; ++i) {
    seconds +=
        args.timeout_s +
        std::chrono::duration<double>(PauseBefore(*args.retry, i)).count();
  }
  return std::min(seconds, waits::kLongestWithProgress_s);
}

// Returns a text such as "attempt 2 of 4; failed: 1: exit=1, wanted 0".
std::string AttemptsNote(int attempt, const RetryArgs& retry,
                         const std::vector<std::string>& failures) {
  std::string note =
      absl::StrFormat("attempt %d of %d", attempt, retry.times + 1);
  for (size_t i = 0; i < failures.size(); ++i) {
    note += absl::StrFormat("%s %d: %s", i == 0 ? "; failed:" : ",", i + 1,
                            failures[i]);
  }
  return note;
}

// Adds the parsed output to the reply. The reply keeps the output's text with
// `auto`, or if the output could not be parsed.
void AddParsed(const RunArgs& args, const RunOutcome& outcome, Reply* reply) {
  if (args.parse == Parse::kNone || !outcome.ended) return;
  std::vector<std::string> argv =
      args.argv.empty() ? WordsOfCommand(*args.command) : args.argv;
  std::optional<ParsedOutput> parsed;
  auto output = OutputOf(outcome);
  // A command that failed has printed an error message.
  if (outcome.status == 0 && output.ok()) parsed = ParseOutput(argv, *output);
  if (!parsed) {
    reply->AddNote(
        !outcome.status ? "not parsed: it is not known how the command ended"
        : *outcome.status != 0
            ? "not parsed: the command failed"
            : "not parsed: no parser for this command, or not for this form of "
              "its output");
    return;
  }
  bool json = args.format == ReplyFormat::kJson;
  if (args.parse == Parse::kSummary) reply->SetBody(parsed->summary);
  if (args.parse == Parse::kOnly) {
    reply->SetBody(json ? "" : DumpJson(parsed->data));
  }
  if (args.parse == Parse::kAuto) reply->AddNote(parsed->summary);
  if (args.parse != Parse::kSummary) reply->SetParsed(std::move(parsed->data));
}

// Runs the command until it succeeds, does not end, or the attempts or the time
// are used up. Shows the last attempt.
Task<mcp::ToolResult> RunUntilSuccess(Workbench* bench, mcp::ToolCall* call,
                                      RunArgs args) {
  ASSIGN_OR_CO_RETURN(Success success, Success::Compile(args.success));
  std::optional<LineFilter> filter;
  if (args.grep) {
    ASSIGN_OR_CO_RETURN(filter,
                        MakeLineFilter(*args.grep, args.context.value_or(0),
                                       args.max_lines, args.truncate));
  }
  Loop* loop = bench->loop();
  waits::Patience patience =
      waits::PatienceFor(CallerOf(call), WholeTime(args));
  RetryArgs retry = args.retry.value_or(RetryArgs{.times = 0});
  bool judged = args.retry || args.success;
  std::vector<std::string> failures;
  for (int attempt = 1;; ++attempt) {
    // Each attempt has its own time limit, within that of the whole call.
    Time deadline =
        std::min(loop->Now() + FromSeconds(args.timeout_s), patience.deadline);
    ASSIGN_OR_CO_RETURN(
        RunOutcome outcome,
        co_await RunOnce(bench, call, &args, args.ToLimits(*call), deadline));
    std::string missing;
    if (judged && outcome.ended) {
      missing = co_await success.Missing(call, &outcome);
    }
    bool again = outcome.ended && !missing.empty() && attempt <= retry.times;
    Time next = loop->Now() + PauseBefore(retry, attempt);
    bool in_time = next < patience.deadline;
    if (again && in_time) {
      failures.push_back(missing);
      // The failure note reports this attempt, so its output counts as read.
      bench->SetMark(call->connection(), *outcome.session, outcome.read.mark);
      // Many short attempts and pauses must not look like a dead call.
      waits::Caller caller = CallerOf(call);
      if (caller.keep_alive != nullptr) caller.keep_alive();
      // Waits on nothing: only time or a cancellation ends the pause.
      waits::Result pause = co_await waits::AwaitOn(
          caller, std::vector<WaiterList*>(), [] { return false; }, next);
      // A single question to the user covers all attempts.
      args.was_allowed = true;
      if (pause.outcome != Outcome::kCancelled) continue;
    }
    if (filter) {
      outcome = co_await OnlyMatching(call, *filter, std::move(outcome));
    }
    Reply reply = ReplyOf(outcome);
    AddParsed(args, outcome, &reply);
    if (judged && outcome.ended) {
      reply.SetSuccess(missing.empty());
      reply.AddNote(missing.empty() ? "success" : "no success: " + missing);
    }
    if (args.retry) reply.AddNote(AttemptsNote(attempt, retry, failures));
    if (again && !in_time) {
      reply.AddNote("no time is left for another attempt: call again");
    }
    // With retries, the note would be about the time of all attempts, which few
    // calls need.
    if (!args.retry) reply.AddNote(patience.note);
    auto watched = SetWatches(bench, *call, outcome.session, args.watch);
    reply.AddNote(watched.ok() ? *watched : Message(watched.status()));
    co_await AwaitRemains(call, outcome.session);
    co_return reply.Finish(bench, *call, args.format);
  }
}

Task<mcp::ToolResult> Run(Workbench* bench, mcp::ToolCall* call, RunArgs args) {
  if (absl::Status ok = CheckArgs(args); !ok.ok()) co_return ok;
  if (absl::Status ok = CheckWatches(args.watch); !ok.ok()) co_return ok;
  ASSIGN_OR_CO_RETURN(
      args.plan,
      Plan::Parse("term_run", args, StepDeadline(call, args.timeout_s),
                  bench->clients()->InheritanceOf(*call).get()));
  if (!args.compare_with) {
    co_return co_await RunUntilSuccess(bench, call, std::move(args));
  }
  Comparison comparison;
  comparison.first = args;
  comparison.second = args;
  comparison.second.command = args.compare_with;
  comparison.context = args.context.value_or(3);
  comparison.limits = args.ToLimits(*call);
  comparison.timeout_s = args.timeout_s;
  comparison.format = args.format;
  co_return co_await RunAndCompare(bench, call, std::move(comparison));
}

}  // namespace

mcp::Tool RunTool(Workbench* bench) {
  return mcp::MakeTool<RunArgs>(
      bench,
      {.name = "term_run",
       .title = "Terminal command",
       .description =
           "Run a command in a session's shell (cd and variables persist) and "
           "return its exact output, exit status and directory. Returns "
           "early if it asks for input.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = true},
       .always_load = true,
       .patience = mcp::kClientPatience},
      Run);
}

}  // namespace glasstty
