#include "bridge/upstream.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "mcp/server.h"

namespace glasstty::bridge {
namespace {

constexpr size_t kPiece = 64 << 10;

}  // namespace

Upstream::Upstream(Loop* loop, UniqueFd server, Events events)
    : server_(std::move(server)),
      events_(std::move(events)),
      lines_(mcp::Server::kMaxShellReply),
      readable_(loop, server_.get(), FdWatch::Direction::kRead,
                Urgency::kProtocol, [this] { Read(); }),
      writable_(loop, server_.get(), FdWatch::Direction::kWrite,
                Urgency::kProtocol, [this] { Write(); }) {
  SetNonBlocking(server_.get());
  readable_.Enable(true);
}

Upstream::~Upstream() {
  if (destroyed_ != nullptr) *destroyed_ = true;
}

void Upstream::Send(std::string_view line) {
  waiting_ += line;
  waiting_ += '\n';
  // The loop calls Write later, and so sends all lines of a turn together.
  writable_.Enable(true);
}

void Upstream::Write() {
  ssize_t n =
      send(server_.get(), waiting_.data(), waiting_.size(), MSG_NOSIGNAL);
  // If the connection is gone, Read notices it.
  if (n > 0) waiting_.erase(0, static_cast<size_t>(n));
  if (waiting_.empty() || (n < 0 && errno != EAGAIN)) writable_.Enable(false);
}

void Upstream::Read() {
  std::string piece(kPiece, '\0');
  ssize_t n = ReadSome(server_.get(), piece.data(), piece.size());
  if (n < 0 && errno == EAGAIN) return;
  if (n > 0) {
    lines_.Add({piece.data(), static_cast<size_t>(n)});
    return ServeLines();
  }
  // ECONNRESET means that the server had not accepted the connection, or had
  // not read everything.
  End(waiting_.empty() && (n == 0 || errno != ECONNRESET));
}

// Calls a copy, because the callback may destroy this object.
void Upstream::End(bool was_read) {
  readable_.Enable(false);
  auto ended = events_.ended;
  ended(was_read);
}

void Upstream::ServeLines() {
  bool destroyed = false;
  destroyed_ = &destroyed;
  auto serve = events_.line;
  std::string line;
  while (!destroyed) {
    mcp::LineSplitter::Step step = lines_.Next(&line);
    if (step == mcp::LineSplitter::Step::kMore) break;
    if (step == mcp::LineSplitter::Step::kTooLong) {
      // The line may have been the answer, which nobody should wait for then.
      destroyed_ = nullptr;
      return End(true);
    }
    serve(std::move(line));
  }
  if (!destroyed) destroyed_ = nullptr;
}

}  // namespace glasstty::bridge
