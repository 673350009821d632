// Tests the transport on real descriptors: pipes, files, sockets; slow and
// vanished clients. Time is the manual clock; reads and writes never block.
#include "mcp/stdio_transport.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "mcp/toy.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

using End = mcp::StdioTransport::End;
using std::chrono::milliseconds;

std::string CallLine(int id, const std::string& tool,
                     const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":")" + tool +
         R"(","arguments":)" + arguments + "}}\n";
}

// A server behind a pair of pipes; the test has the client's ends.
class Wire {
 public:
  Wire() {
    signal(SIGPIPE, SIG_IGN);
    int in[2], out[2];
    EXPECT_EQ(pipe2(in, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    server_in = UniqueFd(in[0]);
    to_server = UniqueFd(in[1]);
    from_server = UniqueFd(out[0]);
    server_out = UniqueFd(out[1]);
    SetNonBlocking(to_server.get());
    SetNonBlocking(from_server.get());
  }

  void Start() {
    transport = std::make_unique<mcp::StdioTransport>(
        &toy.loop, &toy.server, server_in.get(), server_out.get(),
        [this](End e) { end = e; });
  }

  // Writes as the client, reading nothing back; runs the server in between.
  void Write(std::string_view bytes) {
    while (!bytes.empty()) {
      ssize_t n = WriteSome(to_server.get(), bytes.data(), bytes.size());
      toy.loop.RunReady();
      if (n <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }

  // Returns what the client can read now.
  std::vector<std::string> Read() {
    char buffer[65536];
    for (bool more = true; more;) {
      toy.loop.RunReady();
      ssize_t n = ReadSome(from_server.get(), buffer, sizeof buffer);
      more = n > 0;
      if (more) received.Add({buffer, static_cast<size_t>(n)});
    }
    std::vector<std::string> lines;
    std::string line;
    while (received.Next(&line) == mcp::LineSplitter::Step::kLine) {
      lines.push_back(line);
    }
    return lines;
  }

  ToyServer toy;
  UniqueFd server_in, server_out, to_server, from_server;
  mcp::LineSplitter received{64 << 20};
  std::optional<End> end;
  std::unique_ptr<mcp::StdioTransport> transport;
};

TEST(Stdio, AnswersTheSameForEverySplitOfAScript) {
  std::string script = "\xEF\xBB\xBF";
  for (int i = 0; i < 500; ++i) {
    script += CallLine(i, "echo",
                       R"({"text":"\u20ac )" + std::to_string(i) +
                           (i % 3 == 0 ? "\"}" : " \xE2\x82\xAC\"}"));
    if (i % 5 == 0) script += "\r\n";
  }
  Wire whole;
  whole.Start();
  whole.Write(script);
  auto expected = whole.Read();
  ASSERT_EQ(expected.size(), 500u);

  Wire split;
  split.Start();
  std::vector<std::string> lines;
  for (size_t i = 0; i < script.size(); ++i) {
    split.Write(script.substr(i, 1));
    if (i % 4096 != 0) continue;
    for (auto& line : split.Read()) lines.push_back(line);
  }
  for (auto& line : split.Read()) lines.push_back(line);
  EXPECT_EQ(lines, expected);
}

TEST(Stdio, WhatWasReadBeforeTheEndIsAnsweredAndTheEndIsToldOnce) {
  Wire wire;
  wire.Start();
  wire.Write(CallLine(1, "echo", R"({"text":"a"})") +
             CallLine(2, "wait", R"({"seconds":60})") +
             CallLine(3, "echo", R"({"text":"b"})"));
  wire.to_server.Reset();
  auto lines = wire.Read();
  EXPECT_EQ(lines.size(), 2u);
  EXPECT_EQ(wire.end, End::kInputEnded);
  EXPECT_TRUE(wire.transport->drained());
  wire.toy.server.Shutdown();
  wire.toy.loop.RunReady();
  EXPECT_TRUE(wire.toy.server.idle());
  EXPECT_TRUE(wire.Read().empty());
}

TEST(Stdio, HalfALineBeforeTheEndIsNotAnswered) {
  Wire wire;
  wire.Start();
  wire.Write(R"({"jsonrpc":"2.0","id":1,"meth)");
  wire.to_server.Reset();
  EXPECT_TRUE(wire.Read().empty());
  EXPECT_EQ(wire.end, End::kInputEnded);
}

TEST(Stdio, AWholeMessageWithoutItsNewlineIsAnsweredAtTheEnd) {
  Wire wire;
  wire.Start();
  wire.Write(R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  wire.to_server.Reset();
  EXPECT_EQ(wire.Read().size(), 1u);
}

TEST(Stdio, AClientThatStopsReadingIsHeldBackInBoundedMemory) {
  Wire wire;
  wire.Start();
  // Answers of 5 KB to so many requests would take 75 MB or more.
  std::string request = CallLine(1, "flood", R"({"bytes":5000})");
  for (int i = 0; i < Rounds(15'000, 30'000); ++i) wire.Write(request);
  EXPECT_TRUE(wire.transport->congested());
  EXPECT_FALSE(wire.transport->drained());
  // Each further write now fails: the pipe is full, the server does not read.
  EXPECT_EQ(WriteSome(wire.to_server.get(), request.data(), request.size()),
            -1);

  // The loop still serves others.
  ToyTransport other;
  uint64_t second = wire.toy.server.Connect(&other);
  wire.toy.server.Receive(second,
                          R"({"jsonrpc":"2.0","id":1,"method":"ping"})");
  EXPECT_EQ(other.sent.size(), 1u);
  wire.toy.server.Disconnect(second);

  // When it reads again, every request that it has sent is answered.
  size_t answers = wire.Read().size();
  EXPECT_GT(answers, 1'000u);
  EXPECT_FALSE(wire.transport->congested());
  EXPECT_TRUE(wire.transport->drained());
}

TEST(Stdio, WhatAFastReaderLetsThroughInOneTurnIsNotForgotten) {
  Wire wire;
  // This pipe accepts more at once than one turn writes.
  ASSERT_GE(fcntl(wire.server_out.get(), F_SETPIPE_SZ, 1 << 20), 1 << 20);
  wire.Start();
  for (int i = 0; i < 40; ++i) {
    wire.Write(CallLine(i, "flood", R"({"bytes":100000})"));
  }
  std::string pipe_full(1 << 20, '\0');
  ssize_t n = ReadSome(wire.from_server.get(), pipe_full.data(), 1 << 20);
  ASSERT_GT(n, 512 << 10);
  wire.received.Add({pipe_full.data(), static_cast<size_t>(n)});
  EXPECT_EQ(wire.Read().size(), 40u);
}

TEST(Stdio, TheEndIsSeenEvenBehindAClientThatReadsNothing) {
  Wire wire;
  wire.Start();
  std::string request = CallLine(1, "flood", R"({"bytes":100000})");
  for (int i = 0; i < 100; ++i) wire.Write(request);
  ASSERT_TRUE(wire.transport->congested());
  wire.to_server.Reset();
  wire.toy.loop.RunReady();
  EXPECT_FALSE(wire.end.has_value());
  wire.toy.Advance(mcp::StdioTransport::kEndGrace);
  EXPECT_EQ(wire.end, End::kInputEnded);
}

TEST(Stdio, TheEndIsSeenBehindMoreRequestsThanAreHeldBack) {
  Wire wire;
  wire.Start();
  std::string request = CallLine(1, "flood", R"({"bytes":5000})");
  for (int i = 0; i < 30'000; ++i) wire.Write(request);
  wire.toy.Advance(std::chrono::seconds(5));
  EXPECT_FALSE(wire.end.has_value());
  wire.to_server.Reset();
  wire.toy.Advance(milliseconds(100));
  wire.toy.Advance(mcp::StdioTransport::kEndGrace);
  EXPECT_EQ(wire.end, End::kInputEnded);
}

// Returns a line of 50,000 bytes, less than a pipe holds, that asks for little.
std::string LongLine() {
  std::string line = CallLine(2, "echo", "{}");
  return std::string(50'000 - line.size(), ' ') + line;
}

// Lets requests wait behind an answer that the client does not read, in steps
// of 100 ms, until there are more than are held back, and for a second longer.
void StopReading(Wire* wire) {
  wire->Write(CallLine(1, "flood", R"({"bytes":2000000})"));
  ASSERT_TRUE(wire->transport->congested());
  constexpr int kHeld = mcp::StdioTransport::kHighWater / 50'000 + 1;
  for (int i = 0; i < kHeld + 10; ++i) {
    wire->Write(LongLine());
    wire->toy.Advance(milliseconds(100));
  }
}

TEST(Stdio, AClientThatIsBehindIsNotTakenForOneThatHasHungUp) {
  Wire wire;
  wire.Start();
  StopReading(&wire);
  EXPECT_FALSE(wire.end.has_value());
  wire.to_server.Reset();
  wire.toy.Advance(milliseconds(100));
  wire.toy.Advance(mcp::StdioTransport::kEndGrace);
  EXPECT_EQ(wire.end, End::kInputEnded);
}

TEST(Stdio, AClosedOneSendsWhatIsQueuedAndDoesNoMore) {
  Wire wire;
  wire.Start();
  StopReading(&wire);
  wire.transport->Close();
  wire.to_server.Reset();
  wire.toy.Advance(milliseconds(100));
  wire.toy.Advance(mcp::StdioTransport::kEndGrace);
  EXPECT_FALSE(wire.end.has_value());
  EXPECT_EQ(wire.Read().size(), 1u);
  EXPECT_TRUE(wire.transport->drained());
  EXPECT_FALSE(wire.end.has_value());
}

TEST(Stdio, RequestsAreReadAheadUpToTheHighWaterMark) {
  for (bool full : {false, true}) {
    Wire wire;
    wire.Start();
    wire.Write(CallLine(1, "flood", R"({"bytes":2000000})"));
    ASSERT_TRUE(wire.transport->congested());
    std::string ahead = CallLine(2, "echo", "{}");
    ahead.resize(mcp::StdioTransport::kHighWater - (full ? 0 : 1), ' ');
    wire.Write(ahead);
    wire.Write("x");
    int unread = 0;
    ASSERT_EQ(ioctl(wire.server_in.get(), FIONREAD, &unread), 0);
    EXPECT_EQ(unread, full ? 1 : 0);
  }
}

TEST(Stdio, AClientIsBehindFromTheHighWaterMarkDownToTheLow) {
  Wire wire;
  wire.Start();
  // The newline adds one byte.
  wire.transport->SendLine(
      std::string(mcp::StdioTransport::kHighWater - 1, 'x'));
  EXPECT_FALSE(wire.transport->congested());
  wire.transport->SendLine("");
  EXPECT_TRUE(wire.transport->congested());
  for (bool low : {false, true}) {
    Wire other;
    int pipe_size = fcntl(other.server_out.get(), F_SETPIPE_SZ, 1 << 20);
    ASSERT_GE(pipe_size, 1 << 20);
    other.Start();
    size_t size =
        static_cast<size_t>(pipe_size) + mcp::StdioTransport::kLowWater;
    other.transport->SendLine(std::string(low ? size - 1 : size, 'x'));
    EXPECT_TRUE(other.transport->congested());
    other.toy.loop.RunReady();  // fills the pipe
    EXPECT_EQ(other.transport->congested(), !low);
  }
}

TEST(Stdio, TheOwnerIsToldEachTimeThatAllIsWritten) {
  Wire wire;
  wire.Start();
  int drained = 0;
  wire.transport->OnDrained([&] { ++drained; });
  wire.toy.loop.RunReady();
  EXPECT_EQ(drained, 0);
  wire.Write(CallLine(1, "echo", "{}"));
  EXPECT_EQ(drained, 1);
  wire.Write(CallLine(2, "echo", "{}") + CallLine(3, "echo", "{}"));
  EXPECT_EQ(drained, 2);
}

TEST(Stdio, AQueuedReplyCountsAsSent) {
  Wire wire;
  wire.Start();
  wire.Write(CallLine(1, "wait", R"({"seconds":1})"));
  wire.toy.Advance(std::chrono::seconds(1));
  EXPECT_EQ(wire.toy.world.marks_read, 1);
}

TEST(Stdio, WhatAnotherProcessHasReadMeanwhileIsNoEnd) {
  Wire wire;
  wire.Start();
  UniqueFd in(dup(wire.server_in.get())), out(dup(wire.server_out.get()));
  std::optional<End> end;
  mcp::StdioTransport second(&wire.toy.loop, &wire.toy.server, in.get(),
                             out.get(), [&](End e) { end = e; });
  // Both are woken, and one of them finds nothing.
  wire.Write(CallLine(1, "echo", "{}"));
  EXPECT_EQ(wire.Read().size(), 1u);
  EXPECT_FALSE(wire.end.has_value());
  EXPECT_FALSE(end.has_value());
}

TEST(Stdio, AClosedOutputEndsTheConnection) {
  Wire wire;
  wire.Start();
  wire.from_server.Reset();
  wire.Write(CallLine(1, "echo", "{}"));
  wire.toy.loop.RunReady();
  EXPECT_EQ(wire.end, End::kOutputBroken);
  EXPECT_TRUE(wire.transport->drained());
  EXPECT_FALSE(wire.transport->SendLine("x"));
}

TEST(Stdio, AnEndlessLineIsAnsweredAtTheLimitAndTheNextRequestWorks) {
  Wire wire;
  wire.Start();
  std::string chunk(64 << 10, '[');
  for (size_t fed = 0; fed < size_t{64} << 20; fed += chunk.size()) {
    wire.Write(chunk);
  }
  auto lines = wire.Read();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("-32600"), std::string::npos);
  wire.Write("\n" + CallLine(1, "echo", "{}"));
  EXPECT_EQ(wire.Read().size(), 1u);
}

TEST(Stdio, TheOwnerMayDestroyItFromTheEndCallback) {
  Wire wire;
  wire.transport = std::make_unique<mcp::StdioTransport>(
      &wire.toy.loop, &wire.toy.server, wire.server_in.get(),
      wire.server_out.get(), [&wire](End) { wire.transport.reset(); });
  wire.Write(CallLine(1, "wait", R"({"seconds":60})"));
  wire.to_server.Reset();
  wire.toy.loop.RunReady();
  EXPECT_EQ(wire.transport, nullptr);
  EXPECT_TRUE(wire.toy.server.idle());
}

TEST(Stdio, PutsTheDescriptorFlagsBack) {
  Wire wire;
  int before = fcntl(wire.server_in.get(), F_GETFL);
  wire.Start();
  EXPECT_NE(fcntl(wire.server_in.get(), F_GETFL) & O_NONBLOCK, 0);
  wire.transport.reset();
  EXPECT_EQ(fcntl(wire.server_in.get(), F_GETFL), before);
}

TEST(Stdio, WorksOnOneSocketForBothDirections) {
  int pair[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  UniqueFd ours(pair[0]), theirs(pair[1]);
  int before = fcntl(theirs.get(), F_GETFL);
  ToyServer toy;
  {
    mcp::StdioTransport transport(&toy.loop, &toy.server, theirs.get(),
                                  theirs.get(), [](End) {});
    ASSERT_TRUE(WriteAll(ours.get(), CallLine(1, "echo", "{}")));
    toy.loop.RunReady();
    char buffer[4096];
    EXPECT_GT(recv(ours.get(), buffer, sizeof buffer, MSG_DONTWAIT), 0);
  }
  EXPECT_EQ(fcntl(theirs.get(), F_GETFL), before);
}

// Returns a file with `content`, open for reading from its start.
UniqueFd FileWith(const std::string& content) {
  char name[] = "/tmp/glasstty-mcp-test-XXXXXX";
  UniqueFd fd(mkstemp(name));
  unlink(name);
  EXPECT_TRUE(WriteAll(fd.get(), content));
  lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

std::string ContentOf(int fd) {
  std::string content(1 << 20, '\0');
  ssize_t n = pread(fd, content.data(), content.size(), 0);
  content.resize(n < 0 ? 0 : static_cast<size_t>(n));
  return content;
}

// A single read brings 100 calls of a tool that takes a while. Returns how many
// were served before the only call of another client.
template <typename Handler>
long ServedBeforeAnotherClient(Handler work) {
  ManualClock* clock = nullptr;
  std::vector<uint64_t> order;
  mcp::Tool tool = mcp::DeclareTool({.name = "work"}, {{"type", "object"}});
  tool.handler = [&](mcp::ToolCall* call, const Json&) {
    return work(call, clock, &order);
  };
  ToyServer toy({tool});
  clock = &toy.clock;
  int busy[2], quiet[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, busy), 0);
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, quiet), 0);
  UniqueFd ends[] = {UniqueFd(busy[0]), UniqueFd(busy[1]), UniqueFd(quiet[0]),
                     UniqueFd(quiet[1])};
  mcp::StdioTransport flooding(&toy.loop, &toy.server, busy[1], busy[1],
                               nullptr);
  mcp::StdioTransport other(&toy.loop, &toy.server, quiet[1], quiet[1],
                            nullptr);
  std::string flood;
  for (int i = 0; i < 100; ++i) flood += CallLine(i, "work", "{}");
  EXPECT_TRUE(WriteAll(busy[0], flood));
  EXPECT_TRUE(WriteAll(quiet[0], CallLine(1, "work", "{}")));
  toy.loop.RunReady();
  EXPECT_EQ(order.size(), 101u);
  return std::find(order.begin(), order.end(), other.connection()) -
         order.begin();
}

void Work(mcp::ToolCall* call, ManualClock* clock,
          std::vector<uint64_t>* order) {
  clock->Advance(std::chrono::microseconds(200));
  order->push_back(call->connection());
}

TEST(Stdio, AFloodOfOneClientLeavesOthersTheirTurn) {
  EXPECT_LT(ServedBeforeAnotherClient(
                [](mcp::ToolCall* call, ManualClock* clock, auto* order) {
                  Work(call, clock, order);
                  return mcp::AnswerNow(mcp::ToolResult("done"));
                }),
            10);
}

// Awaits the next turn of the loop.
struct NextTurn {
  Loop* loop;
  bool await_ready() { return false; }
  void await_suspend(std::coroutine_handle<> handle) { loop->Resume(handle); }
  void await_resume() {}
};

Task<mcp::ToolResult> WorkInTheNextTurn(Loop* loop, mcp::ToolCall* call,
                                        ManualClock* clock,
                                        std::vector<uint64_t>* order) {
  co_await NextTurn{loop};
  Work(call, clock, order);
  co_return "done";
}

TEST(Stdio, AFloodOfCallsThatWorkLaterLeavesOthersTheirTurn) {
  EXPECT_LT(ServedBeforeAnotherClient(
                [](mcp::ToolCall* call, ManualClock* clock, auto* order) {
                  return WorkInTheNextTurn(call->loop(), call, clock, order);
                }),
            20);
}

TEST(Stdio, ServesAScriptFromAFileIntoAFile) {
  std::string script;
  for (int i = 0; i < 2'000; ++i) script += CallLine(i, "echo", "{}");
  script.pop_back();  // a last line without a newline counts too
  UniqueFd in = FileWith(script), out = FileWith("");
  ToyServer toy;
  std::optional<End> end;
  mcp::StdioTransport transport(&toy.loop, &toy.server, in.get(), out.get(),
                                [&](End e) { end = e; });
  toy.loop.RunReady();
  EXPECT_EQ(end, End::kInputEnded);
  EXPECT_TRUE(transport.drained());
  std::string answers = ContentOf(out.get());
  EXPECT_EQ(std::count(answers.begin(), answers.end(), '\n'), 2'000);
}

TEST(Stdio, LeavesTheFlagsOfAFileToItsOwners) {
  UniqueFd in = FileWith(""), out = FileWith("");
  ToyServer toy;
  {
    mcp::StdioTransport transport(&toy.loop, &toy.server, in.get(), out.get(),
                                  nullptr);
    ASSERT_EQ(fcntl(out.get(), F_SETFL, O_APPEND), 0);
  }
  EXPECT_NE(fcntl(out.get(), F_GETFL) & O_APPEND, 0);
}

TEST(Stdio, DescriptorsThatAreNotOpenAreAnEnd) {
  ToyServer toy;
  std::optional<End> end;
  mcp::StdioTransport transport(&toy.loop, &toy.server, -1, -1,
                                [&](End e) { end = e; });
  toy.loop.RunReady();
  EXPECT_EQ(end, End::kInputEnded);
}

TEST(Stdio, AnEmptyInputOrAFullDiskIsAnEndLikeAnyOther) {
  UniqueFd null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  UniqueFd full(open("/dev/full", O_WRONLY | O_CLOEXEC));
  ToyServer toy;
  std::optional<End> end;
  mcp::StdioTransport empty(&toy.loop, &toy.server, null.get(), full.get(),
                            [&](End e) { end = e; });
  toy.loop.RunReady();
  EXPECT_EQ(end, End::kInputEnded);

  UniqueFd in = FileWith(CallLine(1, "echo", "{}"));
  std::optional<End> other;
  mcp::StdioTransport broken(&toy.loop, &toy.server, in.get(), full.get(),
                             [&](End e) { other = e; });
  toy.loop.RunReady();
  EXPECT_TRUE(other.has_value());
  EXPECT_TRUE(broken.drained());
}

}  // namespace
}  // namespace glasstty::testing
