// Typed input: a bounded queue in front of the device, and receipts for input
// that the program has read.
//
// A write is accepted or refused as a whole, even if it consists of many
// packets. Writes keep their order, and go to the device in pieces that it
// accepts. A write counts as consumed when the program has read all input
// (receipt.h). Keyboard decides who may type; to Input, a writer is only a
// number. A receipt covers the input of all writers. Borrows the device; sends
// no packets itself. Holder thread only.
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
  // Identifies who types: kServer, or the number of an observer.
  using Writer = uint32_t;
  static constexpr Writer kServer = 0;

  // Both arguments must outlive the Input. `log` receives the input that is
  // typed while the terminal echoes.
  Input(Device* device, InputLog* log)
      : device_(device), log_(log), receipt_(device) {}

  // Queues a write, and writes as much as the device accepts now. If the write
  // is refused, returns the reason, and types none of it. REQUIRES: DropHeld
  // was called when the writer changed, unless this write is a reply.
  std::optional<wire::WriteRefusal> Take(Writer writer, uint64_t serial,
                                         uint64_t flags, std::string_view bytes,
                                         Time now);
  // Drops the write of which only the beginning has arrived, if there is one.
  // Must be called when its writer is gone or may no longer type.
  void DropHeld();
  bool is_held() const { return !held_.empty() || held_too_much_; }
  // Makes room for a person: drops the server's bytes that the device has not
  // accepted, except replies and bytes that complete a half-typed character or
  // escape sequence. Ends a half-typed paste.
  void Yield(Time now);
  // Must be called when the device is writable.
  void WriteQueued(Time now);
  bool WantsWrite() const { return queued_ > 0; }
  size_t queued() const { return queued_; }

  // A write that was not typed completely: the prompt for a secret disappeared,
  // Yield dropped the rest, or the device failed. Small writes that were
  // dropped together are reported as one, with the serial of the last of them.
  struct Dropped {
    Writer writer;
    wire::WriteRefusal why;
    uint64_t serial;
    uint64_t taken;  // how many of its first bytes were typed, or will be
  };
  std::vector<Dropped> TakeDropped() { return std::exchange(dropped_, {}); }

  // Returns the receipt for all input, if the program has read it.
  std::optional<wire::ConsumedHow> Check(Time now);
  uint64_t last_serial() const { return last_serial_; }
  // True if input of any writer is still without a receipt.
  bool outstanding() const { return receipt_.outstanding(); }
  // True if an unfinished line was typed in canonical mode. Whichever program
  // reads next gets this line.
  bool has_unfinished_line() const { return line_.length() > 0; }
  // Returns true if the terminal is in canonical mode without echo, or if it is
  // raw and the inner terminal that a program reads is in that mode.
  bool IsSecretPrompt() const;
  // The time to call Check; Time::max() if no check is scheduled.
  Time next_check() const { return receipt_.next_check(); }
  // Schedules a check soon: a program that has printed may have read its input.
  void ProgramPrinted(Time now);

  // Drops all queued input, because no program will read it.
  void Close();

 private:
  struct Piece {
    Writer writer;
    uint64_t serial;  // the serial of the last write in the piece
    uint64_t flags;
    std::string bytes;
    size_t written = 0;
    size_t begin = 0;  // the index at which the last write begins

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

  // kWhenTyped and kClosed mean that no more input is accepted.
  enum class End {
    kOpen,
    kWhenTyped,  // pipes: the input ends once the queue is empty
    kClosed,
  };

  Device* const device_;  // borrowed
  InputLog* const log_;   // borrowed
  std::deque<Piece> pieces_;
  size_t queued_ = 0;  // the number of unwritten bytes in pieces_
  // The beginning of a write whose end has not arrived yet.
  std::string held_;
  bool held_too_much_ = false;
  CookedLine line_;
  KeyStream server_keys_;  // has parsed all that the server typed, except
                           // replies
  End end_ = End::kOpen;
  std::vector<Dropped> dropped_;
  uint64_t last_serial_ = 0;
  Receipt receipt_;
};

}  // namespace glasstty::holder
