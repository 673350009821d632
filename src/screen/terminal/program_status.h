// Keeps the status that programs report about themselves by the Program Status
// Protocol (OSC 7501).
//
// A program reports that it, or a part of it ("child record"), is idle, works,
// is blocked by a question, is done or has failed. Each report replaces the
// previous record of the same id. A report that is malformed or exceeds one of
// the published limits is dropped as a whole. The program chooses all texts, so
// they must be quoted where they are shown. At most 65 records are kept; for a
// new one, the oldest child record is dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "terminal/state_codec.h"

namespace glasstty::terminal {

enum class ProgramState : uint8_t {
  kIdle,     // waits for its next task
  kWorking,  // works on a task
  kBlocked,  // continues once a person has answered
  kDone,
  kError,
};
inline constexpr std::string_view kProgramStateNames[] = {
    "idle", "working", "blocked", "done", "error"};

// The kind of question that blocks the program.
enum class BlockedBy : uint8_t { kUnknown, kPermission, kQuestion, kAuth };
inline constexpr std::string_view kBlockedByNames[] = {"", "permission",
                                                       "question", "auth"};

struct ProgramStatus {
  ProgramState state = ProgramState::kIdle;
  BlockedBy blocked_by = BlockedBy::kUnknown;
  std::optional<int> progress;  // percent
  std::string app, message, title;

  bool operator==(const ProgramStatus&) const = default;
};

// Returns a word such as "idle", "working(40%)" or "blocked(permission)".
std::string StatusWord(const ProgramStatus& status);

class ProgramStatuses {
 public:
  // Stores a report, given as the text of the OSC without its number. Returns
  // false if it is dropped.
  bool Report(std::string_view text);
  // Removes all records, because a shell is at its prompt or the terminal was
  // reset.
  void Forget() { records_.clear(); }

  // Returns the most important record: one that is blocked, or else the
  // program's own, or else the child record that was reported last. Null if
  // there is none.
  const ProgramStatus* shown() const;
  // The number of reports that were accepted.
  uint64_t reports() const { return reports_; }

  void Carry(StateCodec* codec);

 private:
  // A record and its id, which is "" for the program itself.
  using Record = std::pair<std::string, ProgramStatus>;

  std::vector<Record> records_;  // the oldest report first
  uint64_t reports_ = 0;
};

}  // namespace glasstty::terminal
