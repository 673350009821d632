// Writes a session's output to a sink, such as a file, in slices, so that
// gigabytes neither delay other calls nor pass through a reply.
//
// Keeps its position between slices. Borrows the session and the mark, which
// must outlive it, as must anything that the sink borrows. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "absl/status/status.h"
#include "base/clock.h"
#include "record/read_mark.h"
#include "session/session.h"
#include "wire/log_reader.h"

namespace glasstty::view {

// Selects what is written: lines as they are read, or the bytes of the log.
struct DrainRequest {
  bool raw = false;
  // True for stderr, which must be separate in this session.
  bool is_error = false;
  // Lines [from, to), counted from 0; raw: bytes of the log.
  int64_t from = 0;
  int64_t to = 0;
  // True if no newline has been printed after the last of the lines.
  bool is_open = false;
  // Leaves out the part of the first line that the mark's reader has seen;
  // null: nothing.
  const record::LineMark* mark = nullptr;
};

class Drain {
 public:
  // Accepts the output piece by piece. An error ends the draining.
  using Sink = std::function<absl::Status(std::string_view)>;

  Drain(const session::Session* session, DrainRequest request, Sink sink);

  // Continues for about `budget`. Returns true if everything is written or
  // writing has failed; see status().
  bool Continue(Duration budget);

  const absl::Status& status() const { return status_; }
  // The number of requested lines that were dropped before they could be
  // written; raw: the number of requested bytes before the first one that is
  // kept.
  int64_t lost() const { return lost_; }
  // Raw: the number of missing bytes after the first byte that is kept.
  int64_t missing() const { return missing_; }
  // The number of lines or bytes that were written.
  int64_t written() const { return written_; }

 private:
  const session::Output& Stream() const {
    return request_.is_error ? *session_->errors() : session_->output();
  }
  void WriteLines();
  void WriteBytes();

  // Constant.
  const session::Session* const session_;
  const DrainRequest request_;
  const Sink sink_;
  const record::Folder::Hold directory_;
  // State.
  wire::LogReader log_;
  int64_t next_;
  int64_t lost_ = 0;
  int64_t missing_ = 0;
  int64_t written_ = 0;
  absl::Status status_;
};

}  // namespace glasstty::view
