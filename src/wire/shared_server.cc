#include "wire/shared_server.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/utf8.h"

namespace glasstty::wire {
namespace {

// As a JSON string. Paths may hold any byte; what is no UTF-8 cannot be told.
std::string Quoted(std::string_view text) {
  if (!IsValidUtf8(text)) return "\"\"";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

UniqueFd OpenServeDirectory(const std::string& base, bool make) {
  std::string path = base + "/" + kServeDirectory;
  if (make && mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return UniqueFd();
  }
  UniqueFd directory(
      open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (!directory.valid() || fstat(directory.get(), &status) != 0) {
    return UniqueFd();
  }
  // Somebody else's socket would see all that is typed.
  if (status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    directory.Reset();
    errno = EPERM;
  }
  return directory;
}

bool IsOwnPeer(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         peer.uid == geteuid();
}

UniqueFd ConnectServer(const std::string& base) {
  UniqueFd directory = OpenServeDirectory(base, false);
  if (!directory.valid()) return UniqueFd();
  UniqueFd fd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd.valid()) return fd;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Through the descriptor: the path may be longer than sun_path takes.
  snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s",
           directory.get(), kServeSocket);
  int result =
      connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  if (result == 0 && !IsOwnPeer(fd.get())) {
    errno = EPERM;
    result = -1;
  }
  if (result != 0) fd.Reset();
  return fd;
}

pid_t ServerPid(const std::string& base, const char* name) {
  UniqueFd directory = OpenServeDirectory(base, false);
  if (!directory.valid()) return 0;
  UniqueFd lock(openat(directory.get(), name, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!lock.valid()) return 0;
  struct flock who {};
  who.l_type = F_WRLCK;
  who.l_whence = SEEK_SET;
  if (fcntl(lock.get(), F_GETLK, &who) != 0) return 0;
  return who.l_type == F_UNLCK ? 0 : who.l_pid;
}

bool StartServer(const std::string& executable) {
  char program[] = "glasstty";
  char serve[] = "serve";
  char background[] = "--background";
  char* const argv[] = {program, serve, background, nullptr};
  // What this process writes is its client's.
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int error =
      posix_spawn(&child, executable.c_str(), &files, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    errno = error;
    return false;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  errno = EIO;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string IntroductionLine(std::string_view directory,
                             std::string_view name) {
  return R"({"jsonrpc":"2.0","method":"notifications/glasstty/client",)"
         R"("params":{"directory":)" +
         Quoted(directory) + R"(,"name":)" + Quoted(name) + "}}\n";
}

std::string WorkingDirectory() {
  char path[PATH_MAX];
  return getcwd(path, sizeof path) != nullptr ? path : "";
}

std::string OwnExecutable() {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  std::string own(path, n > 0 ? static_cast<size_t>(n) : 0);
  // After an upgrade its successor is meant (proc_pid_exe(5)).
  constexpr std::string_view kDeleted = " (deleted)";
  if (own.ends_with(kDeleted)) own.resize(own.size() - kDeleted.size());
  return own;
}

}  // namespace glasstty::wire
