// Creates the digest of a session from its files: its log and its timeline.
//
// Needs no live session, so it works for ended and recorded sessions, too, and
// for one that was never read. Plays the log piece by piece, so that a caller
// in a loop can do other work in between. Lines are split without a terminal; a
// terminal is fed only while the program draws screens. Borrows the directory,
// which must outlive it. Single thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "motion/digest.h"
#include "motion/text_lines.h"
#include "record/log_player.h"
#include "record/origin.h"
#include "record/timeline.h"
#include "terminal/terminal.h"

namespace glasstty::view {

// The beginning of a digest; if no member is set, the beginning of the session.
struct DigestSince {
  std::optional<uint64_t> offset;  // an offset in the log
  // A time (view/when.h), where "now" is the end of a session that has ended.
  std::optional<std::string> time;
};

class LogDigest {
 public:
  // `session` is the origin of the session in `directory`. Error: its files
  // cannot be read, or `since.time` is not a time.
  static absl::StatusOr<std::unique_ptr<LogDigest>> Open(
      int directory, const record::SessionOrigin& session,
      const DigestSince& since);
  LogDigest(const LogDigest&) = delete;
  LogDigest& operator=(const LogDigest&) = delete;

  // Plays the next piece. Returns false when everything has been played, or
  // after a failure.
  bool Continue();
  // Adds an event that was recorded at this time. Events before the beginning
  // are ignored.
  void AddEvent(int64_t at_ms, std::string_view text);
  // Error: the log could not be read.
  const absl::Status& status() const { return status_; }
  // REQUIRES: Continue has returned false, and status is OK.
  std::string Text() const;
  // The offset in the log up to which the digest extends.
  uint64_t end() const { return end_; }

 private:
  LogDigest(int directory, const record::SessionOrigin& session,
            record::Timeline timeline, uint64_t end);
  absl::Status Begin(const DigestSince& since);
  double NowSeconds() const;
  size_t PieceSize(size_t size);
  void Take(std::string_view bytes, double seconds);
  void TakePiece(const motion::TextLines::Piece& piece, double seconds);
  void TakeLine(std::string_view text, double seconds);
  // Takes a part of the line that is typed at a prompt.
  void TakeTyped(std::string_view text);
  void TakeMark(std::string_view payload, double seconds);
  void BeginScreens();
  void EndScreens(bool were_alternate, double seconds);
  void Sample(double seconds);
  // Output before the beginning is only played, for the screen.
  bool Counts() const { return log_.offset() > begin_; }

  const int directory_;
  const record::SessionOrigin session_;
  const record::Timeline timeline_;
  const uint64_t end_;
  record::LogPlayer log_;
  motion::TextLines text_;
  motion::Digest digest_;
  absl::Status status_;
  uint64_t begin_ = 0;
  double begin_s_ = 0, now_s_ = 0;
  size_t stretch_ = 0;  // the index of the next stretch of the timeline
  // Draws the program's screens; null while it prints lines.
  std::unique_ptr<terminal::Terminal> terminal_;
  terminal::Size size_;
  bool was_alternate_ = false;
  double interval_s_ = 1, next_sample_s_ = 0;
  // True between a prompt and the output of the next command.
  bool is_at_prompt_ = false;
  size_t prompt_bytes_ = 0;
  std::string typed_;
};

}  // namespace glasstty::view
