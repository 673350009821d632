// Tests the server with clients that share its loop: a client is a socket that
// does not block, and the loop runs until the expected bytes have arrived.
#include "http/server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "testing/system.h"

namespace glasstty::http {
namespace {

using testing::Eventually;
using testing::Seconds;

class Client {
 public:
  Client(Loop* loop, uint16_t port) : loop_(loop) {
    fd_ = UniqueFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(fd_.get(), reinterpret_cast<sockaddr*>(&address),
                      sizeof(address)),
              0);
    fcntl(fd_.get(), F_SETFL, O_NONBLOCK);
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t sent = send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent > 0) bytes.remove_prefix(static_cast<size_t>(sent));
      if (sent < 0 && errno != EAGAIN) return;
      loop_->RunReady();
    }
  }
  // Returns false if the text did not come.
  bool Await(std::string_view text) {
    return Eventually(Seconds(10), [&] {
      loop_->RunReady();
      char buffer[4096];
      ssize_t got = read(fd_.get(), buffer, sizeof(buffer));
      if (got > 0) received_.append(buffer, static_cast<size_t>(got));
      ended_ |= got == 0 || (got < 0 && errno != EAGAIN);
      return received_.find(text) != std::string::npos;
    });
  }
  bool AwaitEnd() {
    return Eventually(Seconds(10), [&] {
      Await("");
      return ended_;
    });
  }
  const std::string& received() const { return received_; }
  void Close() { fd_.Reset(); }

 private:
  Loop* const loop_;
  UniqueFd fd_;
  std::string received_;
  bool ended_ = false;
};

class Http : public ::testing::Test {
 protected:
  Http() {
    signal(SIGPIPE, SIG_IGN);
    auto server = Server::On(&loop_, "", 0,
                             [this](std::unique_ptr<Exchange> exchange) {
                               Answer(std::move(exchange));
                             },
                             {.trusts = [](const Request& head) {
                               return head.Header("x-known") == "yes";
                             }});
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  // Replies with what was asked; "/stream" keeps the reply open.
  void Answer(std::unique_ptr<Exchange> exchange) {
    requests_.push_back(exchange->request());
    const Request& request = requests_.back();
    if (request.path == "/stream") {
      stream_ = exchange->Stream({.type = "application/octet-stream"});
      return;
    }
    if (request.path == "/nothing") return;
    if (request.path == "/later") {
      later_ = std::move(exchange);
      later_->OnGone([this] { later_.reset(); });
      return;
    }
    exchange->Reply(
        {.body = request.method + " " + request.path + " " + request.body,
         .headers = {{"X-Own", "yes"}}});
  }

  Client Connect() { return Client(&loop_, server_->port()); }

  // Serves what is ready until the condition holds.
  template <typename Condition>
  bool Serves(Condition condition) {
    return Eventually(Seconds(10), [&] {
      loop_.RunReady();
      return condition();
    });
  }
  static std::string Post(size_t bytes, const std::string& more = "") {
    return "POST / HTTP/1.1\r\nHost: x\r\n" + more +
           "Content-Length: " + std::to_string(bytes) + "\r\n\r\n" +
           std::string(bytes, 'b');
  }

  ManualClock clock_;
  Loop loop_{&clock_};
  std::vector<Request> requests_;
  std::unique_ptr<Server> server_;
  std::unique_ptr<ResponseStream> stream_;
  std::unique_ptr<Exchange> later_;
};

constexpr char kPost[] =
    "POST /a%20b?q=x%26y&r=1 HTTP/1.1\r\nHost: localhost\r\n"
    "Content-Length: 5\r\nCookie: a=1\r\n\r\nhello";

TEST_F(Http, ARequestIsAValue) {
  Client client = Connect();
  client.Send(kPost);
  ASSERT_TRUE(client.Await("POST /a b hello"));
  EXPECT_NE(client.received().find("HTTP/1.1 200"), std::string::npos);
  EXPECT_NE(client.received().find("X-Own: yes"), std::string::npos);
  ASSERT_EQ(requests_.size(), 1u);
  EXPECT_EQ(requests_[0].query["q"], "x&y");
  EXPECT_EQ(requests_[0].query["r"], "1");
  EXPECT_EQ(requests_[0].Header("cookie"), "a=1");
  EXPECT_EQ(requests_[0].Header("origin"), "");
}

TEST_F(Http, ARequestMayComeInAnyPieces) {
  std::string_view post = kPost;
  for (size_t cut = 1; cut < post.size(); ++cut) {
    Client client = Connect();
    client.Send(post.substr(0, cut));
    loop_.RunReady();
    client.Send(post.substr(cut));
    ASSERT_TRUE(client.Await("POST /a b hello")) << cut;
  }
}

TEST_F(Http, SeveralRequestsUseOneConnection) {
  Client client = Connect();
  for (int i = 0; i < 3; ++i) {
    client.Send("GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_TRUE(client.Await("GET /" + std::to_string(i)));
  }
  // Does not wait for the answers.
  client.Send(
      "GET /one HTTP/1.1\r\nHost: x\r\n\r\nGET /two HTTP/1.1\r\nHost: "
      "x\r\n\r\n");
  EXPECT_TRUE(client.Await("GET /one"));
  EXPECT_TRUE(client.Await("GET /two"));
}

TEST_F(Http, WhatIsTooLargeOrNotHttpIsRefused) {
  const struct {
    std::string sent;
    const char* status;
  } kRows[] = {
      {"GET / HTTP/1.1\r\nX: " + std::string(20 << 10, 'x') + "\r\n\r\n",
       "400"},
      {"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400"},
      {"TRACE / HTTP/1.1\r\nHost: x\r\n\r\n", "501"},
      {"BREW / HTTP/1.1\r\nHost: x\r\n\r\n", "501"},
  };
  for (const auto& row : kRows) {
    Client client = Connect();
    client.Send(row.sent);
    EXPECT_TRUE(client.Await(row.status)) << row.sent.substr(0, 60) << "\n"
                                          << client.received();
  }
  Client client = Connect();
  client.Send("\x16\x03\x01 no http at all\r\n\r\n");
  EXPECT_TRUE(client.AwaitEnd());
  EXPECT_TRUE(requests_.empty());
}

// The client sends all of it before it reads, and is told the limit.
TEST_F(Http, WhoSendsTooMuchIsToldTheLimit) {
  constexpr size_t kSize = 3'000'000;
  const std::string known = "X-Known: yes\r\n";
  std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\n" + known +
                        "Transfer-Encoding: chunked\r\n\r\n2dc6c0\r\n" +
                        std::string(kSize, 'c') + "\r\n0\r\n\r\n";
  for (const std::string& sent : {Post(kSize, known), chunked}) {
    Client client = Connect();
    for (size_t at = 0; at < sent.size(); at += 10'000) {
      client.Send(std::string_view(sent).substr(at, 10'000));
      loop_.RunReady();
    }
    EXPECT_TRUE(client.Await("may have at most 1048576 bytes"))
        << client.received();
    EXPECT_NE(client.received().find(" 413 "), std::string::npos);
  }
  Client polite = Connect();
  polite.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n" +
              known + "Expect: 100-continue\r\n\r\n");
  EXPECT_TRUE(polite.Await(" 413 "));
  EXPECT_TRUE(requests_.empty());
}

TEST_F(Http, WhatIsNotAnsweredIsAnErrorOfOurs) {
  Client client = Connect();
  client.Send("GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.Await("HTTP/1.1 500"));
}

TEST_F(Http, AStreamSaysWhenTheClientHasTakenAllAndWhenItGoes) {
  Client client = Connect();
  client.Send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(client.Await("chunked"));
  ASSERT_NE(stream_, nullptr);
  EXPECT_TRUE(stream_->idle());
  stream_->Send("first");
  EXPECT_FALSE(stream_->idle());
  EXPECT_TRUE(client.Await("first"));
  EXPECT_TRUE(stream_->idle());
  // This is more than the sockets hold, so it is not idle while nobody reads.
  stream_->Send(std::string(8 << 20, 'x'));
  loop_.RunReady();
  EXPECT_FALSE(stream_->idle());
  int changes = 0;
  stream_->OnChange([&changes] { ++changes; });
  client.Close();
  ASSERT_TRUE(Eventually(Seconds(10), [&] {
    loop_.RunReady();
    return stream_->closed();
  }));
  EXPECT_GE(changes, 1);
  stream_->Send("into the void");
  stream_.reset();
}

TEST_F(Http, AClientThatGoesBeforeItsAnswerIsNoticed) {
  Client client = Connect();
  client.Send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(Serves([this] { return later_ != nullptr; }));
  client.Close();
  EXPECT_TRUE(Serves([this] { return later_ == nullptr; }));
}

TEST_F(Http, AnAnswerMayComeLaterAndTheNextRequestAfterIt) {
  Client client = Connect();
  std::string get = "GET /later HTTP/1.1\r\nHost: x\r\n\r\n";
  client.Send(get + kPost);
  ASSERT_TRUE(Serves([this] { return later_ != nullptr; }));
  EXPECT_EQ(requests_.size(), 1u);
  later_->Reply({.body = "late"});
  later_.reset();
  EXPECT_TRUE(client.Await("late"));
  EXPECT_TRUE(client.Await("POST /a b hello"));
}

// ---- requests that exceed the limits

TEST_F(Http, WhoIsNotTrustedMaySendLittle) {
  for (size_t cut : {5, 40, 60, 1000, 40000}) {
    std::string large = Post(100'000);
    Client stranger = Connect();
    stranger.Send(large.substr(0, cut));
    loop_.RunReady();
    stranger.Send(large.substr(cut));
    EXPECT_TRUE(stranger.AwaitEnd()) << cut;
  }
  EXPECT_TRUE(requests_.empty());
  Client stranger = Connect();
  stranger.Send(Post(10'000));
  EXPECT_TRUE(stranger.Await("HTTP/1.1 200"));
  // Trust applies to one request.
  Client known = Connect();
  known.Send(Post(100'000, "X-Known: yes\r\n"));
  EXPECT_TRUE(known.Await("HTTP/1.1 200"));
  known.Send(Post(100'000));
  EXPECT_TRUE(known.AwaitEnd());
}

TEST_F(Http, ARequestThatTricklesInIsEnded) {
  const struct {
    std::string sent;
    Duration time;
  } kRows[] = {
      {"", Connections::kHeadTime},
      {"GET / HTTP/1.1\r\nHost: x\r\n", Connections::kHeadTime},
      {Post(1000).substr(0, 500), Connections::kRequestTime},
  };
  for (const auto& row : kRows) {
    Client client = Connect();
    client.Send(row.sent);
    Client other = Connect();
    other.Send(kPost);
    ASSERT_TRUE(other.Await("hello"));
    clock_.Advance(row.time - std::chrono::seconds(2));
    loop_.RunReady();
    client.Send(row.sent.empty() ? "" : "X");
    client.Await("");
    EXPECT_EQ(client.received(), "");
    clock_.Advance(std::chrono::seconds(3));
    EXPECT_TRUE(client.Await("HTTP/1.1 408")) << row.sent;
    EXPECT_TRUE(client.AwaitEnd());
    // A connection that is kept open has time.
    other.Send("GET /again HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(other.Await("GET /again"));
  }
}

TEST_F(Http, AnAnswerMayTakeAnyTime) {
  Client client = Connect();
  client.Send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(Serves([this] { return later_ != nullptr; }));
  clock_.Advance(std::chrono::hours(1));
  loop_.RunReady();
  ASSERT_NE(later_, nullptr);
  later_->Reply({.body = "late"});
  EXPECT_TRUE(client.Await("late"));
}

TEST_F(Http, TheConnectionThatIsIdleForLongestMakesRoom) {
  std::vector<Client> clients;
  for (size_t i = 0; i < Connections::kMost; ++i) {
    clients.push_back(Connect());
    loop_.RunReady();
    clock_.Advance(std::chrono::milliseconds(1));
  }
  // This client awaits its answer, so it stays, although it is the oldest.
  clients[0].Send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(Serves([this] { return later_ != nullptr; }));
  Client last = Connect();
  last.Send(kPost);
  EXPECT_TRUE(last.Await("hello"));
  EXPECT_TRUE(clients[1].Await("HTTP/1.1 503"));
  EXPECT_TRUE(clients[1].AwaitEnd());
  clients[2].Send(kPost);
  EXPECT_TRUE(clients[2].Await("hello"));
  later_->Reply({.body = "late"});
  EXPECT_TRUE(clients[0].Await("late"));
}

TEST_F(Http, RequestsThatAreNotWholeShareABound) {
  std::string begun = Post(900'000, "X-Known: yes\r\n").substr(0, 890'000);
  std::vector<Client> clients;
  bool refused = false;
  for (size_t sent = 0; sent < Connections::kAllBytes + begun.size();
       sent += begun.size()) {
    clients.push_back(Connect());
    clients.back().Send(begun);
    loop_.RunReady();
  }
  refused = clients.back().Await("HTTP/1.1 503");
  EXPECT_TRUE(refused);
  // Clients that leave free their share for others.
  for (Client& client : clients) client.Close();
  EXPECT_TRUE(Serves([&] {
    Client client = Connect();
    client.Send(Post(100'000, "X-Known: yes\r\n"));
    return client.Await("HTTP/1.1 200");
  }));
}

TEST_F(Http, WhatIsSentDuringAStreamIsBounded) {
  Client client = Connect();
  client.Send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(client.Await("chunked"));
  client.Send(std::string(Connections::kPipelinedBytes + 100'000, 'x'));
  EXPECT_TRUE(Serves([this] { return stream_->closed(); }));
  stream_.reset();
}

TEST_F(Http, AStreamEndsWithItsOwner) {
  Client client = Connect();
  client.Send("GET /stream HTTP/1.1\r\nHost: x\r\n\r\n");
  ASSERT_TRUE(client.Await("chunked"));
  stream_->Send("last");
  stream_.reset();
  EXPECT_TRUE(client.Await("last\r\n0\r\n\r\n"));
  client.Send("GET /again HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_TRUE(client.Await("GET /again"));
}

TEST_F(Http, ATakenPortIsAnErrorThatNamesIt) {
  auto second =
      Server::On(&loop_, "", server_->port(), [](std::unique_ptr<Exchange>) {});
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.status().message().find(std::to_string(server_->port())),
            absl::string_view::npos);
}

}  // namespace
}  // namespace glasstty::http
