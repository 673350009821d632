// Carries a session's log into its terminal, in slices.
//
// A turn feeds pieces until Loop::kBudget is used up and queues itself again,
// so that a flood in one session delays no other and no request.
//
// Plays the log with a LogPlayer (record/log_player.h). When the log cannot be
// read, it tries again after a pause, and trouble() says why; nobody has to
// wait for that. Borrows the directory descriptor and the terminal, which must
// outlive it. Loop thread only.
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
  // `stem` names the log: "out", or "err" of a session without terminal. `cut`
  // says how many of these bytes to feed before the next look;
  // `fed` is called then, from the loop. True from it ends the turn, so that
  // whoever it has woken sees the screen as it is.
  using Cut = std::function<size_t(std::string_view bytes)>;
  LogFeed(Loop* loop, int dir_fd, std::string stem,
          terminal::Terminal* terminal, Cut cut, std::function<bool()> fed);

  // The log is known to reach `end`.
  void SetEnd(uint64_t end);
  // Nothing more will be written: the log ends where its files end, or where it
  // is known to end already. Missing bytes are lost then.
  void EndWithFiles();
  // A flood is fed behind all other output, and may have to rest.
  void SetFlood(bool is_flood) { is_flood_ = is_flood; }
  // From `offset` on the terminal has this size.
  void AddResize(uint64_t offset, terminal::Size size);
  // Output that the disk did not take, handed over by the holder.
  void AddInline(uint64_t offset, std::string_view bytes);
  // Output that the holder has lost.
  void AddHole(const wire::HoleRecord& hole);
  // Begins at `offset` instead of 0: the log no longer holds what was before.
  void StartAt(uint64_t offset);
  // Begins there; the terminal takes over the state, if there is one. False: it
  // has none, and begins blank. REQUIRES: the sizes up to there were added.
  bool StartFrom(const record::LogStart& start);
  // `begun` is called before the first bytes of each segment of the log are
  // fed, with the place of these bytes.
  void OnSegment(std::function<void(uint64_t offset)> begun) {
    segment_begun_ = std::move(begun);
  }
  // Calls `reached` once, when exactly `offset` bytes have been fed.
  void CallAt(uint64_t offset, std::function<void()> reached);

  // Keeps no file open. REQUIRES: drained(), and nothing will come.
  void Close() { player_.Close(); }

  // First offset that the log still holds.
  absl::StatusOr<uint64_t> FirstKept() const { return player_.FirstKept(); }

  uint64_t consumed() const { return player_.offset(); }
  uint64_t end() const { return player_.end(); }
  bool drained() const { return consumed() == end() && !seeks_end_; }
  // Why the log could not be read again and again; OK while all is well, and at
  // the first failures, which may pass.
  absl::Status trouble() const;
  // Bytes that the log had lost when it was read.
  uint64_t lost() const { return player_.lost(); }

 private:
  // A turn comes soon.
  void Schedule();
  // One turn; it schedules the next one itself, so it returns false.
  bool Slice();
  // Returns how many of these bytes to feed before the next look.
  size_t NextLook(std::string_view bytes) const;
  // False when that cannot be found out now.
  bool FindEnd();
  // Handles bytes that are known to come but are not there. Returns true if
  // they never will be.
  bool GivesUp();
  // Nothing could be fed: tries again later.
  void Fail(absl::Status why);
  void Recover();
  // Bytes, or a hole, of which nothing is fed: sizes are taken by ApplyDue.
  // True ends the turn.
  bool Take(const record::LogStep& step);
  // Bytes at `offset` are about to be fed.
  void LookAtSegment(uint64_t offset);
  void Resize(terminal::Size size);
  // Applies the resizes, and makes the calls, whose place has been reached.
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
  // By offset; those of one place in the order of their asking.
  std::multimap<uint64_t, std::function<void()>> calls_;
  std::function<void(uint64_t offset)> segment_begun_;
  uint64_t segment_ = 0;                             // that was fed last
  std::map<uint64_t, wire::HoleRecord> told_holes_;  // by offset
  bool is_flood_ = false;
  bool is_complete_ = false;  // nothing more will be written
  bool seeks_end_ = false;    // and it is not known how much was
  // Why the log cannot be read; OK while it can be.
  absl::Status failure_;
  int failures_ = 0;    // in a row
  Time failing_since_;  // the first of them
  Work work_;
  Work flood_work_;  // in its place while is_flood_
  Timer retry_;
};

}  // namespace glasstty::session
