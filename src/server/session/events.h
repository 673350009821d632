// Keeps what a session's terminal has reported in addition to the content of
// its screen: the commands that its shells ran, links, bells, titles, the
// program's reports of its status, repairs (see Repair) and frames
// (synchronized output, DECSET 2026).
//
// The session calls Take to pass on the terminal's events. Readers see the
// object as const. Loop thread only.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "record/command_log.h"
#include "terminal/terminal.h"

namespace glasstty::session {

// A link that the program attached to some text (OSC 8).
struct Link {
  int64_t line = 0;  // the line where the link begins
  std::string uri;
};

class Events {
 public:
  // Describes a repair: programs had left modes of the terminal changed, so the
  // terminal restored them when the shell was at its prompt again.
  struct Repair {
    uint64_t number = 0;  // counts from 1
    std::string what;     // names the modes: "alternate screen, autowrap"
  };

  // `nonce` is the secret in the marks of the session's own shell.
  explicit Events(const std::string& nonce) : commands_(nonce) {}

  const record::CommandLog& commands() const { return commands_; }
  // The last thousand links, the oldest first.
  const std::deque<Link>& links() const { return links_; }
  // The last few repairs, the oldest first.
  const std::deque<Repair>& repairs() const { return repairs_; }
  // These counters only rise. A wait remembers the value at its start; a higher
  // value means that there was a new bell or title.
  uint64_t bell_count() const { return bell_count_; }
  uint64_t title_count() const { return title_count_; }
  // When the program last reported its status to this server (OSC 7501);
  // Time(): never.
  Time status_at() const { return status_at_; }
  // Status reports up to this number came from programs that are gone.
  uint64_t status_forgotten() const { return status_forgotten_; }
  // When the program last began a frame (DECSET 2026).
  Time frame_began() const { return frame_began_; }

  record::CommandLog* commands() { return &commands_; }
  // Takes over the events that `terminal` has collected since the last call.
  // `is_live` is false while the log of an earlier server is replayed. `marked`
  // is called after each mark of a shell, `asked` after each query that the
  // terminal answers.
  void Take(terminal::Terminal* terminal, Time now, bool is_live,
            const std::function<void()>& marked,
            const std::function<void()>& asked);
  // Discards all repairs so far, and ignores later ones up to `offset` in the
  // log: they have been reported already.
  void ForgetRepairs(uint64_t offset);
  // Call this when a shell is at its prompt: earlier reports are outdated then.
  void ForgetStatus(const terminal::Terminal& terminal) {
    status_forgotten_ = terminal.status_reports();
  }
  // Returns true if a frame ended since the last call, and no other has begun.
  bool TakeFrameEnd();

 private:
  void TakeRepair(const terminal::TerminalEvent& event);

  record::CommandLog commands_;
  std::deque<Link> links_;
  std::deque<Repair> repairs_;
  uint64_t repair_count_ = 0;
  uint64_t repairs_told_ = 0;  // repairs up to this offset were reported
  uint64_t bell_count_ = 0;
  uint64_t title_count_ = 0;
  Time status_at_{};
  uint64_t status_forgotten_ = 0;
  Time frame_began_{};
  bool frame_ended_ = false;
};

}  // namespace glasstty::session
