#include "wire/programs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

namespace glasstty::wire {

UniqueFd OpenProgram(const OwnProgram& program, std::string* path) {
  const char* wanted = getenv(program.variable);
  if (wanted != nullptr && *wanted != '\0') {
    *path = wanted;
    return UniqueFd(open(wanted, O_PATH | O_CLOEXEC));
  }
  // Use the path of the running executable, not the name that it was called by.
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self);
  std::string folder(self, n > 0 ? static_cast<size_t>(n) : 0);
  folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/'));
  // The program may be installed beside the server or in libexec. The other
  // three paths apply in the build directory, to executables in src/cli, in
  // other rooms below src, and in tests/ROOM.
  const std::string name = std::string("/") + program.name;
  const std::string built = std::string("/") + program.folder + name;
  UniqueFd fd;
  for (const std::string& place : {name, "/../libexec" + name, "/.." + built,
                                   "/../.." + built, "/../../src" + built}) {
    *path = folder + place;
    fd.Reset(open(path->c_str(), O_PATH | O_CLOEXEC));
    if (fd.valid()) break;
  }
  return fd;
}

}  // namespace glasstty::wire
