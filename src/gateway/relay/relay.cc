#include "relay/relay.h"

#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>

#include "wire/introduction.h"
#include "wire/shared_server.h"

namespace glasstty::relay {
namespace {

constexpr size_t kPiece = 16 << 10;
// The interval between attempts to connect to a server that others may be
// starting, and the number of attempts.
constexpr int kRetryMs = 5;
constexpr int kRetries = 2000;
constexpr int kMostStarts = 3;
// The relay gives up after this many connections that end without an answer,
// because further attempts are not likely to succeed.
constexpr int kMostLosses = 8;
// The time for which a client that has sent its last line may still receive
// answers.
constexpr std::chrono::seconds kFarewell{1};

constexpr char kSubscribe[] = "resources/subscribe";
constexpr char kUnsubscribe[] = "resources/unsubscribe";

// Returns true if a message with this method sets state of the connection, so
// that it must be repeated on a new connection.
bool IsAgreement(const std::string& method) {
  return method == "initialize" || method == "notifications/initialized" ||
         method == "logging/setLevel" || method == kSubscribe ||
         method == kUnsubscribe;
}

}  // namespace

Relay::Relay(UniqueFd server, std::string base, std::string executable)
    : base_(std::move(base)),
      executable_(std::move(executable)),
      server_(std::move(server)) {
  SetNonBlocking(server_.get());
  Greet();
}

Relay::Relay(UniqueFd server, std::string base, std::string executable,
             std::string_view agreements)
    : base_(std::move(base)),
      executable_(std::move(executable)),
      server_(std::move(server)),
      was_answered_(true) {
  while (!agreements.empty()) {
    std::string line(agreements.substr(0, agreements.find('\n')));
    agreements.remove_prefix(std::min(line.size() + 1, agreements.size()));
    for (const Peeked& message : Peek(line)) Agree(message, line);
  }
}

int Relay::Run(const std::function<void()>& when_idle) {
  bool waits_for_idle = when_idle != nullptr;
  while (Turn()) {
    if (!waits_for_idle || !IsIdle()) continue;
    waits_for_idle = false;
    when_idle();
  }
  return 0;
}

std::string Relay::agreements() const {
  std::string lines;
  for (const Agreement& agreement : agreements_) lines += agreement.line + "\n";
  return lines;
}

bool Relay::IsIdle() const {
  bool client_waits = !pending_.empty() || !to_client_.empty();
  bool is_between_lines = from_client_.empty() && from_server_.empty() &&
                          !HasBytesForServer() && !may_skip_in_;
  return was_answered_ && !client_waits && is_between_lines && !is_over_ &&
         unwanted_.empty() && refusal_.empty() && server_.valid();
}

// Polls once and handles the result. Returns false at the end.
bool Relay::Turn() {
  bool reads_client = !is_over_ && (!server_.valid() || to_server_.size() < 64);
  size_t waiting = 0;
  for (const std::string& line : to_server_) waiting += line.size();
  reads_client = reads_client && waiting < kHighWater;
  bool reads_server = server_.valid() && to_client_.size() < kHighWater;
  bool goes_on = true;
  if (!to_client_.empty()) {
    loop_.Watch(STDOUT_FILENO, POLLOUT,
                [&](short) { goes_on = WriteClient(); });
  }
  if (reads_client) {
    loop_.Watch(STDIN_FILENO, POLLIN,
                [&](short) { goes_on = goes_on && ReadClient(); });
  }
  loop_.Watch(server_.get(),
              PollLoop::Events(reads_server, HasBytesForServer()),
              [&](short events) {
                if (!goes_on) return;
                if ((events & POLLOUT) != 0) WriteServer();
                bool has_news = (events & (POLLIN | POLLHUP | POLLERR)) != 0;
                if (has_news && server_.valid()) goes_on = ReadServer();
              });
  int ready = loop_.Turn(is_over_ ? MonotonicNow() + kFarewell : Time::max());
  if (ready < 0) return errno == EINTR;
  if (ready == 0 || !goes_on) return false;
  // When the client has ended, the relay ends after sending the last answers.
  return !is_over_ || server_.valid() || !to_client_.empty();
}

// ---- from the client

bool Relay::ReadClient() {
  char buffer[kPiece];
  ssize_t n = ReadSome(STDIN_FILENO, buffer, sizeof buffer);
  if (n < 0 && errno == EAGAIN) return true;
  if (n <= 0) {
    // A last line without a newline may be a message nevertheless.
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
    // The server answers a line that is too long with an error.
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
      if (IsAgreement(message.method)) Agree(message, line);
    }
  }
  to_server_.push_back(std::move(line) + "\n");
}

// Stores a message that must be repeated on a new connection. Removes a
// subscription that the message ends.
void Relay::Agree(const Peeked& message, const std::string& line) {
  // The client may send `initialize` again after a refusal.
  if (message.method == "initialize") agreements_.clear();
  bool undoes = message.method == kUnsubscribe;
  std::string subject =
      (undoes ? kSubscribe : message.method) + " " + message.uri;
  std::erase_if(agreements_, [&subject](const Agreement& earlier) {
    return earlier.subject == subject;
  });
  if (!undoes && agreements_.size() < kMostAgreements) {
    agreements_.push_back({subject, line});
  }
}

void Relay::WriteServer() {
  while (server_.valid() && HasBytesForServer()) {
    bool greets = !greeting_.empty();
    std::deque<std::string>* lines = greets ? &greeting_ : &to_server_;
    const std::string& line = lines->front();
    ssize_t n = send(server_.get(), line.data() + sent_, line.size() - sent_,
                     MSG_NOSIGNAL);
    // If the connection is gone, ReadServer notices it.
    if (n < 0) return;
    sent_ += static_cast<size_t>(n);
    if (sent_ < line.size()) continue;
    if (!greets) last_sent_ = line;
    lines->pop_front();
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
    // ECONNRESET means that the server had not accepted the connection, or had
    // not read everything.
    if (!refusal_.empty()) return TakeRefusal();
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

void Relay::TakeServerLine(const std::string& line) {
  if (line == wire::kClosingLine) {
    was_polite_ = true;
    return;
  }
  bool is_unwanted = false;
  for (const Peeked& message : Peek(line)) {
    bool is_first = !std::exchange(was_answered_, true);
    if (is_first && message.id.empty()) refusal_ = message.error;
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
    // stdout's flags are shared with other processes and must not be changed,
    // so write only as much as poll(2) guarantees.
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

// Answers all pending requests with the error with which the server has refused
// the connection. The client's next line makes the relay connect again.
bool Relay::TakeRefusal() {
  std::string why = std::exchange(refusal_, "");
  fprintf(stderr, "glasstty: the shared server refuses: %s\n", why.c_str());
  for (const std::string& id : std::exchange(pending_, {})) {
    to_client_.append(R"({"jsonrpc":"2.0","id":)").append(id);
    to_client_.append(R"(,"error":)").append(why).append("}\n");
  }
  server_.Reset();
  from_server_.clear();
  unwanted_.clear();
  greeting_.clear();
  to_server_.clear();
  last_sent_.clear();
  sent_ = 0;
  was_answered_ = false;
  return WriteClient();
}

// The server has not begun a request that it did not read completely, so the
// request is kept for the next server, like all unsent lines.
void Relay::Lose(bool was_read) {
  server_.Reset();
  from_server_.clear();
  unwanted_.clear();
  refusal_.clear();
  was_answered_ = false;
  // The next server gets a new greeting.
  if (!greeting_.empty()) sent_ = 0;
  greeting_.clear();
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

// Returns true if the line contains a request that has not been answered.
bool Relay::IsAwaited(const std::string& line) const {
  std::vector<Peeked> messages = Peek(line);
  return std::any_of(
      messages.begin(), messages.end(), [this](const Peeked& message) {
        return message.is_request() && pending_.contains(message.id);
      });
}

void Relay::SendError(const std::string& id) {
  to_client_ += R"({"jsonrpc":"2.0","id":)" + id +
                R"(,"error":{"code":-32603,"message":")";
  to_client_ += was_polite_ ? wire::kStoppedText : wire::kDiedText;
  to_client_ += "\"}}\n";
}

// If no server is available, answers all pending requests with an error and
// returns false.
bool Relay::Reconnect() {
  bool is_hopeless = ++losses_ > kMostLosses;
  bool is_started = false;
  int starts = 0;
  if (losses_ > 1) poll(nullptr, 0, kRetryMs << losses_);
  for (int i = 0; i < kRetries && !is_hopeless; ++i) {
    server_ = wire::ConnectServer(base_);
    if (server_.valid()) break;
    // Many relays may start a server at once, but its lock lets only one
    // succeed. If that server is killed while it starts, start another one.
    if (!is_started && starts++ < kMostStarts) {
      is_started = wire::StartServer(executable_);
    }
    if (!is_started && starts >= kMostStarts) break;
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

// Queues the introduction and the client's agreements before all waiting lines.
void Relay::Greet() {
  greeting_.push_back(wire::OwnIntroductionLine(""));
  for (const auto& [subject, line] : agreements_) {
    bool is_waiting = false;
    for (const Peeked& message : Peek(line)) {
      if (!message.is_request()) continue;
      is_waiting = pending_.contains(message.id);
      if (!is_waiting) unwanted_.insert(message.id);
    }
    if (!is_waiting) greeting_.push_back(line + "\n");
  }
}

}  // namespace glasstty::relay
