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

// True for "127.0.0.1:PORT", "localhost:PORT" and "[::1]:PORT": what a browser
// sends for an address that really is ours. PORT may be missing where it is 80,
// and names are the same in upper case (RFC 9110, 4.2.3).
bool IsOwnHost(std::string_view host, uint16_t port);

// True when `host` names what a server listens on that was given `address`. Of
// one that listens on every address (0.0.0.0, ::) this is any IP address: no
// name that an attacker controls can be made to lead to it.
bool IsHostOf(std::string_view address, std::string_view host, uint16_t port);

// `address` as written in a URL: IPv6 addresses in brackets.
std::string InUrl(std::string_view address);

// True for "http://" and an own host. An absent Origin ("") is not our own;
// browsers leave it out of same-origin GET requests only.
bool IsOwnOrigin(std::string_view origin, uint16_t port);

// The value of the cookie `name` in a Cookie header (RFC 6265, 4.2.1); "" when
// it is not there.
std::string CookieValue(std::string_view header, std::string_view name);

// Compares in a time that does not depend on where they differ. False when
// either is empty.
bool SameSecret(std::string_view a, std::string_view b);

// 128 random bits of the kernel as 32 hexadecimal digits (getrandom(2)).
std::string NewSecret();

}  // namespace glasstty::http
