// Writes the file `input`, which contains what was typed in a session that
// records its input.
//
// Owns the descriptor. Callers pass only text that the terminal echoes, because
// other text may be secret. Closes the file for good when a write fails, or
// would exceed kMaxBytes. Holder thread only.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/fd.h"

namespace glasstty::holder {

class InputLog {
 public:
  // The size limit, which is far more than anybody types by hand.
  static constexpr uint64_t kMaxBytes = 1 << 20;

  explicit InputLog(int dir_fd) : dir_fd_(dir_fd) {}

  // Creates the file. Returns false with errno on failure.
  bool Open();
  // Does nothing unless the file is open.
  void Append(std::string_view bytes);
  bool is_open() const { return fd_.valid(); }

 private:
  const int dir_fd_;  // borrowed
  UniqueFd fd_;
  uint64_t written_ = 0;
};

}  // namespace glasstty::holder
