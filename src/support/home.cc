#include "support/home.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "support/status.h"

namespace glasstty {

std::string HomeDirectory() {
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return home;
  const passwd* user = getpwuid(getuid());
  return user != nullptr ? user->pw_dir : "";
}

absl::StatusOr<std::string> ExpandHome(const std::string& path) {
  if (!path.starts_with('~')) return path;
  size_t end = std::min(path.find('/'), path.size());
  std::string name = path.substr(1, end - 1);
  std::string home;
  if (name.empty()) {
    home = HomeDirectory();
  } else if (const passwd* user = getpwnam(name.c_str())) {
    home = user->pw_dir;
  } else {
    return NotFound(
        "'%s': there is no user '%s'; a directory of that name is ./%s", path,
        name, path);
  }
  if (home.empty()) {
    return FailedPrecondition("'%s': no home directory is known (HOME)", path);
  }
  return home + path.substr(end);
}

}  // namespace glasstty
