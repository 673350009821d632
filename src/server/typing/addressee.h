// Remembers the program for which the steps of one call are meant.
//
// An agent plans its steps for the program that it sees. If that is vim, and
// vim ends too early, the rest of the steps would reach the shell, which would
// run text for the editor as commands. So the first program that is seen to
// wait for input is remembered. The typing stops once another program is known
// to be in the foreground, unless the remembered program has started it.
//
// A value that a Typist keeps for one call. Judges by the holder's answers to
// probes (session/prober.h).
#pragma once

#include <string>

#include "wire/packets.h"

namespace glasstty::typing {

class Addressee {
 public:
  // Remembers the foreground program if none is remembered yet, and if the
  // foreground program is seen to wait for input.
  void Learn(const wire::ProbeAnswer& answer);
  // Forgets the program, because the next steps may be meant for another one.
  // Learn then remembers the next program that waits for input.
  void Forget() { group_ = 0; }

  // Returns why nothing more may be typed; "" if typing may go on, or if too
  // little is known.
  std::string Missing(const wire::ProbeAnswer& answer) const;

 private:
  // The program's process group, because the first process of "git log | less"
  // may end before the other one.
  int group_ = 0;  // 0: no program is remembered
  std::string name_;
};

}  // namespace glasstty::typing
