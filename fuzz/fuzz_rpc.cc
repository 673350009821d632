// Tests framing and dispatch with toy tools: no bytes in any chunks may crash,
// hang or leave a call behind, and everything that is sent is valid JSON-RPC.
//
// Byte 0x01 in the input ends a chunk and lets the loop run, 0x02 moves the
// clock by a second. A transcript (fixtures/rpc/*.rpc) is a seed: its arrows
// are dropped.
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "mcp/framing.h"
#include "tests/mcp/toy.h"

namespace glasstty::testing {
namespace {

constexpr size_t kMaxLine = 4096;
constexpr std::string_view kArrow = "--> ";

// The loop and the server are created once: an epoll descriptor for each input
// would cost more than the input.
ToyServer* Toy() {
  static auto* toy = new ToyServer;
  return toy;
}

// Checks that it is a JSON-RPC error or result, or a notification that we send.
void CheckMessage(const Json& message) {
  static const auto* codes = new std::set<int>{
      mcp::kParseError,        mcp::kInvalidRequest, mcp::kMethodNotFound,
      mcp::kInvalidParams,     mcp::kInternalError,  mcp::kResourceNotFound,
      mcp::kUnsupportedVersion};
  if (!message.is_object() || message.value("jsonrpc", "") != "2.0") {
    std::abort();
  }
  const Json* id = FindMember(message, "id");
  const Json* error = FindMember(message, "error");
  if (id != nullptr && !mcp::IsValidId(*id)) std::abort();
  if (error != nullptr) {
    if (!codes->contains(error->value("code", 0))) std::abort();
    return;
  }
  // Only errors may lack an id.
  if (id == nullptr && !message.contains("method")) std::abort();
}

void Serve(uint64_t connection, mcp::LineSplitter* splitter) {
  std::string line;
  while (true) {
    switch (splitter->Next(&line)) {
      case mcp::LineSplitter::Step::kMore:
        return;
      case mcp::LineSplitter::Step::kTooLong:
        Toy()->server.ReceiveTooLong(connection, line);
        break;
      case mcp::LineSplitter::Step::kLine:
        std::string_view message = line;
        if (message.substr(0, kArrow.size()) == kArrow) {
          message.remove_prefix(kArrow.size());
        }
        Toy()->server.Receive(connection, message);
        break;
    }
  }
}

void Play(std::string_view input) {
  ToyTransport transport;
  uint64_t connection = Toy()->server.Connect(&transport);
  mcp::LineSplitter splitter(kMaxLine);
  while (!input.empty()) {
    size_t end = input.find_first_of("\x01\x02");
    splitter.Add(input.substr(0, end));
    Serve(connection, &splitter);
    if (splitter.size() > kMaxLine) std::abort();
    if (end == std::string_view::npos) break;
    if (input[end] == 2) Toy()->clock.Advance(std::chrono::seconds(1));
    Toy()->loop.RunReady();
    input.remove_prefix(end + 1);
  }
  Toy()->server.Disconnect(connection);
  Toy()->loop.RunReady();
  if (!Toy()->server.idle() || Toy()->world.waiting != 0) std::abort();
  for (const Json& sent : transport.sent) {
    if (!sent.is_array()) {
      CheckMessage(sent);
      continue;
    }
    for (const Json& message : sent) CheckMessage(message);
  }
}

}  // namespace
}  // namespace glasstty::testing

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  glasstty::testing::Play({reinterpret_cast<const char*>(data), size});
  return 0;
}
