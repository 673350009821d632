#include "support/home.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "support/account.h"
#include "support/status.h"

namespace glasstty {

std::string HomeDirectory() {
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return home;
  std::optional<Account> account = FindAccount(getuid());
  return account.has_value() ? account->home : "";
}

absl::StatusOr<std::string> ExpandHome(const std::string& path) {
  if (!path.starts_with('~')) return path;
  size_t end = std::min(path.find('/'), path.size());
  std::string name = path.substr(1, end - 1);
  std::string home;
  if (name.empty()) {
    home = HomeDirectory();
  } else if (std::optional<Account> account = FindAccount(name)) {
    home = account->home;
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

std::string HomeRelative(std::string path) {
  std::string prefix = HomeDirectory();
  while (prefix.ends_with('/')) prefix.pop_back();
  bool below = prefix.size() > 1 &&
               path.compare(0, prefix.size(), prefix) == 0 &&
               (path.size() == prefix.size() || path[prefix.size()] == '/');
  return below ? "~" + path.substr(prefix.size()) : path;
}

}  // namespace glasstty
