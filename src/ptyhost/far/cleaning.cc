#include "far/cleaning.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/fd.h"
#include "base/process_lock.h"
#include "wire/launch.h"
#include "wire/place_info.h"

namespace glasstty::far {
namespace {

constexpr char kSessions[] = "sessions";

UniqueFd OpenDirectory(int parent, const std::string& name) {
  return UniqueFd(openat(parent, name.c_str(),
                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

// Also returns true for a session that cannot be examined.
bool MayLive(int sessions, const std::string& id) {
  UniqueFd directory = OpenDirectory(sessions, id);
  if (directory.valid()) return !wire::HolderIsDead(directory.get());
  return errno != ENOENT && errno != ENOTDIR && errno != ELOOP;
}

int CountLive(int sessions) {
  int live = 0;
  for (const std::string& id : NamesIn(sessions)) {
    if (wire::IsSessionId(id) && MayLive(sessions, id)) ++live;
  }
  return live;
}

// Kills the far relay that holds the lock `name`. Its near end finds no
// sessions when it connects again. Returns false if the relay cannot be killed.
bool EndRelay(int sessions, const std::string& name) {
  UniqueFd lock(
      openat(sessions, name.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  return !lock.valid() || KillOwner(lock.get());
}

void RemoveSessions(int home) {
  UniqueFd sessions = OpenDirectory(home, kSessions);
  for (const std::string& name : NamesIn(sessions.get())) {
    if (wire::IsSessionId(name)) {
      RemoveSession(sessions.get(), name);
    } else if (name.starts_with("relay.") && EndRelay(sessions.get(), name)) {
      unlinkat(sessions.get(), name.c_str(), 0);
    }
  }
  unlinkat(home, kSessions, AT_REMOVEDIR);
}

}  // namespace

std::vector<std::string> NamesIn(int directory) {
  std::vector<std::string> names;
  int copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* entries = copy < 0 ? nullptr : fdopendir(copy);
  if (entries == nullptr) return names;
  while (const dirent* entry = readdir(entries)) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  closedir(entries);
  return names;
}

void RemoveSession(int sessions, const std::string& id) {
  UniqueFd directory = OpenDirectory(sessions, id);
  for (const std::string& name : NamesIn(directory.get())) {
    unlinkat(directory.get(), name.c_str(), 0);
  }
  unlinkat(sessions, id.c_str(), AT_REMOVEDIR);
}

std::string CleanUp(const std::string& path) {
  UniqueFd home = OpenDirectory(AT_FDCWD, path);
  UniqueFd sessions = OpenDirectory(home.get(), kSessions);
  int live = CountLive(sessions.get());
  if (live > 0) return "busy " + std::to_string(live) + " " + path;
  RemoveSessions(home.get());
  for (const std::string& name : NamesIn(home.get())) {
    bool ours = name.starts_with("holder-") || name.starts_with("up-") ||
                name.starts_with("probe-");
    if (ours) unlinkat(home.get(), name.c_str(), 0);
  }
  return (rmdir(path.c_str()) == 0 ? "removed " : "failed ") + path;
}

}  // namespace glasstty::far
