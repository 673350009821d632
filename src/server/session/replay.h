// Feeds the log of a session that an earlier server left, unless the log has
// crashed three servers.
//
// The log is fed from its first kept byte, starting with the state that the
// terminal had there. The recorded resizes are applied, and replies are muted
// because the program has already had its answers. The mark of this server's
// reader is set where the earlier server's reader had stopped. During the
// replay a file `adopting` exists, with one byte for this server and each that
// died in one. If the log crashes kMostReplays servers, later ones do not
// replay it. The replay is over at the offset where the log ended when the
// holder greeted us. Without a greeting, it is over at the end of the log's
// files. A session without a holder counts as ended from the beginning.
//
// The log of a guest (parts.h) is fed in the same way, but only the owner
// writes the file `adopting` and answers the program's queries.
//
// Also saves the terminal's state at the beginning of each segment of the log,
// so that a later replay can start there. Borrows the parts. Loop thread only.
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
  // If this many servers have died while they replayed a log, the log is
  // blamed. Fewer may have been killed for other reasons.
  static constexpr int kMostReplays = 3;
  // The facts that are read from the files of a left session.
  struct Left {
    // The offsets up to which the earlier server's reader had read both logs.
    wire::MarkRecord read_to;
    // The sizes of the terminal, in order, each with the offset from which it
    // applies.
    std::vector<std::pair<uint64_t, terminal::Size>> resizes;
    // The number of servers that died during a replay; at most kMostReplays.
    int failed_replays = 0;
    // True if there is no holder.
    bool dead = false;
    // Only if `dead`: true if the holder was not killed, but ended after all
    // its processes had.
    bool end_told = false;
    // The ends of the logs according to the files. If there is a holder, its
    // greeting is more accurate.
    uint64_t end = 0;
    uint64_t errors_end = 0;
    // Only if `dead`: the status of the program, if it is known.
    std::optional<int> exit_status;
  };
  // Reads the files in `directory`. `dead`: there is no holder. Error: the
  // files cannot be read now.
  static absl::StatusOr<Left> Inspect(int directory, bool dead);

  explicit Replay(Parts* parts) : parts_(*parts) {}

  // Prepares the parts for a left session, right after they were created. If
  // there is no holder, also begins the replay.
  void Prepare(const Left& left);
  // Begins the replay of the log up to `end`.
  void Begin(uint64_t end);
  // Adds the size changes that a guest has missed while it was not connected.
  void LookForSizes();
  // Begins the replay of what is stored on this machine, unless it began
  // before.
  void BeginWithStored();
  // Saves the current state of the terminal, at `offset`, so that the next
  // server can start here when the log no longer holds earlier bytes. The
  // holder removes a segment only once the server has acknowledged the whole
  // segment, which happens after this call.
  void SaveState(uint64_t offset);

 private:
  void StartLog(uint64_t end);
  void BeginErrors();
  void End();

  Parts& parts_;
  int failed_replays_ = 0;
  size_t sizes_ = 0;       // the number of sizes read from the files
  uint64_t left_end_ = 0;  // Left::end
};

}  // namespace glasstty::session
