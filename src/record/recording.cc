// The log is read in pieces that end where something else happens: another
// time, a resize, a command. Times begin with the session or, where the log has
// lost its beginning, with the first byte that is kept: no recording starts
// with hours of silence.
#include "record/recording.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "record/command_log.h"
#include "record/log_player.h"
#include "record/meta.h"
#include "record/state_dir.h"
#include "record/timeline.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

// As much as the terminal keeps events of (1,024) at the least length of a
// mark, and as a session feeds it.
constexpr size_t kPieceBytes = 4096;
// Of one output event: a flood is not worth more lines.
constexpr size_t kEventBytes = 64 << 10;
// meta.json is some kilobytes; more is not ours.
constexpr size_t kMaxMeta = 1 << 20;

absl::StatusOr<RecordedSession> OpenRecorded(const std::string& path) {
  RecordedSession session;
  session.path = path;
  session.directory =
      UniqueFd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!session.directory.valid()) return ErrnoStatus("open", path);
  std::string text;
  if (!ReadFileAt(session.directory.get(), wire::kMetaName, kMaxMeta, &text)) {
    return ErrnoStatus("read", path + "/" + wire::kMetaName);
  }
  ASSIGN_OR_RETURN(session.origin, DecodeMeta(text));
  return session;
}

bool IsSessionDirectory(const std::string& path) {
  return faccessat(AT_FDCWD, (path + "/" + wire::kMetaName).c_str(), R_OK, 0) ==
         0;
}

// A shell's way to say how a program ended. 128 + N for signal N (POSIX, "Exit
// Status for Commands").
int ExitCode(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Finds where commands begin, as the session itself does.
class CommandFinder {
 public:
  // Error: a size that no terminal can have.
  static absl::StatusOr<CommandFinder> Create(const SessionOrigin& origin) {
    ASSIGN_OR_RETURN(auto terminal,
                     terminal::Terminal::Create({.size = origin.program.size}));
    // Nobody is there to read them.
    terminal->MuteReplies(true);
    return CommandFinder(std::move(terminal), origin.nonce);
  }

  // A command whose output begins: where, and its text as it was typed.
  struct Begin {
    uint64_t place;  // in what was fed so far
    std::string text;
  };
  std::vector<Begin> Feed(std::string_view bytes) {
    std::vector<Begin> begun;
    terminal_->Feed(bytes);
    for (const terminal::TerminalEvent& event : terminal_->TakeEvents()) {
      int64_t before = commands_->started();
      commands_->Take(event, *terminal_, std::nullopt);
      if (commands_->started() == before) continue;
      begun.push_back({event.offset, commands_->blocks().back().text});
    }
    return begun;
  }
  // The caller's log has no bad sizes: the terminal had them.
  void Resize(terminal::Size size) { (void)terminal_->Resize(size); }

 private:
  CommandFinder(std::unique_ptr<terminal::Terminal> terminal, std::string nonce)
      : terminal_(std::move(terminal)),
        commands_(std::make_unique<CommandLog>(std::move(nonce))) {}

  std::unique_ptr<terminal::Terminal> terminal_;
  std::unique_ptr<CommandLog> commands_;
};

// One run through a session's files.
class Player {
 public:
  Player(const RecordedSession& session, const CastSink& sink)
      : log_(session.directory.get(), "out"),
        end_(wire::LogEnd(session.directory.get(), "out")),
        timeline_(wire::ReadEvents(session.directory.get())),
        typed_(wire::ReadTyped(session.directory.get())),
        sink_(sink),
        begin_(log_.first_kept()),
        zero_(begin_ == 0 ? 0 : timeline_.SecondsAt(begin_)),
        size_(session.origin.program.size) {
    log_.SkipTo(begin_);
    log_.SetEnd(end_);
    for (const Timeline::Resize& resize : timeline_.resizes()) {
      log_.AddSize(resize.offset, resize.size);
    }
    // What is due before the first byte is the size at the beginning.
    for (; auto size = log_.TakeSize(); ++resize_) size_ = *size;
  }

  RecordedBegin Begin(const SessionOrigin& origin) const {
    RecordedBegin begin;
    begin.offset = begin_;
    begin.header.size = size_;
    begin.header.timestamp =
        origin.started_ms / 1000 + std::llround(std::floor(zero_));
    begin.header.title = origin.name;
    begin.header.command = Join(origin.program.argv, " ");
    begin.header.terminal = "xterm-256color";
    return begin;
  }

  // Error: the log cannot be read.
  absl::Status Run(CommandFinder* commands) {
    commands_ = commands;
    fed_from_ = begin_;
    if (commands_ != nullptr) commands_->Resize(size_);
    auto cut = [this](std::string_view bytes) {
      return PieceSize(bytes.size());
    };
    while (!stopped_) {
      ASSIGN_OR_RETURN(LogStep step, log_.Next(cut));
      // Nothing before the end: it is not there after all.
      if (step.kind == LogStep::Kind::kNothing) break;
      Take(step);
    }
    Flush();
    End();
    return absl::OkStatus();
  }

 private:
  int64_t Microseconds(double seconds) const {
    return std::max<int64_t>(std::llround((seconds - zero_) * 1e6), 0);
  }

  void Take(const LogStep& step) {
    switch (step.kind) {
      case LogStep::Kind::kNothing:
        break;
      case LogStep::Kind::kBytes:
        return TakeBytes(step.offset, step.bytes);
      case LogStep::Kind::kSize:
        return TakeSize(step.size);
      case LogStep::Kind::kHole:
        return TakeHole(step.lost);
    }
  }

  // Of so many bytes, up to where the next time begins.
  size_t PieceSize(size_t size) {
    const auto& stretches = timeline_.stretches();
    while (stretch_ < stretches.size() &&
           stretches[stretch_].offset <= log_.offset()) {
      ++stretch_;
    }
    if (stretch_ < stretches.size()) {
      size = std::min(size, stretches[stretch_].offset - log_.offset());
    }
    return std::min(size, kPieceBytes);
  }

  void TakeBytes(uint64_t begin, std::string_view piece) {
    SetTime(timeline_.SecondsAt(begin));
    if (commands_ == nullptr) return Output(piece);
    for (auto& command : commands_->Feed(piece)) {
      // Marks may be told of late, never early.
      uint64_t place = std::max(fed_from_ + command.place, begin);
      size_t size = std::min<size_t>(place - begin, piece.size());
      Output(piece.substr(0, size));
      piece.remove_prefix(size);
      begin += size;
      Mark(std::move(command.text));
    }
    Output(piece);
  }

  void TakeSize(terminal::Size size) {
    Flush();
    CastEvent event;
    event.us = Microseconds(timeline_.resizes()[resize_++].seconds);
    event.type = CastEvent::Type::kResize;
    event.size = size;
    if (commands_ != nullptr) commands_->Resize(size);
    Send(std::move(event));
  }

  void TakeHole(uint64_t lost) {
    if (commands_ == nullptr) return;
    Mark(absl::StrFormat("%d bytes of output are lost", lost));
    // The terminal counts what it is fed, which the hole is not.
    fed_from_ += lost;
  }

  void SetTime(double seconds) {
    int64_t us = Microseconds(seconds);
    if (us == us_) return;
    Flush();
    // Before the output that it led to.
    SendTyped(us);
    us_ = us;
  }

  // What was typed up to then. Its echo has the time of its output, which may
  // be a little earlier.
  void SendTyped(int64_t until_us) {
    for (; next_typed_ < typed_.size(); ++next_typed_) {
      const wire::TypedInput& typed = typed_[next_typed_];
      Time when{Duration(static_cast<int64_t>(typed.monotonic_ns))};
      double seconds = timeline_.SecondsAt(when);
      if (seconds < zero_) continue;
      CastEvent event;
      event.us = Microseconds(seconds);
      if (event.us > until_us) return;
      event.type = CastEvent::Type::kInput;
      event.data = typed.bytes;
      Send(std::move(event));
    }
  }

  void Output(std::string_view bytes) {
    pending_ += bytes;
    if (pending_.size() >= kEventBytes) Flush();
  }

  void Flush() {
    if (pending_.empty()) return;
    CastEvent event;
    event.us = us_;
    event.data = std::exchange(pending_, "");
    Send(std::move(event));
  }

  void Mark(std::string label) {
    Flush();
    CastEvent event;
    event.us = us_;
    event.type = CastEvent::Type::kMarker;
    event.data = CleanText(Join(Split(label, '\n'), "; "));
    Send(std::move(event));
  }

  // Last of all, though background programs may print after it.
  void End() {
    SendTyped(std::numeric_limits<int64_t>::max());
    if (!timeline_.exit()) return;
    CastEvent event;
    event.us = std::max(Microseconds(timeline_.exit()->seconds), us_);
    event.type = CastEvent::Type::kExit;
    event.status = ExitCode(timeline_.exit()->status);
    Send(std::move(event));
  }

  void Send(CastEvent event) {
    if (!stopped_) stopped_ = !sink_(event);
  }

  LogPlayer log_;
  // Constant.
  // Looked at before the events, so that none of the resizes up to there is
  // missing.
  const uint64_t end_;
  const Timeline timeline_;
  const std::vector<wire::TypedInput> typed_;
  const CastSink& sink_;
  CommandFinder* commands_ = nullptr;  // borrowed; null: no markers
  const uint64_t begin_;
  const double zero_;    // when the recording begins, on the timeline
  terminal::Size size_;  // at the beginning
  // State.
  // The place in the log at which the finder's terminal began to be fed, moved
  // by each hole: CommandFinder::Begin::place counts from it.
  uint64_t fed_from_ = 0;
  size_t resize_ = 0, stretch_ = 0, next_typed_ = 0;  // the next ones
  std::string pending_;
  // Of what is pending.
  int64_t us_ = 0;
  // The sink has had enough; nothing is sent any more.
  bool stopped_ = false;
};

}  // namespace

namespace {

// All sessions of the state directory, live and ended.
std::vector<RecordedSession> AllRecorded(const StateDir& state_dir) {
  std::vector<std::string> ids = state_dir.List();
  for (std::string& id : state_dir.ListEnded()) ids.push_back(std::move(id));
  std::vector<RecordedSession> sessions;
  for (const std::string& id : ids) {
    auto session = OpenRecorded(state_dir.PathOf(id));
    // One that cannot be read is just being made, or of another version.
    if (session.ok()) sessions.push_back(*std::move(session));
  }
  return sessions;
}

}  // namespace

std::vector<RecordedSession> AllRecorded() {
  auto state_dir = StateDir::OpenToLook();
  if (!state_dir.ok()) return {};
  return AllRecorded(*state_dir);
}

std::vector<std::string> RecordedNames() {
  std::set<std::string> names;
  for (const RecordedSession& session : AllRecorded()) {
    names.insert(session.origin.name);
  }
  return {names.begin(), names.end()};
}

absl::StatusOr<RecordedSession> FindRecorded(const std::string& name) {
  if (name.find('/') != std::string::npos || IsSessionDirectory(name)) {
    return OpenRecorded(name);
  }
  ASSIGN_OR_RETURN(StateDir state_dir, StateDir::OpenToLook());
  std::optional<RecordedSession> newest;
  std::vector<std::string> names;
  for (RecordedSession& session : AllRecorded(state_dir)) {
    if (session.origin.name == name &&
        (!newest || newest->origin.started_ms < session.origin.started_ms)) {
      newest = std::move(session);
    } else {
      names.push_back(session.origin.name);
    }
  }
  if (newest) return *std::move(newest);
  return NotFound("no session '%s' in %s%s", name, state_dir.path(),
                  DidYouMean(name, names));
}

absl::Status PlayRecorded(
    const RecordedSession& session, RecordedParts parts,
    const std::function<void(const RecordedBegin&)>& begin,
    const CastSink& sink) {
  if (session.origin.program.pipe) {
    return FailedPrecondition(
        "session '%s' has no terminal; its output is in %s/out.* and err.*",
        session.origin.name, session.path);
  }
  Player player(session, sink);
  begin(player.Begin(session.origin));
  if (!parts.markers) return player.Run(nullptr);
  ASSIGN_OR_RETURN(CommandFinder commands,
                   CommandFinder::Create(session.origin));
  return player.Run(&commands);
}

}  // namespace glasstty::record
