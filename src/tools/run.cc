// term_run: run a command and wait for its end.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/environment.h"
#include "session/shell_run.h"
#include "support/status.h"
#include "tools/all_tools.h"
#include "tools/output_args.h"
#include "tools/reply.h"

namespace glasstty {
namespace {

// Opened at the first command, so that a first call needs no other.
constexpr char kDefaultSession[] = "main";

struct RunArgs : OutputArgs {
  std::optional<std::string> command;
  std::vector<std::string> argv;
  std::string session;
  bool fresh = false;
  std::string cwd;
  std::map<std::string, std::string> env;
  // Of a fresh terminal, in cells.
  int rows = 40;
  int cols = 120;
  // Seconds; clamped by PatienceFor.
  double timeout_s = 30;

  static const std::vector<Field<RunArgs>>& Fields() {
    using A = RunArgs;
    static const auto* fields = new std::vector<Field<A>>(With<A>(
        {
            Optional("command", &A::command,
                     "For the session's shell; may have several lines."),
            Optional("argv", &A::argv,
                     "Instead: program and arguments, no shell, no terminal; "
                     "stdout and stderr apart."),
            Optional("session", &A::session,
                     "Whose shell; default \"main\", opened when needed."),
            Optional("fresh", &A::fresh,
                     "In a terminal of its own; keeps no state."),
            Optional("cwd", &A::cwd, "For this command only."),
            Optional("env", &A::env, "For this command only."),
            Optional("rows", &A::rows, "fresh only.", Range{2, 500}),
            Optional("cols", &A::cols, "fresh only.", Range{2, 1000}),
            Optional("timeout_s", &A::timeout_s,
                     "The command goes on after it; term_wait to wait on.",
                     Range{0, 3600}),
        },
        OutputArgs::LimitFields()));
    return *fields;
  }
};

absl::Status CheckArgs(const RunArgs& args) {
  if (args.command.has_value() == !args.argv.empty()) {
    return InvalidArgument("term_run: give either 'command' or 'argv'");
  }
  if (args.command && args.command->empty()) {
    return InvalidArgument("term_run: 'command' is empty");
  }
  bool own = args.fresh || !args.argv.empty();
  if (own && !args.session.empty()) {
    return InvalidArgument(
        "term_run: 'session' and %s exclude each other: such a command runs "
        "in a session of its own",
        args.fresh ? "'fresh'" : "'argv'");
  }
  return absl::OkStatus();
}

// The session whose shell is to run the command; "main" is opened when there
// is none.
Task<absl::StatusOr<SessionRef>> FindShell(Workbench* bench, ToolCall* call,
                                           std::string name) {
  if (!name.empty() && name != kDefaultSession) {
    co_return co_await bench->FindSession(call, name);
  }
  auto found = co_await bench->FindSession(call, kDefaultSession);
  // One that has exited makes room for a new one.
  if (found.ok() && !(*found)->finished()) co_return found;
  OpenRequest request;
  request.name = kDefaultSession;
  co_return co_await bench->OpenSession(call, std::move(request));
}

// Lines that this client had not been shown when the command was typed. The
// mark passes over them, so the reply names them.
std::string EarlierNote(const Session& session, const ReadMark& seen,
                        const ReadMark& baseline) {
  int64_t unread = baseline.line - seen.line;
  if (unread <= 1 || seen.lines_revision == 0) return "";
  return absl::StrFormat(
      "%d lines came before it: term_read mode=history from_line=%d lines=%d",
      unread - 1, std::max(seen.line + 2, session.terminal().first_line() + 1),
      unread - 1);
}

// What is shown of a command that ended, asks or goes on.
ReadResult ReadOutput(const Session& session, const ShellRun& run,
                      const Limits& limits) {
  ReadRequest request;
  request.limits = limits;
  ReadResult result;
  const CommandBlock* block = run.block();
  // vim and the like are looked at, not read.
  bool is_screen = session.terminal().modes().alternate_screen;
  if (block != nullptr && !is_screen) {
    request.mode = ReadMode::kCommand;
    request.command = block->number;
    result = ReadSession(session, run.baseline(), request);
    result.facts =
        result.left_out > 0 ? absl::StrFormat("command %d", block->number) : "";
  } else {
    request.mode = ReadMode::kAuto;
    result = ReadSession(session, run.baseline(), request);
  }
  result.mark = MarkNow(session.terminal());
  return result;
}

// "" for a command that has ended.
std::string OpenEndNote(const WaitResult& wait) {
  if (!wait.reason.detail.empty()) return wait.reason.detail;
  if (wait.reason.word == "input" || wait.reason.word == "secret") {
    return "the command waits for input: answer with term_send; its end: "
           "term_wait {\"state\": \"prompt\"}";
  }
  return "";
}

Task<ToolResult> RunInShell(Workbench* bench, ToolCall* call, RunArgs args) {
  Time now = bench->loop()->Now();
  ASSIGN_OR_CO_RETURN(SessionRef session,
                      co_await FindShell(bench, call, args.session));
  ShellCommand command{*args.command, args.cwd, args.env};
  std::string directory = bench->manager()->LogPath(*session);
  Patience patience = PatienceFor(*call, now, args.timeout_s);
  auto started = co_await ShellRun::Start(
      session, std::move(command), std::move(directory), patience.deadline,
      call->cancellation());
  if (!started.ok()) co_return started.status();
  ShellRun run = *std::move(started);
  std::vector<SessionRef> sessions(1, session);
  Look look = [&run](Time* again) { return run.Look(again); };
  WaitResult wait = co_await AwaitLook(bench->loop(), call, sessions,
                                       std::move(look), patience.deadline);
  co_await bench->AwaitStates(call, sessions);
  Reply reply(session);
  reply.SetWait(wait);
  reply.SetRead(ReadOutput(*session, run, args.ToRequest().limits));
  const CommandBlock* block = run.block();
  bool ended = wait.reason.word == "prompt";
  if (block != nullptr && block->finished) {
    reply.SetCommand(*block);
    // Of the far side of ssh nothing is known.
    if (session->LastState().evidence != Evidence::kGuess) {
      reply.SetDirectory(HomeRelative(CurrentDirectory(*session)));
    }
  } else if (ended && session->LastState().evidence == Evidence::kShell &&
             block == nullptr) {
    reply.AddNote(
        "it did not begin: there was nothing to run, it was interrupted, or "
        "its shell has been left");
  } else if (ended) {
    reply.AddNote(
        "a shell waits at its prompt, but the command's end was not seen "
        "(exit, exec, or a shell in the shell): its status is not known");
  }
  reply.AddNote(OpenEndNote(wait));
  reply.AddNote(patience.note);
  reply.AddNote(
      EarlierNote(*session, bench->MarkOf(*call, *session), run.baseline()));
  co_return reply.Finish(bench, *call, args.format);
}

// "run-1", "run-2" ...: those that ended before stay readable.
std::string FreeName(const SessionManager& manager) {
  for (int n = 1;; ++n) {
    std::string name = absl::StrFormat("run-%d", n);
    bool taken = false;
    for (const SessionRef& session : manager.All()) {
      if (session->name() == name) taken = true;
    }
    if (!taken) return name;
  }
}

Task<ToolResult> RunAlone(Workbench* bench, ToolCall* call, RunArgs args) {
  Time now = bench->loop()->Now();
  if (absl::Status s = bench->manager()->Prepare(); !s.ok()) co_return s;
  OpenRequest request;
  request.name = FreeName(*bench->manager());
  request.command = args.command.value_or("");
  request.argv = args.argv;
  request.pipe = !args.argv.empty();
  request.environment = args.env;
  request.cwd = args.cwd;
  request.size = {args.rows, args.cols};
  ASSIGN_OR_CO_RETURN(SessionRef session,
                      co_await bench->OpenSession(call, std::move(request)));
  Patience patience = PatienceFor(*call, now, args.timeout_s);
  std::vector<SessionRef> sessions(1, session);
  Session* s = session.get();
  bool pipe = s->origin().pipe;
  // Nobody is there to answer it.
  if (pipe) s->Write("", kWriteEof);
  Look look = [s, pipe, now](Time* again) -> std::optional<Reason> {
    if (s->finished()) return Reason{"exited", ""};
    // What has no terminal can only end.
    if (pipe) return std::nullopt;
    auto state = s->FreshState();
    *again = s->loop()->Now() + Prober::kAgain;
    if (!state || !IsAsking(*s, *state, now, again)) return std::nullopt;
    return Reason{ActivityName(state->activity), ""};
  };
  WaitResult wait = co_await AwaitLook(bench->loop(), call, sessions,
                                       std::move(look), patience.deadline);
  Reply reply(session);
  reply.SetWait(wait);
  reply.AddNote(OpenEndNote(wait));
  reply.AddNote(patience.note);
  ReadRequest read = args.ToRequest();
  read.mode = pipe ? ReadMode::kStream : ReadMode::kAuto;
  co_return co_await ReadAndReply(bench, call, std::move(reply), session, read,
                                  args.format, false);
}

Task<ToolResult> Run(Workbench* bench, ToolCall* call, RunArgs args) {
  if (absl::Status ok = CheckArgs(args); !ok.ok()) co_return ok;
  if (args.fresh || !args.argv.empty()) {
    co_return co_await RunAlone(bench, call, std::move(args));
  }
  co_return co_await RunInShell(bench, call, std::move(args));
}

}  // namespace

Tool RunTool(Workbench* bench) {
  return MakeTool<RunArgs>(
      bench,
      {.name = "term_run",
       .title = "Run a command",
       .description =
           "Run a command in a session's shell (cd, variables and functions "
           "keep their effect) and return exactly its output, exit status and "
           "directory. Returns early when it asks for input.",
       .annotations = {.read_only = false,
                       .destructive = true,
                       .idempotent = false,
                       .open_world = true},
       .always_load = true},
      Run);
}

}  // namespace glasstty
