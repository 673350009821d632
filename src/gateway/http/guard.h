// Decides which requests a server on the loopback interface may accept.
//
// Every page in a browser on this machine can send requests to the server, and
// an attacker can make a host name resolve to it (DNS rebinding). Therefore the
// Host must be one of the server's own names, whatever the Origin is, and a
// request that changes something must be from the server's own page. Pure
// functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty::http {

// Returns true for "127.0.0.1:PORT", "localhost:PORT" and "[::1]:PORT", which
// cannot be made to resolve to another machine. PORT may be omitted if it is
// 80, and names may be in upper case (RFC 9110, 4.2.3).
bool IsOwnHost(std::string_view host, uint16_t port);

// Returns true if `host` names a server that listens on `address`. If the
// server listens on every address (0.0.0.0, ::), every IP address is accepted,
// because an attacker can control names, but not addresses.
bool IsHostOf(std::string_view address, std::string_view host, uint16_t port);

// Returns `address` as in a URL: IPv6 addresses in brackets.
std::string InUrl(std::string_view address);

// Returns true for "http://" and a host for which IsOwnHost is true. Returns
// false for "", an absent header; browsers omit it only in GET and HEAD
// requests.
bool IsOwnOrigin(std::string_view origin, uint16_t port);

// Compares two secrets in a time that does not depend on where they differ.
// Returns false if either is empty.
bool SameSecret(std::string_view a, std::string_view b);

// Returns 128 random bits from the kernel (getrandom(2)) as 32 lower-case
// hexadecimal digits.
std::string NewSecret();

}  // namespace glasstty::http
