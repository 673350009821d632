// The transcripts of the protocol once more, over HTTP: one POST a line, and a
// stream for what the server says of its own accord. The answers are the same
// as over stdin and stdout.
//
// Server, bridge and clients share one loop and its manual clock.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "bridge/endpoint.h"
#include "http/server.h"
#include "mcp/stdio_transport.h"
#include "mcp/toy.h"
#include "mcp/transcript.h"
#include "testing/source_tree.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// A request, and as much of its answer as has arrived.
class Asked {
 public:
  Asked(uint16_t port, const std::string& request)
      : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_.get(), reinterpret_cast<sockaddr*>(&address),
                      sizeof address),
              0);
    EXPECT_TRUE(WriteAll(fd_.get(), request));
  }

  void Read() {
    char buffer[65536];
    ssize_t n;
    while ((n = recv(fd_.get(), buffer, sizeof buffer, MSG_DONTWAIT)) > 0) {
      received_.append(buffer, static_cast<size_t>(n));
    }
  }
  bool HasHead() const { return received_.find("\r\n\r\n") != kNone; }
  std::string Header(const std::string& name) const {
    size_t at = received_.find("\r\n" + name + ": ");
    if (at == kNone || at > received_.find("\r\n\r\n")) return "";
    at += name.size() + 4;
    return received_.substr(at, received_.find("\r\n", at) - at);
  }
  // The messages since the last call.
  std::vector<Json> Take() {
    std::vector<Json> messages;
    if (!HasHead()) return messages;
    taken_ = std::max(taken_, received_.find("\r\n\r\n") + 4);
    if (absl::StrContains(Header("Content-Type"), "event-stream")) {
      for (size_t at; (at = received_.find("data: ", taken_)) != kNone;) {
        size_t end = received_.find("\n\n", at);
        if (end == kNone) break;
        Add(received_.substr(at + 6, end - at - 6), &messages);
        taken_ = end;
      }
    } else if (size_t size =
                   std::strtoul(Header("Content-Length").c_str(), nullptr, 10);
               size > 0 && received_.size() == taken_ + size) {
      Add(received_.substr(taken_), &messages);
      taken_ = received_.size();
    }
    return messages;
  }

 private:
  static constexpr size_t kNone = std::string::npos;
  static void Add(const std::string& text, std::vector<Json>* messages) {
    auto json = ParseJson(text);
    if (json.ok()) messages->push_back(*std::move(json));
  }

  UniqueFd fd_;
  std::string received_;
  size_t taken_ = 0;
};

// The toy server with the bridge in front of it.
class OverHttp {
 public:
  OverHttp() : endpoint_(&toy.loop, {}, [this](bool) { return Connect(); }) {
    signal(SIGPIPE, SIG_IGN);
    auto server = http::Server::On(&toy.loop, "", 0, [this](auto exchange) {
      endpoint_.Handle(std::move(exchange));
    });
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    endpoint_.SetPort(server_->port());
    // As on stdin and stdout, where nothing has to be agreed on first.
    Post(R"({"jsonrpc":"2.0","id":"begin","method":"initialize","params":)"
         R"({"protocolVersion":"2025-11-25","capabilities":{}}})");
    Settle();
    Take();
  }

  void Send(std::string_view line) {
    std::string text(line);
    // Questions of the server have ids of the bridge's.
    auto message = ParseJson(text);
    if (message.ok() && message->is_object() && !message->contains("method") &&
        message->contains("id")) {
      (*message)["id"] = Drawn((*message)["id"]);
      text = DumpJson(*message);
    }
    Post(text);
    Settle();
  }

  ~OverHttp() {
    endpoint_.Close();
    toy.loop.RunReady();
  }

  std::vector<Json> Take() {
    Settle();
    std::vector<Json> all;
    for (auto& asked : asked_) {
      std::string session = asked->Header("Mcp-Session-Id");
      if (!session.empty() && sessions_.insert(session).second) {
        session_ = session;
        Listen();
      }
      for (Json& message : asked->Take()) {
        if (message.is_object() && message.contains("method") &&
            message.contains("id")) {
          message["id"] = Counted(message["id"]);
        }
        if (message.is_object() &&
            message.value("method", Json()) == "notifications/cancelled") {
          Json& id = message["params"]["requestId"];
          id = Counted(id);
        }
        all.push_back(std::move(message));
      }
    }
    return all;
  }

  // Waits until the server has read all requests and the clients all answers.
  void Settle() {
    for (int round = 0; round < 3; ++round) {
      Asked barrier(server_->port(),
                    Request(R"({"jsonrpc":"2.0","id":0,"method":"none"})",
                            "Mcp-Session-Id: no\r\n"));
      while (!barrier.HasHead()) {
        toy.loop.RunReady();
        barrier.Read();
      }
      for (auto& asked : asked_) asked->Read();
    }
  }

  ToyServer toy;

 private:
  // Ids of questions are drawn by lot, and counted in the transcripts.
  Json Counted(const Json& id) {
    std::string drawn = id.is_string() ? id.get<std::string>() : "";
    if (!drawn.starts_with("glasstty-")) return id;
    auto known = std::find(drawn_.begin(), drawn_.end(), drawn);
    if (known == drawn_.end()) known = drawn_.insert(known, drawn);
    return absl::StrFormat("ask-%d", known - drawn_.begin() + 1);
  }
  Json Drawn(const Json& id) {
    size_t number = 0;
    std::string counted = id.is_string() ? id.get<std::string>() : "";
    bool is_ask = std::sscanf(counted.c_str(), "ask-%zu", &number) == 1;
    return is_ask && number <= drawn_.size() ? Json(drawn_[number - 1]) : id;
  }

  UniqueFd Connect() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    auto guest = guests_.emplace(guests_.end());
    guest->fd.Reset(ends[1]);
    guest->transport = std::make_unique<mcp::StdioTransport>(
        &toy.loop, &toy.server, ends[1], ends[1],
        [this, guest](mcp::StdioTransport::End) {
          toy.loop.Post([this, guest] { guests_.erase(guest); });
        });
    return UniqueFd(ends[0]);
  }

  std::string Request(const std::string& body, const std::string& headers,
                      const std::string& method = "POST") const {
    return absl::StrFormat(
               "%s /mcp HTTP/1.1\r\nHost: localhost:%d\r\n%s"
               "Accept: application/json, text/event-stream\r\n"
               "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n",
               method, server_->port(), headers, body.size()) +
           body;
  }
  void Post(const std::string& body) {
    asked_.push_back(
        std::make_unique<Asked>(server_->port(), Request(body, Headers(body))));
  }
  void Listen() {
    asked_.push_back(std::make_unique<Asked>(
        server_->port(),
        Request("", "Mcp-Session-Id: " + session_ + "\r\n", "GET")));
    Settle();
  }
  // Returns the headers that a client would send with this body.
  std::string Headers(const std::string& body) const {
    auto message = ParseJson(body);
    std::string session =
        session_.empty() ? "" : "Mcp-Session-Id: " + session_ + "\r\n";
    if (!message.ok() || !message->is_object()) return session;
    const Json* params = FindMember(*message, "params");
    const Json* meta =
        params == nullptr ? nullptr : FindMember(*params, "_meta");
    const Json* version =
        meta == nullptr
            ? nullptr
            : FindMember(*meta, "io.modelcontextprotocol/protocolVersion");
    if (version == nullptr) {
      bool begins = message->value("method", Json()) == "initialize";
      return begins ? "" : session;
    }
    std::string headers =
        "MCP-Protocol-Version: " + AsString(*version).value_or("") +
        "\r\nMcp-Method: " + message->value("method", "") + "\r\n";
    for (const char* member : {"name", "uri"}) {
      const Json* name = FindMember(*params, member);
      if (name == nullptr || !name->is_string()) continue;
      headers += "Mcp-Name: " + name->get<std::string>() + "\r\n";
      break;
    }
    return headers;
  }

  bridge::Endpoint endpoint_;
  std::unique_ptr<http::Server> server_;
  // The server's side of the bridge's connections.
  struct Guest {
    UniqueFd fd;
    std::unique_ptr<mcp::StdioTransport> transport;
  };
  std::list<Guest> guests_;
  std::list<std::unique_ptr<Asked>> asked_;
  std::string session_;  // the last one
  std::set<std::string> sessions_;
  std::vector<std::string> drawn_;  // ids of questions
};

// These transcripts cannot be the same over HTTP.
const std::map<std::string, std::string> kExceptions = {
    {"mcp-ids.rpc",
     "two requests may have one id, for each has its own answer"},
    {"mcp-listen.rpc", "the same"},
    {"mcp-progress.rpc", "plays a client that stops reading stdin and stdout"},
    {"mcp-subscribe-slow.rpc", "the same"},
};

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourcePath("fixtures/rpc"))) {
    std::string name = entry.path().filename();
    bool ours = name.starts_with("mcp-") || name.starts_with("era-");
    ours = ours && !kExceptions.contains(name);
    if (ours && entry.path().extension() == ".rpc") files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  return files;
}

class HttpTranscript : public ::testing::TestWithParam<std::string> {};

TEST_P(HttpTranscript, IsPlayedAsWritten) {
  OverHttp http;
  TranscriptHost host;
  LastRound round;
  host.send = [&](std::string_view line) {
    round.Sent(line);
    http.Send(line);
  };
  host.take = [&] {
    std::vector<Json> messages = http.Take();
    for (const Json& message : messages) round.Got(message);
    return messages;
  };
  host.actors["client"] = [&](std::string_view words) {
    http.Send(round.Answer(words.substr(std::string("answers ").size())));
    return std::string();
  };
  host.advance = [&](Duration by) {
    http.toy.Advance(by);
    http.Settle();
  };
  host.actors["write"] = [&](std::string_view words) {
    size_t blank = words.find(' ');
    http.toy.world.Write(std::string(words.substr(0, blank)),
                         std::string(words.substr(blank + 1)));
    http.toy.Advance(Duration::zero());
    return std::string();
  };
  EXPECT_EQ(PlayTranscriptFile(SourcePath("fixtures/rpc/" + GetParam()), host),
            "");
}

INSTANTIATE_TEST_SUITE_P(Rpc, HttpTranscript, ::testing::ValuesIn(Files()),
                         [](const auto& file) {
                           std::string name = file.param;
                           for (char& c : name) {
                             if (!std::isalnum(c)) c = '_';
                           }
                           return name;
                         });

// The largest answer that the server sends is larger than any request.
TEST(HttpAnswers, MayBeAsLargeAsTheServerSendsThem) {
  OverHttp http;
  constexpr size_t kSize = 9'400'000;
  static_assert(kSize > mcp::LineSplitter::kMaxLine &&
                kSize < mcp::Server::kMaxReply);
  http.Send(absl::StrFormat(
      R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":)"
      R"({"name":"flood","arguments":{"bytes":%d}}})",
      kSize));
  std::vector<Json> messages;
  ASSERT_TRUE(Eventually(Seconds(60), [&] {
    messages = http.Take();
    return !messages.empty();
  }));
  const Json& content = messages[0]["result"]["content"];
  ASSERT_EQ(content.size(), 1u) << DumpJson(messages[0]).substr(0, 500);
  EXPECT_EQ(content[0]["text"].get<std::string>().size(), kSize);
}

}  // namespace
}  // namespace glasstty::testing
