// glasstty-relay FD BASE GLASSTTY: passes lines between stdin and stdout and
// the shared server at the other end of FD. `glasstty mcp` starts it.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/limits.h"
#include "relay/relay.h"

namespace {

// The server notices that the client has ended by the end of the connection.
void Leave(int) { _exit(0); }

}  // namespace

int main(int argc, char** argv) {
  int fd = -1;
  bool good = argc == 4;
  if (good) {
    const char* end = argv[1] + strlen(argv[1]);
    auto parsed = std::from_chars(argv[1], end, fd);
    good = parsed.ptr == end && parsed.ec == std::errc() && fd > 2;
  }
  if (!good) {
    fprintf(stderr, "glasstty-relay is started by `glasstty mcp`\n");
    return 2;
  }
  // A server that this process starts must not inherit the connection.
  fcntl(fd, F_SETFD, FD_CLOEXEC);
  glasstty::SurviveFailedWrites();
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, Leave);
  glasstty::relay::Relay relay(glasstty::UniqueFd(fd), argv[2], argv[3]);
  return relay.Run();
}
