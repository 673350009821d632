#include "support/status.h"

#include <cerrno>
#include <cstring>

#include "base/escape.h"

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

std::string Message(const absl::Status& status) {
  absl::string_view message = status.message();
  return EscapeControls({message.data(), message.size()});
}

}  // namespace glasstty
