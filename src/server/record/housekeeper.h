// Keeps the state directory within its limits by deleting ended sessions, in
// the order in which they ended.
//
// Works in slices of the loop. Examines all live and recently ended sessions
// every kEvery (more rarely while none is live), and a session that has just
// ended immediately. Deletes only what is in `ended`, and directories that were
// never completed; it never deletes files of a live session. If nothing is left
// to delete but the limits are still exceeded, it asks the owner of the
// sessions to make room. Several servers may do this in one directory at the
// same time. Borrows the loop and the state directory, which must outlive it.
// Loop thread only.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "record/state_dir.h"
#include "support/loop.h"

namespace glasstty::record {

class Housekeeper {
 public:
  static constexpr Duration kEvery = std::chrono::seconds(5);
  // Ended sessions are deleted after this time.
  static constexpr std::chrono::seconds kLongestKept =
      std::chrono::hours(7 * 24);
  // The number of ended sessions that are kept. Each takes about seven files,
  // which matters if inodes are scarce.
  static constexpr size_t kMostKept = 1'000;

  // `cap` is the number of bytes that all sessions may take on disk.
  // `make_room` is called when live sessions alone exceed it; it returns true
  // if it has moved one of them into `ended`.
  Housekeeper(Loop* loop, StateDir* state_dir, uint64_t cap,
              std::function<bool()> make_room);

  // Begins the first round.
  void Start();
  // Call when a session has been created.
  void Opened();
  // Call when a session has just been moved into `ended`.
  void Added(const std::string& id);

  // The size of all sessions when they were last examined.
  uint64_t bytes() const { return ended_bytes_ + live_bytes_; }

 private:
  struct Ended {
    int64_t at_ns = 0;
    uint64_t bytes = 0;
    Time seen_at;  // when the session was first examined
  };

  void BeginRound();
  // Returns false when nothing is left to do.
  bool Slice();
  bool Step();
  void MeasureEnded(const std::string& id);
  void MeasureLive(const std::string& id);
  void Drop(const std::string& id);
  bool IsOverLimit() const;

  // Borrowed.
  Loop* const loop_;
  StateDir* const state_dir_;
  // Constant.
  const uint64_t cap_;
  const std::function<bool()> make_room_;
  // State.
  std::map<std::string, Ended> ended_;               // by id
  std::set<std::pair<int64_t, std::string>> order_;  // their at_ns and ids,
                                                     // oldest first
  std::map<std::string, uint64_t> live_;
  uint64_t ended_bytes_ = 0;
  uint64_t live_bytes_ = 0;
  // The sessions that this round has yet to examine.
  std::deque<std::string> ended_ids_, live_ids_;
  Work work_;
  Timer timer_;
  bool is_idle_ = false;  // the last round found no live session
};

}  // namespace glasstty::record
