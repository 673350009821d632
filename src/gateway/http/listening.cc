#include "http/listening.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "http/guard.h"
#include "support/status.h"

namespace glasstty::http {
namespace {

constexpr char kLoopback4[] = "127.0.0.1";
constexpr char kLoopback6[] = "::1";
constexpr int kBacklog = 128;
// The maximum number of further tries to find a port that is free in both
// families.
constexpr int kMostTries = 16;

// Returns the socket's address. The type is large enough for both families.
sockaddr_in6 NameOf(int socket) {
  sockaddr_in6 name{};
  socklen_t size = sizeof name;
  getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size);
  return name;
}

// Returns an invalid descriptor with errno on failure.
UniqueFd ListenOnOne(const addrinfo& address) {
  constexpr int kType = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
  UniqueFd fd(socket(address.ai_family, kType, 0));
  if (!fd.valid()) return fd;
  int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0 ||
      listen(fd.get(), kBacklog) != 0) {
    fd.Reset();
  }
  return fd;
}

// Listens on the first of the name's addresses that works. If none works,
// returns the error of the last one, and its errno in `*error`.
absl::StatusOr<UniqueFd> ListenByName(const std::string& name, uint16_t port,
                                      int* error) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  int failed =
      getaddrinfo(name.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0) {
    return InvalidArgument("there is no address %s: %s", name,
                           gai_strerror(failed));
  }
  std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, freeaddrinfo);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    UniqueFd fd = ListenOnOne(*one);
    if (fd.valid()) return fd;
    *error = errno;
  }
  return ErrnoStatus(*error, "listen on",
                     absl::StrFormat("%s:%d", InUrl(name), port));
}

// Returns the loopback address of the other family if `localhost` may lead to a
// server with the address `name`. Returns "" if it cannot, or if `name` already
// includes both families.
std::string OtherLoopback(const sockaddr_in6& name) {
  if (name.sin6_family == AF_INET6) {
    // The IPv6 wildcard address includes both families (ipv6(7)).
    return IN6_IS_ADDR_LOOPBACK(&name.sin6_addr) ? kLoopback4 : "";
  }
  in_addr_t address =
      ntohl(reinterpret_cast<const sockaddr_in*>(&name)->sin_addr.s_addr);
  bool is_local = address == INADDR_LOOPBACK || address == INADDR_ANY;
  return is_local ? kLoopback6 : "";
}

absl::StatusOr<std::vector<UniqueFd>> ListenOnBoth(const std::string& address,
                                                   uint16_t port) {
  int error = 0;
  std::vector<UniqueFd> sockets;
  ASSIGN_OR_RETURN(UniqueFd first, ListenByName(address, port, &error));
  std::string other = OtherLoopback(NameOf(first.get()));
  port = PortOf(first.get());
  sockets.push_back(std::move(first));
  if (other.empty()) return sockets;
  auto second = ListenByName(other, port, &error);
  if (second.ok()) {
    sockets.push_back(*std::move(second));
  } else if (error == EADDRINUSE) {
    return AlreadyExists(
        "another program listens on %s:%d; it would get what clients send to "
        "localhost:%d, so choose another port",
        InUrl(other), port, port);
  } else if (error != EADDRNOTAVAIL && error != EAFNOSUPPORT) {
    return second.status();
  }
  return sockets;
}

}  // namespace

absl::StatusOr<std::vector<UniqueFd>> ListenOn(const std::string& address,
                                               uint16_t port) {
  bool is_local =
      address.empty() || absl::EqualsIgnoreCase(address, "localhost");
  std::string first = is_local ? kLoopback4 : address;
  auto sockets = ListenOnBoth(first, port);
  for (int i = 0; port == 0 && !sockets.ok() && i < kMostTries; ++i) {
    sockets = ListenOnBoth(first, port);
  }
  return sockets;
}

// The port is at the same position in both families (ip(7), ipv6(7)).
uint16_t PortOf(int socket) { return ntohs(NameOf(socket).sin6_port); }

}  // namespace glasstty::http
