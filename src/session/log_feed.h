// Carries a session's log into its terminal, in slices.
//
// A turn feeds pieces until Loop::kBudget is used up and queues itself again,
// so that a flood in one session delays no other and no request.
//
// Owns the place in the log. Borrows the directory descriptor and the
// terminal, which must outlive it. The same log and the same resizes give the
// same screen, live or replayed. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "support/loop.h"
#include "terminal/terminal.h"
#include "wire/log_reader.h"

namespace glasstty {

class LogFeed {
 public:
  // `stem` names the log: "out", or "err" of a session without terminal. `cut`
  // says how many of these bytes (at most 16 KiB) to feed before the next look;
  // `fed` is called then, from the loop. True from it ends the turn, so that
  // whoever it has woken sees the screen as it is.
  using Cut = std::function<size_t(std::string_view bytes)>;
  LogFeed(Loop* loop, int dir_fd, std::string stem, Terminal* terminal, Cut cut,
          std::function<bool()> fed);

  // The log is known to reach `end`.
  void SetEnd(uint64_t end);
  // A flood is fed behind all other output, and may have to rest.
  void SetFlood(bool is_flood) { is_flood_ = is_flood; }
  // From `offset` on the terminal has this size.
  void AddResize(uint64_t offset, Size size);
  // Output that the disk did not take, handed over by the holder.
  void AddInline(uint64_t offset, std::string_view bytes);
  // Begins at `offset` instead of 0: the log no longer holds what was before.
  void StartAt(uint64_t offset);
  // Calls `reached` once, when exactly `offset` bytes have been fed.
  void CallAt(uint64_t offset, std::function<void()> reached);

  // Keeps no file open. REQUIRES: drained(), and nothing will come.
  void Close() { reader_.Close(); }

  // First offset that the log still holds.
  uint64_t first_kept() const { return reader_.NextKept(0); }

  uint64_t consumed() const { return consumed_; }
  uint64_t end() const { return end_; }
  bool drained() const { return consumed_ == end_; }
  // Bytes that the log had lost when it was read.
  uint64_t lost() const { return lost_; }

 private:
  struct Resize {
    uint64_t offset;
    Size size;
  };
  struct Inline {
    uint64_t offset;
    std::string bytes;
  };

  // A turn comes soon.
  void Schedule();
  // One turn; it schedules the next one itself, so it returns false.
  bool Slice();
  // Feeds up to the next look. False when the turn is over.
  bool FeedMoment();
  // Reads the next piece into piece_. False when nothing could be read now.
  bool ReadPiece();
  // 0: nothing there yet, a hole was skipped, or an error that was warned
  // about.
  size_t ReadLog(char* buffer, size_t size);
  // Applies the resizes, and makes the calls, whose place has been reached.
  void ApplyDue();

  // Borrowed.
  Terminal* const terminal_;
  // Constant.
  const Cut cut_;
  const std::function<bool()> fed_;
  // State.
  LogReader reader_;
  // Offset of the first byte that the terminal has not been given.
  uint64_t consumed_ = 0;
  // What was read of the log last, and what of it has not been fed.
  std::string piece_;
  std::string_view unfed_;
  // One past the last byte known to be logged. Never goes back.
  uint64_t end_ = 0;
  uint64_t lost_ = 0;
  // Ascending offsets, all of them ahead of consumed_ but for a moment.
  std::deque<Resize> resizes_;
  std::deque<Inline> inline_;
  // By offset; those of one place in the order of their asking.
  std::multimap<uint64_t, std::function<void()>> calls_;
  bool is_flood_ = false;
  Work work_;
  Work flood_work_;  // in its place while is_flood_
};

}  // namespace glasstty
