// Carries a session's log into its terminal, in slices.
//
// A turn feeds pieces until Loop::kBudget is used up and queues itself again,
// so that a flood in one session delays no other and no request.
//
// Plays the log with a LogPlayer (record/log_player.h). Borrows the directory
// descriptor and the terminal, which must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "record/log_player.h"
#include "support/loop.h"
#include "terminal/terminal.h"

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
  // A flood is fed behind all other output, and may have to rest.
  void SetFlood(bool is_flood) { is_flood_ = is_flood; }
  // From `offset` on the terminal has this size.
  void AddResize(uint64_t offset, terminal::Size size);
  // Output that the disk did not take, handed over by the holder.
  void AddInline(uint64_t offset, std::string_view bytes);
  // Begins at `offset` instead of 0: the log no longer holds what was before.
  void StartAt(uint64_t offset);
  // Calls `reached` once, when exactly `offset` bytes have been fed.
  void CallAt(uint64_t offset, std::function<void()> reached);

  // Keeps no file open. REQUIRES: drained(), and nothing will come.
  void Close() { player_.Close(); }

  // First offset that the log still holds.
  uint64_t first_kept() const { return player_.first_kept(); }

  uint64_t consumed() const { return player_.offset(); }
  uint64_t end() const { return player_.end(); }
  bool drained() const { return consumed() == end(); }
  // Bytes that the log had lost when it was read.
  uint64_t lost() const { return player_.lost(); }

 private:
  // A turn comes soon.
  void Schedule();
  // One turn; it schedules the next one itself, so it returns false.
  bool Slice();
  // How many of these bytes to feed before the next look.
  size_t NextLook(std::string_view bytes) const;
  // Bytes, or a hole, of which nothing is fed: sizes are taken by ApplyDue.
  // True ends the turn.
  bool Take(const record::LogStep& step);
  // Applies the resizes, and makes the calls, whose place has been reached.
  void ApplyDue();

  // Borrowed.
  terminal::Terminal* const terminal_;
  // Constant.
  const Cut cut_;
  const record::LogPlayer::Cut next_look_;
  const std::function<bool()> fed_;
  // State.
  record::LogPlayer player_;
  // By offset; those of one place in the order of their asking.
  std::multimap<uint64_t, std::function<void()>> calls_;
  bool is_flood_ = false;
  Work work_;
  Work flood_work_;  // in its place while is_flood_
};

}  // namespace glasstty::session
