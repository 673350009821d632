// A session whose keyboard a person takes and gives back.
#include "session/session.h"

namespace glasstty {

// What a person types is not known, so nothing is of the prompt's line. A write
// without bytes has the receipt that tells when all of it has been read.
void Session::OnLease(const Packet& packet) {
  uint64_t turns = person_.visits().turns;
  auto info = HeadOf<LeaseInfo>(packet.payload);
  person_.Take(info, packet.header.b & kLeaseHeld, loop_->Now());
  prober_.InputSent();
  prompt_.SetShared(person_.here());
  if (person_.visits().turns == turns || person_.here()) return;
  prompt_.TypedByAnother(SendInput("", kWritePlain));
}

}  // namespace glasstty
