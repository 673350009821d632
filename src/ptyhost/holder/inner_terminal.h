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
  uint64_t device = 0;  // the terminal's device number, by which it is
                        // recognised
  // A process that has the terminal open. The terminal is opened through the
  // descriptors of that process, because another mount namespace may have
  // another terminal of the same number.
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

// Returns nothing if the terminal cannot be opened (such as that of sudo) or is
// gone.
std::optional<InnerLook> LookInside(const InnerTerminal& terminal);

// Returns true if the name of the program is that of a known relay.
bool IsKnownRelay(pid_t pid);

// Returns true if a program that waits, in one call, for the terminal `outer`
// and for the master of `inner` seems to be a relay. A relay leaves everything
// to the program inside: the outer terminal is raw in both directions, and the
// inner one has the same size or none. A program that draws a window around the
// inner terminal makes that terminal smaller, or lets the kernel translate the
// output to `outer`. REQUIRES: some process has `inner` open. Otherwise,
// opening and closing `inner` here would look to the relay as if the program
// inside had ended.
bool LooksLikeRelay(const InnerTerminal& outer, const InnerTerminal& inner);

// Returns true for the mode that sudo, ssh and getpass set. Raw mode without
// echo proves nothing, because all full-screen programs use it.
inline bool IsSecretMode(const termios& attributes) {
  return (attributes.c_lflag & ICANON) && !(attributes.c_lflag & ECHO);
}

}  // namespace glasstty::holder
