// Creates the sockets on which an HTTP server listens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "base/fd.h"

namespace glasstty::http {

// Listens on `address`; "" and "localhost" mean 127.0.0.1. `port` 0 means any
// free port.
//
// A client that connects to `localhost` chooses between 127.0.0.1 and ::1 by
// itself. If the server left one of them free, another user could listen on it
// and would get the client's requests, with all the secrets in them. So a
// server to which `localhost` may lead listens on both addresses. A single
// address suffices only if the machine has no IPv6, because other users cannot
// use IPv6 then either.
//
// The error explains why one of the addresses cannot be used.
absl::StatusOr<std::vector<UniqueFd>> ListenOn(const std::string& address,
                                               uint16_t port);

// Returns the port on which a socket listens.
uint16_t PortOf(int socket);

}  // namespace glasstty::http
