// Keeps the state directory within its limits: the sessions that ended first
// are deleted first.
//
// Examines all sessions every kEvery, in slices of the loop, and a session that
// has just ended immediately. Deletes only what is in `ended`, and directories
// that were never completed; never anything of a live session. If there is
// nothing left to delete but still too much, it asks the owner of the sessions
// to make room. Several servers may do this in one directory at the same time.
// Borrows the loop and the state directory, which must outlive it. Loop thread
// only.
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
  // Of ended sessions.
  static constexpr std::chrono::seconds kLongestKept =
      std::chrono::hours(7 * 24);
  static constexpr size_t kMostKept = 10'000;

  // `cap`: bytes on disk of all sessions. `make_room` is called when the
  // sessions that have not left the list take more than that; true when one of
  // them has been put into `ended`.
  Housekeeper(Loop* loop, StateDir* state_dir, uint64_t cap,
              std::function<bool()> make_room);

  // Begins the first look.
  void Start();
  // A session has been made.
  void Opened();
  // The session has just been put into `ended`.
  void Added(const std::string& id);

  // What all sessions took when they were looked at last.
  uint64_t bytes() const { return ended_bytes_ + live_bytes_; }

 private:
  struct Ended {
    int64_t at_ns = 0;
    uint64_t bytes = 0;
    Time seen_at;  // first
  };

  void BeginRound();
  // False when there is nothing left to do.
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
  std::set<std::pair<int64_t, std::string>> order_;  // the same, oldest first
  std::map<std::string, uint64_t> live_;
  uint64_t ended_bytes_ = 0;
  uint64_t live_bytes_ = 0;
  // To be looked at.
  std::deque<std::string> ended_ids_, live_ids_;
  Work work_;
  Timer timer_;
  bool is_idle_ = false;  // no session lived when all was looked at last
};

}  // namespace glasstty::record
