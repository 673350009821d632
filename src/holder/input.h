// Typed input: a bounded queue in front of the device, and the receipts.
//
// A write is accepted or refused as a whole, however many packets it comes in.
// Writes keep their order and go out in pieces, as the device accepts them. A
// write counts as consumed when the program has read all input; an echo is not
// a receipt. The holder decides who may type (lease.h): here a writer is a
// number, and only the server's writes get receipts. Borrows the device; sends
// no packets itself. The holder's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "holder/cooked_line.h"
#include "holder/device.h"
#include "holder/input_log.h"
#include "holder/key_stream.h"
#include "wire/packets.h"

namespace glasstty::holder {

class Input {
 public:
  // Who types: the server, or the observer with that number.
  using Writer = uint32_t;
  static constexpr Writer kServer = 0;

  // Both must outlive it. `log` gets what is typed while the terminal echoes.
  Input(Device* device, InputLog* log) : device_(device), log_(log) {}

  // Queues a write; what the device takes at once is written. The reason when
  // it is refused; nothing of it is taken then. REQUIRES: DropHeld, if the one
  // before was another writer's.
  std::optional<wire::WriteRefusal> Take(Writer writer, uint64_t serial,
                                         uint64_t flags, std::string_view bytes,
                                         Time now);
  // The rest of a write will not come: its writer is gone, or may no longer
  // type.
  void DropHeld();
  bool is_held() const { return !held_.empty() || held_too_much_; }
  // What the server typed and the device has not taken gives way to a person.
  // What is half typed is finished: a character, an escape sequence, the
  // brackets of a paste.
  void Yield(Time now);
  // To be called when the device is writable.
  void WriteQueued(Time now);
  bool WantsWrite() const { return queued_ > 0; }
  size_t queued() const { return queued_; }

  // A secret whose prompt went away between queueing and typing, or what gave
  // way to a person.
  struct Dropped {
    Writer writer;
    wire::WriteRefusal why;
    uint64_t serial;
    uint64_t taken;  // bytes of it that were typed
  };
  std::vector<Dropped> TakeDropped() { return std::exchange(dropped_, {}); }

  // Receipt of everything up to last_serial(), if it is due now.
  std::optional<wire::ConsumedHow> Check(Time now);
  uint64_t last_serial() const { return last_serial_; }
  // A receipt for it is still to be given.
  bool outstanding() const { return outstanding_; }
  // In canonical mode: the next reader gets the line as it is.
  bool has_unfinished_line() const { return line_.length() > 0; }
  // The terminal, or the one inside it that is read, takes a line and shows
  // nothing of it.
  bool IsSecretPrompt() const;
  // When Check should be called; Time::max() when nothing is outstanding.
  Time next_check() const { return next_check_; }
  // The program printed something, so it may have read.
  void ExpectReceipt(Time now);

  // Nobody will read any more.
  void Close();

 private:
  struct Piece {
    Writer writer;
    uint64_t serial;  // of the last write in it
    uint64_t flags;
    std::string bytes;
    size_t written = 0;
    size_t begin = 0;  // of the last write

    bool secret() const { return flags & wire::kWriteSecret; }
    // Bytes of the last write that were typed.
    uint64_t Taken() const { return written > begin ? written - begin : 0; }
  };

  std::optional<wire::WriteRefusal> TakeWhole(Writer writer, uint64_t serial,
                                              uint64_t flags,
                                              std::string_view bytes, Time now);
  std::optional<wire::WriteRefusal> Judge(uint64_t flags,
                                          std::string_view bytes,
                                          const termios* attributes) const;
  void Queue(Writer writer, uint64_t serial, uint64_t flags,
             std::string_view bytes);
  std::string EndOfFile(const termios& attributes) const;
  bool MayWrite(const Piece& piece) const;
  ssize_t WritePiece(const Piece& piece);
  void PopPiece();
  void ScheduleCheck(Time now);

  Device* const device_;  // borrowed
  InputLog* const log_;   // borrowed
  std::deque<Piece> pieces_;
  size_t queued_ = 0;  // bytes in pieces_, not written
  // The beginning of a write whose end has not come yet.
  std::string held_;
  bool held_too_much_ = false;
  CookedLine line_;
  KeyStream server_keys_;  // what the server typed, all of it
  bool closed_ = false;
  bool close_after_ = false;  // pipes: end of file once the queue is empty
  std::vector<Dropped> dropped_;
  // receipts
  uint64_t last_serial_ = 0;
  bool outstanding_ = false;
  bool own_flush_ = false;  // typed a signal character, which flushes by itself
  size_t check_step_ = 0;
  Time next_check_ = Time::max();
};

}  // namespace glasstty::holder
