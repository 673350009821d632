#include "http/guard.h"

#include <sys/random.h>

#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "support/check.h"

namespace glasstty {

bool IsOwnHost(std::string_view host, uint16_t port) {
  for (const char* name : {"127.0.0.1", "localhost", "[::1]"}) {
    if (host == absl::StrFormat("%s:%d", name, port)) return true;
  }
  return false;
}

bool IsOwnOrigin(std::string_view origin, uint16_t port) {
  constexpr std::string_view kScheme = "http://";
  return origin.starts_with(kScheme) &&
         IsOwnHost(origin.substr(kScheme.size()), port);
}

std::string CookieValue(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    size_t end = header.find(';');
    std::string_view pair = header.substr(0, end);
    pair.remove_prefix(pair.find_first_not_of(' ') == pair.npos
                           ? pair.size()
                           : pair.find_first_not_of(' '));
    size_t equals = pair.find('=');
    if (equals != pair.npos && pair.substr(0, equals) == name) {
      return std::string(pair.substr(equals + 1));
    }
    header = end == header.npos ? "" : header.substr(end + 1);
  }
  return "";
}

bool SameSecret(std::string_view a, std::string_view b) {
  if (a.empty() || a.size() != b.size()) return false;
  unsigned differs = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    differs |= static_cast<unsigned char>(a[i] ^ b[i]);
  }
  return differs == 0;
}

// Never short: up to 256 bytes come whole (getrandom(2)).
std::string NewSecret() {
  char bits[16];
  CHECK(getrandom(bits, sizeof(bits), 0) == sizeof(bits));
  return absl::BytesToHexString({bits, sizeof(bits)});
}

}  // namespace glasstty
