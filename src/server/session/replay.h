// Feeds the log of a session that another server left, unless the log has
// brought three servers down.
//
// Its log is fed from the first kept byte, from what the terminal was there,
// with the recorded resizes and with replies muted: the program had its
// answers. Where the old reader had stopped, a call in the feed takes the mark.
// While this goes on a file `adopting` exists, with a byte for each server that
// has begun. If the log brings kMostReplays of them down, the next ones show
// the session without replaying. The replay is over at the offset that was the
// end when the holder greeted us; a session without a holder is replayed up to
// the end of its log and is ended from the beginning.
//
// A guest's session (parts.h) is fed in the same way, but leaves the file
// `adopting` and the terminal's questions to the owner.
//
// Also saves what the terminal is at the beginning of each segment of the log,
// from where such a replay can go on. Borrows the parts. Loop thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "session/parts.h"
#include "terminal/terminal.h"
#include "wire/session_files.h"

namespace glasstty::session {

class Replay {
 public:
  // A log is shown to the emulator so often before it is blamed for the death
  // of the servers; they may have been killed.
  static constexpr int kMostReplays = 3;
  // The facts that the files of a left session tell.
  struct Left {
    // Bytes of both logs that the reader of the earlier server had seen.
    wire::MarkRecord read_to;
    // From which byte of output on the terminal had which size, in order.
    std::vector<std::pair<uint64_t, terminal::Size>> resizes;
    // Servers that died while they replayed this log.
    int failed_replays = 0;
    // There is no holder.
    bool dead = false;
    // It was not killed: it ended after everything that it had started.
    bool end_told = false;
    // The ends of the logs, as far as the files tell; a holder knows better.
    uint64_t end = 0;
    uint64_t errors_end = 0;
    // Without a holder: the status of the program, if it is known.
    std::optional<int> exit_status;
  };
  // Error: the files cannot be read now.
  static absl::StatusOr<Left> Inspect(int directory, bool dead);

  explicit Replay(Parts* parts) : parts_(*parts) {}

  // Prepares the parts for a left session, right after they were made; without
  // a holder it also begins.
  void Prepare(const Left& left);
  // Begins, with the log up to `end`.
  void Begin(uint64_t end);
  // For a guest, which hears of sizes only while it is connected: adds those
  // that it has missed.
  void LookForSizes();
  // Begins with what is stored here, unless it has begun.
  void BeginWithStored();
  // Saves what the terminal is now, at `offset`, so that the next server can go
  // on from here when the log has lost what comes before. The holder may remove
  // a segment only when it has been told that all of it was fed, which is later
  // than this.
  void SaveState(uint64_t offset);

 private:
  void StartLog(uint64_t end);
  void BeginErrors();
  void End();

  Parts& parts_;
  int failed_replays_ = 0;
  size_t sizes_ = 0;  // those of the files that were looked at
  uint64_t left_end_ = 0;
};

}  // namespace glasstty::session
