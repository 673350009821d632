#include "wire/shared_server.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>
#include <vector>

#include "wire/own_socket.h"

namespace glasstty::wire {
namespace {

// Returns this process's environment without the settings of its client.
std::vector<char*> EnvironmentOfServer() {
  std::vector<char*> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    std::string_view text(*entry);
    bool is_clients = std::any_of(
        std::begin(kClientVariables), std::end(kClientVariables),
        [text](std::string_view name) {
          return text.starts_with(name) && text.substr(name.size(), 1) == "=";
        });
    if (!is_clients) entries.push_back(*entry);
  }
  entries.push_back(nullptr);
  return entries;
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
  // Another user who owned the socket could read everything that is typed.
  if (status.st_uid != geteuid() || (status.st_mode & 077) != 0) {
    directory.Reset();
    errno = EPERM;
  }
  return directory;
}

UniqueFd ConnectServer(const std::string& base) {
  UniqueFd directory = OpenServeDirectory(base, false);
  if (!directory.valid()) return UniqueFd();
  return ConnectAt(directory.get(), kServeSocket, SOCK_STREAM);
}

LockOwner ServerOwner(const std::string& base, const char* name) {
  UniqueFd directory = OpenServeDirectory(base, false);
  if (!directory.valid()) return {};
  UniqueFd lock(openat(directory.get(), name, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  return lock.valid() ? OwnerOf(lock.get()) : LockOwner();
}

std::string HttpAddress(const std::string& base) {
  UniqueFd directory = OpenServeDirectory(base, false);
  std::string text;
  if (ServerOwner(base, kHttpLock).exists &&
      ReadFileAt(directory.get(), kHttpAddress, 4096, &text)) {
    return text;
  }
  return "";
}

std::string HttpServedText(const std::string& base) {
  std::string said = HttpAddress(base);
  std::string url = said.substr(0, said.find('\n'));
  pid_t pid = ServerOwner(base, kHttpLock).pid;
  std::string text = "HTTP is already being served";
  if (!url.empty()) text += " at " + url + "; clients can use that";
  if (pid > 0) {
    text += "; `kill " + std::to_string(pid) +
            "` ends it and leaves all terminals open";
  }
  return text + "; `glasstty serve --stop` ends it together with the server";
}

bool StartServer(const std::string& executable) {
  char program[] = "glasstty";
  char serve[] = "serve";
  char background[] = "--background";
  char* const argv[] = {program, serve, background, nullptr};
  // The new server must not write to this process's stdout, which is connected
  // to the client.
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  std::vector<char*> environment = EnvironmentOfServer();
  pid_t child = 0;
  int error = posix_spawn(&child, executable.c_str(), &files, nullptr, argv,
                          environment.data());
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

std::string OwnExecutable() {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  std::string own(path, n > 0 ? static_cast<size_t>(n) : 0);
  // After an upgrade, return the new file at the same path; the kernel marks
  // the old one as deleted (proc_pid_exe(5)).
  constexpr std::string_view kDeleted = " (deleted)";
  if (own.ends_with(kDeleted)) own.resize(own.size() - kDeleted.size());
  return own;
}

}  // namespace glasstty::wire
