// A packet of a holder that outlives the buffer in which it came.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <string>

#include "wire/messages.h"

namespace glasstty {

// The patience for what comes at once on a machine that is not busy.
inline constexpr std::chrono::milliseconds kPatience{20'000};

struct Received {
  wire::PacketHeader header;
  std::string payload;

  // Texts of the result point into this packet.
  template <wire::IsMessage M>
  M As() const {
    return wire::DecodeAs<M>({header, payload});
  }
};

// Sends a message as soon as the peer has room for it. Returns false if it has
// none for long, or is gone.
inline bool SendPatiently(int socket, const wire::IsMessage auto& message) {
  auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (!wire::SendMessage(socket, message)) {
    if (errno != EAGAIN || std::chrono::steady_clock::now() >= deadline) {
      return false;
    }
    pollfd query{socket, POLLOUT, 0};
    poll(&query, 1, 100);
  }
  return true;
}

// Returns the next message of that type, which must come. Its texts are valid
// until the next call of the client.
template <wire::IsMessage M>
M Expect(auto* client) {
  std::optional<M> message = client->template Await<M>();
  EXPECT_TRUE(message) << "message " << static_cast<int>(M::kType);
  return message.value_or(M{});
}

}  // namespace glasstty
