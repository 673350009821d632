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
  if (!Send(wire::PacketType::kWatch, wire::kWireVersion, wire::kWireVersion,
            label)) {
    return false;
  }
  auto welcome = Await(wire::PacketType::kWelcome);
  if (welcome) info_ = welcome->As<wire::HolderInfo>();
  return welcome.has_value();
}

bool ObserverClient::Send(wire::PacketType type, uint64_t a, uint64_t b,
                          std::string_view payload) {
  wire::PacketHeader header{.type = type, .a = a, .b = b};
  auto deadline = SteadyClock::now() + kPatience;
  while (!wire::SendPacket(socket_.get(), header, payload)) {
    if (errno != EAGAIN || SteadyClock::now() >= deadline) return false;
    pollfd query{socket_.get(), POLLOUT, 0};
    poll(&query, 1, 100);
  }
  return true;
}

std::optional<Received> ObserverClient::Await(wire::PacketType type,
                                              milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
  for (;;) {
    wire::Packet packet;
    switch (
        wire::ReceivePacket(socket_.get(), buffer, sizeof buffer, &packet)) {
      case wire::Receive::kClosed:
        closed_ = true;
        return std::nullopt;
      case wire::Receive::kPacket:
        if (packet.header.type == type) {
          return Received{packet.header, std::string(packet.payload)};
        }
        continue;
      case wire::Receive::kNothing:
        break;
    }
    auto left =
        std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return std::nullopt;
    pollfd query{socket_.get(), POLLIN, 0};
    poll(&query, 1, static_cast<int>(std::min<int64_t>(left.count(), 200)));
    if (beats_) Send(wire::PacketType::kAck);
  }
}

std::optional<wire::LeaseInfo> ObserverClient::AwaitLease(uint64_t flags,
                                                          milliseconds limit) {
  auto deadline = SteadyClock::now() + limit;
  for (;;) {
    auto left =
        std::chrono::duration_cast<milliseconds>(deadline - SteadyClock::now());
    auto lease =
        Await(wire::PacketType::kLease, std::max(left, milliseconds(0)));
    if (!lease) return std::nullopt;
    if (lease->header.b == flags) return lease->As<wire::LeaseInfo>();
  }
}

bool ObserverClient::Take(uint64_t idle_ms, uint64_t flags) {
  Send(wire::PacketType::kTake, idle_ms, flags);
  for (;;) {
    auto lease = Await(wire::PacketType::kLease);
    if (!lease || lease->header.b == wire::kLeaseHeld) return false;
    if (lease->header.b & wire::kLeaseYours) return true;
  }
}

bool ObserverClient::AwaitClose(milliseconds limit) {
  // No packet has this type, so this reads everything that comes.
  Await(static_cast<wire::PacketType>(0), limit);
  return closed_;
}

}  // namespace glasstty
