// conformance_server BASE: the protocol library with the tools, resources and
// prompts of the public conformance suite, as the shared server of the state
// directory BASE. `glasstty-http` makes it speak HTTP. Prints a line when it
// listens, and serves until it is killed.
#include <signal.h>

#include <cstdio>
#include <utility>

#include "base/clock.h"
#include "conformance/fixture.h"
#include "mcp/server.h"
#include "serve/guests.h"
#include "serve/listener.h"
#include "support/loop.h"
#include "support/status.h"

namespace glasstty::testing {
namespace {

int Serve(const char* base) {
  MonotonicClock clock;
  Loop loop(&clock);
  Fixture fixture{&loop};
  mcp::Server server(&loop,
                     {.name = "conformance_server",
                      .version = GLASSTTY_VERSION,
                      .title = "Conformance",
                      .instructions = "For the conformance suite.",
                      .changing_lists = {"tools", "prompts"}},
                     FixtureCatalog(&fixture));
  fixture.server = &server;
  auto listener = serve::Listener::Open(base);
  if (!listener.ok()) {
    std::fprintf(stderr, "%s\n", Message(listener.status()).c_str());
    return 1;
  }
  signal(SIGPIPE, SIG_IGN);
  serve::Guests guests(&loop, &server, *std::move(listener));
  std::puts("ready");
  std::fflush(stdout);
  loop.Run();
  return 0;
}

}  // namespace
}  // namespace glasstty::testing

int main(int argc, char** argv) {
  if (argc == 2) return glasstty::testing::Serve(argv[1]);
  std::fprintf(stderr, "usage: conformance_server BASE\n");
  return 2;
}
