// Writes a session's output to a file, in slices, so that gigabytes neither
// delay other calls nor pass through a reply.
//
// A value that keeps its position. Borrows the session, and what the sink
// borrows; they must outlive it. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "base/clock.h"
#include "record/read_mark.h"
#include "session/session_view.h"
#include "wire/log_reader.h"

namespace glasstty::view {

// What is written: lines as they are read, or the bytes of the log.
struct DrainRequest {
  bool raw = false;
  // Lines [from, to), counted from 0; raw: bytes of the log.
  int64_t from = 0;
  int64_t to = 0;
  // Of the last of the lines no newline has been printed.
  bool is_open = false;
  // What was shown of the first line is left out; null: nothing was.
  const record::ReadMark* mark = nullptr;
};

class Drain {
 public:
  // Takes what is written, piece by piece. An error ends the draining.
  using Sink = std::function<absl::Status(std::string_view)>;

  Drain(const session::SessionView* session, DrainRequest request, Sink sink);

  // Writes on for about `budget`. True when all is written or nothing more can
  // be, see status().
  bool Continue(Duration budget);

  const absl::Status& status() const { return status_; }
  // How many of the requested lines or bytes are no longer kept.
  int64_t lost() const { return lost_; }
  // Lines, or bytes.
  int64_t written() const { return written_; }

 private:
  void WriteLines();
  void WriteBytes();

  // Constant.
  const session::SessionView* const session_;
  const DrainRequest request_;
  const Sink sink_;
  const record::Folder::Hold directory_;
  // State.
  wire::LogReader log_;
  int64_t next_;
  int64_t lost_ = 0;
  int64_t written_ = 0;
  absl::Status status_;
};

}  // namespace glasstty::view
