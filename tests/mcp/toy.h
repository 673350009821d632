// A server with toy tools, driven by a manual clock: nothing here knows of
// terminals, and nothing waits in real time.
//
//   ToyServer server;
//   server.Call(1, "echo", {{"text", "hi"}});
//   EXPECT_EQ(server.TextOf(1), "hi");
//
// Tools: echo {text}; wait {seconds}: sleeps on the loop's clock, reports
// progress every second, marks its reply as read once it is sent; fail {}: a
// misuse; flood {bytes}: a large reply; facts {}: structured, meta, a link;
// erase {what}: asks the user first; name {}: asks for two words, one after the
// other.
// Resources: toy://index, toy://{name}/text for the names in world.texts.
// Prompt: greet {name, mood}.
#pragma once

#include <coroutine>
#include <cstdint>
#include <functional>
#include <map>
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

// Keeps what is sent to it.
class ToyTransport : public mcp::Transport {
 public:
  bool SendLine(std::string line) override;
  bool congested() const override { return congested_value; }
  void Close() override { closed = true; }

  std::vector<Json> sent;
  bool congested_value = false;
  bool broken = false;
  bool closed = false;
};

// The toy tools work on this.
struct ToyWorld {
  Loop* loop = nullptr;
  int waiting = 0;     // calls of `wait` that are suspended now
  int started = 0;     // calls of `wait` that have begun
  int marks_read = 0;  // replies of `wait` and `flood` that were sent
  int runs = 0;        // the number of times that the handler of `erase` has
                       // begun
  int erased = 0;
  // Resources by name. Changed by Write.
  std::map<std::string, std::string> texts = {{"one", "1"}, {"two", "2"}};
  std::map<std::string, std::function<void()>> watched;  // by name

  void Write(const std::string& name, const std::string& text);
};

std::vector<mcp::Tool> ToyTools(ToyWorld* world);
mcp::Catalog ToyCatalog(ToyWorld* world);

class ToyServer {
 public:
  // `more` tools are added to those of ToyTools.
  explicit ToyServer(std::vector<mcp::Tool> more = {});
  // Ends the calls that are still running.
  ~ToyServer();

  // Sends one line and runs the loop until nothing is ready.
  void Send(std::string_view line);
  void SendJson(const Json& message) { Send(DumpJson(message)); }
  void Request(const Json& id, const std::string& method,
               Json params = Json::object());
  void Call(const Json& id, const std::string& tool,
            Json arguments = Json::object(), Json meta = Json());
  void Cancel(const Json& id);
  void Initialize(const std::string& version,
                  Json capabilities = Json::object());
  // Sends the client's answer to a request of the server.
  void Respond(const Json& id, Json result);
  void Advance(Duration by);

  // Returns the reply to `id`; null if there is none, or more than one.
  Json ReplyTo(const Json& id) const;
  // Returns the text of a tool's reply; "" if there is none.
  std::string TextOf(const Json& id) const;
  // Returns the code of an error reply, to the last message without an id if
  // `id` is null; 0 if there is none.
  int ErrorOf(const Json& id) const;
  std::vector<Json> Notifications(std::string_view method) const;
  size_t CountOf(const Json& id) const;

  ManualClock clock;
  Loop loop{&clock};
  ToyWorld world{&loop};
  ToyTransport transport;
  mcp::Server server;
  uint64_t connection;
};

// Returns params._meta of a modern request.
Json Envelope(const std::string& version = "2026-07-28",
              Json capabilities = Json::object());
// Returns the params of a modern request, with the envelope.
Json ModernParams(Json params = Json::object());

// For a tool without arguments.
struct NoArguments {
  static const std::vector<mcp::Field<NoArguments>>& Fields() {
    static const auto* fields = new std::vector<mcp::Field<NoArguments>>;
    return *fields;
  }
};

}  // namespace glasstty::testing
