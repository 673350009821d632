#include "support/status.h"

#include <cerrno>
#include <cstring>

namespace glasstty {

absl::Status ErrnoStatus(int error, std::string_view call,
                         std::string_view what) {
  // absl::ErrnoToStatus appends "[errno name]" in some releases only.
  return absl::Status(
      absl::ErrnoToStatusCode(error),
      absl::StrFormat("%s %s: %s", call, what, std::strerror(error)));
}

absl::Status ErrnoStatus(std::string_view call, std::string_view what) {
  return ErrnoStatus(errno, call, what);
}

// A copy: the two string_view types do not convert into each other.
std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

}  // namespace glasstty
