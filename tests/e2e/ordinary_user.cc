#include "e2e/ordinary_user.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glasstty::testing {
namespace {

constexpr uid_t kNobody = 65534;

std::string Folder(const std::string& path, uid_t owner) {
  mkdir(path.c_str(), 0700);
  if (geteuid() == 0) (void)!chown(path.c_str(), owner, owner);
  return path;
}

}  // namespace

OrdinaryUser::OrdinaryUser() {
  bool root = geteuid() == 0;
  chmod(folder_.path().c_str(), 0755);
  home_ = Folder(folder_.Join("home"), root ? kNobody : geteuid());
  options_.environment = DefaultEnvironment(home_);
  options_.state_dir =
      Folder(folder_.Join("state"), root ? kNobody : geteuid());
  if (!root) return;
  // The build directory may be root's own.
  std::string server = folder_.Join("glasstty");
  std::string holder = folder_.Join("glasstty-holder");
  RunCommand({"cp", ServerPath(), server});
  RunCommand({"cp", HolderPath(), holder});
  std::string id = std::to_string(kNobody);
  // Nor may he enter the directory of the test.
  options_.binary = "/usr/bin/env";
  options_.arguments = {"-C",
                        home_,
                        "setpriv",
                        "--reuid=" + id,
                        "--regid=" + id,
                        "--clear-groups",
                        server,
                        "mcp",
                        "--alone"};
  options_.environment.push_back("GLASSTTY_HOLDER=" + holder);
}

bool OrdinaryUser::IsAskedBySudo() const {
  if (geteuid() == 0) return true;
  return RunCommand({"sudo", "-k", "-n", "true"}).status != 0;
}

}  // namespace glasstty::testing
