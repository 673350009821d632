// What was noted of a session over there (when it was printed, sizes, what was
// typed), as files of this machine: `events` and `input`.
//
// Owns both files. What comes is checked and bounded, and its times become
// those of the clock here; what is here already is dropped. Borrows the
// directory and the clock. The relay's thread.
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

  // Creates the files, that of input if it is to be recorded. False with errno.
  bool Create(uint16_t rows, uint16_t cols, bool records_input);
  // Goes on with those that are there. False with errno.
  bool Resume();

  // A time over there plus this is one here. For each connection anew: neither
  // clock goes on while its machine sleeps.
  void SetShift(int64_t ns) { shift_ns_ = ns; }

  // Of the log beginning at `first_kept`. False when the records cannot be, or
  // speak of more of the log than `most`.
  bool TakeEvents(std::string_view records, uint64_t most, uint64_t first_kept);
  // `at`: where they lie in the file over there.
  bool TakeInput(uint64_t at, std::string_view records);
  // The program has ended, if that was not said by a record.
  void EnsureExit(uint64_t offset, int32_t status);

  // What AttachInfo tells of them.
  uint64_t events_from() const { return newest_; }
  uint64_t input_end() const;

 private:
  bool IsNews(const wire::EventRecord& record) const;
  void Note(const wire::EventRecord& record);
  uint64_t Now() const;
  uint64_t TimeHere(uint64_t there_ns) const;

  const int directory_;       // borrowed
  const Clock* const clock_;  // borrowed
  holder::EventWriter writer_;
  UniqueFd input_;
  uint64_t input_size_ = 0;
  int64_t shift_ns_ = 0;
  // What was stored last.
  uint64_t newest_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t last_input_ns_ = 0;
  std::optional<uint64_t> last_time_;  // its offset
  wire::EventRecord last_resize_;
  bool has_exit_ = false;
};

}  // namespace glasstty::far
