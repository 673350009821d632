#include "holder/inner_terminal.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "holder/proc.h"

namespace glasstty::holder {
namespace {

// Relays that LooksLikeRelay may not recognise: they may not have set up their
// terminal yet, have a line editor of their own (rlwrap), leave the terminal
// unchanged (socat), or use one thread for each direction.
constexpr std::string_view kRelayNames[] = {"script", "su",     "runuser",
                                            "sudo",   "expect", "socat",
                                            "rlwrap", "ttyrec", "luit"};

// Also checks the file name of the executable, because the process of a script
// has the name of the script.
std::string_view FileNameOf(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool IsRawBothWays(const termios& attributes) {
  return (attributes.c_lflag & (ICANON | ECHO | ISIG)) == 0 &&
         (attributes.c_oflag & OPOST) == 0;
}

bool HasNoWindowAround(const winsize& inner, const winsize& outer) {
  bool unset = inner.ws_row == 0 && inner.ws_col == 0;
  return unset ||
         (inner.ws_row == outer.ws_row && inner.ws_col == outer.ws_col);
}

// Returns the path of a descriptor of `terminal.user` that refers to the
// terminal; "" if there is none, or if the process cannot be inspected.
std::string OpenPathOf(const InnerTerminal& terminal, struct stat* info) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fd", terminal.user);
  for (int fd : ReadNumberedEntries(path)) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", terminal.user, fd);
    bool is_it = stat(path, info) == 0 && S_ISCHR(info->st_mode) &&
                 info->st_rdev == terminal.device;
    if (is_it) return path;
  }
  return "";
}

}  // namespace

InnerTerminal TerminalOfDevice(uint64_t device) {
  constexpr unsigned kFirstMajor = 136, kMajors = 8, kMinors = 256;
  unsigned which = major(device) - kFirstMajor;
  if (which >= kMajors) return {};
  return {static_cast<int>(which * kMinors + minor(device)), device};
}

uint64_t FilesystemOf(const InnerTerminal& terminal) {
  struct stat info;
  return OpenPathOf(terminal, &info).empty() ? 0 : info.st_dev;
}

std::optional<InnerLook> LookInside(const InnerTerminal& terminal) {
  if (terminal.index < 0) return std::nullopt;
  struct stat info;
  std::string path = OpenPathOf(terminal, &info);
  if (path.empty()) return std::nullopt;
  UniqueFd fd(open(path.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  InnerLook look;
  // poll() must come first, as in Device::UnreadInput.
  pollfd query{fd.get(), POLLIN, 0};
  poll(&query, 1, 0);
  bool known = ioctl(fd.get(), FIONREAD, &look.unread) == 0 &&
               ioctl(fd.get(), TIOCGWINSZ, &look.size) == 0 &&
               tcgetattr(fd.get(), &look.attributes) == 0;
  if (!known) return std::nullopt;
  return look;
}

bool IsKnownRelay(pid_t pid) {
  char path[kProcPathSize], file[4096];
  snprintf(path, sizeof path, "/proc/%d/exe", pid);
  ssize_t size = std::max<ssize_t>(readlink(path, file, sizeof file), 0);
  std::string comm = ReadProcessName(pid);
  std::string_view names[] = {comm,
                              FileNameOf({file, static_cast<size_t>(size)})};
  return std::find_first_of(std::begin(names), std::end(names),
                            std::begin(kRelayNames),
                            std::end(kRelayNames)) != std::end(names);
}

bool LooksLikeRelay(const InnerTerminal& outer, const InnerTerminal& inner) {
  std::optional<InnerLook> inside = LookInside(inner);
  if (!inside) return false;
  std::optional<InnerLook> outside = LookInside(outer);
  return outside && IsRawBothWays(outside->attributes) &&
         HasNoWindowAround(inside->size, outside->size);
}

}  // namespace glasstty::holder
