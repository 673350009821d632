// Steps through a session's log from any offset: its bytes, the size changes
// between them, and the holes.
//
// Everything that plays a log uses this class: the live session, a server that
// adopts one, earlier moments, recordings, `tail`. LogPlayer decides where
// sizes and holes take effect, so that the same log gives the same screen
// everywhere. Owns the position in the log; borrows the directory's descriptor,
// which must outlive it. Never blocks. Single thread.
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
    kNothing,  // the end, or the next bytes are not on disk yet
    kBytes,
    kSize,
    kHole,  // the cap has removed bytes, or a full disk never had them
  };
  Kind kind = Kind::kNothing;
  uint64_t offset = 0;     // the offset at which the step begins
  std::string_view bytes;  // kBytes; valid until the next call
  terminal::Size size;     // kSize: applies from `offset` on
  uint64_t lost = 0;       // kHole: the number of lost bytes
};

class LogPlayer {
 public:
  // The maximum number of bytes in a step.
  static constexpr size_t kPieceBytes = 16 << 10;

  // `stem` names the log: "out", or "err" of a session without a terminal.
  LogPlayer(int dir_fd, std::string stem);
  LogPlayer(const LogPlayer&) = delete;
  LogPlayer& operator=(const LogPlayer&) = delete;

  // Call when the log is known to reach `end`. An earlier end changes nothing.
  void SetEnd(uint64_t end);
  // Sets the terminal's size from `offset` on. Sizes must be added in the order
  // of their offsets.
  void AddSize(uint64_t offset, terminal::Size size);
  // Adds output that could not be written to disk. `offset` may lie after the
  // known end, because the disk may still hold the bytes in between.
  void AddBytes(uint64_t offset, std::string bytes);
  // Records that these bytes are lost, unless the disk has them. Like AddBytes,
  // ignores a range that exceeds the greatest offset.
  void AddHole(uint64_t offset, uint64_t size);
  // Call when the bytes that are missing at offset() will never arrive. Unless
  // they have arrived after all, a hole up to the next known bytes follows.
  void GiveUpMissing();
  // Continues at `offset`; the bytes that are skipped count as lost. REQUIRES:
  // offset >= offset().
  void SkipTo(uint64_t offset);

  // Continues at `offset`; only `lost` of the bytes before it count as lost.
  // REQUIRES: offset >= offset(). Returns the size that applies there, if a
  // size was added at or before `offset`.
  std::optional<terminal::Size> StartAt(uint64_t offset, uint64_t lost);

  // Returns the next step. `cut` receives the bytes that lie ahead, which never
  // cross a size change, and returns how many of them the step will contain: at
  // least one. Error: the log cannot be read.
  using Cut = std::function<size_t(std::string_view bytes)>;
  absl::StatusOr<LogStep> Next(const Cut& cut);
  // Returns the next step if it is a size change.
  std::optional<terminal::Size> TakeSize();

  // The offset of the next step.
  uint64_t offset() const { return offset_; }
  uint64_t end() const { return end_; }
  // The number of bytes in holes and in skipped parts.
  uint64_t lost() const { return lost_; }
  // Returns the first offset that the log still holds. Error: the directory
  // cannot be read.
  absl::StatusOr<uint64_t> FirstKept() const;

  // The offset of the log segment that was last read.
  uint64_t segment() const { return reader_.segment(); }

  // Closes all files; nothing may be read after this.
  void Close() { reader_.Close(); }

 private:
  struct SizeChange {
    uint64_t offset;
    terminal::Size size;
  };
  struct Inline {
    uint64_t offset;
    std::string bytes;
    uint64_t lost = 0;  // without bytes: the size of a hole
  };

  // Fills unread_ with the bytes at offset_. Leaves it empty at a hole, or if
  // nothing is there yet. Returns the length of the hole.
  absl::StatusOr<uint64_t> Read();
  absl::StatusOr<uint64_t> ReadDisk();
  bool TakeInline();
  // Returns the length of the known hole at offset_, or 0.
  uint64_t KnownHole();

  wire::LogReader reader_;
  uint64_t offset_ = 0;
  uint64_t end_ = 0;
  uint64_t lost_ = 0;
  bool gives_up_ = false;  // bytes missing at offset_ will never arrive
  // The piece that was last read, and the rest of it that no step has returned
  // yet.
  std::string piece_;
  std::string_view unread_;
  // Both are in ascending order.
  std::deque<SizeChange> sizes_;
  std::deque<Inline> inline_;
};

}  // namespace glasstty::record
