#include "http/connections.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_format.h"
#include "http/server.h"
#include "support/check.h"

namespace glasstty::http {
namespace {

constexpr Duration kLookEvery = std::chrono::seconds(1);
// evhttp refuses a longer header block.
constexpr size_t kHeadBytes = Server::kMaxHeaderBytes;

constexpr char kTimeout[] = "408 Request Timeout";
constexpr char kTooLarge[] = "413 Content Too Large";
constexpr char kBusy[] = "503 Service Unavailable";

// Returns the index after the last line of the header block; npos if it is
// incomplete. Lines end with CR LF or, as in evhttp, LF.
size_t EndOfHead(std::string_view head) {
  size_t crlf = head.find("\n\r\n"), lf = head.find("\n\n");
  return std::min(crlf, lf) == std::string::npos ? std::string::npos
                                                 : std::min(crlf, lf) + 1;
}

// Returns the last `size` bytes of a buffer, or all of them if there are fewer.
std::string Tail(evbuffer* buffer, size_t size) {
  size_t length = evbuffer_get_length(buffer);
  std::string bytes(std::min(size, length), '\0');
  evbuffer_ptr from;
  evbuffer_ptr_set(buffer, &from, length - bytes.size(), EVBUFFER_PTR_SET);
  evbuffer_copyout_from(buffer, &from, bytes.data(), bytes.size());
  return bytes;
}

}  // namespace

Connections::Connections(Loop* loop, Judge judge, std::string too_large)
    : loop_(loop),
      judge_(std::move(judge)),
      too_large_(std::move(too_large)),
      adopt_(loop, [this] { Adopt(); }),
      look_(loop, [this] { Look(); }) {}

// Releases connections that evhttp has ended without notice.
Connections::~Connections() { Adopt(); }

void Connections::Watch(evhttp* http) {
  evhttp_set_bevcb(http, &Connections::OnAccept, this);
}

Connections::Connection* Connections::Of(evhttp_request* request) {
  bufferevent* stream =
      evhttp_connection_get_bufferevent(evhttp_request_get_connection(request));
  Adopt();
  auto found = std::find_if(
      connections_.begin(), connections_.end(),
      [stream](const Connection& one) { return one.stream_ == stream; });
  CHECK(found != connections_.end());
  return &*found;
}

// ---- called by libevent

bufferevent* Connections::OnAccept(event_base* base, void* self) {
  auto* own = static_cast<Connections*>(self);
  own->MakeRoom();
  bufferevent* stream = bufferevent_socket_new(base, -1, 0);
  if (stream == nullptr) return nullptr;
  // Keep the stream until Adopt, because evhttp may free it earlier.
  bufferevent_incref(stream);
  Connection* connection = &own->connections_.emplace_back(own, stream);
  evbuffer_add_cb(bufferevent_get_input(stream), &Connections::OnBytes,
                  connection);
  own->adopt_.SetAfter(Duration::zero());
  if (!own->look_.armed()) own->look_.SetAfter(kLookEvery);
  return stream;
}

void Connections::OnBytes(evbuffer* buffer, const evbuffer_cb_info* info,
                          void* connection) {
  if (info->n_added == 0) return;
  auto* taker = static_cast<Connection*>(connection);
  if (!taker->ended_) taker->owner_->Take(taker, Tail(buffer, info->n_added));
  // After End, libevent still reads bytes that the kernel has received. Neither
  // these bytes nor dropped ones may become part of a request.
  if (taker->ended_ || taker->dropping_) {
    evbuffer_drain(buffer, evbuffer_get_length(buffer));
  }
}

void Connections::OnClose(evhttp_connection*, void* connection) {
  auto* closed = static_cast<Connection*>(connection);
  Connections* own = closed->owner_;
  closed->Count(0);
  auto gone = std::exchange(closed->gone_, nullptr);
  own->connections_.remove_if(
      [closed](const Connection& one) { return &one == closed; });
  if (gone) gone();
}

// ---- all connections

// evhttp creates its connection after it has requested the stream, and makes
// the connection the argument of the stream's callbacks. If a stream has no
// callbacks, its connection is gone.
void Connections::Adopt() {
  std::list<bufferevent*> dead;
  for (Connection& connection : connections_) {
    if (connection.http_ != nullptr) continue;
    bufferevent_event_cb event = nullptr;
    void* http = nullptr;
    bufferevent_getcb(connection.stream_, nullptr, nullptr, &event, &http);
    if (event == nullptr) {
      dead.push_back(connection.stream_);
      connection.Count(0);
    } else {
      connection.http_ = static_cast<evhttp_connection*>(http);
      evhttp_connection_set_closecb(connection.http_, &Connections::OnClose,
                                    &connection);
    }
    bufferevent_decref(connection.stream_);
  }
  for (bufferevent* stream : dead) {
    connections_.remove_if(
        [stream](const Connection& one) { return one.stream_ == stream; });
  }
}

void Connections::MakeRoom() {
  if (connections_.size() < kMost) return;
  Connection* oldest = nullptr;
  for (Connection& connection : connections_) {
    if (connection.answering_ || connection.ended_) continue;
    if (oldest == nullptr || connection.since_ < oldest->since_) {
      oldest = &connection;
    }
  }
  if (oldest != nullptr) oldest->End(kBusy);
}

void Connections::Take(Connection* connection, std::string_view bytes) {
  if (connection->dropping_) return connection->Drop(bytes.size());
  connection->Count(connection->bytes_ + bytes.size());
  if (connection->answering_) {
    if (connection->bytes_ > kPipelinedBytes) connection->End(nullptr);
    return;
  }
  // These are the first bytes of a request, so its time begins now.
  if (connection->bytes_ == bytes.size()) connection->since_ = loop_->Now();
  connection->AddToHead(bytes);
  if (connection->dropping_) return connection->Count(0);
  if (!connection->trusted_ && connection->bytes_ > kStrangersBytes) {
    return connection->End(kTooLarge);
  }
  if (unfinished_ > kAllBytes) return connection->End(kBusy);
  if (!look_.armed()) look_.SetAfter(kLookEvery);
}

void Connections::Look() {
  bool more = false;
  for (Connection& connection : connections_) {
    if (connection.answering_ || connection.deadline() == Time::max()) continue;
    more = true;
    if (loop_->Now() >= connection.deadline()) connection.End(kTimeout);
  }
  if (more) look_.SetAfter(kLookEvery);
}

// ---- one connection

Connections::Connection::Connection(Connections* owner, bufferevent* stream)
    : owner_(owner), stream_(stream), since_(owner->loop_->Now()) {}

// Continues to read, so that a disconnection is noticed, but keeps evhttp from
// parsing.
void Connections::Connection::BeginAnswer(std::function<void()> gone) {
  answering_ = was_used_ = true;
  gone_ = std::move(gone);
  Count(evbuffer_get_length(bufferevent_get_input(stream_)));
  bufferevent_data_cb write = nullptr;
  bufferevent_event_cb event = nullptr;
  void* http = nullptr;
  bufferevent_getcb(stream_, nullptr, &write, &event, &http);
  bufferevent_setcb(stream_, nullptr, write, event, http);
  timeval patience = {Server::kTimeoutSeconds, 0};
  bufferevent_set_timeouts(stream_, nullptr, &patience);
  bufferevent_enable(stream_, EV_READ);
}

void Connections::Connection::Answered() {
  answering_ = false;
  gone_ = nullptr;
  timeval patience = {Server::kTimeoutSeconds, 0};
  bufferevent_set_timeouts(stream_, &patience, &patience);
  Begin(Tail(bufferevent_get_input(stream_), kHeadBytes));
}

void Connections::Connection::Begin(std::string_view bytes) {
  since_ = owner_->loop_->Now();
  head_.clear();
  head_is_whole_ = trusted_ = false;
  AddToHead(bytes);
}

void Connections::Connection::AddToHead(std::string_view bytes) {
  if (head_is_whole_) return;
  head_ += bytes;
  size_t end = EndOfHead(head_);
  if (end == std::string::npos && head_.size() <= kHeadBytes) return;
  head_is_whole_ = true;
  trusted_ = false;
  if (end == std::string::npos) return;
  Verdict verdict = owner_->judge_(std::string_view(head_).substr(0, end));
  size_t blank = head_[end] == '\r' ? 2 : 1;
  size_t body = head_.size() - end - blank;
  head_ = std::string();
  trusted_ = verdict.trusted;
  if (!trusted_ || verdict.excess == 0) return;
  dropping_ = true;
  to_drop_ = verdict.waits ? 0 : verdict.excess;
  Drop(body);
}

void Connections::Connection::Drop(size_t bytes) {
  to_drop_ -= std::min<uint64_t>(bytes, to_drop_);
  if (to_drop_ == 0) End(kTooLarge);
}

void Connections::Connection::Count(size_t bytes) {
  owner_->unfinished_ += bytes - bytes_;
  bytes_ = bytes;
}

// Between two requests, only evhttp limits the time of a connection.
Time Connections::Connection::deadline() const {
  if (head_is_whole_) return since_ + kRequestTime;
  return bytes_ == 0 && was_used_ ? Time::max() : since_ + kHeadTime;
}

// Shuts the socket down, whereupon evhttp closes it. A client that is still
// sending may miss the status.
void Connections::Connection::End(const char* status) {
  if (std::exchange(ended_, true)) return;
  int fd = bufferevent_getfd(stream_);
  if (status != nullptr) {
    std::string_view body;
    if (status == kTooLarge) body = owner_->too_large_;
    std::string reply = absl::StrFormat(
        "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: text/plain\r\n"
        "Content-Length: %d\r\n\r\n%s",
        status, body.size(), body);
    send(fd, reply.data(), reply.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  shutdown(fd, SHUT_RDWR);
}

}  // namespace glasstty::http
