// Takes what programs report about themselves by the Program Status Protocol
// (OSC 7501).
//
// A program reports that it is idle, works, is blocked by a question, is done
// or has failed, for itself and for parts of it ("child records"), and each
// report replaces the record that it had. A report that breaks one of the
// published limits is dropped as a whole. All texts are the program's choice:
// whoever shows them quotes them. Bounded: 64 child records, the oldest goes.
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
  kIdle,     // it waits for its next task
  kWorking,  // it has one
  kBlocked,  // it goes on once a person has answered
  kDone,
  kError,
};
inline constexpr std::string_view kProgramStateNames[] = {
    "idle", "working", "blocked", "done", "error"};

// The question by which it is blocked.
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

// Returns "idle", "working(40%)" or "blocked(permission)".
std::string StatusWord(const ProgramStatus& status);

class ProgramStatuses {
 public:
  // Takes the text of a report, without the number. Returns false if it is
  // dropped.
  bool Report(std::string_view text);
  // A shell is at its prompt, or the terminal was reset.
  void Forget() { records_.clear(); }

  // The one that matters most, or null: a record that is blocked, or else the
  // program's own, or else that of the part which has reported last.
  const ProgramStatus* shown() const;
  // Counts the reports that were taken.
  uint64_t reports() const { return reports_; }

  void Carry(StateCodec* codec);

 private:
  // By id, the oldest report first; the id of the program itself is "".
  using Record = std::pair<std::string, ProgramStatus>;

  std::vector<Record> records_;
  uint64_t reports_ = 0;
};

}  // namespace glasstty::terminal
