// A session's log from one place on, step by step: its bytes, the sizes that
// the terminal took between them, and the holes.
//
// Everything that plays a log uses it: the live session, a server that adopts
// one, earlier moments, recordings, `tail`. It decides where the log is cut, so
// that the same log gives the same screen for all of them. Owns the place in
// the log; borrows the directory's descriptor, which must outlive it. It never
// blocks. Single thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "terminal/snapshot.h"
#include "wire/log_reader.h"

namespace glasstty::record {

struct LogStep {
  enum class Kind {
    kNothing,  // the end, or what is known to come is not on the disk yet
    kBytes,
    kSize,
    kHole,  // the cap has removed bytes, or a full disk never had them
  };
  Kind kind = Kind::kNothing;
  uint64_t offset = 0;     // at which it begins
  std::string_view bytes;  // kBytes; valid until the next call
  terminal::Size size;     // kSize: holds from `offset` on
  uint64_t lost = 0;       // kHole: how many bytes
};

class LogPlayer {
 public:
  // No step has more bytes.
  static constexpr size_t kPieceBytes = 16 << 10;

  // `stem` names the log: "out", or "err" of a session without a terminal.
  LogPlayer(int dir_fd, std::string stem);
  LogPlayer(const LogPlayer&) = delete;
  LogPlayer& operator=(const LogPlayer&) = delete;

  // The log is known to reach `end`. An earlier end changes nothing.
  void SetEnd(uint64_t end);
  // From `offset` on the terminal has this size. Later ones must be added
  // later.
  void AddSize(uint64_t offset, terminal::Size size);
  // Output that the disk did not take. `offset` may lie ahead of what is known,
  // because the disk may still hold what comes before it.
  void AddBytes(uint64_t offset, std::string bytes);
  // Goes on at `offset`; what lies before it counts as lost.
  // REQUIRES: offset >= offset().
  void SkipTo(uint64_t offset);

  // What comes next. Of the bytes that lie ahead, `cut` says how many the step
  // shall have: one at least. They never cross the place of a size.
  // Error: the log cannot be read.
  using Cut = std::function<size_t(std::string_view bytes)>;
  absl::StatusOr<LogStep> Next(const Cut& cut);
  // The next step, if it is a size.
  std::optional<terminal::Size> TakeSize();

  // Of the next step.
  uint64_t offset() const { return offset_; }
  uint64_t end() const { return end_; }
  // Bytes in holes and before the places that were skipped to.
  uint64_t lost() const { return lost_; }
  // The first offset that the log still holds.
  uint64_t first_kept() const { return reader_.NextKept(0); }

  // Keeps no file open; nothing will be read any more.
  void Close() { reader_.Close(); }

 private:
  struct SizeChange {
    uint64_t offset;
    terminal::Size size;
  };
  struct Inline {
    uint64_t offset;
    std::string bytes;
  };

  // Makes unread_ the bytes that begin at offset_. It stays empty where there
  // is a hole, or nothing yet. Returns the length of the hole.
  absl::StatusOr<uint64_t> Read();
  bool TakeInline();

  wire::LogReader reader_;
  uint64_t offset_ = 0;
  uint64_t end_ = 0;
  uint64_t lost_ = 0;
  // What was read last, and what no step has had of it.
  std::string piece_;
  std::string_view unread_;
  // Ascending.
  std::deque<SizeChange> sizes_;
  std::deque<Inline> inline_;
};

}  // namespace glasstty::record
