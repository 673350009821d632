// Tests what a relay sends to a server that takes over from another.
#include "relay/relay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "testing/system.h"
#include "wire/own_socket.h"
#include "wire/shared_server.h"

namespace glasstty::relay {
namespace {

constexpr int kPatienceMs = 20000;

// Reads and writes lines at one end of a stream.
class Lines {
 public:
  explicit Lines(UniqueFd fd) : fd_(std::move(fd)) {}

  // Returns the next line; "" at the end, or when none comes.
  std::string Next() {
    size_t end;
    while ((end = read_.find('\n')) == std::string::npos) {
      pollfd readable{fd_.get(), POLLIN, 0};
      std::array<char, 16 << 10> buffer;
      if (poll(&readable, 1, kPatienceMs) != 1) return "";
      ssize_t n = read(fd_.get(), buffer.data(), buffer.size());
      if (n <= 0) return "";
      read_.append(buffer.data(), static_cast<size_t>(n));
    }
    std::string line = read_.substr(0, end);
    read_.erase(0, end + 1);
    return line;
  }
  void Write(const std::string& line) {
    std::string bytes = line + "\n";
    for (size_t sent = 0; sent < bytes.size();) {
      ssize_t n = write(fd_.get(), bytes.data() + sent, bytes.size() - sent);
      ASSERT_GT(n, 0);
      sent += static_cast<size_t>(n);
    }
  }

 private:
  UniqueFd fd_;
  std::string read_;
};

// A relay in a process of its own, between a client and a server that are both
// played by the test.
class RelayTest : public ::testing::Test {
 protected:
  explicit RelayTest(bool hands_over = false) : hands_over_(hands_over) {}
  void SetUp() override {
    UniqueFd directory = wire::OpenServeDirectory(state_.path(), true);
    listener_ = wire::ListenAt(directory.get(), wire::kServeSocket, SOCK_STREAM,
                               /*backlog=*/8);
    ASSERT_TRUE(listener_.valid());
    std::array<int, 2> in, out;
    ASSERT_EQ(pipe2(in.data(), O_CLOEXEC), 0);
    ASSERT_EQ(pipe2(out.data(), O_CLOEXEC), 0);
    relay_ = fork();
    if (relay_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      close(in[1]);
      listener_.Reset();
      Relay relay(wire::ConnectServer(state_.path()), state_.path(),
                  "/bin/false");
      _exit(relay.Run([&] {
        if (!hands_over_) return;
        Relay next(UniqueFd(dup(relay.server_fd())), state_.path(),
                   "/bin/false", relay.agreements());
        _exit(next.Run());
      }));
    }
    close(in[0]);
    close(out[1]);
    to_relay_ = std::make_unique<Lines>(UniqueFd(in[1]));
    from_relay_ = std::make_unique<Lines>(UniqueFd(out[0]));
  }
  ~RelayTest() override {
    kill(relay_, SIGKILL);
    waitpid(relay_, nullptr, 0);
  }

  Lines Accept() {
    pollfd readable{listener_.get(), POLLIN, 0};
    EXPECT_EQ(poll(&readable, 1, kPatienceMs), 1);
    return Lines(
        UniqueFd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC)));
  }

  const bool hands_over_;
  testing::TempDir state_;
  UniqueFd listener_;
  pid_t relay_ = -1;
  std::unique_ptr<Lines> to_relay_, from_relay_;
};

// Returns the part of a line that a failure can show.
std::string Beginning(const std::string& line) { return line.substr(0, 80); }

constexpr char kInitialize[] = R"({"id":1,"method":"initialize"})";
constexpr char kInitialized[] = R"({"id":1,"result":{}})";
constexpr char kLast[] = R"({"id":9,"method":"ping"})";

// The greeting is longer than what a connection holds, so that its rest still
// waits when the second server ends.
TEST_F(RelayTest, GreetsOnceWhenAServerEndsDuringTheGreeting) {
  std::vector<std::string> agreed = {kInitialize};
  for (int i = 0; i < 20; ++i) {
    agreed.push_back(R"({"id":1)" + std::to_string(i) +
                     R"(,"method":"resources/subscribe","params":{"uri":")" +
                     std::to_string(i) + std::string(100000, 'x') + R"("}})");
  }
  std::string introduction;
  {
    Lines first = Accept();
    introduction = first.Next();
    for (const std::string& line : agreed) {
      to_relay_->Write(line);
      ASSERT_EQ(Beginning(first.Next()), Beginning(line));
      size_t end = line.find(',');
      first.Write(line.substr(0, end) + R"(,"result":{}})");
      ASSERT_EQ(from_relay_->Next(), line.substr(0, end) + R"(,"result":{}})");
    }
  }
  EXPECT_EQ(Accept().Next(), introduction);
  Lines third = Accept();
  EXPECT_EQ(third.Next(), introduction);
  for (const std::string& line : agreed) {
    ASSERT_EQ(Beginning(third.Next()), Beginning(line));
  }
  third.Write(kInitialized);
  to_relay_->Write(kLast);
  EXPECT_EQ(Beginning(third.Next()), kLast);
  // The client has had its answer from the first server.
  third.Write(R"({"id":9,"result":{}})");
  EXPECT_EQ(from_relay_->Next(), R"({"id":9,"result":{}})");
}

// Another relay continues after the first answer.
class HandedOver : public RelayTest {
 protected:
  HandedOver() : RelayTest(true) {}
};

TEST_F(HandedOver, GoesOnWithTheSameConnectionAndTheAgreements) {
  std::string introduction;
  {
    Lines first = Accept();
    introduction = first.Next();
    to_relay_->Write(kInitialize);
    EXPECT_EQ(first.Next(), kInitialize);
    first.Write(kInitialized);
    EXPECT_EQ(from_relay_->Next(), kInitialized);
    to_relay_->Write(kLast);
    EXPECT_EQ(first.Next(), kLast);
  }
  // A request that the first server has read fails.
  const std::string failed = from_relay_->Next();
  EXPECT_TRUE(failed.starts_with(R"({"jsonrpc":"2.0","id":9,"error":)"))
      << failed;
  Lines second = Accept();
  EXPECT_EQ(second.Next(), introduction);
  EXPECT_EQ(second.Next(), kInitialize);
  second.Write(kInitialized);
  to_relay_->Write(kLast);
  EXPECT_EQ(second.Next(), kLast);
  second.Write(R"({"id":9,"result":{}})");
  EXPECT_EQ(from_relay_->Next(), R"({"id":9,"result":{}})");
}

TEST_F(HandedOver, EndsWhenNoServerCanBeStartedBeforeTheFirstAnswer) {
  UniqueFd relay(static_cast<int>(syscall(SYS_pidfd_open, relay_, 0)));
  {
    Lines server = Accept();
    server.Next();
    listener_.Reset();
    to_relay_->Write(kInitialize);
    EXPECT_EQ(server.Next(), kInitialize);
  }
  const std::string failed = from_relay_->Next();
  EXPECT_TRUE(failed.starts_with(R"({"jsonrpc":"2.0","id":1,"error":)"))
      << failed;
  pollfd ended{relay.get(), POLLIN, 0};
  EXPECT_EQ(poll(&ended, 1, kPatienceMs), 1);
}

TEST_F(HandedOver, DoesNotLoseWhatTheClientSendsWithoutWaiting) {
  Lines server = Accept();
  server.Next();
  // The second request is under way when the first answer arrives.
  to_relay_->Write(std::string(kInitialize) + "\n" + kLast);
  EXPECT_EQ(server.Next(), kInitialize);
  EXPECT_EQ(server.Next(), kLast);
  server.Write(kInitialized);
  server.Write(R"({"id":9,"result":{}})");
  EXPECT_EQ(from_relay_->Next(), kInitialized);
  EXPECT_EQ(from_relay_->Next(), R"({"id":9,"result":{}})");
  to_relay_->Write(kLast);
  EXPECT_EQ(server.Next(), kLast);
}

}  // namespace
}  // namespace glasstty::relay
