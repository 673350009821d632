#include "relay/relay.h"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "wire/shared_server.h"

namespace glasstty::relay {
namespace {

constexpr size_t kPiece = 16 << 10;
// Between two attempts to connect to a server that others may be starting, and
// how many of them.
constexpr int kRetryMs = 5;
constexpr int kRetries = 2000;
// A server that ends each connection without an answer is full, or not ours to
// mend.
constexpr int kMostLosses = 8;
// What a client that has gone may still be answered.
constexpr int kFarewellMs = 1000;

// What a connection remembers of the client.
bool IsAgreement(const std::string& method) {
  return method == "initialize" || method == "notifications/initialized" ||
         method == "logging/setLevel" || method == "resources/subscribe";
}

}  // namespace

Relay::Relay(UniqueFd server, std::string base, std::string executable)
    : base_(std::move(base)),
      executable_(std::move(executable)),
      server_(std::move(server)) {
  SetNonBlocking(server_.get());
  Greet();
}

int Relay::Run() {
  while (Turn()) {
  }
  return 0;
}

// One poll and what it brings. False: it is over.
bool Relay::Turn() {
  bool reads_client = !is_over_ && (!server_.valid() || to_server_.size() < 64);
  size_t waiting = 0;
  for (const std::string& line : to_server_) waiting += line.size();
  reads_client = reads_client && waiting < kHighWater;
  bool reads_server = server_.valid() && to_client_.size() < kHighWater;
  auto events = [](bool in, bool out) {
    return static_cast<short>((in ? POLLIN : 0) | (out ? POLLOUT : 0));
  };
  pollfd fds[] = {
      {reads_client ? STDIN_FILENO : -1, POLLIN, 0},
      {to_client_.empty() ? -1 : STDOUT_FILENO, POLLOUT, 0},
      {server_.get(), events(reads_server, HasBytesForServer()), 0},
  };
  int ready = poll(fds, 3, is_over_ ? kFarewellMs : -1);
  if (ready < 0) return errno == EINTR;
  if (ready == 0) return false;
  if (fds[1].revents != 0 && !WriteClient()) return false;
  if (fds[0].revents != 0 && !ReadClient()) return false;
  if ((fds[2].revents & POLLOUT) != 0) WriteServer();
  bool has_news = (fds[2].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
  if (has_news && server_.valid() && !ReadServer()) return false;
  // Its last answers are out, and no more will come.
  return !is_over_ || server_.valid() || !to_client_.empty();
}

// ---- from the client

bool Relay::ReadClient() {
  char buffer[kPiece];
  ssize_t n = ReadSome(STDIN_FILENO, buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return true;
  if (n <= 0) {
    // What has no newline may be a message all the same.
    if (!from_client_.empty()) TakeClientLine(std::exchange(from_client_, ""));
    is_over_ = true;
    if (!server_.valid()) return false;
    WriteServer();
    if (!HasBytesForServer()) shutdown(server_.get(), SHUT_WR);
    return true;
  }
  std::string_view bytes(buffer, static_cast<size_t>(n));
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    from_client_ += bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    TakeClientLine(std::exchange(from_client_, ""));
    bytes.remove_prefix(end + 1);
  }
  if (from_client_.size() > kLongestLine) {
    // The server refuses it, and says so.
    to_server_.push_back(std::exchange(from_client_, ""));
    may_skip_in_ = true;
  }
  if (!server_.valid() && HasBytesForServer()) return Reconnect();
  WriteServer();
  return true;
}

void Relay::TakeClientLine(std::string line) {
  if (!std::exchange(may_skip_in_, false)) {
    for (const Peeked& message : Peek(line)) {
      if (message.is_request()) pending_.insert(message.id);
      if (IsAgreement(message.method) && agreements_.size() < kMostAgreements) {
        agreements_.push_back(line);
      }
    }
  }
  to_server_.push_back(std::move(line) + "\n");
}

void Relay::WriteServer() {
  while (server_.valid() && HasBytesForServer()) {
    const std::string& line = to_server_.front();
    ssize_t n = send(server_.get(), line.data() + sent_, line.size() - sent_,
                     MSG_NOSIGNAL);
    // A connection that is gone is noticed where it is read.
    if (n < 0) return;
    sent_ += static_cast<size_t>(n);
    if (sent_ < line.size()) continue;
    last_sent_ = std::move(to_server_.front());
    to_server_.pop_front();
    sent_ = 0;
  }
  if (is_over_ && server_.valid()) shutdown(server_.get(), SHUT_WR);
}

// ---- from the server

bool Relay::ReadServer() {
  char buffer[kPiece];
  ssize_t n = ReadSome(server_.get(), buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return true;
  if (n <= 0) {
    // ECONNRESET: it had not accepted the connection, or not read all of it.
    Lose(n == 0 || errno != ECONNRESET);
    if ((is_over_ || was_polite_) && !HasBytesForServer()) return true;
    return Reconnect();
  }
  std::string_view bytes(buffer, static_cast<size_t>(n));
  while (!bytes.empty()) {
    size_t end = bytes.find('\n');
    from_server_ += bytes.substr(0, end);
    if (end == std::string_view::npos) break;
    TakeServerLine(std::exchange(from_server_, ""));
    bytes.remove_prefix(end + 1);
  }
  return WriteClient();
}

void Relay::TakeServerLine(std::string line) {
  if (line == wire::kClosingLine) {
    was_polite_ = true;
    return;
  }
  bool is_unwanted = false;
  for (const Peeked& message : Peek(line)) {
    if (!message.is_response()) continue;
    auto unwanted = unwanted_.find(message.id);
    if (unwanted != unwanted_.end()) {
      unwanted_.erase(unwanted);
      is_unwanted = true;
    }
    pending_.erase(message.id);
    losses_ = 0;
  }
  if (!is_unwanted) to_client_ += line + "\n";
}

bool Relay::WriteClient() {
  size_t written = 0;
  while (written < to_client_.size()) {
    // Its flags are shared with others and stay as they are, so only as much is
    // written as poll(2) promises.
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    if (poll(&out, 1, 0) != 1) break;
    size_t size = std::min<size_t>(to_client_.size() - written, PIPE_BUF);
    ssize_t n = WriteSome(STDOUT_FILENO, to_client_.data() + written, size);
    if (n < 0 && errno != EAGAIN) return false;
    if (n < 0) break;
    written += static_cast<size_t>(n);
  }
  to_client_.erase(0, written);
  if (to_client_.empty()) to_client_.shrink_to_fit();
  return true;
}

// ---- when the server has gone

// A request of which the last byte was not read has not begun: like all that
// was not sent it waits for the next server.
void Relay::Lose(bool was_read) {
  server_.Reset();
  from_server_.clear();
  unwanted_.clear();
  if (sent_ > 0) {
    if (!IsAwaited(to_server_.front())) to_server_.pop_front();
  } else if (!was_read && IsAwaited(last_sent_)) {
    to_server_.push_front(last_sent_);
  }
  sent_ = 0;
  last_sent_.clear();
  std::set<std::string> unsent;
  for (const std::string& line : to_server_) {
    for (const Peeked& message : Peek(line)) unsent.insert(message.id);
  }
  for (const std::string& id : std::exchange(pending_, {})) {
    if (unsent.contains(id)) {
      pending_.insert(id);
    } else {
      SendError(id);
    }
  }
}

// It asks for something, and the client has not been answered.
bool Relay::IsAwaited(const std::string& line) const {
  std::vector<Peeked> messages = Peek(line);
  return std::any_of(
      messages.begin(), messages.end(), [this](const Peeked& message) {
        return message.is_request() && pending_.contains(message.id);
      });
}

void Relay::SendError(const std::string& id) {
  to_client_ += R"({"jsonrpc":"2.0","id":)" + id +
                R"(,"error":{"code":-32603,"message":"the shared glasstty )"
                R"(server ended during this call; sessions keep running: look )"
                R"(at them (term_list), then call again"}})"
                "\n";
}

// False: there is no server to be had, and all that waits has been answered.
bool Relay::Reconnect() {
  bool is_hopeless = ++losses_ > kMostLosses;
  if (losses_ > 1) poll(nullptr, 0, kRetryMs << losses_);
  for (int i = 0; i < kRetries && !is_hopeless; ++i) {
    server_ = wire::ConnectServer(base_);
    if (server_.valid()) break;
    // Of many relays one starts it; the lock of the server decides.
    if (i == 0 && !wire::StartServer(executable_)) break;
    poll(nullptr, 0, kRetryMs);
  }
  if (!server_.valid()) {
    for (const std::string& id : pending_) SendError(id);
    WriteClient();
    fprintf(stderr,
            "glasstty: the shared server has gone, and another one "
            "cannot be started\n");
    return false;
  }
  fprintf(stderr, "glasstty: joined the shared server again\n");
  was_polite_ = false;
  SetNonBlocking(server_.get());
  Greet();
  WriteServer();
  return WriteClient();
}

// In front of what waits: who it is, and what was agreed on.
void Relay::Greet() {
  std::vector<std::string> lines;
  lines.push_back(wire::IntroductionLine(wire::WorkingDirectory(), ""));
  for (const std::string& line : agreements_) {
    bool is_waiting = false;
    for (const Peeked& message : Peek(line)) {
      if (!message.is_request()) continue;
      is_waiting = pending_.contains(message.id);
      if (!is_waiting) unwanted_.insert(message.id);
    }
    if (!is_waiting) lines.push_back(line + "\n");
  }
  to_server_.insert(to_server_.begin(), lines.begin(), lines.end());
}

}  // namespace glasstty::relay
