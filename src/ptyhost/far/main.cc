// The program glasstty-holder: the holder of one session, or either end of the
// connection to another machine, where glasstty needs no other file.
//
// Without arguments, it runs a holder or a near relay on inherited descriptors
// (wire/start_fds.h). Only glasstty itself uses the options.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/limits.h"
#include "far/cleaning.h"
#include "far/far_relay.h"
#include "far/near_relay.h"
#include "far/plug.h"
#include "far/put_file.h"
#include "holder/start.h"
#include "wire/place_control.h"
#include "wire/session_files.h"
#include "wire/start_fds.h"

namespace glasstty::far {
namespace {

int Usage() {
  fprintf(stderr, "glasstty-holder is started by glasstty only\n");
  return 2;
}

int RunNear(wire::PlaceSpec spec) {
  UniqueFd signals = holder::LeaveLauncher();
  if (!signals.valid()) return 1;
  // SIGTERM ends a relay at once, while a holder first ends its session.
  signal(SIGTERM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  RaiseDescriptorLimit();
  NearRelay relay({.spec = std::move(spec),
                   .server = UniqueFd(wire::kControlFd),
                   .directory = UniqueFd(wire::kDirFd),
                   .lock = UniqueFd(wire::kLockFd)});
  relay.Run();
  return 0;
}

int RunBorn() {
  if (!holder::HasStartDescriptors()) return Usage();
  std::optional<std::string> text = holder::ReadStartSpec();
  if (!text) return 1;
  wire::PlaceSpec place;
  return wire::DecodePlace(*text, &place) ? RunNear(std::move(place))
                                          : holder::RunHolder(*text);
}

// Runs the far end of a connection. The arguments are DIRECTORY TOKEN NEAR_ID.
int RunFar(char** arguments) {
  SurviveFailedWrites();
  // LaunchHolder gives the holders the original limit.
  RaiseDescriptorLimit();
  // Programs without a directory of their own start in the home directory.
  const char* home = getenv("HOME");
  if (home == nullptr || chdir(home) != 0) (void)!chdir("/");
  FarRelay relay({arguments[0], arguments[1], arguments[2]},
                 UniqueFd(STDIN_FILENO), UniqueFd(STDOUT_FILENO));
  return relay.Run();
}

// Returns 0 if the file of this program is complete. `expected` is SIZE CRC.
int CheckItself(char** expected) {
  std::string program;
  constexpr size_t kMost = 64 << 20;
  UniqueFd self(open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  char buffer[64 << 10];
  ssize_t n;
  while ((n = ReadSome(self.get(), buffer, sizeof buffer)) > 0 &&
         program.size() < kMost) {
    program.append(buffer, static_cast<size_t>(n));
  }
  bool whole = std::to_string(program.size()) == expected[0] &&
               std::to_string(wire::Crc32c(program.data(), program.size())) ==
                   expected[1];
  return whole ? 0 : 1;
}

int Main(int argc, char** argv) {
  std::string_view role = argc > 1 ? argv[1] : "";
  if (argc == 1) return RunBorn();
  if (role == "--version") return puts("glasstty-holder") < 0 ? 1 : 0;
  if (role == "--check" && argc == 4) return CheckItself(argv + 2);
  if (role == "--far" && argc == 5) return RunFar(argv + 2);
  if (role == "--clean" && argc == 4) {
    return printf("%s %s\n", argv[3], CleanUp(argv[2]).c_str()) < 0 ? 1 : 0;
  }
  if (role == "--put") return RunPut(argv + 2);
  if (role == "--plug" && argc > 4) return RunPlug(argv[2], argv + 4);
  return Usage();
}

}  // namespace
}  // namespace glasstty::far

int main(int argc, char** argv) {
  int status = glasstty::far::Main(argc, argv);
  fflush(stdout);
  // The kernel releases the lock when the process ends; nothing else needs
  // cleaning up.
  _exit(status);
}
