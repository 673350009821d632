// Typed input: a bounded queue in front of the device, and the receipts.
//
// A write is accepted or refused as a whole, however many packets it comes in.
// Writes keep their order and go out in pieces, as the device accepts them. A
// write counts as consumed when the program has read all input (receipt.h). The
// holder decides who may type (lease.h): here a writer is a
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
#include "holder/receipt.h"
#include "wire/packets.h"

namespace glasstty::holder {

class Input {
 public:
  // The server types, or the observer with that number.
  using Writer = uint32_t;
  static constexpr Writer kServer = 0;

  // Both must outlive it. `log` gets what is typed while the terminal echoes.
  Input(Device* device, InputLog* log)
      : device_(device), log_(log), receipt_(device) {}

  // Queues a write, and writes as much as the device accepts now. If the write
  // is refused, returns the reason and takes nothing of it. REQUIRES: DropHeld
  // was called if the write before was another writer's.
  std::optional<wire::WriteRefusal> Take(Writer writer, uint64_t serial,
                                         uint64_t flags, std::string_view bytes,
                                         Time now);
  // The rest of a write will not come: its writer is gone or may not type.
  void DropHeld();
  bool is_held() const { return !held_.empty() || held_too_much_; }
  // Makes room for a person: drops what the server typed and the device has not
  // taken, except for the rest of what is half typed: a character, an escape
  // sequence, the brackets of a paste.
  void Yield(Time now);
  // Must be called when the device is writable.
  void WriteQueued(Time now);
  bool WantsWrite() const { return queued_ > 0; }
  size_t queued() const { return queued_; }

  // A write that was not typed completely: a secret whose prompt went away
  // meanwhile, or input that was dropped for a person.
  struct Dropped {
    Writer writer;
    wire::WriteRefusal why;
    uint64_t serial;
    uint64_t taken;  // bytes of it that were typed
  };
  std::vector<Dropped> TakeDropped() { return std::exchange(dropped_, {}); }

  // Returns the receipt for everything up to last_serial(), if it is due now.
  std::optional<wire::ConsumedHow> Check(Time now);
  uint64_t last_serial() const { return last_serial_; }
  // True if a receipt for it has yet to be given.
  bool outstanding() const { return receipt_.outstanding(); }
  // True if a line has begun in canonical mode: the next reader gets it as it
  // is.
  bool has_unfinished_line() const { return line_.length() > 0; }
  // True if the terminal, or the one inside it that is read, takes a line and
  // does not show it.
  bool IsSecretPrompt() const;
  // Returns when Check should be called; Time::max() if nothing is outstanding.
  Time next_check() const { return receipt_.next_check(); }
  // The program printed something, so it may have read what was typed.
  void ProgramPrinted(Time now);

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
    // The number of bytes of the last write that were typed.
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

  // Says until when input is accepted.
  enum class End {
    kOpen,
    kWhenTyped,  // pipes: end of file once the queue is empty
    kClosed,
  };

  Device* const device_;  // borrowed
  InputLog* const log_;   // borrowed
  std::deque<Piece> pieces_;
  size_t queued_ = 0;  // bytes in pieces_, not written
  // The beginning of a write whose end has not come yet.
  std::string held_;
  bool held_too_much_ = false;
  CookedLine line_;
  KeyStream server_keys_;  // everything that the server typed
  End end_ = End::kOpen;
  std::vector<Dropped> dropped_;
  uint64_t last_serial_ = 0;
  Receipt receipt_;
};

}  // namespace glasstty::holder
