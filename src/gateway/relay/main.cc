// glasstty-relay FD BASE GLASSTTY [AGREEMENTS]: passes lines between stdin and
// stdout and the shared server at the other end of FD. `glasstty mcp` becomes
// this program after the first answer; then AGREEMENTS is the descriptor of a
// file with the client's agreements (relay.h). Without AGREEMENTS, this program
// introduces itself to the server.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "base/fd.h"
#include "base/limits.h"
#include "relay/relay.h"

namespace {

// Ends immediately. The server notices that the connection has ended.
void Leave(int) { _exit(0); }

std::string ReadToEnd(const glasstty::UniqueFd& file) {
  std::string text;
  char buffer[4096];
  ssize_t n;
  while ((n = glasstty::ReadSome(file.get(), buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

// Returns -1 if the text is not the number of a descriptor.
int DescriptorIn(const char* text) {
  int fd = -1;
  const char* end = text + strlen(text);
  auto parsed = std::from_chars(text, end, fd);
  bool is_whole = parsed.ptr == end && parsed.ec == std::errc();
  return is_whole && fd > STDERR_FILENO ? fd : -1;
}

}  // namespace

int main(int argc, char** argv) {
  bool continues = argc == 5;
  int server = argc == 4 || continues ? DescriptorIn(argv[1]) : -1;
  int agreed = continues ? DescriptorIn(argv[4]) : -1;
  if (server < 0 || (continues && agreed < 0)) {
    fprintf(stderr, "glasstty-relay is started by `glasstty mcp`\n");
    return 2;
  }
  // A server that this process starts must not inherit the connection.
  fcntl(server, F_SETFD, FD_CLOEXEC);
  glasstty::SurviveFailedWrites();
  for (int number : {SIGINT, SIGTERM, SIGHUP}) signal(number, Leave);
  using glasstty::relay::Relay;
  glasstty::UniqueFd socket(server);
  if (!continues) return Relay(std::move(socket), argv[2], argv[3]).Run();
  std::string agreements = ReadToEnd(glasstty::UniqueFd(agreed));
  return Relay(std::move(socket), argv[2], argv[3], agreements).Run();
}
