// A server with toy tools, driven by a manual clock: nothing here knows of
// terminals, and nothing waits in real time.
//
//   ToyServer server;
//   server.Call(1, "echo", {{"text", "hi"}});
//   EXPECT_EQ(server.TextOf(1), "hi");
//
// Tools: echo {text}; wait {seconds}: sleeps on the loop's clock, reports
// progress every second, marks its reply as read once it is sent; fail {}: a
// misuse; flood {bytes}: a large reply; facts {}: structured, meta, a link.
#pragma once

#include <coroutine>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "mcp/server.h"
#include "mcp/transport.h"
#include "support/json.h"
#include "support/loop.h"

namespace glasstty::testing {

// Keeps what it is sent.
class ToyTransport : public Transport {
 public:
  bool SendLine(std::string line) override;
  bool congested() const override { return congested_value; }
  void Close() override { closed = true; }

  std::vector<Json> sent;
  bool congested_value = false;
  bool broken = false;
  bool closed = false;
};

// What the toy tools work on.
struct ToyWorld {
  Loop* loop = nullptr;
  int waiting = 0;     // calls of `wait` that are suspended now
  int started = 0;     // calls of `wait` that have begun
  int marks_read = 0;  // replies of `wait` that were sent
};

std::vector<Tool> ToyTools(ToyWorld* world);

class ToyServer {
 public:
  ToyServer();
  // Ends what still runs.
  ~ToyServer();

  // One line in, and the loop runs until nothing is ready.
  void Send(std::string_view line);
  void SendJson(const Json& message) { Send(DumpJson(message)); }
  void Request(const Json& id, const std::string& method,
               Json params = Json::object());
  void Call(const Json& id, const std::string& tool,
            Json arguments = Json::object(), Json meta = Json());
  void Cancel(const Json& id);
  void Initialize(const std::string& version);
  void Advance(Duration by);

  // The reply to `id`; null when there is none, or more than one.
  Json ReplyTo(const Json& id) const;
  // The text of a tool's reply; "" when there is none.
  std::string TextOf(const Json& id) const;
  // The code of an error reply, to the last message without an id if `id` is
  // null; 0 when there is none.
  int ErrorOf(const Json& id) const;
  std::vector<Json> Notifications(std::string_view method) const;
  size_t CountOf(const Json& id) const;

  ManualClock clock;
  Loop loop{&clock};
  ToyWorld world{&loop};
  ToyTransport transport;
  Server server;
  uint64_t connection;
};

// params._meta of a modern request.
Json Envelope(const std::string& version = "2026-07-28");

}  // namespace glasstty::testing
