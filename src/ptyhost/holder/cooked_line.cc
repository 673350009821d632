#include "holder/cooked_line.h"

#include <unistd.h>

#include <algorithm>

#include "wire/packets.h"

namespace glasstty::holder {
namespace {

// A control character can be switched off by giving it the value
// _POSIX_VDISABLE, which is NUL here: a typed NUL is then ordinary text.
bool IsControl(const termios& attributes, int index, char byte) {
  cc_t wanted = attributes.c_cc[index];
  return wanted != _POSIX_VDISABLE && wanted == static_cast<cc_t>(byte);
}

// Returns true if `byte` passes the line to the program or discards it.
bool EndsLine(const termios& attributes, char byte) {
  if (byte == '\n') return !(attributes.c_iflag & INLCR);
  if (byte == '\r') {
    return (attributes.c_iflag & ICRNL) && !(attributes.c_iflag & IGNCR);
  }
  // VKILL discards the line, which empties the kernel's buffer as well.
  for (int index : {VEOF, VEOL, VKILL}) {
    if (IsControl(attributes, index, byte)) return true;
  }
  if ((attributes.c_lflag & IEXTEN) && IsControl(attributes, VEOL2, byte)) {
    return true;
  }
  // The kernel also flushes its input at the signal characters.
  if (!(attributes.c_lflag & ISIG) || (attributes.c_lflag & NOFLSH)) {
    return false;
  }
  for (int index : {VINTR, VQUIT, VSUSP}) {
    if (IsControl(attributes, index, byte)) return true;
  }
  return false;
}

}  // namespace

bool CookedLine::Fits(const termios& attributes, std::string_view text) const {
  CookedLine after = *this;
  return after.Advance(attributes, text) <= wire::kMaxCookedLine;
}

void CookedLine::Add(const termios& attributes, std::string_view text) {
  Advance(attributes, text);
}

size_t CookedLine::Advance(const termios& attributes, std::string_view text) {
  size_t longest = 0;
  for (char byte : text) {
    bool quoted = quoted_;
    quoted_ = !quoted && (attributes.c_lflag & IEXTEN) &&
              IsControl(attributes, VLNEXT, byte);
    if (!quoted && EndsLine(attributes, byte)) {
      length_ = 0;
    } else {
      longest = std::max(longest, ++length_);
    }
  }
  return longest;
}

}  // namespace glasstty::holder
