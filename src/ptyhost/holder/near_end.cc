#include "holder/near_end.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/fd.h"
#include "holder/proc.h"

namespace glasstty::holder {
namespace {

// These numbers are the same on all architectures, but older headers lack them.
constexpr long kPidfdOpen = 434, kPidfdGetfd = 438;

// Device numbers of serial lines and terminals, from the kernel's
// Documentation/admin-guide/devices.txt.
struct TerminalDevices {
  unsigned first_major, last_major;
  unsigned first_minor;
};
constexpr TerminalDevices kTerminals[] = {
    {4, 4, 64},     // ttyS; below that are virtual consoles
    {136, 143, 0},  // /dev/pts
    {166, 166, 0},  // ttyACM
    {188, 188, 0},  // ttyUSB
    {204, 204, 0},  // serial lines of embedded processors
    {216, 216, 0},  // rfcomm
    {229, 229, 0},  // hvc
};

// Parts of socket paths that identify desktop services. A program does not pass
// typed input on to such a service.
constexpr std::string_view kServices[] = {"X11-unix/", "/bus", "dbus",
                                          "wayland-"};

bool IsTerminal(const struct stat& info) {
  if (!S_ISCHR(info.st_mode)) return false;
  unsigned number = major(info.st_rdev);
  return std::ranges::any_of(kTerminals, [&](const TerminalDevices& one) {
    return number >= one.first_major && number <= one.last_major &&
           minor(info.st_rdev) >= one.first_minor;
  });
}

int ReadMasterIndex(pid_t pid, int fd) {
  char path[kProcPathSize], text[1024];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", pid, fd);
  if (ReadProcFile(path, text, sizeof text) <= 0) return -1;
  const char* index = strstr(text, "tty-index:");
  return index == nullptr ? -1 : atoi(index + strlen("tty-index:"));
}

bool IsService(int socket) {
  sockaddr_un peer = {};
  socklen_t size = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) != 0) {
    return false;
  }
  // An abstract name begins with a NUL, and is not ended by one.
  size_t begin = offsetof(sockaddr_un, sun_path);
  size_t length =
      size > begin ? std::min<size_t>(size, sizeof peer) - begin : 0;
  std::string_view path(peer.sun_path, length);
  return std::ranges::any_of(kServices, [path](std::string_view part) {
    return path.find(part) != std::string_view::npos;
  });
}

bool LeadsElsewhere(pid_t pid, int socket) {
  int domain = 0;
  socklen_t size = sizeof domain;
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0) {
    return false;
  }
  if (domain != AF_UNIX) return domain == AF_INET || domain == AF_INET6;
  ucred peer = {};
  size = sizeof peer;
  bool known = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return known && peer.pid > 0 && peer.pid != pid && !IsService(socket);
}

}  // namespace

HeldTerminals ReadHeldTerminals(pid_t pid, const WaitTarget& target) {
  HeldTerminals held;
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fd", pid);
  for (int fd : ReadNumberedEntries(path)) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    struct stat info, link;
    if (stat(path, &info) != 0) continue;
    bool is_master = S_ISCHR(info.st_mode) && info.st_rdev == makedev(5, 2);
    if (is_master && held.inner < 0) held.inner = ReadMasterIndex(pid, fd);
    if (!IsTerminal(info) || target.Is(info)) continue;
    // The mode of the link shows how the descriptor was opened (proc(5)).
    held.other |= lstat(path, &link) == 0 && (link.st_mode & S_IRUSR) != 0;
  }
  return held;
}

bool LeadElsewhere(pid_t pid, const std::vector<int>& sockets) {
  if (sockets.empty()) return false;
  UniqueFd process(static_cast<int>(syscall(kPidfdOpen, pid, 0)));
  if (!process.valid()) return false;
  return std::ranges::all_of(sockets, [&](int fd) {
    UniqueFd socket(
        static_cast<int>(syscall(kPidfdGetfd, process.get(), fd, 0)));
    return socket.valid() && LeadsElsewhere(pid, socket.get());
  });
}

}  // namespace glasstty::holder
