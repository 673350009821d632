// A terminal inside the session's own: the one that script or expect creates
// for the program that it runs.
//
// Keys go through a relay to the program inside, so what waits for them is that
// program, and the attributes of the inner terminal show whether a password is
// being asked for. An editor or a debugger that runs a shell in a window has an
// inner terminal as well, but takes the keys for itself.
//
// Keeps no state; the holder's thread.
#pragma once

#include <sys/ioctl.h>
#include <sys/types.h>
#include <termios.h>

#include <cstdint>
#include <optional>

namespace glasstty::holder {

struct InnerTerminal {
  int index = -1;       // of /dev/pts; -1: there is none
  uint64_t device = 0;  // its number, to be sure of it
  // A process that has it open. Another mount namespace may have another
  // terminal of the same number, so it is looked up where this process does.
  pid_t user = 0;
};

struct InnerLook {
  termios attributes;
  winsize size;
  int unread = 0;  // as Device::UnreadInput
};

// Returns the terminal with this device number; index -1 if it is not a
// pseudo-terminal.
InnerTerminal TerminalOfDevice(uint64_t device);

// Returns the number of the file system that has it, as its user sees it; 0:
// not known.
uint64_t FilesystemOf(const InnerTerminal& terminal);

// Returns nothing if it may not be opened (that of sudo) or is gone.
std::optional<InnerLook> LookInside(const InnerTerminal& terminal);

// Returns true for programs that are relays whatever their terminals look like.
bool IsKnownRelay(pid_t pid);

// Returns true if a program that waits for the terminal `outer` and for the
// master of `inner` in one call passes on what is typed. A relay
// leaves everything to the program inside: its own terminal is raw in both
// directions, and the inner one has the same size or none. A program that draws
// a window around the inner terminal gives it less room, or lets the kernel
// translate its own output. REQUIRES: somebody uses `inner`. If its program has
// yet to open it, opening it here would look to the relay as if that program
// had ended.
bool LooksLikeRelay(const InnerTerminal& outer, const InnerTerminal& inner);

// Returns true for the mode that sudo, ssh and getpass set. Raw mode without
// echo proves nothing, because all full-screen programs use it.
inline bool IsSecretMode(const termios& attributes) {
  return (attributes.c_lflag & ICANON) && !(attributes.c_lflag & ECHO);
}

}  // namespace glasstty::holder
