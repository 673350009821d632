#include "testing/observer_client.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>

#include "wire/launch.h"

namespace glasstty {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

}  // namespace

ObserverClient::ObserverClient(int dir_fd)
    : socket_(wire::ConnectObserver(dir_fd)) {}

bool ObserverClient::Greet(std::string_view label) {
  if (!Send(wire::Watch{.label = label})) return false;
  auto welcome = Await<wire::Welcome>();
  if (welcome) info_ = welcome->info;
  return welcome.has_value();
}

bool ObserverClient::Receive(wire::PacketType type, milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  for (;;) {
    wire::Packet packet;
    switch (
        wire::ReceivePacket(socket_.get(), buffer, sizeof buffer, &packet)) {
      case wire::Receive::kClosed:
        closed_ = true;
        return false;
      case wire::Receive::kPacket:
        if (packet.header.type != type) continue;
        last_ = {packet.header, std::string(packet.payload)};
        return true;
      case wire::Receive::kNothing:
        break;
    }
    auto left =
        std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return false;
    pollfd query{socket_.get(), POLLIN, 0};
    poll(&query, 1, static_cast<int>(std::min<int64_t>(left.count(), 200)));
    if (beats_) Send(wire::Ack{});
  }
}

std::optional<wire::LeaseInfo> ObserverClient::AwaitLease(uint64_t flags,
                                                          milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  for (;;) {
    auto left =
        std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
    auto lease = Await<wire::Lease>(std::max(left, milliseconds(0)));
    if (!lease) return std::nullopt;
    if (lease->flags == flags) return lease->info;
  }
}

bool ObserverClient::Take(uint64_t idle_ms, uint64_t flags) {
  Send(wire::Take{idle_ms, flags});
  for (;;) {
    auto lease = Await<wire::Lease>();
    if (!lease || lease->flags == wire::kLeaseHeld) return false;
    if (lease->flags & wire::kLeaseYours) return true;
  }
}

bool ObserverClient::AwaitClose(milliseconds limit) {
  // No packet has this type, so this reads everything that comes.
  Receive(static_cast<wire::PacketType>(0), limit);
  return closed_;
}

}  // namespace glasstty
