#include "support/status.h"

#include <cerrno>
#include <cstring>

#include "base/visible.h"

namespace glasstty {

absl::Status ErrnoStatus(int error, std::string_view call,
                         std::string_view what) {
  // Only some releases of absl::ErrnoToStatus append "[errno name]".
  return absl::Status(
      absl::ErrnoToStatusCode(error),
      absl::StrFormat("%s %s: %s", call, what, std::strerror(error)));
}

absl::Status ErrnoStatus(std::string_view call, std::string_view what) {
  return ErrnoStatus(errno, call, what);
}

std::string Message(const absl::Status& status) {
  absl::string_view message = status.message();
  return ShowOnOneLine({message.data(), message.size()});
}

}  // namespace glasstty
