// `glasstty tail NAME`: prints a session's output as lines of text.
//
// It reads the log itself, and disturbs neither the session nor its server.
// Lines are printed as a person would have read them: a progress bar is reduced
// to its last state, escapes are removed, and a full-screen program leaves
// nothing. Text after the last newline (a prompt) is printed once nothing
// follows it.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/options.h"
#include "record/holes.h"
#include "record/log_player.h"
#include "record/recording.h"
#include "record/saved_states.h"
#include "record/timeline.h"
#include "support/log.h"
#include "support/loop.h"
#include "support/status.h"
#include "terminal/terminal.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty {

using record::LogStep;
using record::RecordedSession;

namespace {

// The interval at which the log is polled, because nothing announces output. It
// is so short that output seems to appear at once.
constexpr Duration kLook = std::chrono::milliseconds(100);
// A piece of this size adds fewer lines than a terminal keeps.
constexpr size_t kPieceBytes = 4096;
constexpr int kKeptLines = 10'000;

// Prints one log to a descriptor.
class TextStream {
 public:
  // `directory` must outlive it. Error: no terminal can have this size.
  static absl::StatusOr<std::unique_ptr<TextStream>> Create(
      const RecordedSession& session, const char* stem, int out) {
    ASSIGN_OR_RETURN(
        auto terminal,
        terminal::Terminal::Create({.size = session.origin.program.size,
                                    .scrollback_rows = kKeptLines,
                                    .newlines = session.origin.program.pipe,
                                    .nonce = session.origin.nonce}));
    terminal->MuteReplies(true);
    std::unique_ptr<TextStream> stream(new TextStream(
        session.directory.get(), stem, out, std::move(terminal)));
    if (!session.origin.program.pipe) RETURN_IF_ERROR(stream->StartLog());
    return stream;
  }

  // Reads what has been logged since the last call and prints its lines, if
  // printing has begun. Error: the log cannot be read, or the lines cannot be
  // written.
  absl::Status TakeNew() {
    // Determine the end first, because output that precedes a resize is logged
    // before that resize.
    auto logged = wire::LogEnd(directory_, stem_);
    if (!logged) return ErrnoStatus("read", "the directory of the log");
    log_.SetEnd(*logged);
    if (log_.offset() == log_.end()) {
      if (printing_) PrintLast();
      return status_;
    }
    RETURN_IF_ERROR(AddResizes());
    while (status_.ok()) {
      ASSIGN_OR_RETURN(LogStep step, log_.Next(TakePiece));
      if (step.kind == LogStep::Kind::kNothing) break;
      Take(step);
      if (printing_) PrintTo(terminal_->cursor_line());
    }
    return status_;
  }

  // Begins to print, starting with the last `lines` lines so far.
  void BeginPrinting(int64_t lines) {
    int64_t end = terminal_->end_line();
    // The cursor's line counts if it contains text.
    if (terminal_->cursor_line_bytes() == 0) --end;
    next_line_ = std::max(end - lines, terminal_->first_line());
    printing_ = true;
    PrintTo(terminal_->cursor_line());
  }

  // Prints the rest, because nothing more will come.
  void Finish() {
    int64_t end = terminal_->end_line();
    std::vector<terminal::Line> rest = terminal_->Lines(next_line_, end);
    for (; !rest.empty() && rest.back().text.empty(); rest.pop_back()) --end;
    PrintTo(end);
  }

 private:
  TextStream(int directory, const char* stem, int out,
             std::unique_ptr<terminal::Terminal> terminal)
      : directory_(directory),
        stem_(stem),
        out_(out),
        log_(directory, stem),
        terminal_(std::move(terminal)) {}

  // If the log has lost its beginning, starts with the screen at its first kept
  // byte, because that text was printed, too. Error: the sizes of the terminal
  // cannot be read.
  absl::Status StartLog() {
    record::LogStart start = record::FindLogStart(directory_);
    if (!start.state || start.lost > 0) return absl::OkStatus();
    if (!terminal_->RestoreState(start.state->terminal).ok()) {
      return absl::OkStatus();
    }
    Warn("%d bytes are no longer in the log", start.offset);
    RETURN_IF_ERROR(AddResizes());
    auto size = log_.StartAt(start.offset, 0);
    return size ? terminal_->Resize(*size) : absl::OkStatus();
  }

  // Adds the sizes that have come since the last call.
  absl::Status AddResizes() {
    auto events = wire::ReadEvents(directory_);
    if (!events) return ErrnoStatus("read", wire::kEventsName);
    record::Timeline timeline(*events);
    for (; sizes_ < timeline.resizes().size(); ++sizes_) {
      const record::Timeline::Resize& resize = timeline.resizes()[sizes_];
      log_.AddSize(resize.offset, resize.size);
    }
    return absl::OkStatus();
  }

  static size_t TakePiece(std::string_view bytes) {
    return std::min(bytes.size(), kPieceBytes);
  }

  void Take(const LogStep& step) {
    switch (step.kind) {
      case LogStep::Kind::kNothing:
        break;
      case LogStep::Kind::kBytes:
        terminal_->Feed(step.bytes);
        break;
      case LogStep::Kind::kSize:
        // The session's terminal accepted this size.
        (void)terminal_->Resize(step.size);
        break;
      case LogStep::Kind::kHole:
        return TakeHole(step);
    }
    terminal_->TakeEvents();
  }

  void TakeHole(const LogStep& step) {
    Warn("%d bytes are no longer in the log", step.lost);
    record::LogHole hole = record::DescribeHole(
        directory_, stem_, step.offset, step.lost, terminal_->cursor_line());
    terminal_->Lose(hole.bytes, hole.lines, hole.Note());
  }

  // Prints complete lines.
  void PrintTo(int64_t end) {
    std::string text;
    for (const terminal::Line& line : terminal_->Lines(next_line_, end)) {
      text += Unshown(line.text) + "\n";
      shown_.clear();
    }
    next_line_ = std::max(next_line_, end);
    if (!text.empty()) Write(text);
  }

  // Prints the first line that is not printed completely, as far as it exists.
  void PrintLast() {
    for (const terminal::Line& line :
         terminal_->Lines(next_line_, next_line_ + 1)) {
      std::string text = Unshown(line.text);
      if (text.empty()) continue;
      Write(text);
      shown_ = line.text;
    }
  }

  // Returns what must be printed for a line of which shown_ has been printed
  // already; a line that has changed is printed again.
  std::string Unshown(const std::string& line) const {
    if (line.starts_with(shown_)) return line.substr(shown_.size());
    return "\n" + line;
  }

  // The reader's terminal must not obey what the lines contain.
  void Write(const std::string& text) {
    int64_t invisible = 0;
    if (!WriteAll(out_, ShowInvisible(text, &invisible)))
      status_ = ErrnoStatus("write", "the lines");
  }

  const int directory_;  // borrowed
  const std::string stem_;
  const int out_;
  record::LogPlayer log_;
  std::unique_ptr<terminal::Terminal> terminal_;
  size_t sizes_ = 0;  // how many sizes of the timeline the player has
  bool printing_ = false;
  int64_t next_line_ = 0;  // the first line not printed completely
  std::string shown_;      // the part of that line that was printed
  absl::Status status_;
};

// Prints the streams of a session together.
class Tail {
 public:
  explicit Tail(RecordedSession session) : session_(std::move(session)) {}

  // Prints the existing output. `lines` < 0: all of it. Fails like TextStream.
  absl::Status Begin(int64_t lines) {
    RETURN_IF_ERROR(Add("out", STDOUT_FILENO));
    if (session_.origin.program.pipe)
      RETURN_IF_ERROR(Add("err", STDERR_FILENO));
    for (auto& stream : streams_) {
      if (lines < 0) stream->BeginPrinting(0);
      RETURN_IF_ERROR(stream->TakeNew());
      if (lines >= 0) stream->BeginPrinting(lines);
    }
    return absl::OkStatus();
  }

  // Continues to print until the session is over. Fails like TextStream.
  absl::Status Follow() {
    MonotonicClock clock;
    Loop loop(&clock);
    absl::Status status;
    Timer timer(&loop, [&] {
      // Check this before reading, or else bytes that arrive in between would
      // be lost.
      bool over = wire::IsOver(session_.directory.get());
      for (auto& stream : streams_) {
        if (status.ok()) status = stream->TakeNew();
      }
      if (over || !status.ok()) return loop.Stop();
      timer.SetAfter(kLook);
    });
    timer.SetAfter(Duration(0));
    loop.Run();
    return status;
  }

  void Finish() {
    for (auto& stream : streams_) stream->Finish();
  }

 private:
  absl::Status Add(const char* stem, int out) {
    ASSIGN_OR_RETURN(auto stream, TextStream::Create(session_, stem, out));
    streams_.push_back(std::move(stream));
    return absl::OkStatus();
  }

  const RecordedSession session_;
  std::vector<std::unique_ptr<TextStream>> streams_;
};

// Returns the number of lines, or -1 for "+1", which means all. Error: the text
// is neither, or the number is too large.
absl::StatusOr<int64_t> ParseLines(const std::string& text) {
  if (text == "+1") return -1;
  int64_t lines = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), lines);
  bool good = error == std::errc() && end == text.data() + text.size() &&
              lines >= 0 && lines <= kKeptLines;
  if (good) return lines;
  return InvalidArgument("-n '%s': give a number up to %d, or +1 for all", text,
                         kKeptLines);
}

// Error: the arguments are invalid (InvalidArgument), or something cannot be
// read or written.
absl::Status RunTailWith(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one session");
  }
  // The default is that of tail(1).
  int64_t lines = 10;
  if (options.Has("n")) {
    ASSIGN_OR_RETURN(lines, ParseLines(options.Get("n")));
  }
  ASSIGN_OR_RETURN(RecordedSession session,
                   record::FindRecorded(options.operands[0]));
  Tail tail(std::move(session));
  RETURN_IF_ERROR(tail.Begin(lines));
  if (options.Has("f")) RETURN_IF_ERROR(tail.Follow());
  tail.Finish();
  return absl::OkStatus();
}

}  // namespace

int RunTail(const Options& options) {
  return Report(*FindCommand("tail"), RunTailWith(options));
}

}  // namespace glasstty
