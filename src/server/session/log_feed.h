// Feeds a session's log into its terminal, in slices.
//
// A slice is one turn of the loop: it feeds pieces until Loop::kBudget is used
// up and then queues the next turn, so that a flood in one session delays
// neither other sessions nor requests.
//
// Plays the log with a LogPlayer (record/log_player.h). If the log cannot be
// read, LogFeed tries again after a pause. Calls need not wait for that,
// because trouble() says why. Borrows the loop, the directory descriptor and
// the terminal, which must outlive this object. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "record/log_player.h"
#include "record/saved_states.h"
#include "support/loop.h"
#include "terminal/terminal.h"
#include "wire/session_files.h"

namespace glasstty::session {

class LogFeed {
 public:
  // `stem` names the log: "out", or "err" of a session without a terminal.
  // `cut` returns how many of `bytes` to feed before `fed` is called. If `fed`
  // returns true, the turn ends, so that a wait that is met sees this screen.
  // `fed` is also called when trouble() appears, and when the end of the log is
  // found without a byte left to feed.
  using Cut = std::function<size_t(std::string_view bytes)>;
  LogFeed(Loop* loop, int dir_fd, std::string stem,
          terminal::Terminal* terminal, Cut cut, std::function<bool()> fed);

  // The log has output up to `end`.
  void SetEnd(uint64_t end);
  // Nothing more will be written. The log ends where its files end, or at the
  // known end if that is later. Bytes that are missing before this end are
  // lost.
  void EndWithFiles();
  // A flood is fed only when nothing else is urgent (Urgency::kBulk).
  void SetFlood(bool is_flood) { is_flood_ = is_flood; }
  // The terminal has this size from `offset` on.
  void AddResize(uint64_t offset, terminal::Size size);
  // Adds output that the holder could not write to disk and has sent instead.
  void AddInline(uint64_t offset, std::string_view bytes);
  // Adds a stretch of output that the holder has lost.
  void AddHole(const wire::HoleRecord& hole);
  // Begins at `offset` instead of 0, because the log lacks the earlier bytes.
  void StartAt(uint64_t offset);
  // Begins at `start` and restores its state into the terminal. Returns false
  // if `start` has no usable state; the terminal then begins blank. REQUIRES:
  // the sizes up to the offset of `start` were added.
  bool StartFrom(const record::LogStart& start);
  // `begun` is called before the first byte of each segment of the log is fed,
  // with the offset of this byte.
  void OnSegment(std::function<void(uint64_t offset)> begun) {
    segment_begun_ = std::move(begun);
  }
  // Calls `reached` once, between the bytes before and after `offset`, or after
  // the hole around `offset`; now, if the feed is past this point.
  void CallAt(uint64_t offset, std::function<void()> reached);

  // Closes all files. REQUIRES: drained(), and no more output will come.
  void Close() { player_.Close(); }

  // Returns the first offset that the log still holds.
  absl::StatusOr<uint64_t> FirstKept() const { return player_.FirstKept(); }

  uint64_t consumed() const { return player_.offset(); }
  uint64_t end() const { return player_.end(); }
  bool drained() const {
    return consumed() == end() && ending_ != Ending::kSought;
  }
  // Returns why reading the log keeps failing. OK while reading works, and
  // after the first few failures, which may be temporary.
  absl::Status trouble() const;
  // The number of bytes that were missing when the log was read.
  uint64_t lost() const { return player_.lost(); }

 private:
  enum class Ending {
    kOpen,    // more may be written
    kSought,  // no more will be written, but the end is not known yet
    kFound,
  };

  // Schedules a turn.
  void Schedule();
  // Runs one turn. Always returns false: it schedules the next turn itself.
  bool Slice();
  // Returns how many of `bytes` to feed before the next call of `fed`.
  size_t NextLook(std::string_view bytes) const;
  // Returns false if the end cannot be determined now.
  bool FindEnd();
  // Handles missing bytes. Returns true if they will never arrive.
  bool GivesUp();
  // Call this if nothing could be fed: schedules another attempt.
  void Fail(absl::Status why);
  void Recover();
  // Feeds the bytes of a step, or reports its hole to the terminal. ApplyDue
  // handles sizes. Returns true to end the turn.
  bool Take(const record::LogStep& step);
  // Call this before the bytes at `offset` are fed: reports a new segment.
  void LookAtSegment(uint64_t offset);
  void Resize(terminal::Size size);
  // Applies the resizes, and makes the calls, whose offset has been reached.
  void ApplyDue();

  // Borrowed.
  Loop* const loop_;
  const int dir_fd_;
  terminal::Terminal* const terminal_;
  // Constant.
  const std::string stem_;
  const Cut cut_;
  const record::LogPlayer::Cut next_look_;
  const std::function<bool()> fed_;
  // State.
  record::LogPlayer player_;
  // Sorted by offset; calls at the same offset run in the order of CallAt.
  std::multimap<uint64_t, std::function<void()>> calls_;
  std::function<void(uint64_t offset)> segment_begun_;
  uint64_t segment_ = 0;  // the segment that was fed last
  std::map<uint64_t, wire::HoleRecord> told_holes_;  // by offset
  bool is_flood_ = false;
  Ending ending_ = Ending::kOpen;
  // Why the log cannot be read; OK while it can be.
  absl::Status failure_;
  int failures_ = 0;    // attempts that failed, in a row
  Time failing_since_;  // the time of the first of these
  Work work_;
  Work flood_work_;  // used instead of work_ while is_flood_
  Timer retry_;
};

}  // namespace glasstty::session
