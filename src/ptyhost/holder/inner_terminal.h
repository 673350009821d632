// A terminal inside the session's own: the one that script or expect creates
// for the program that it runs.
//
// Such a relay passes keys on to the program inside. That program waits for the
// keys, and the attributes of the inner terminal show whether it asks for a
// password. An editor or a debugger that runs a shell in a window has an inner
// terminal as well, but handles the keys itself.
//
// Keeps no state. Holder thread only.
#pragma once

#include <sys/ioctl.h>
#include <sys/types.h>
#include <termios.h>

#include <cstdint>
#include <optional>

namespace glasstty::holder {

struct InnerTerminal {
  int index = -1;       // the number in /dev/pts; -1 if there is none
  uint64_t device = 0;  // the terminal's device number, by which a descriptor
                        // of the terminal is recognised
  // A process that has the terminal open. The terminal is opened through a
  // descriptor of that process, because the number may stand for another
  // terminal in the holder's mount namespace.
  pid_t user = 0;
};

struct InnerLook {
  termios attributes;
  winsize size;
  int unread = 0;  // as in Device::UnreadInput
};

// Returns the terminal with this device number; index -1 if it is not a
// pseudo-terminal.
InnerTerminal TerminalOfDevice(uint64_t device);

// Returns the device number of the terminal's file system; 0 if unknown.
uint64_t FilesystemOf(const InnerTerminal& terminal);

// Returns nothing if the terminal is gone or cannot be opened, such as one that
// sudo has created.
std::optional<InnerLook> LookInside(const InnerTerminal& terminal);

// Returns true if the process has the name of a known relay.
bool IsKnownRelay(pid_t pid);

// Returns true if a program seems to be a relay. REQUIRES: the program waits,
// in one call, for the terminal `outer` and for the master of `inner`. A relay
// leaves everything to the program inside: `outer` is raw in both directions,
// and `inner` has the same size or none. A program that draws a window around
// `inner` makes it smaller, or lets the kernel process the output to `outer`.
// Returns false if `inner.user` does not have `inner` open.
bool LooksLikeRelay(const InnerTerminal& outer, const InnerTerminal& inner);

// Returns true for the mode in which sudo, ssh and getpass(3) read passwords.
// Raw mode without echo proves nothing: all full-screen programs use it.
inline bool IsSecretMode(const termios& attributes) {
  return (attributes.c_lflag & ICANON) && !(attributes.c_lflag & ECHO);
}

}  // namespace glasstty::holder
