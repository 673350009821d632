// Stores the records of a session on another machine (times of output, terminal
// sizes, typed text) in two files on this machine, `events` and `input`.
//
// Owns both files. Checks the records that arrive, limits their number, and
// converts their times to the clock of this machine. Drops records that are
// stored already. Borrows the directory and the clock. Relay thread only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "base/fd.h"
#include "holder/event_writer.h"

namespace glasstty::far {

class NearEvents {
 public:
  NearEvents(int directory, const Clock* clock)
      : directory_(directory), clock_(clock), writer_(directory, clock) {}

  // Creates the files; `input` only if input is recorded. Returns false with
  // errno on failure.
  bool Create(uint16_t rows, uint16_t cols, bool records_input);
  // Continues the existing files. Returns false with errno on failure.
  bool Resume();

  // Sets the difference that converts a time of the other machine to one of
  // this machine. Must be called for each connection, for two reasons: a
  // machine's clock stops while the machine sleeps, and the far end sends the
  // records about offsets from events_from() on again.
  void SetShift(int64_t ns);

  // Stores records about the log, whose first stored offset is `first_kept`.
  // Skips sizes that no terminal may have. Returns false if a record is
  // incomplete or refers to an offset beyond `most`.
  bool TakeEvents(std::string_view records, uint64_t most, uint64_t first_kept);
  // Stores records of typed text. `at` is their offset in the file on the other
  // machine. Returns false if they are not valid, or if input is not recorded.
  bool TakeInput(uint64_t at, std::string_view records);
  // Stores a kBreak record, because the connection is broken.
  void NoteBreak();
  // Adds a record of the program's exit, unless there is one already.
  void EnsureExit(uint64_t offset, int32_t status);

  // The values for AttachInfo.
  uint64_t events_from() const { return newest_; }
  uint64_t input_end() const;

 private:
  bool IsNews(const wire::EventRecord& record);
  void Note(const wire::EventRecord& record);
  uint64_t Now() const;
  uint64_t TimeHere(uint64_t there_ns) const;

  const int directory_;       // borrowed
  const Clock* const clock_;  // borrowed
  holder::EventWriter writer_;
  UniqueFd input_;
  uint64_t input_size_ = 0;
  int64_t shift_ns_ = 0;
  // The greatest offset and the latest times of the stored records, and the
  // last records of some types.
  uint64_t newest_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t last_input_ns_ = 0;
  std::optional<uint64_t> last_time_;  // the offset of the last kTime record
  wire::EventRecord last_resize_;
  bool has_exit_ = false;
  // The number of stored kTurn and kTyped records at the offset newest_, and
  // the number of these that the far end has yet to send again.
  size_t keyboard_at_newest_ = 0;
  size_t keyboard_again_ = 0;
};

}  // namespace glasstty::far
