// The writes of a session's server that the program on the other machine may
// not have received yet.
//
// A value: sends nothing. A write is on its way until it was read or refused.
// When the connection breaks, such writes become doubtful: they may or may not
// have arrived. The holder settles that by reporting its last serial when it is
// reached again. Serials rise from one server to the next.
#pragma once

#include <cstdint>
#include <vector>

namespace glasstty::far {

class InFlightWrites {
 public:
  // The last packet of a write was sent to the far end.
  void Sent(uint64_t serial) { on_their_way_.push_back(serial); }
  // The program has read all writes up to `last`.
  void Read(uint64_t last);
  void Refused(uint64_t serial);

  // The connection broke.
  void Break();
  // The server doubts these writes, which a server or relay before it sent.
  // Ignores a range that is too long to be true.
  void Doubt(uint64_t first, uint64_t last);
  // Nobody is left who wants to know.
  void Clear();

  struct Verdict {
    std::vector<uint64_t> lost;  // never arrived, and never will
    bool any_arrived = false;
  };
  // Judges all doubtful writes by the last one that has arrived.
  Verdict Settle(uint64_t last_arrived);

 private:
  std::vector<uint64_t> on_their_way_;
  std::vector<uint64_t> doubtful_;
};

}  // namespace glasstty::far
