#include "http/guard.h"

#include <arpa/inet.h>
#include <sys/random.h>

#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "support/check.h"

namespace glasstty::http {

namespace {

// Returns the name or address in a Host header, in lower case and without
// brackets; "" if the port differs or the header is malformed.
std::string NameIn(std::string_view host, uint16_t port) {
  std::string suffix = absl::StrFormat(":%d", port);
  if (host.ends_with(suffix)) {
    host.remove_suffix(suffix.size());
  } else if (port != 80) {
    return "";
  }
  bool bracketed = host.starts_with('[') && host.ends_with(']');
  if (bracketed) host = host.substr(1, host.size() - 2);
  // Only IPv6 addresses are in brackets.
  if (bracketed != (host.find(':') != std::string::npos)) return "";
  return absl::AsciiStrToLower(std::string(host));
}

bool IsAddress(const std::string& name) {
  unsigned char bytes[sizeof(in6_addr)];
  return inet_pton(AF_INET, name.c_str(), bytes) == 1 ||
         inet_pton(AF_INET6, name.c_str(), bytes) == 1;
}

}  // namespace

bool IsOwnHost(std::string_view host, uint16_t port) {
  std::string name = NameIn(host, port);
  return name == "127.0.0.1" || name == "localhost" || name == "::1";
}

bool IsHostOf(std::string_view address, std::string_view host, uint16_t port) {
  std::string name = NameIn(host, port);
  if (address == "0.0.0.0" || address == "::") return IsAddress(name);
  return !name.empty() && name == absl::AsciiStrToLower(std::string(address));
}

std::string InUrl(std::string_view address) {
  bool brackets = address.find(':') != std::string::npos;
  return (brackets ? "[" : "") + std::string(address) + (brackets ? "]" : "");
}

bool IsOwnOrigin(std::string_view origin, uint16_t port) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) &&
         IsOwnHost(origin.substr(kScheme.size()), port);
}

bool SameSecret(std::string_view a, std::string_view b) {
  if (a.empty() || a.size() != b.size()) return false;
  unsigned differs = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  }
  return differs == 0;
}

// The call cannot return fewer bytes: up to 256 bytes are always returned
// completely (getrandom(2)).
std::string NewSecret() {
  char bits[16];
  CHECK(getrandom(bits, sizeof(bits), 0) == sizeof(bits));
  return absl::BytesToHexString({bits, sizeof(bits)});
}

}  // namespace glasstty::http
