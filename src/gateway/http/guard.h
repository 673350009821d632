// Decides who may talk to a server that listens on the loopback interface.
//
// Every page in a browser on this machine can send requests to the server, and
// an attacker can make a host name resolve to it (DNS rebinding). Therefore the
// Host must be one of our own names, whatever Origin says, and a request that
// changes something must come from our own page. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace glasstty::http {

// Returns true for "127.0.0.1:PORT", "localhost:PORT" and "[::1]:PORT", which
// browsers send for an address that really is ours. PORT may be omitted if it
// is 80, and names may be in upper case (RFC 9110, 4.2.3).
bool IsOwnHost(std::string_view host, uint16_t port);

// Returns true if `host` names a server that listens on `address`. For a server
// that listens on every address (0.0.0.0, ::), this is any IP address, because
// no name that an attacker controls is one.
bool IsHostOf(std::string_view address, std::string_view host, uint16_t port);

// Returns `address` as in a URL: IPv6 addresses in brackets.
std::string InUrl(std::string_view address);

// Returns true for "http://" and an own host. An absent Origin ("") is not our
// own: browsers omit it only in same-origin GET requests.
bool IsOwnOrigin(std::string_view origin, uint16_t port);

// Compares in a time that does not depend on where the texts differ. Returns
// false if either is empty.
bool SameSecret(std::string_view a, std::string_view b);

// Returns 128 random bits from the kernel as 32 hexadecimal digits
// (getrandom(2)).
std::string NewSecret();

}  // namespace glasstty::http
