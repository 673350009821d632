// A terminal inside the session's own: the one that script or expect creates
// for the program that it runs.
//
// The session's own terminal is then in raw mode, so it does not show whether a
// password is being asked for. The attributes of the inner terminal do.
#pragma once

#include <sys/types.h>
#include <termios.h>

#include <cstdint>

namespace glasstty::holder {

struct InnerTerminal {
  int index = -1;       // of /dev/pts; -1: there is none
  uint64_t device = 0;  // its number, to be sure of it
};

struct InnerLook {
  termios attributes;
  int unread = 0;  // as Device::UnreadInput
};

// False when it may not be opened (that of sudo) or is gone.
bool LookInside(const InnerTerminal& terminal, InnerLook* look);

// What sudo, ssh and getpass set. Raw without echo says nothing: so do all
// full-screen programs.
inline bool IsSecretMode(const termios& attributes) {
  return (attributes.c_lflag & ICANON) && !(attributes.c_lflag & ECHO);
}

}  // namespace glasstty::holder
