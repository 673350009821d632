// The log is read in pieces that end where something else happens: another
// time, a resize, a command. Times begin with the session or, where the log has
// lost its beginning, with the first byte that is kept: no recording starts
// with hours of silence.
#include "record/recording.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "record/command_log.h"
#include "record/meta.h"
#include "record/state_dir.h"
#include "record/timeline.h"
#include "support/status.h"
#include "support/text.h"
#include "wire/log_reader.h"
#include "wire/session_files.h"

namespace glasstty {
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
  if (!ReadFileAt(session.directory.get(), kMetaName, kMaxMeta, &text)) {
    return ErrnoStatus("read", path + "/" + kMetaName);
  }
  ASSIGN_OR_RETURN(session.origin, DecodeMeta(text));
  return session;
}

bool IsSessionDirectory(const std::string& path) {
  return faccessat(AT_FDCWD, (path + "/" + kMetaName).c_str(), R_OK, 0) == 0;
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
                     Terminal::Create({.size = origin.program.size}));
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
    for (const TerminalEvent& event : terminal_->TakeEvents()) {
      int64_t before = commands_->started();
      commands_->Take(event, *terminal_, std::nullopt);
      if (commands_->started() == before) continue;
      begun.push_back({event.offset, commands_->blocks().back().text});
    }
    return begun;
  }
  // The caller's log has no bad sizes: the terminal had them.
  void Resize(Size size) { (void)terminal_->Resize(size); }

 private:
  CommandFinder(std::unique_ptr<Terminal> terminal, std::string nonce)
      : terminal_(std::move(terminal)),
        commands_(std::make_unique<CommandLog>(std::move(nonce))) {}

  std::unique_ptr<Terminal> terminal_;
  std::unique_ptr<CommandLog> commands_;
};

// One run through a session's files.
class Player {
 public:
  Player(const RecordedSession& session, const CastSink& sink)
      : end_(LogEnd(session.directory.get(), "out")),
        timeline_(ReadEvents(session.directory.get())),
        typed_(ReadTyped(session.directory.get())),
        log_(session.directory.get(), "out"),
        sink_(sink),
        offset_(log_.NextKept(0)),
        zero_(offset_ == 0 ? 0 : timeline_.SecondsAt(offset_)) {
    size_ = session.origin.program.size;
    // What is due before the first byte is the size at the beginning.
    const auto& resizes = timeline_.resizes();
    for (; resize_ < resizes.size() && resizes[resize_].offset <= offset_;
         ++resize_) {
      size_ = resizes[resize_].size;
    }
  }

  RecordedBegin Begin(const SessionOrigin& origin) const {
    RecordedBegin begin;
    begin.offset = offset_;
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
    fed_from_ = offset_;
    if (commands_ != nullptr) commands_->Resize(size_);
    while (!stopped_) {
      ASSIGN_OR_RETURN(bool more, Step());
      if (!more) break;
    }
    Flush();
    End();
    return absl::OkStatus();
  }

 private:
  int64_t Microseconds(double seconds) const {
    return std::max<int64_t>(std::llround((seconds - zero_) * 1e6), 0);
  }

  // One piece. False at the end.
  absl::StatusOr<bool> Step() {
    ApplyResizes();
    if (offset_ >= end_) return false;
    char buffer[kPieceBytes];
    ssize_t n = log_.Read(offset_, buffer, PieceEnd() - offset_);
    // LogReader's way to say that these bytes are no longer kept.
    if (n < 0 && errno == ENODATA) return SkipHole();
    if (n < 0) return ErrnoStatus("read", "the log");
    // Not there after all, or it is the end.
    if (n == 0) return false;
    std::string_view piece(buffer, static_cast<size_t>(n));
    // One time for the piece: PieceEnd() ends it where the next time begins.
    SetTime(timeline_.SecondsAt(offset_));
    uint64_t begin = offset_;
    offset_ += piece.size();
    if (commands_ == nullptr) {
      Output(piece);
      return true;
    }
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
    return true;
  }

  // Up to where the next thing happens.
  uint64_t PieceEnd() {
    const auto& stretches = timeline_.stretches();
    while (stretch_ < stretches.size() &&
           stretches[stretch_].offset <= offset_) {
      ++stretch_;
    }
    uint64_t end = std::min(offset_ + kPieceBytes, end_);
    if (stretch_ < stretches.size()) {
      end = std::min(end, stretches[stretch_].offset);
    }
    const auto& resizes = timeline_.resizes();
    if (resize_ < resizes.size()) end = std::min(end, resizes[resize_].offset);
    return end;
  }

  void ApplyResizes() {
    const auto& resizes = timeline_.resizes();
    for (; resize_ < resizes.size() && resizes[resize_].offset <= offset_;
         ++resize_) {
      Flush();
      CastEvent event;
      event.us = Microseconds(resizes[resize_].seconds);
      event.type = CastEvent::Type::kResize;
      event.size = resizes[resize_].size;
      if (commands_ != nullptr) commands_->Resize(event.size);
      Send(std::move(event));
    }
  }

  bool SkipHole() {
    uint64_t next = std::min(log_.NextKept(offset_), end_);
    if (next <= offset_) return false;
    if (commands_ != nullptr) {
      Mark(absl::StrFormat("%d bytes of output are lost", next - offset_));
      // The terminal counts what it is fed, which the hole is not.
      fed_from_ += next - offset_;
    }
    offset_ = next;
    return true;
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
      const TypedInput& typed = typed_[next_typed_];
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

  // Constant.
  // Looked at before the events, so that none of the resizes up to there is
  // missing.
  const uint64_t end_;
  const Timeline timeline_;
  const std::vector<TypedInput> typed_;
  LogReader log_;
  const CastSink& sink_;
  CommandFinder* commands_ = nullptr;  // borrowed; null: no markers
  // State.
  uint64_t offset_;
  const double zero_;  // when the recording begins, on the timeline
  Size size_;
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

}  // namespace glasstty
