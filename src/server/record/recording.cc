// The log is read in pieces that end where something other than output occurs:
// a new time, a resize, a command. Times count from the start of the session
// or, if the log has lost its beginning, from the first byte that is kept,
// because no recording should start with hours of silence.
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
#include "record/holes.h"
#include "record/log_player.h"
#include "record/meta.h"
#include "record/state_dir.h"
#include "record/timeline.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/launch.h"
#include "wire/log_reader.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

// Marks take at least four bytes, so a piece of this size cannot contain more
// of them than the terminal keeps.
constexpr size_t kEventPieceBytes = 4096;
// Output of the same time is sent in events of about this size.
constexpr size_t kEventBytes = 64 << 10;
// meta.json takes some kilobytes; a larger file is not ours.
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

// Returns nullopt if the session has ended, or is just being created: its
// holder starts when meta.json has been written.
std::optional<UnreadableSession> LivesUnreadable(const std::string& path,
                                                 const std::string& id,
                                                 const absl::Status& status) {
  UniqueFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid() || wire::IsOver(directory.get())) return std::nullopt;
  return UnreadableSession{
      std::move(directory), path, id,
      absl::StrFormat("%s: %s", wire::kMetaName, Message(status))};
}

bool IsSessionDirectory(const std::string& path) {
  return faccessat(AT_FDCWD, (path + "/" + wire::kMetaName).c_str(), R_OK, 0) ==
         0;
}

// Returns the status as a shell reports it: 128 + N for signal N (POSIX, "Exit
// Status for Commands").
int ExitCode(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Finds where commands begin, in the same way as a live session.
class CommandFinder {
 public:
  // Error: no terminal can have this size.
  static absl::StatusOr<CommandFinder> Create(const SessionOrigin& origin) {
    ASSIGN_OR_RETURN(auto terminal,
                     terminal::Terminal::Create(
                         {.size = origin.program.size, .nonce = origin.nonce}));
    // Nobody would read the replies.
    terminal->MuteReplies(true);
    return CommandFinder(std::move(terminal), origin.nonce);
  }

  // The position at which a command's output begins, and its text as it was
  // typed.
  struct Begin {
    uint64_t place;  // in the log, as if it had no holes
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
  // The next bytes are those after `start`.
  void StartFrom(const LogStart& start) {
    if (start.state) {
      (void)terminal_->RestoreState(start.state->terminal);
      (void)commands_->RestoreState(start.state->commands);
    }
    terminal_->SkipTo(start.offset);
  }
  // All sizes in the log are valid, because the session's terminal had them.
  void Resize(terminal::Size size) { (void)terminal_->Resize(size); }

 private:
  CommandFinder(std::unique_ptr<terminal::Terminal> terminal, std::string nonce)
      : terminal_(std::move(terminal)),
        commands_(std::make_unique<CommandLog>(std::move(nonce))) {}

  std::unique_ptr<terminal::Terminal> terminal_;
  std::unique_ptr<CommandLog> commands_;
};

// Plays a session's files once.
class Player {
 public:
  // The log holds the bytes from `start` to `end`.
  Player(const RecordedSession& session, LogStart start, uint64_t end,
         const std::vector<wire::EventRecord>& events, const CastSink& sink)
      : directory_(session.directory.get()),
        log_(directory_, "out"),
        end_(end),
        timeline_(events),
        typed_(wire::ReadTyped(session.directory.get())),
        sink_(sink),
        start_(std::move(start)),
        zero_(start_.offset == 0 ? 0 : timeline_.SecondsAt(start_.offset)),
        size_(session.origin.program.size) {
    log_.SkipTo(start_.offset);
    log_.SetEnd(end_);
    for (const Timeline::Resize& resize : timeline_.resizes()) {
      log_.AddSize(resize.offset, resize.size);
    }
    // A size that is due before the first byte is the initial one.
    for (; auto size = log_.TakeSize(); ++resize_) size_ = *size;
  }

  RecordedBegin Begin(const SessionOrigin& origin) const {
    RecordedBegin begin;
    begin.start = start_;
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
    if (commands_ != nullptr) {
      commands_->StartFrom(start_);
      commands_->Resize(size_);
    }
    auto cut = [this](std::string_view bytes) {
      return PieceSize(bytes.size());
    };
    while (!stopped_) {
      ASSIGN_OR_RETURN(LogStep step, log_.Next(cut));
      // If there is no step before the end, the missing bytes do not exist.
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
        return TakeHole(step.offset, step.lost);
    }
  }

  // Returns how many of `size` bytes belong to the current time.
  size_t PieceSize(size_t size) {
    const auto& stretches = timeline_.stretches();
    while (stretch_ < stretches.size() &&
           stretches[stretch_].offset <= log_.offset()) {
      ++stretch_;
    }
    if (stretch_ < stretches.size()) {
      size = std::min(size, stretches[stretch_].offset - log_.offset());
    }
    return std::min(size, kEventPieceBytes);
  }

  void TakeBytes(uint64_t begin, std::string_view piece) {
    SetTime(timeline_.SecondsAt(begin));
    if (commands_ == nullptr) return Output(piece);
    for (const auto& command : commands_->Feed(piece)) {
      // A marker may come late, but never early.
      uint64_t place = std::max(hole_bytes_ + command.place, begin);
      size_t size = std::min<size_t>(place - begin, piece.size());
      Output(piece.substr(0, size));
      piece.remove_prefix(size);
      begin += size;
      Mark(command.text);
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
    Send(event);
  }

  // The output after a hole must not seem to continue a sequence (CAN ends any)
  // or a line that began before it.
  void TakeHole(uint64_t offset, uint64_t lost) {
    LogHole hole = DescribeHole(directory_, "out", offset, lost);
    Output("\x18\r\n" + hole.Note() + "\r\n");
    if (commands_ == nullptr) return;
    Mark(absl::StrFormat("%d bytes of output are lost", lost));
    // The terminal counts only what it is fed, which excludes the hole.
    hole_bytes_ += lost;
  }

  void SetTime(double seconds) {
    int64_t us = Microseconds(seconds);
    if (us == us_) return;
    Flush();
    // Typed text precedes the output that it caused.
    SendTyped(us);
    us_ = us;
  }

  // Sends the text that was typed up to `until_us`. The echo has the time of
  // its output, which may be slightly earlier.
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
      Send(event);
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
    Send(event);
  }

  void Mark(const std::string& label) {
    Flush();
    CastEvent event;
    event.us = us_;
    event.type = CastEvent::Type::kMarker;
    event.data = CleanText(Join(Split(label, '\n'), "; "));
    Send(event);
  }

  // The exit comes last, although background programs may print later.
  void End() {
    SendTyped(std::numeric_limits<int64_t>::max());
    if (!timeline_.exit()) return;
    CastEvent event;
    event.us = std::max(Microseconds(timeline_.exit()->seconds), us_);
    event.type = CastEvent::Type::kExit;
    event.status = ExitCode(timeline_.exit()->status);
    Send(event);
  }

  void Send(const CastEvent& event) {
    if (!stopped_) stopped_ = !sink_(event);
  }

  const int directory_;  // borrowed
  LogPlayer log_;
  // Constant.
  // Determined before the events are read, so that no resize up to it is
  // missing.
  const uint64_t end_;
  const Timeline timeline_;
  const std::vector<wire::TypedInput> typed_;
  const CastSink& sink_;
  CommandFinder* commands_ = nullptr;  // borrowed; null: no markers
  const LogStart start_;
  const double zero_;    // when the recording begins, on the timeline
  terminal::Size size_;  // the size at the beginning
  // State.
  // The number of bytes in holes, which CommandFinder::Begin::place does not
  // count.
  uint64_t hole_bytes_ = 0;
  size_t resize_ = 0, stretch_ = 0, next_typed_ = 0;  // the next indices
  std::string pending_;
  // The time of the pending output.
  int64_t us_ = 0;
  // The sink has returned false, so nothing more is sent.
  bool stopped_ = false;
};

}  // namespace

namespace {

// Visits all sessions of the state directory, live and ended.
absl::Status ForEachRecorded(
    const StateDir& state_dir,
    const std::function<void(RecordedSession session)>& take,
    const std::function<void(UnreadableSession session)>& unreadable) {
  ASSIGN_OR_RETURN(std::vector<std::string> ids, state_dir.List());
  ASSIGN_OR_RETURN(std::vector<std::string> ended, state_dir.ListEnded());
  ids.insert(ids.end(), ended.begin(), ended.end());
  for (const std::string& id : ids) {
    std::string path = state_dir.PathOf(id);
    auto session = OpenRecorded(path);
    if (absl::IsResourceExhausted(session.status())) return session.status();
    if (session.ok()) {
      take(*std::move(session));
    } else if (auto live = LivesUnreadable(path, id, session.status());
               live && unreadable) {
      unreadable(*std::move(live));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::string DescribeUnreadable(const UnreadableSession& session) {
  return absl::StrFormat(
      "session '%s' lives, but cannot be shown: %s; `glasstty close %s "
      "--force` ends it",
      session.id, session.why, session.id);
}

absl::Status ForEachRecorded(
    const std::function<void(RecordedSession session)>& take,
    const std::function<void(UnreadableSession session)>& unreadable) {
  auto state_dir = StateDir::OpenToLook();
  if (absl::IsNotFound(state_dir.status())) return absl::OkStatus();
  if (!state_dir.ok()) return state_dir.status();
  return ForEachRecorded(*state_dir, take, unreadable);
}

absl::StatusOr<std::vector<std::string>> RecordedNames() {
  std::set<std::string> names;
  RETURN_IF_ERROR(ForEachRecorded([&names](RecordedSession session) {
    names.insert(std::move(session.origin.name));
  }));
  return std::vector<std::string>(names.begin(), names.end());
}

absl::StatusOr<RecordedSession> FindRecorded(const std::string& name) {
  if (name.find('/') != std::string::npos || IsSessionDirectory(name)) {
    return OpenRecorded(name);
  }
  ASSIGN_OR_RETURN(StateDir state_dir, StateDir::OpenToLook());
  std::optional<RecordedSession> best;
  bool best_lives = false;
  std::vector<std::string> names;
  std::string unreadable;
  RETURN_IF_ERROR(ForEachRecorded(
      state_dir,
      [&](RecordedSession session) {
        if (session.origin.name != name) {
          names.push_back(std::move(session.origin.name));
          return;
        }
        bool lives = !wire::IsOver(session.directory.get());
        if (best && std::pair(lives, session.origin.started_ms) <=
                        std::pair(best_lives, best->origin.started_ms)) {
          return;
        }
        best = std::move(session);
        best_lives = lives;
      },
      [&](const UnreadableSession& session) {
        if (session.id == name) unreadable = DescribeUnreadable(session);
      }));
  if (best) return *std::move(best);
  if (!unreadable.empty()) return FailedPrecondition("%s", unreadable);
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
  int directory = session.directory.get();
  // Read the end first, so that no event up to it is missing.
  auto end = wire::LogEnd(directory, "out");
  if (!end || !wire::LogReader(directory, "out").NextKept(0)) {
    return ErrnoStatus("read", session.path);
  }
  auto events = wire::ReadEvents(directory);
  if (!events) return ErrnoStatus("read", wire::kEventsName);
  Player player(session, FindLogStart(directory), *end, *events, sink);
  begin(player.Begin(session.origin));
  if (!parts.markers) return player.Run(nullptr);
  ASSIGN_OR_RETURN(CommandFinder commands,
                   CommandFinder::Create(session.origin));
  return player.Run(&commands);
}

}  // namespace glasstty::record
