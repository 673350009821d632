#include "view/log_digest.h"

#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "record/saved_states.h"
#include "support/local_time.h"
#include "support/status.h"
#include "support/text.h"
#include "view/when.h"
#include "wire/launch.h"
#include "wire/log_reader.h"
#include "wire/session_files.h"

namespace glasstty::view {
namespace {

using motion::TextLines;

// The maximum number of samples of screens.
constexpr double kMostSamples = 800;

std::string EndText(const record::Timeline& timeline) {
  if (!timeline.exit()) return "";
  int status = timeline.exit()->status;
  if (WIFEXITED(status)) {
    return absl::StrFormat("exited=%d", WEXITSTATUS(status));
  }
  return absl::StrFormat("ended by signal %d", WTERMSIG(status));
}

}  // namespace

absl::StatusOr<std::unique_ptr<LogDigest>> LogDigest::Open(
    int directory, const record::SessionOrigin& session,
    const DigestSince& since) {
  // Read the end first, so that no event up to it is missing.
  auto end = wire::LogEnd(directory, "out");
  if (!end) return ErrnoStatus("read", "the directory of the log");
  auto events = wire::ReadEvents(directory);
  if (!events) return ErrnoStatus("read", wire::kEventsName);
  std::unique_ptr<LogDigest> digest(
      new LogDigest(directory, session, record::Timeline(*events), *end));
  RETURN_IF_ERROR(digest->Begin(since));
  return digest;
}

LogDigest::LogDigest(int directory, const record::SessionOrigin& session,
                     record::Timeline timeline, uint64_t end)
    : directory_(directory),
      session_(session),
      timeline_(std::move(timeline)),
      end_(end),
      log_(directory, "out"),
      size_(session.program.size) {}

double LogDigest::NowSeconds() const {
  if (timeline_.exit()) return timeline_.exit()->seconds;
  double printed_s = end_ > 0 ? timeline_.SecondsAt(end_ - 1) : 0;
  if (wire::IsOver(directory_)) return printed_s;
  return std::max(timeline_.SecondsAt(MonotonicNow()), printed_s);
}

// Plays the log from its beginning or, if that has been deleted, from a saved
// state, so that a screen that was drawn before `since` is included.
absl::Status LogDigest::Begin(const DigestSince& since) {
  now_s_ = NowSeconds();
  if (since.time) {
    auto time = ParseWhen(*since.time, session_.started_ms, now_s_);
    auto ago = ParseAgo(*since.time);
    if (!time && !ago) {
      return InvalidArgument(
          "since='%s': give a time such as \"-90s\", \"-1h\" or \"14:58\"",
          *since.time);
    }
    begin_s_ = time ? *time : std::max(now_s_ - *ago, 0.0);
    begin_ = timeline_.OffsetAt(begin_s_, end_);
  } else if (since.offset) {
    begin_ = std::min(*since.offset, end_);
    begin_s_ = begin_ > 0 ? timeline_.SecondsAt(begin_ - 1) : 0;
  }
  interval_s_ = std::max((now_s_ - begin_s_) / kMostSamples, 1.0);
  for (const record::Timeline::Resize& resize : timeline_.resizes()) {
    log_.AddSize(resize.offset, resize.size);
  }
  record::LogStart start = record::FindLogStart(directory_, begin_);
  if (start.state) {
    auto terminal = terminal::Terminal::Create({.size = size_});
    bool is_restored =
        terminal.ok() && (*terminal)->RestoreState(start.state->terminal).ok();
    if (is_restored && (*terminal)->modes().alternate_screen) {
      text_.BeginOnScreens();
      terminal_ = *std::move(terminal);
      terminal_->MuteReplies(true);
      was_alternate_ = true;
    }
  }
  auto size = log_.StartAt(start.offset, start.lost);
  if (size) size_ = *size;
  if (size && terminal_ != nullptr) (void)terminal_->Resize(size_);
  log_.SetEnd(end_);
  return absl::OkStatus();
}

// Returns the number of bytes that were printed at the same time.
size_t LogDigest::PieceSize(size_t size) {
  const auto& stretches = timeline_.stretches();
  while (stretch_ < stretches.size() &&
         stretches[stretch_].offset <= log_.offset()) {
    ++stretch_;
  }
  if (stretch_ < stretches.size()) {
    size = std::min(size, stretches[stretch_].offset - log_.offset());
  }
  if (log_.offset() < begin_) size = std::min(size, begin_ - log_.offset());
  return size;
}

bool LogDigest::Continue() {
  auto step = log_.Next(
      [this](std::string_view bytes) { return PieceSize(bytes.size()); });
  if (!step.ok()) {
    status_ = step.status();
    return false;
  }
  switch (step->kind) {
    case record::LogStep::Kind::kNothing:
      if (terminal_ != nullptr && Counts()) Sample(now_s_);
      // An incomplete line may show the progress of the program.
      if (terminal_ == nullptr && Counts() && !is_at_prompt_ && end_ > 0) {
        digest_.AddOverwritten(text_.open_line(),
                               timeline_.SecondsAt(end_ - 1));
      }
      return false;
    case record::LogStep::Kind::kBytes:
      Take(step->bytes, timeline_.SecondsAt(step->offset));
      break;
    case record::LogStep::Kind::kSize:
      size_ = step->size;
      if (terminal_ != nullptr) (void)terminal_->Resize(size_);
      break;
    case record::LogStep::Kind::kHole:
      break;
  }
  return true;
}

void LogDigest::Take(std::string_view bytes, double seconds) {
  while (!bytes.empty()) {
    std::string_view taken = bytes;
    TextLines::Piece piece = text_.Next(&bytes);
    taken.remove_suffix(bytes.size());
    if (terminal_ != nullptr) {
      terminal_->Feed(taken);
      terminal_->TakeEvents();
    }
    TakePiece(piece, seconds);
    if (text_.draws_screens() && terminal_ == nullptr) BeginScreens();
    if (!text_.draws_screens() && terminal_ != nullptr) {
      EndScreens(was_alternate_, seconds);
    }
  }
  bool is_due = terminal_ != nullptr && Counts() && seconds >= next_sample_s_;
  if (is_due) Sample(seconds);
}

void LogDigest::TakePiece(const TextLines::Piece& piece, double seconds) {
  switch (piece.kind) {
    case TextLines::Piece::Kind::kLine:
      return TakeLine(piece.text, seconds);
    case TextLines::Piece::Kind::kOverwritten:
      // A line editor that continues in the next row looks the same.
      if (is_at_prompt_) return TakeTyped(TrimTrailingBlanks(piece.text));
      if (Counts()) digest_.AddOverwritten(piece.text, seconds);
      return;
    case TextLines::Piece::Kind::kBackspaced:
      if (!is_at_prompt_ && Counts()) {
        digest_.AddOverwritten(piece.text, seconds);
      }
      return;
    case TextLines::Piece::Kind::kMark:
      return TakeMark(piece.text, seconds);
    case TextLines::Piece::Kind::kScreens:
    case TextLines::Piece::Kind::kNothing:
      return;
  }
}

void LogDigest::TakeLine(std::string_view text, double seconds) {
  if (is_at_prompt_) return TakeTyped(text);
  if (Counts()) digest_.AddLine(text, seconds);
}

void LogDigest::TakeTyped(std::string_view text) {
  text.remove_prefix(std::min(prompt_bytes_, text.size()));
  prompt_bytes_ = 0;
  // readline highlights pasted text, and then draws all of it again.
  if (text != typed_) typed_ += text;
}

// Accepts only marks with the session's nonce or with a `run`, as in lines that
// we typed, because others could name commands that nobody has run. Without a
// nonce, accepts all marks.
void LogDigest::TakeMark(std::string_view payload, double seconds) {
  std::vector<std::string> fields = Split(payload, ';');
  bool is_ours = session_.nonce.empty();
  std::string text;
  std::optional<int> status;
  for (size_t i = 1; i < fields.size(); ++i) {
    const std::string& field = fields[i];
    if (field == "aid=" + session_.nonce || field.starts_with("run=")) {
      is_ours = true;
    } else if (field.starts_with("cmdline_url=")) {
      text = PercentDecode(field.substr(12));
    } else if (int number = 0;
               std::from_chars(field.data(), field.data() + field.size(),
                               number)
                   .ec == std::errc()) {
      status = number;
    }
  }
  if (!is_ours || fields[0].size() != 1) return;
  switch (fields[0][0]) {
    case 'A':
      is_at_prompt_ = true;
      break;
    case 'B':
      prompt_bytes_ = text_.open_line().size();
      typed_.clear();
      break;
    case 'C':
      is_at_prompt_ = false;
      if (text.empty()) text = typed_;
      digest_.BeginCommand(TrimBlanks(text), seconds);
      break;
    case 'D':
      if (!Counts()) return digest_.ForgetCommand();
      digest_.EndCommand(status, seconds);
      break;
    default:
      break;
  }
}

void LogDigest::AddEvent(int64_t at_ms, std::string_view text) {
  double seconds = static_cast<double>(at_ms - session_.started_ms) / 1000;
  if (seconds >= begin_s_) digest_.AddEvent(text, seconds);
}

void LogDigest::BeginScreens() {
  auto terminal = terminal::Terminal::Create({.size = size_});
  // The session's terminal accepted this size.
  if (!terminal.ok()) return;
  terminal_ = *std::move(terminal);
  terminal_->MuteReplies(true);
  was_alternate_ = text_.alternate();
}

// The primary screen keeps what was drawn on it, as lines.
void LogDigest::EndScreens(bool were_alternate, double seconds) {
  if (Counts()) {
    terminal::Snapshot screen = terminal_->TakeSnapshot();
    if (!were_alternate) {
      for (const terminal::SnapshotRow& row : screen.rows) {
        if (!row.text.empty()) digest_.AddLine(row.text, seconds);
      }
    }
  }
  terminal_.reset();
}

void LogDigest::Sample(double seconds) {
  digest_.AddScreen(terminal_->TakeSnapshot(), seconds);
  next_sample_s_ = seconds + interval_s_;
}

std::string LogDigest::Text() const {
  motion::Digest::About about;
  about.begin_s = begin_s_;
  about.end_s = now_s_;
  about.started_ms = session_.started_ms;
  about.zone_s = ZoneSeconds(session_.started_ms);
  about.bytes = end_ - begin_;
  about.lost = log_.lost();
  about.error_bytes = wire::LogEnd(directory_, "err").value_or(0);
  about.end = EndText(timeline_);
  if (terminal_ == nullptr) about.open_line = std::string(text_.open_line());
  return digest_.Text(about);
}

}  // namespace glasstty::view
