// The writes of a session's server that the program on the other machine may
// not have received yet.
//
// A value that sends nothing. A write is in flight until the program has read
// it or the holder has refused it. When the connection breaks, the writes in
// flight become doubtful: they may or may not have arrived. When the holder is
// reached again, it reports the serial of the last write that it accepted,
// which settles the doubt. Serials ascend, also from one server to the next.
#pragma once

#include <cstdint>
#include <vector>

namespace glasstty::far {

class InFlightWrites {
 public:
  // Records that the last packet of a write was sent to the far end.
  void Sent(uint64_t serial) { on_their_way_.push_back(serial); }
  // Records that the program has read all writes up to `last`.
  void Read(uint64_t last);
  void Refused(uint64_t serial);

  // Makes all writes in flight doubtful, because the connection broke.
  void Break();
  // Adds doubtful writes that an earlier server or relay sent, from `first` to
  // `last`. Ignores a range that is too long to be valid.
  void Doubt(uint64_t first, uint64_t last);
  // Forgets all writes, because there is no server to which to report them.
  void Clear();

  struct Verdict {
    std::vector<uint64_t> lost;  // serials of writes that never arrived
    bool any_arrived = false;
  };
  // Settles all doubtful writes: those above `last_arrived` are lost.
  Verdict Settle(uint64_t last_arrived);

 private:
  std::vector<uint64_t> on_their_way_;
  std::vector<uint64_t> doubtful_;
};

}  // namespace glasstty::far
