#include "holder/input_log.h"

#include <fcntl.h>

#include <string>

#include "base/clock.h"
#include "wire/session_files.h"

namespace glasstty::holder {

bool InputLog::Open() {
  fd_.Reset(openat(
      dir_fd_, wire::kInputName,
      O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  return fd_.valid();
}

void InputLog::Append(std::string_view bytes) {
  if (!fd_.valid()) return;
  wire::InputRecord record;
  record.monotonic_ns =
      static_cast<uint64_t>(MonotonicNow().time_since_epoch().count());
  record.size = static_cast<uint32_t>(bytes.size());
  record.crc = wire::Crc32c(bytes.data(), bytes.size());
  std::string whole(reinterpret_cast<const char*>(&record), sizeof record);
  whole += bytes;
  written_ += whole.size();
  // Readers stop at a torn record, so it should be the last one.
  if (written_ > kMaxBytes || !WriteAll(fd_.get(), whole)) fd_.Reset();
}

}  // namespace glasstty::holder
