// Remembers the program for which the steps of one call are meant.
//
// An agent plans its steps for the program that it sees. If vim ends in the
// middle of them, the rest would reach the shell behind it, which would run
// text for the editor as commands. So the first program that is seen to wait
// for input is remembered. Nothing more is typed unless that program, or one
// that it has started, is in the foreground.
//
// A value that a Typist keeps for one call; the evidence is the holder's probe.
#pragma once

#include <string>

#include "wire/packets.h"

namespace glasstty::typing {

class Addressee {
 public:
  // Remembers the foreground, if none is remembered and this one waits for
  // input: a program that does not read its terminal does not count.
  void Learn(const wire::ProbeAnswer& answer);
  // Call this if the caller expects another program; the next Learn finds it.
  void Forget() { group_ = 0; }

  // Returns why nothing more may be typed; empty if it may, or if nothing is
  // known.
  std::string Missing(const wire::ProbeAnswer& answer) const;

 private:
  // A process group and not a process, because the first process of "git log |
  // less" may end.
  int group_ = 0;  // 0: none yet
  std::string name_;
};

}  // namespace glasstty::typing
