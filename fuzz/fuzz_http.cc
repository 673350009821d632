// Tests MCP over HTTP: whatever comes on a connection, each answer is HTTP, no
// request stays behind, and the next one is served.
//
// The input is what a client sends, with the toy server behind the bridge.
// Byte 0x01 in it lets the loop run. Connections are real, for evhttp has no
// other way in, and are reset at their end so that none lingers in the kernel.
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "bridge/endpoint.h"
#include "fuzz/require.h"
#include "http/server.h"
#include "mcp/stdio_transport.h"
#include "tests/mcp/toy.h"

namespace glasstty::testing {
namespace {

class World {
 public:
  World() : endpoint_(&toy_.loop, {}, [this](bool) { return Join(); }) {
    signal(SIGPIPE, SIG_IGN);
    auto server = http::Server::On(
        &toy_.loop, "", 0,
        [this](auto exchange) { endpoint_.Handle(std::move(exchange)); },
        {.trusts = [](const http::Request& head) {
          return head.headers.contains("origin");
        }});
    Require(server.ok());
    server_ = *std::move(server);
    endpoint_.SetPort(80);  // the port in the Host of the seeds
  }

  void Play(std::string_view input) {
    UniqueFd client = Connect();
    if (!client.valid()) return;
    while (!input.empty()) {
      size_t end = std::min(input.find('\1'), input.size());
      (void)!send(client.get(), input.data(), end, MSG_DONTWAIT);
      toy_.loop.RunReady();
      input.remove_prefix(std::min(end + 1, input.size()));
    }
    toy_.Advance(std::chrono::seconds(20));
    shutdown(client.get(), SHUT_WR);
    // Ends the waits of the toy's tools, and the streams.
    for (int i = 0; i < 2; ++i) toy_.Advance(std::chrono::seconds(20));
    char buffer[4096];
    ssize_t n = recv(client.get(), buffer, sizeof buffer, MSG_DONTWAIT);
    if (n >= 5) Require(std::string_view(buffer, 5) == "HTTP/");
    linger at_once{1, 0};
    setsockopt(client.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    client.Reset();
    endpoint_.Close();
    toy_.loop.RunReady();
    Require(toy_.world.waiting == 0);
  }

 private:
  UniqueFd Connect() {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    // Use another address of the loopback network each time: if the server
    // hangs up first, the kernel keeps the pair of ports for a minute.
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + ++connections_ % 60'000);
    Require(bind(fd.get(), reinterpret_cast<sockaddr*>(&address),
                 sizeof address) == 0);
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    // This is refused once the kernel remembers as many ends as it can.
    if (connect(fd.get(), reinterpret_cast<sockaddr*>(&address),
                sizeof address) != 0) {
      fd.Reset();
    }
    return fd;
  }

  // Returns the server's side of a connection of the bridge.
  UniqueFd Join() {
    int ends[2];
    Require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    auto guest = guests_.emplace(guests_.end());
    guest->fd.Reset(ends[1]);
    guest->transport = std::make_unique<mcp::StdioTransport>(
        &toy_.loop, &toy_.server, ends[1], ends[1],
        [this, guest](mcp::StdioTransport::End) {
          toy_.loop.Post([this, guest] { guests_.erase(guest); });
        });
    return UniqueFd(ends[0]);
  }

  struct Guest {
    UniqueFd fd;
    std::unique_ptr<mcp::StdioTransport> transport;
  };
  ToyServer toy_;
  std::list<Guest> guests_;
  bridge::Endpoint endpoint_;
  std::unique_ptr<http::Server> server_;
  uint32_t connections_ = 0;
};

}  // namespace
}  // namespace glasstty::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static auto* world = new glasstty::testing::World;
  world->Play({reinterpret_cast<const char*>(data), size});
  return 0;
}
