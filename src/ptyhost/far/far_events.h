// Sends the near end the records that a holder keeps beside a session's log:
// times of output, terminal sizes, typed text.
//
// Owns the descriptors of the files `events` and `input`, and the positions up
// to which these files were sent. Borrows the directory and the stream. Relay
// thread only.
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

  // Sets where Send begins: it skips records about bytes before `from.events`,
  // and typed text before `from.input`, because the near end has them already.
  void Begin(const wire::AttachInfo& from);
  // Sends the next records about the log up to `offset`, and the next typed
  // text. Sends only a bounded part of each file, and returns true if there may
  // be more.
  bool Send(uint64_t offset);

 private:
  bool OpenEvents();
  bool SendEvents(uint64_t offset);
  bool SendInput();

  const uint32_t number_;
  const int directory_;
  FrameStream* const stream_;  // borrowed
  UniqueFd events_;
  ino_t inode_ = 0;            // the inode of events_
  off_t events_at_ = 0;        // the records up to this position were handled
  uint64_t from_ = 0;          // records about earlier bytes are skipped
  uint64_t last_sent_ns_ = 0;  // the time of the last record that was handled
  bool wants_input_ = false;
  UniqueFd input_;
  off_t input_at_ = 0;
};

}  // namespace glasstty::far
