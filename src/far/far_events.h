// What a holder has noted beside a session's log (when it was printed, sizes,
// what was typed), on its way to the near end.
//
// Owns the descriptors of the files `events` and `input`, and knows how much of
// them was sent. Borrows the directory and the stream. The relay's thread.
#pragma once

#include <cstdint>

#include "base/fd.h"
#include "far/frame_stream.h"
#include "wire/place_info.h"
#include "wire/session_files.h"

namespace glasstty::far {

class FarEvents {
 public:
  FarEvents(uint32_t number, int directory, FrameStream* stream)
      : number_(number), directory_(directory), stream_(stream) {}

  // What the near end has of them.
  void Begin(const wire::AttachInfo& from);
  // Sends what speaks of the log up to `offset`; of each file a bounded part.
  // True when there is more.
  bool Send(uint64_t offset);

 private:
  bool OpenEvents();
  bool SendEvents(uint64_t offset);
  bool SendInput();

  const uint32_t number_;
  const int directory_;
  FrameStream* const stream_;  // borrowed
  UniqueFd events_;
  ino_t inode_ = 0;            // of events_
  off_t events_at_ = 0;        // what is in front of it was sent
  uint64_t from_ = 0;          // nothing that speaks of less is wanted
  uint64_t last_sent_ns_ = 0;  // of the last record
  bool wants_input_ = false;
  UniqueFd input_;
  off_t input_at_ = 0;
};

}  // namespace glasstty::far
