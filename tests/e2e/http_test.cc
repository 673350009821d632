// Tests MCP over HTTP: addresses `glasstty serve --http` as a client would, and
// as nobody should.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/http_client.h"
#include "testing/mcp_client.h"
#include "testing/system.h"
#include "wire/shared_server.h"

namespace glasstty::testing {
namespace {

constexpr char kInitialize[] =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":)"
    R"({"protocolVersion":"2025-06-18","capabilities":{},)"
    R"("clientInfo":{"name":"tester","version":"1"}}})";
// Returns the limit of the process that serves HTTP, whatever comes.
// AddressSanitizer keeps 256 MiB of freed memory in addition (quarantine_size).
double MostKib() {
  constexpr double kMostKib = 48 << 10;
  constexpr double kQuarantineKib = 256 << 10;
  bool is_sanitized = Slowness() > 1;
  return kMostKib * Slowness() + (is_sanitized ? kQuarantineKib : 0);
}
constexpr char kPing[] = R"({"jsonrpc":"2.0","id":7,"method":"ping"})";

std::string CallBody(int id, const std::string& tool, const Json& arguments) {
  return DumpJson(Json{{"jsonrpc", "2.0"},
                       {"id", id},
                       {"method", "tools/call"},
                       {"params", {{"name", tool}, {"arguments", arguments}}}});
}

class HttpBridge : public ::testing::Test {
 protected:
  explicit HttpBridge(std::vector<std::string> flags = {}) {
    Serve(std::move(flags));
  }
  ~HttpBridge() override { Glasstty({"serve", "--stop"}); }

  CommandResult Glasstty(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), ServerPath());
    return RunCommand(arguments, {"GLASSTTY_STATE_DIR=" + state_.path()});
  }
  void Serve(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"serve", "--background"});
    if (flags.size() == 2) flags.push_back("--http=0");
    CommandResult result = Glasstty(flags);
    ASSERT_EQ(result.status, 0) << result.output;
    unsigned port = 0;
    ASSERT_EQ(
        std::sscanf(result.output.c_str(), "http://127.0.0.1:%u/mcp", &port), 1)
        << result.output;
    port_ = static_cast<uint16_t>(port);
    token_ = ReadWholeFile(state_.Join("serve/http-token"));
    token_ = token_.substr(0, token_.find('\n'));
  }

  // A request with other headers than the usual ones.
  struct Given {
    std::string method = "POST";
    std::string path = "/mcp";
    std::string host;  // "": the right one
    std::string token = "right";
    std::string type = "application/json";
    std::string more = "Accept: application/json, text/event-stream\r\n";
  };
  std::string Request(const std::string& body, const Given& given) const {
    std::string host = given.host.empty()
                           ? absl::StrFormat("127.0.0.1:%d", port_)
                           : given.host;
    std::string head = absl::StrFormat("%s %s HTTP/1.1\r\nHost: %s\r\n",
                                       given.method, given.path, host);
    if (!given.token.empty()) {
      head += "Authorization: Bearer " +
              (given.token == "right" ? token_ : given.token) + "\r\n";
    }
    if (!session_.empty()) head += "Mcp-Session-Id: " + session_ + "\r\n";
    return head + given.more +
           absl::StrFormat("Content-Type: %s\r\nContent-Length: %d\r\n\r\n",
                           given.type, body.size()) +
           body;
  }
  HttpAnswer Ask(const std::string& body) { return Ask(body, Given()); }
  HttpAnswer Ask(const std::string& body, const Given& given) {
    return AskHttp(port_, Request(body, given));
  }
  void Begin() {
    HttpAnswer answer = Ask(kInitialize);
    ASSERT_EQ(answer.status, 200) << answer.body;
    session_ = answer.headers["mcp-session-id"];
    ASSERT_EQ(session_.size(), 32u);
  }
  HttpAnswer Call(const std::string& tool, const Json& arguments) {
    return Ask(CallBody(++last_id_, tool, arguments));
  }

  // Returns what a shell sees of the terminals.
  std::string List() { return Glasstty({"call", "list"}).output; }
  // Begins and ends an MCP session, in which this opens a terminal.
  void OpenAndSayGoodbye(const std::string& name, bool keep) {
    session_ = "";
    Begin();
    HttpAnswer answer =
        Call("term_open", {{"name", name}, {"argv", {"cat"}}, {"keep", keep}});
    ASSERT_EQ(answer.status, 200) << answer.body;
    ASSERT_EQ(Ask("", {.method = "DELETE"}).status, 204);
    session_ = "";
  }

  UniqueFd Connect() const {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    timeval limit = {20, 0};
    setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port_);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd.get(), reinterpret_cast<sockaddr*>(&address),
                      sizeof address),
              0);
    return fd;
  }
  // Opens this many connections, each of which waits for session "s" to print
  // "now".
  std::vector<UniqueFd> BeginWaits(int count) {
    std::vector<UniqueFd> waiting;
    for (int i = 0; i < count; ++i) {
      waiting.push_back(Connect());
      std::string wait = CallBody(
          1000 + i, "term_wait",
          {{"session", "s"}, {"until", {{"text", "now"}}}, {"timeout_s", 50}});
      EXPECT_TRUE(WriteAll(waiting.back().get(), Request(wait, Given())));
    }
    return waiting;
  }
  // Begins a wait as request 6 in a new session, for a text that never comes.
  UniqueFd BeginWait(const Given& given) {
    Begin();
    Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
    UniqueFd fd = Connect();
    std::string wait = CallBody(
        6, "term_wait",
        {{"session", "s"}, {"until", {{"text", "never"}}}, {"timeout_s", 50}});
    EXPECT_TRUE(WriteAll(fd.get(), Request(wait, given)));
    return fd;
  }
  bool SomebodyWaits() {
    return Glasstty({"call", "list"}).output.find("waits") != std::string::npos;
  }
  // Returns the peak of the process that serves HTTP (proc_pid_status(5),
  // VmHWM).
  int PeakKib() const {
    std::string status = ReadWholeFile(
        absl::StrFormat("/proc/%d/status",
                        wire::ServerOwner(state_.path(), wire::kHttpLock).pid));
    int kib = 0;
    size_t line = status.find("VmHWM:");
    EXPECT_NE(line, std::string::npos);
    if (line != std::string::npos) sscanf(&status[line], "VmHWM: %d", &kib);
    return kib;
  }
  // Reads until `text` has come, the other side closes, or 20 s have passed.
  static std::string ReadUntil(int fd, const std::string& text) {
    std::string received;
    char buffer[8192];
    while (received.find(text) == std::string::npos) {
      ssize_t n = read(fd, buffer, sizeof buffer);
      if (n <= 0) break;
      received.append(buffer, static_cast<size_t>(n));
    }
    return received;
  }

  TempDir state_;
  uint16_t port_ = 0;
  std::string token_;
  std::string session_;
  int last_id_ = 100;
};

bool Has(const HttpAnswer& answer, const std::string& text) {
  return answer.body.find(text) != std::string::npos;
}

TEST_F(HttpBridge, AClientWorksInASession) {
  Begin();
  EXPECT_EQ(
      Ask(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").status,
      202);
  HttpAnswer run = Call("term_run", {{"command", "echo h''i"}});
  EXPECT_TRUE(Has(run, R"(rev=)")) << run.body;
  EXPECT_TRUE(Has(run, R"(\nhi")")) << run.body;
  // The client's reading position is remembered across connections.
  Call("term_send", {{"input", "echo on''ce\n"}});
  EXPECT_FALSE(Has(Call("term_read", {{"mode", "stream"}}), "once"));
}

// Revision 2025-03-26 has batches.
TEST_F(HttpBridge, ABatchIsAnsweredIfItHasARequest) {
  std::string initialize = kInitialize;
  initialize.replace(initialize.find("2025-06-18"), 10, "2025-03-26");
  session_ = Ask(initialize).headers["mcp-session-id"];
  const std::string note =
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  HttpAnswer notes = Ask("[" + note + "," + note + "]");
  EXPECT_EQ(notes.status, 202) << notes.body;
  EXPECT_EQ(notes.body, "");
  HttpAnswer both = Ask("[" + note + "," + kPing + "]");
  EXPECT_EQ(both.status, 200) << both.body;
  EXPECT_TRUE(Has(both, "\"result\":{}")) << both.body;
}

TEST_F(HttpBridge, TheTokenIsForThisUserAlone) {
  struct stat status;
  ASSERT_EQ(stat(state_.Join("serve/http-token").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
  EXPECT_EQ(token_.size(), 64u);
  for (int i = 0; i < 100; ++i) {
    HttpAnswer answer = Ask(kPing, {.token = absl::StrFormat("%064d", i)});
    ASSERT_EQ(answer.status, 401);
    ASSERT_EQ(answer.headers["www-authenticate"], "Bearer");
  }
  EXPECT_EQ(Ask(kPing, {.token = ""}).status, 401);
  EXPECT_EQ(Ask(kPing, {.path = "/mcp?token=" + token_, .token = ""}).status,
            401);
  EXPECT_EQ(Ask(kPing, {.token = token_ + "0"}).status, 401);
  EXPECT_EQ(Ask(kPing).status, 200);
}

TEST_F(HttpBridge, EachMistakeHasItsStatus) {
  std::string evil = "Origin: http://evil.example\r\n";
  const struct {
    Given given;
    std::string body;
    int status;
    std::string says;
  } kRows[] = {
      {{.path = "/"}, kPing, 404, "/mcp"},
      {{.host = "evil.example"}, kPing, 403, "Host"},
      {{.host = absl::StrFormat("rebound.example:%d", port_)},
       kPing,
       403,
       "Host"},
      {{.more = evil}, kPing, 403, "Origin"},
      {{.method = "GET"}, "", 405, ""},
      {{.method = "PUT"}, kPing, 405, ""},
      {{.method = "DELETE"}, "", 405, ""},
      {{.type = "text/plain"}, kPing, 415, "application/json"},
      {{}, "{\"jsonrpc\":", 400, "-32700"},
      {{}, "\"\xff\xfe\"", 400, "-32600"},
      {{}, "[]", 400, "-32600"},
      {{}, R"({"jsonrpc":"2.0","id":1})", 400, "-32600"},
      {{.more = "Mcp-Session-Id: 0123\r\n"}, kPing, 404, "has ended"},
      {{.more = "Mcp-Session-Id: 0123\r\n"},
       R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
       404,
       "has ended"},
      {{.more = "Mcp-Session-Id: 0123\r\n"},
       "[" + std::string(kPing) + "]",
       404,
       "has ended"},
      {{.method = "GET", .more = "Mcp-Session-Id: 0123\r\n"},
       "",
       404,
       "has ended"},
      {{.method = "DELETE", .more = "Mcp-Session-Id: 0123\r\n"},
       "",
       404,
       "has ended"},
      {{}, R"({"jsonrpc":"2.0","id":3,"method":"none"})", 200, "-32601"},
  };
  for (const auto& row : kRows) {
    HttpAnswer answer = Ask(row.body, row.given);
    EXPECT_EQ(answer.status, row.status) << row.body << answer.body;
    EXPECT_TRUE(Has(answer, row.says)) << row.body << answer.body;
  }
}

// The version of `initialize` is negotiated, whatever its headers say.
TEST_F(HttpBridge, AVersionThatIsNotKnownIsRefused) {
  const std::string unknown = "MCP-Protocol-Version: 1999-01-01\r\n";
  const std::string note =
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})";
  for (const std::string& body : {std::string(kPing), note, "[" + note + "]"}) {
    HttpAnswer answer = Ask(body, {.more = unknown});
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_TRUE(Has(answer, "1999-01-01")) << answer.body;
  }
  for (const char* method : {"GET", "DELETE"}) {
    EXPECT_EQ(Ask("", {.method = method, .more = unknown}).status, 400);
  }
  EXPECT_EQ(Ask(kInitialize, {.more = unknown}).status, 200);
  EXPECT_EQ(Ask(kPing, {.more = "MCP-Protocol-Version: 2025-06-18\r\n"}).status,
            200);
}

// A client that takes the 401 for a request to log in shows what is there.
TEST_F(HttpBridge, WhoLooksForALogInIsToldThatThereIsNone) {
  for (const char* path : {"/.well-known/oauth-protected-resource/mcp",
                           "/.well-known/oauth-authorization-server",
                           "/mcp/.well-known/openid-configuration", "/register",
                           "/authorize", "/token"}) {
    HttpAnswer answer = Ask("{}", {.path = path, .token = ""});
    EXPECT_EQ(answer.status, 404) << path;
    EXPECT_EQ(answer.headers["content-type"], "application/json") << path;
    auto json = ParseJson(answer.body);
    ASSERT_TRUE(json.ok()) << path << answer.body;
    EXPECT_TRUE(json->contains("error")) << path;
    EXPECT_NE(
        (*json)["error_description"].get<std::string>().find("Bearer TOKEN"),
        std::string::npos)
        << path;
  }
}

// The modern era repeats parts of the message in the headers, for
// intermediaries.
TEST_F(HttpBridge, ModernHeadersMustBeThoseOfTheMessage) {
  std::string body =
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)"
      R"({"name":"term_list","arguments":{},"_meta":{)"
      R"("io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
      R"("io.modelcontextprotocol/clientCapabilities":{}}}})";
  auto ask = [&](const std::string& version, const std::string& method,
                 const std::string& name) {
    return Ask(body, {.more = "MCP-Protocol-Version: " + version +
                              "\r\nMcp-Method: " + method +
                              "\r\nMcp-Name: " + name + "\r\n"});
  };
  EXPECT_EQ(ask("2026-07-28", "tools/call", "term_list").status, 200);
  EXPECT_EQ(ask("2026-07-28", "tools/call", "=?base64?dGVybV9saXN0?=").status,
            200);
  for (const HttpAnswer& answer :
       {ask("2025-06-18", "tools/call", "term_list"),
        ask("2026-07-28", "tools/list", "term_list"),
        ask("2026-07-28", "tools/call", "term_run"), Ask(body)}) {
    EXPECT_EQ(answer.status, 400);
    EXPECT_TRUE(Has(answer, "-32020")) << answer.body;
  }
}

TEST_F(HttpBridge, ASessionEndsWhenItIsDeleted) {
  Begin();
  EXPECT_EQ(Ask("", {.method = "DELETE"}).status, 204);
  EXPECT_EQ(Ask(kPing).status, 404);
}

TEST_F(HttpBridge, WhatAClientOpenedIsClosedWhenItSaysGoodbye) {
  OpenAndSayGoodbye("kept", true);
  OpenAndSayGoodbye("gone", false);
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return List().find("was closed when the client") != std::string::npos;
  })) << List();
  Begin();
  HttpAnswer list = Call("term_list", Json::object());
  EXPECT_TRUE(Has(list, "[kept] ")) << list.body;
  // Its name is free, and belongs to nobody.
  EXPECT_TRUE(Has(Call("term_open", {{"name", "gone"}, {"argv", {"cat"}}}),
                  "\"text\":\"[gone] input"));
}

// A client may not end what another one uses.
TEST_F(HttpBridge, WhatAnotherClientHasTypedIntoOutlivesAGoodbye) {
  Begin();
  std::string first = session_;
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  session_ = "";
  Begin();
  Call("term_send", {{"session", "s"}, {"input", "x"}});
  std::string second = session_;
  session_ = first;
  ASSERT_EQ(Ask("", {.method = "DELETE"}).status, 204);
  session_ = second;
  // The server has heard of it by then, because the connection was earlier.
  Call("term_list", Json::object());
  HttpAnswer answer = Call("term_send", {{"session", "s"}, {"input", "y"}});
  EXPECT_TRUE(Has(answer, "[s] input")) << answer.body;
}

// Clients that make one call and go without a word.
TEST_F(HttpBridge, ManyClientsThatNeverSayGoodbyeLeaveRoomForOthers) {
  for (int i = 0; i < 70; ++i) {
    session_ = "";
    Begin();
    HttpAnswer run = Call("term_run", {{"command", "echo h''i"}});
    ASSERT_TRUE(Has(run, R"(\nhi")")) << i << run.body;
  }
}

class ImpatientHttpBridge : public HttpBridge {
 protected:
  // 3 s.
  ImpatientHttpBridge() : HttpBridge({"--http=0", "--http-away-min=0.05"}) {}
};

TEST_F(ImpatientHttpBridge, ASilentClientHasLeft) {
  Begin();
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return List().find("was closed when the client") != std::string::npos;
  })) << List();
  EXPECT_EQ(Ask(kPing).status, 404);
}

TEST_F(ImpatientHttpBridge, AClientThatListensOrWaitsIsNotSilent) {
  Begin();
  UniqueFd listens = Connect();
  ASSERT_TRUE(WriteAll(listens.get(), Request("", {.method = "GET"})));
  ReadUntil(listens.get(), "\r\n\r\n");
  std::string listening = session_;
  session_ = "";
  UniqueFd waits = BeginWait(Given());
  std::string waiting = session_;
  // This one falls silent last, so the others would have ended before it.
  session_ = "";
  Begin();
  Call("term_open", {{"name", "silent"}, {"argv", {"cat"}}});
  EXPECT_TRUE(Eventually(Seconds(20), [this] {
    return List().find("was closed when the client") != std::string::npos;
  })) << List();
  for (const std::string& id : {listening, waiting}) {
    session_ = id;
    EXPECT_EQ(Ask(kPing).status, 200);
  }
}

TEST_F(HttpBridge, WhatTakesAWhileIsAStreamWithItsProgress) {
  Begin();
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  UniqueFd fd = Connect();
  std::string wait =
      R"({"jsonrpc":"2.0","id":6,"method":"tools/call","params":{)"
      R"("name":"term_wait","arguments":{"session":"s","timeout_s":2,)"
      R"("until":{"text":"never"}},"_meta":{"progressToken":"mine"}}})";
  ASSERT_TRUE(WriteAll(fd.get(), Request(wait, Given())));
  std::string received = ReadUntil(fd.get(), "0\r\n\r\n");
  EXPECT_NE(received.find("text/event-stream"), std::string::npos);
  size_t progress = received.find("notifications/progress");
  ASSERT_NE(progress, std::string::npos) << received;
  EXPECT_NE(received.find("\"mine\"", progress), std::string::npos) << received;
  EXPECT_GT(received.find("reason=timeout"), progress) << received;
}

// A wait whose client has gone would occupy the session for a minute.
TEST_F(HttpBridge, ClosingTheStreamCancelsTheCall) {
  UniqueFd fd = BeginWait(Given());
  ReadUntil(fd.get(), "event-stream");
  EXPECT_TRUE(Eventually(Seconds(10), [this] { return SomebodyWaits(); }));
  fd.Reset();
  EXPECT_TRUE(Eventually(Seconds(10), [this] { return !SomebodyWaits(); }));
}

// It gets no stream, and so no byte before the answer.
TEST_F(HttpBridge, AClientWithoutEventsIsMissedWhenItGoes) {
  UniqueFd fd = BeginWait({.more = "Accept: application/json\r\n"});
  EXPECT_TRUE(Eventually(Seconds(10), [this] { return SomebodyWaits(); }));
  fd.Reset();
  EXPECT_TRUE(Eventually(Seconds(10), [this] { return !SomebodyWaits(); }));
}

TEST_F(HttpBridge, AnotherRequestMayCancelACall) {
  UniqueFd fd = BeginWait(Given());
  ReadUntil(fd.get(), "event-stream");
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                R"("params":{"requestId":6}})")
                .status,
            202);
  EXPECT_EQ(ReadUntil(fd.get(), "0\r\n\r\n").find("\"result\""),
            std::string::npos);
}

TEST_F(HttpBridge, TheServersDeathIsToldAndTheNextOneGoesOn) {
  UniqueFd fd = BeginWait(Given());
  ReadUntil(fd.get(), "event-stream");
  kill(wire::ServerOwner(state_.path()).pid, SIGKILL);
  EXPECT_NE(ReadUntil(fd.get(), "0\r\n\r\n").find("then call again"),
            std::string::npos);
  // It is the same session, with the same terminals.
  HttpAnswer list = Call("term_list", Json::object());
  EXPECT_TRUE(Has(list, "[s]")) << list.body;
}

// The server reads neither the cancellation nor the ping behind it.
TEST_F(HttpBridge, ACancelledCallWhoseServerDiesIsAnsweredOnce) {
  UniqueFd fd = BeginWait({.more = "Accept: application/json\r\n"});
  EXPECT_TRUE(Eventually(Seconds(10), [this] { return SomebodyWaits(); }));
  pid_t server = wire::ServerOwner(state_.path()).pid;
  ASSERT_GT(server, 0);
  kill(server, SIGSTOP);
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","method":"notifications/cancelled",)"
                R"("params":{"requestId":6}})")
                .status,
            202);
  kill(server, SIGKILL);
  std::string answer = ReadUntil(fd.get(), "then call again");
  EXPECT_NE(answer.find("then call again"), std::string::npos) << answer;
  EXPECT_EQ(Ask(kPing).status, 200);
}

TEST_F(HttpBridge, ACallDuringAStopIsToldThatTheSessionsWereClosed) {
  UniqueFd fd = BeginWait(Given());
  ReadUntil(fd.get(), "event-stream");
  kill(wire::ServerOwner(state_.path()).pid, SIGTERM);
  std::string received = ReadUntil(fd.get(), "0\r\n\r\n");
  EXPECT_NE(received.find("was stopped during this call"), std::string::npos)
      << received;
}

// A stopped server accepts connections, and reads nothing from them.
TEST_F(HttpBridge, WhatADyingServerNeverReadIsForTheNextOne) {
  Begin();
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  kill(wire::ServerOwner(state_.path()).pid, SIGSTOP);
  UniqueFd fd = Connect();
  std::string list = CallBody(6, "term_list", Json::object());
  ASSERT_TRUE(WriteAll(fd.get(), Request(list, Given())));
  // The bridge has passed the call on, because it has begun to wait.
  ReadUntil(fd.get(), "event-stream");
  kill(wire::ServerOwner(state_.path()).pid, SIGKILL);
  std::string answer = ReadUntil(fd.get(), "0\r\n\r\n");
  EXPECT_NE(answer.find("[s]"), std::string::npos) << answer;
}

TEST_F(HttpBridge, SubscribersHearOfChanges) {
  Begin();
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  UniqueFd fd = Connect();
  ASSERT_TRUE(WriteAll(fd.get(), Request("", {.method = "GET"})));
  ReadUntil(fd.get(), "event-stream");
  EXPECT_EQ(Ask(R"({"jsonrpc":"2.0","id":8,"method":"resources/subscribe",)"
                R"("params":{"uri":"term://s/screen"}})")
                .status,
            200);
  Call("term_send", {{"session", "s"}, {"input", "x\n"}});
  EXPECT_NE(ReadUntil(fd.get(), "resources/updated").find("term://s/screen"),
            std::string::npos);
}

// The two requests for a resource differ in what does not name it.
TEST_F(HttpBridge, ALaterConnectionHearsNothingOfWhatWasUnsubscribed) {
  Begin();
  for (const char* name : {"s", "t", "u"}) {
    Call("term_open", {{"name", name}, {"argv", {"cat"}}});
  }
  const std::pair<const char*, Json> kRequests[] = {
      {"resources/subscribe",
       {{"uri", "term://s/screen"}, {"_meta", {{"progressToken", 1}}}}},
      {"resources/unsubscribe", {{"uri", "term://s/screen"}}},
      {"resources/subscribe", {{"uri", "term://u/screen"}, {"note", 1}}},
      {"resources/unsubscribe", {{"uri", "term://u/screen"}}},
      {"resources/subscribe", {{"uri", "term://t/screen"}}},
  };
  for (const auto& [method, params] : kRequests) {
    Json request = {
        {"jsonrpc", "2.0"}, {"id", 8}, {"method", method}, {"params", params}};
    EXPECT_EQ(Ask(DumpJson(request)).status, 200);
  }
  UniqueFd fd = Connect();
  ASSERT_TRUE(WriteAll(fd.get(), Request("", {.method = "GET"})));
  ReadUntil(fd.get(), "event-stream");
  for (const char* name : {"s", "u", "t"}) {
    Call("term_send", {{"session", name}, {"input", "x\n"}});
  }
  std::string received = ReadUntil(fd.get(), "term://t/screen");
  EXPECT_NE(received.find("term://t/screen"), std::string::npos);
  EXPECT_EQ(received.find("term://s/screen"), std::string::npos) << received;
  EXPECT_EQ(received.find("term://u/screen"), std::string::npos) << received;
}

// ---- questions to the client's user

// The gate asks about this command, whose directory does not exist.
constexpr char kGatedCommand[] = "rm --no-preserve-root /nonexistent/x";

class HttpAsking : public HttpBridge {
 protected:
  HttpAsking() {
    std::string hello = kInitialize;
    hello.replace(hello.find("{},"), 3, R"({"elicitation":{}},)");
    HttpAnswer answer = Ask(hello);
    EXPECT_EQ(answer.status, 200) << answer.body;
    session_ = answer.headers["mcp-session-id"];
    Call("term_open", {{"name", "s"}, {"argv", {"bash", "--norc"}}});
  }
  // Types the command; returns the id of the question that follows.
  std::string TypeHarm(int fd) {
    std::string send =
        CallBody(50, "term_send",
                 {{"session", "s"}, {"input", {kGatedCommand, "<Enter>"}}});
    EXPECT_TRUE(WriteAll(fd, Request(send, Given())));
    std::string received = ReadUntil(fd, "elicitation/create");
    while (received.find("}\n\n") == std::string::npos) {
      std::string more = ReadUntil(fd, "\n\n");
      if (more.empty()) break;
      received += more;
    }
    size_t id = received.find("\"id\":\"");
    EXPECT_NE(id, std::string::npos) << received;
    if (id == std::string::npos) return "";
    id += 6;
    return received.substr(id, received.find('"', id) - id);
  }
  HttpAnswer Answer(const std::string& id, const Json& result) {
    return Ask(
        DumpJson(Json{{"jsonrpc", "2.0"}, {"id", id}, {"result", result}}));
  }
};

TEST_F(HttpAsking, TheGatesQuestionIsAnsweredByAnotherRequest) {
  UniqueFd fd = Connect();
  std::string id = TypeHarm(fd.get());
  EXPECT_EQ(Answer(id, {{"action", "decline"}}).status, 202);
  std::string received = ReadUntil(fd.get(), "0\r\n\r\n");
  EXPECT_NE(received.find("The user said no"), std::string::npos) << received;
  fd = Connect();
  id = TypeHarm(fd.get());
  Answer(id, {{"action", "accept"}, {"content", {{"confirm", "yes"}}}});
  received = ReadUntil(fd.get(), "0\r\n\r\n");
  EXPECT_NE(received.find("cannot remove"), std::string::npos) << received;
}

TEST_F(HttpAsking, OnlyTheClientThatIsAskedCanAnswer) {
  UniqueFd fd = Connect();
  std::string id = TypeHarm(fd.get());
  std::string own = session_;
  session_ = "";
  Begin();
  Answer(id, {{"action", "accept"}, {"content", {{"confirm", "yes"}}}});
  session_ = "";
  Answer(id, {{"action", "accept"}, {"content", {{"confirm", "yes"}}}});
  session_ = own;
  Answer(id, {{"action", "decline"}});
  std::string received = ReadUntil(fd.get(), "0\r\n\r\n");
  EXPECT_NE(received.find("The user said no"), std::string::npos) << received;
}

// It has said that its user can be asked, but accepts only an answer.
TEST_F(HttpAsking, AClientWithoutEventsIsRefusedAndNotKept) {
  HttpAnswer answer =
      Ask(CallBody(50, "term_send",
                   {{"session", "s"}, {"input", {kGatedCommand, "<Enter>"}}}),
          {.more = "Accept: application/json\r\n"});
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(Has(answer, "nothing was typed")) << answer.body;
}

// ---- clients that nobody wants

TEST_F(HttpBridge, LargeBodiesOfStrangersAreNotKept) {
  std::string large = std::string(4 << 20, ' ') + kPing;
  std::string request = Request(large, {.token = std::string(64, '0')});
  std::vector<UniqueFd> strangers;
  for (int i = 0; i < 40; ++i) {
    strangers.push_back(Connect());
    SetNonBlocking(strangers.back().get());
    // Send as much as the sockets hold.
    for (size_t sent = 0; sent < request.size();) {
      ssize_t n = send(strangers.back().get(), request.data() + sent,
                       request.size() - sent, MSG_NOSIGNAL);
      if (n <= 0) break;
      sent += static_cast<size_t>(n);
    }
  }
  EXPECT_EQ(Ask(std::string(3 << 20, ' ') + kPing).status, 200);
  EXPECT_LT(PeakKib(), MostKib());
}

TEST_F(HttpBridge, TheLeastUsedSessionMakesRoom) {
  Begin();
  std::string first = session_;
  session_ = "";
  Begin();
  std::string second = session_;
  for (int i = 0; i < 255; ++i) {
    session_ = first;
    ASSERT_EQ(Ask(kPing).status, 200) << i;
    session_ = "";
    Begin();
  }
  session_ = first;
  EXPECT_EQ(Ask(kPing).status, 200);
  session_ = second;
  EXPECT_EQ(Ask(kPing).status, 404);
}

TEST_F(HttpBridge, ABodyMayComeInAnyChunks) {
  std::string head = Request("", Given());
  head = head.substr(0, head.find("Content-Length")) +
         "Transfer-Encoding: chunked\r\n\r\n";
  std::string body = kPing;
  for (size_t cut = 1; cut < body.size(); ++cut) {
    UniqueFd fd = Connect();
    auto chunk = [&](const std::string& bytes) {
      return WriteAll(fd.get(),
                      absl::StrFormat("%x\r\n%s\r\n", bytes.size(), bytes));
    };
    ASSERT_TRUE(WriteAll(fd.get(), head) && chunk(body.substr(0, cut)) &&
                chunk(body.substr(cut)) && WriteAll(fd.get(), "0\r\n\r\n"));
    ASSERT_NE(ReadUntil(fd.get(), "\"result\"").find(" 200 "),
              std::string::npos)
        << cut;
  }
}

TEST_F(HttpBridge, PipelinedRequestsAreAnsweredInTheirOrder) {
  UniqueFd fd = Connect();
  std::string all;
  for (int id = 1; id <= 20; ++id) {
    all += Request(
        absl::StrFormat(R"({"jsonrpc":"2.0","id":"p%d","method":"ping"})", id),
        Given());
  }
  ASSERT_TRUE(WriteAll(fd.get(), all));
  std::string received = ReadUntil(fd.get(), "\"p20\"");
  size_t at = 0;
  for (int id = 1; id <= 20; ++id) {
    size_t found = received.find(absl::StrFormat("\"p%d\"", id), at);
    ASSERT_NE(found, std::string::npos) << id;
    at = found;
  }
}

TEST_F(HttpBridge, WhatIsTooLargeIsRefused) {
  // All of it is read before the connection is closed, so that the answer is
  // not lost.
  EXPECT_EQ(
      Ask(kPing, {.more = "X: " + std::string(17 << 10, 'x') + "\r\n"}).status,
      400);
  // A client that sends all of it before it reads gets the answer.
  for (size_t size : {size_t{6} << 20, size_t{100} << 20}) {
    UniqueFd fd = Connect();
    ASSERT_TRUE(WriteAll(fd.get(), Request(std::string(size, ' '), Given())));
    std::string answer = ReadUntil(fd.get(), "bytes\n");
    EXPECT_NE(answer.find(" 413 "), std::string::npos) << answer;
    EXPECT_NE(answer.find("at most 4194304 bytes"), std::string::npos);
  }
  EXPECT_EQ(Ask(kPing).status, 200);
  EXPECT_LT(PeakKib(), MostKib());
}

// A hundred begin and do not end, and some wait: nobody else notices.
TEST_F(HttpBridge, IdleAndWaitingConnectionsLeaveOthersTheirTurn) {
  Begin();
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  std::vector<UniqueFd> half;
  for (int i = 0; i < 136; ++i) {
    half.push_back(Connect());
    ASSERT_TRUE(WriteAll(half.back().get(),
                         i % 2 == 0 ? "POST /mcp HT" : "GET / HTTP/1.1\r\nH"));
  }
  std::vector<UniqueFd> waiting = BeginWaits(64);
  for (const UniqueFd& fd : waiting) ReadUntil(fd.get(), "event-stream");
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(Has(Call("term_read", {{"session", "s"}, {"mode", "snapshot"}}),
                    "[s]"));
  }
  Call("term_send", {{"session", "s"}, {"input", "it is now\n"}});
  for (const UniqueFd& fd : waiting) {
    EXPECT_NE(ReadUntil(fd.get(), "0\r\n\r\n").find("matched"),
              std::string::npos);
  }
}

TEST_F(HttpBridge, MoreRequestsThanItTakesAreToldToComeAgain) {
  Begin();
  Call("term_open", {{"name", "s"}, {"argv", {"cat"}}});
  std::vector<UniqueFd> waiting = BeginWaits(140);
  int refused = 0;
  for (const UniqueFd& fd : waiting) {
    std::string head = ReadUntil(fd.get(), "\r\n\r\n");
    if (head.find(" 503 ") != std::string::npos) ++refused;
  }
  EXPECT_EQ(refused, 140 - 128);
  waiting.clear();
  EXPECT_TRUE(Eventually(Seconds(10), [&] {
    return Call("term_list", Json::object()).status == 200;
  }));
}

TEST_F(HttpBridge, SlowReadersHoldUpNobody) {
  Begin();
  Call("term_run", {{"command", "seq 200000 | tail -c 900000"}});
  std::string read = CallBody(
      6, "term_read", {{"mode", "all"}, {"max_lines", 0}, {"session", "main"}});
  std::vector<UniqueFd> slow;
  int small = 4096;
  for (int i = 0; i < 16; ++i) {
    slow.push_back(Connect());
    setsockopt(slow.back().get(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    std::string requests;
    for (int k = 0; k < 8; ++k) requests += Request(read, Given());
    ASSERT_TRUE(WriteAll(slow.back().get(), requests));
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Call("term_list", Json::object()).status, 200);
  }
  EXPECT_LT(PeakKib(), MostKib());
}

// ---- who may serve what

TEST_F(HttpBridge, ThereIsOneForAStateDirectory) {
  CommandResult result = Glasstty({"serve", "--http=0"});
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.output.find("already being served"), std::string::npos)
      << result.output;
}

TEST_F(HttpBridge, WhoServesASecondTimeIsToldTheUrl) {
  std::string url = absl::StrFormat("http://127.0.0.1:%d/mcp\n", port_);
  for (const std::string& port : {std::string("0"), std::to_string(port_)}) {
    CommandResult same = Glasstty({"serve", "--http=" + port, "--background"});
    EXPECT_EQ(same.status, 0) << same.output;
    EXPECT_EQ(same.output.find(url), 0u) << same.output;
    EXPECT_NE(same.output.find("serve/http-token"), std::string::npos);
  }
  std::string other = absl::StrFormat("--http=%d", port_ == 1 ? 2 : 1);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"serve", other, "--background"},
        std::vector<std::string>{"serve", "--http=0", "--http-open",
                                 "--background"}}) {
    CommandResult result = Glasstty(words);
    EXPECT_NE(result.status, 0) << result.output;
    EXPECT_NE(result.output.find("127.0.0.1"), std::string::npos)
        << result.output;
    pid_t pid = wire::ServerOwner(state_.path(), wire::kHttpLock).pid;
    EXPECT_NE(result.output.find(absl::StrFormat("`kill %d`", pid)),
              std::string::npos)
        << result.output;
  }
  EXPECT_EQ(Ask(kPing).status, 200);
}

// Clients that use `localhost` might send it their token.
TEST_F(HttpBridge, AnotherProgramOnTheOtherLoopbackAddressIsNotOverlooked) {
  UniqueFd other(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  if (bind(other.get(), reinterpret_cast<sockaddr*>(&address),
           sizeof address) != 0) {
    GTEST_SKIP() << "this machine has no IPv6";
  }
  ASSERT_EQ(listen(other.get(), 8), 0);
  socklen_t size = sizeof address;
  getsockname(other.get(), reinterpret_cast<sockaddr*>(&address), &size);
  int port = ntohs(address.sin6_port);
  Glasstty({"serve", "--stop"});
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"serve", absl::StrFormat("--http=%d", port)},
        {"view", absl::StrFormat("--port=%d", port)}}) {
    CommandResult result = Glasstty(command);
    EXPECT_NE(result.status, 0) << result.output;
    EXPECT_NE(result.output.find(
                  absl::StrFormat("another program listens on [::1]:%d", port)),
              std::string::npos)
        << result.output;
  }
}

TEST_F(HttpBridge, AnotherAddressNeedsTwoFlagsAndTheToken) {
  const struct {
    std::vector<std::string> flags;
    const char* says;
  } kRows[] = {
      {{"--http-open"}, "--http-open needs --http=PORT"},
      {{"--http=0", "--http-address=192.0.2.1"}, "need each other"},
      {{"--http=0", "--http-expose"}, "need each other"},
      {{"--http=0", "--http-address=192.0.2.1", "--http-expose", "--http-open"},
       "works on 127.0.0.1 only"},
      {{"--http=x"}, "--http=x: give a port up to 65535"},
      {{"--http=65536"}, "give a port up to 65535"},
      {{"--http=-1"}, "give a port up to 65535"},
  };
  for (const auto& row : kRows) {
    std::vector<std::string> words = row.flags;
    words.insert(words.begin(), "serve");
    CommandResult result = Glasstty(words);
    EXPECT_NE(result.status, 0);
    EXPECT_NE(result.output.find(row.says), std::string::npos) << result.output;
  }
}

TEST_F(HttpBridge, AServerOfAllAddressesTakesNoNames) {
  EXPECT_EQ(Glasstty({"serve", "--stop"}).status, 0);
  ASSERT_TRUE(Eventually(Seconds(10), [this] {
    return wire::ServerOwner(state_.path(), wire::kHttpLock).pid == 0;
  }));
  CommandResult result = Glasstty({"serve", "--background", "--http=0",
                                   "--http-address=0.0.0.0", "--http-expose"});
  unsigned port = 0;
  ASSERT_EQ(std::sscanf(result.output.c_str(), "http://0.0.0.0:%u/mcp", &port),
            1)
      << result.output;
  port_ = static_cast<uint16_t>(port);
  auto ask = [&](const std::string& host) {
    return Ask(kPing, {.host = absl::StrFormat("%s:%d", host, port)}).status;
  };
  EXPECT_EQ(ask("127.0.0.1"), 200);
  EXPECT_EQ(ask("192.0.2.7"), 200);
  EXPECT_EQ(ask("rebound.example"), 403);
  EXPECT_EQ(Ask(kPing, {.token = ""}).status, 401);
}

TEST_F(HttpBridge, StopEndsBothAndTheTokenStays) {
  std::string before = token_;
  EXPECT_EQ(Glasstty({"serve", "--stop"}).status, 0);
  EXPECT_TRUE(Eventually(Seconds(10), [this] {
    return wire::ServerOwner(state_.path(), wire::kHttpLock).pid == 0;
  }));
  EXPECT_EQ(wire::ServerOwner(state_.path()).pid, 0);
  Serve({"--http=0", "--http-open"});
  EXPECT_EQ(Ask(kPing, {.token = ""}).status, 200);
  EXPECT_EQ(token_, before);
}

TEST_F(HttpBridge, ATokenThatOthersMayReadIsNotUsed) {
  EXPECT_EQ(Glasstty({"serve", "--stop"}).status, 0);
  ASSERT_TRUE(Eventually(Seconds(10), [this] {
    return wire::ServerOwner(state_.path(), wire::kHttpLock).pid == 0;
  }));
  chmod(state_.Join("serve/http-token").c_str(), 0644);
  CommandResult result = Glasstty({"serve", "--http=0"});
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.output.find("others may read"), std::string::npos)
      << result.output;
}

}  // namespace
}  // namespace glasstty::testing
