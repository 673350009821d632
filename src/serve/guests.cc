#include "serve/guests.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "mcp/jsonrpc.h"
#include "support/log.h"
#include "support/status.h"
#include "wire/shared_server.h"

namespace glasstty::serve {
namespace {

// So many are accepted in a turn of the loop.
constexpr int kAcceptAtOnce = 16;

}  // namespace

Guests::Guests(Loop* loop, mcp::Server* server, Listener listener)
    : loop_(loop),
      server_(server),
      listener_(std::move(listener)),
      acceptable_(loop, listener_.fd(), FdWatch::Direction::kRead,
                  Urgency::kProtocol, [this] { Accept(); }),
      accept_timer_(loop, [this] { acceptable_.Enable(!closed_); }) {
  acceptable_.Enable(true);
}

void Guests::Accept() {
  for (int i = 0; i < kAcceptAtOnce; ++i) {
    UniqueFd fd = listener_.Accept();
    if (fd.valid()) {
      Admit(std::move(fd));
      continue;
    }
    if (errno == EPERM) Warn("refused a connection of another user");
    bool is_short = errno == EMFILE || errno == ENFILE || errno == ENOMEM;
    if (is_short) {
      // The one that waits would wake us again and again.
      Warn("cannot accept a client: %s", Message(ErrnoStatus("accept", "it")));
      acceptable_.Enable(false);
      accept_timer_.SetAfter(kAcceptPause);
    }
    if (errno == EAGAIN || is_short) return;
  }
}

void Guests::Admit(UniqueFd fd) {
  if (guests_.size() >= kMost) {
    std::string line = DumpJson(mcp::MakeError(
        Json(), {mcp::kInternalError,
                 absl::StrFormat("%d clients are connected to the shared "
                                 "glasstty server, which is the limit",
                                 kMost),
                 Json()}));
    // A new socket takes so much at once; if not, the end says enough.
    WriteAll(fd.get(), line + "\n");
    return;
  }
  Place guest = guests_.emplace(guests_.end());
  guest->fd = std::move(fd);
  guest->farewell =
      std::make_unique<Timer>(loop_, [this, guest] { Remove(guest); });
  guest->transport = std::make_unique<mcp::StdioTransport>(
      loop_, server_, guest->fd.get(), guest->fd.get(),
      [this, guest](mcp::StdioTransport::End) { SayGoodbye(guest); });
  if (changed_) changed_();
}

// Its answers may still be on their way out. It is removed from the loop and
// not from in here, for the transport is what calls.
void Guests::SayGoodbye(Place guest) {
  bool is_done = guest->transport->drained();
  guest->transport->OnDrained(
      [guest] { guest->farewell->SetAfter(Duration::zero()); });
  guest->farewell->SetAfter(is_done ? Duration::zero() : kFarewell);
}

void Guests::Remove(Place guest) {
  guests_.erase(guest);
  if (changed_) changed_();
}

void Guests::Close() {
  if (std::exchange(closed_, true)) return;
  acceptable_.Enable(false);
  listener_.Close();
  for (Guest& guest : guests_) {
    const mcp::Connection* connection =
        server_->FindConnection(guest.transport->connection());
    bool is_relay =
        connection != nullptr && !connection->legacy.directory.empty();
    if (is_relay) guest.transport->SendLine(std::string(wire::kClosingLine));
    guest.transport->Close();
  }
}

bool Guests::drained() const {
  return std::all_of(guests_.begin(), guests_.end(), [](const Guest& guest) {
    return guest.transport->drained();
  });
}

}  // namespace glasstty::serve
