// `glasstty tail NAME`: what a session prints, as lines of text.
//
// Reads the log beside the server that has the session and disturbs neither.
// Lines come out as a person would have read them: a progress bar is its last
// state, escapes are gone, a full-screen program leaves nothing. What stands
// behind the last newline (a prompt) is shown once nothing follows it.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "cli/command.h"
#include "cli/options.h"
#include "record/log_player.h"
#include "record/recording.h"
#include "record/timeline.h"
#include "support/log.h"
#include "support/loop.h"
#include "support/status.h"
#include "terminal/terminal.h"
#include "view/visible.h"
#include "wire/launch.h"
#include "wire/session_files.h"

namespace glasstty {

using record::LogStep;
using record::RecordedSession;

namespace {

// Between two looks at the log, which has no event to wait for: short enough to
// feel live.
constexpr Duration kLook = std::chrono::milliseconds(100);
// A piece adds fewer lines than a terminal keeps.
constexpr size_t kPieceBytes = 4096;
constexpr int kKeptLines = 10'000;

// One log on its way to a descriptor.
class TextStream {
 public:
  // `directory` must outlive it. Error: a size that no terminal can have.
  static absl::StatusOr<std::unique_ptr<TextStream>> Create(
      const RecordedSession& session, const char* stem, int out) {
    ASSIGN_OR_RETURN(
        auto terminal,
        terminal::Terminal::Create({.size = session.origin.program.size,
                                    .scrollback_rows = kKeptLines,
                                    .newlines = session.origin.program.pipe}));
    terminal->MuteReplies(true);
    return std::unique_ptr<TextStream>(new TextStream(
        session.directory.get(), stem, out, std::move(terminal)));
  }

  // Takes what has been logged since the last call and prints its lines, if
  // printing has begun.
  // Error: the log cannot be read, or nobody takes the lines.
  absl::Status TakeNew() {
    // The end first: what was printed before a resize is logged before it.
    log_.SetEnd(wire::LogEnd(directory_, stem_));
    if (log_.offset() == log_.end()) {
      if (printing_) PrintLast();
      return status_;
    }
    AddResizes();
    while (status_.ok()) {
      ASSIGN_OR_RETURN(LogStep step, log_.Next(TakePiece));
      if (step.kind == LogStep::Kind::kNothing) break;
      Take(step);
      if (printing_) PrintTo(terminal_->cursor_line());
    }
    return status_;
  }

  // From here on lines are printed; the last `lines` of those before, too.
  void BeginPrinting(int64_t lines) {
    int64_t end = terminal_->end_line();
    // The cursor's line counts when something stands on it.
    if (terminal_->cursor_line_bytes() == 0) --end;
    next_line_ = std::max(end - lines, terminal_->first_line());
    printing_ = true;
    PrintTo(terminal_->cursor_line());
  }

  // Nothing more will come.
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

  // Those that have come since the last time.
  void AddResizes() {
    record::Timeline timeline(wire::ReadEvents(directory_));
    for (; sizes_ < timeline.resizes().size(); ++sizes_) {
      const record::Timeline::Resize& resize = timeline.resizes()[sizes_];
      log_.AddSize(resize.offset, resize.size);
    }
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
        // The session's terminal took it.
        (void)terminal_->Resize(step.size);
        break;
      case LogStep::Kind::kHole:
        Warn("%d bytes are no longer in the log", step.lost);
        // What goes on behind a gap must not seem to go on before it: neither a
        // sequence (CAN ends any) nor a line.
        terminal_->Feed("\x18\r\n");
        break;
    }
    terminal_->TakeEvents();
  }

  // Lines that are complete.
  void PrintTo(int64_t end) {
    std::string text;
    for (const terminal::Line& line : terminal_->Lines(next_line_, end)) {
      text += Unshown(line.text) + "\n";
      shown_.clear();
    }
    next_line_ = std::max(next_line_, end);
    if (!text.empty()) Write(text);
  }

  // The line that the cursor is on, as far as it goes.
  void PrintLast() {
    for (const terminal::Line& line :
         terminal_->Lines(next_line_, next_line_ + 1)) {
      std::string text = Unshown(line.text);
      if (text.empty()) continue;
      Write(text);
      shown_ = line.text;
    }
  }

  // What has to be printed for a line of which shown_ stands there already; a
  // line that has changed is printed anew.
  std::string Unshown(const std::string& line) const {
    if (line.starts_with(shown_)) return line.substr(shown_.size());
    return "\n" + line;
  }

  // Whatever stands in the lines, the reader's terminal is not to obey it.
  void Write(const std::string& text) {
    int64_t invisible = 0;
    if (!WriteAll(out_, view::ShowInvisible(text, &invisible)))
      status_ = ErrnoStatus("write", "the lines");
  }

  const int directory_;  // borrowed
  const std::string stem_;
  const int out_;
  record::LogPlayer log_;
  std::unique_ptr<terminal::Terminal> terminal_;
  size_t sizes_ = 0;  // of the timeline, that the player has been given
  bool printing_ = false;
  int64_t next_line_ = 0;  // the first one not wholly printed
  std::string shown_;      // what of it is
  absl::Status status_;
};

// The streams of a session, looked at together.
class Tail {
 public:
  explicit Tail(RecordedSession session) : session_(std::move(session)) {}

  // Prints what there is. `lines` < 0: all. Error: as TextStream.
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

  // Prints on until the session is over. Error: as TextStream.
  absl::Status Follow() {
    MonotonicClock clock;
    Loop loop(&clock);
    absl::Status status;
    Timer timer(&loop, [&] {
      // Before the look, or the last bytes could come between.
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

// "+1": all, told as -1. Error: another text.
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

// Error: wrongly called (InvalidArgument), or it could not be done.
absl::Status RunTailWith(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one session");
  }
  // As many as tail(1).
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
