// conformance_server [PORT]: the protocol library with the tools, resources and
// prompts of the public conformance suite, over HTTP on 127.0.0.1. Prints its
// URL when it listens, and serves until it is killed.
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"
#include "conformance/fixture.h"
#include "conformance/http_endpoint.h"
#include "mcp/server.h"
#include "support/loop.h"

namespace glasstty::testing {
namespace {

int Serve(int port) {
  MonotonicClock clock;
  Loop loop(&clock);
  Fixture fixture{&loop};
  Server server(&loop,
                {.name = "conformance_server",
                 .version = GLASSTTY_VERSION,
                 .title = "Conformance",
                 .instructions = "For the conformance suite.",
                 .changing_lists = {"tools", "prompts"}},
                FixtureCatalog(&fixture));
  fixture.server = &server;
  HttpEndpoint endpoint(&loop, &server);
  port = endpoint.Listen(port);
  if (port == 0) {
    std::fprintf(stderr, "cannot listen on 127.0.0.1\n");
    return 1;
  }
  std::printf("http://127.0.0.1:%d/mcp\n", port);
  std::fflush(stdout);
  loop.Run();
  return 0;
}

}  // namespace
}  // namespace glasstty::testing

int main(int argc, char** argv) {
  return glasstty::testing::Serve(argc > 1 ? std::atoi(argv[1]) : 0);
}
