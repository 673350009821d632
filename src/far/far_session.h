// One session at the far end: carries the packets of its holder and its log to
// the near end.
//
// Owns the connections to the holder (the server's and those of observers) and
// the packets that wait for the log, because no packet may overtake the bytes
// that it refers to. Never waits for the holder; the relay polls the
// descriptors. Borrows the stream. The relay's thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "base/fd.h"
#include "far/far_events.h"
#include "far/frame_stream.h"
#include "holder/connection.h"
#include "wire/log_reader.h"
#include "wire/packets.h"
#include "wire/place_info.h"

namespace glasstty::far {

class FarSession {
 public:
  // The server's connection, and one for each observer.
  static constexpr size_t kParts = 1 + wire::kMaxObservers;

  // `directory` is the session's.
  FarSession(uint32_t number, std::string id, UniqueFd directory,
             FrameStream* stream);

  const std::string& id() const { return id_; }

  // The holder's answer to Hello comes by itself.
  void Begin(UniqueFd control, const wire::AttachInfo& from);
  // Nobody is there; what is left of the log is sent before this is said.
  void BeginDead(const wire::AttachInfo& from);

  void TakePacket(uint16_t part, std::string_view packet);
  void TakeCredit(FarStream stream, uint64_t upto);
  void HangUp(uint16_t part);

  int fd(size_t part) const;
  bool wants_write(size_t part) const;
  // Takes what connection `part` has, a bounded number of packets.
  void Read(size_t part);
  void Flush(size_t part);

  // Sends at most a piece of each log, then the packets that may follow. True
  // when there is more to send.
  bool Pump();
  // Its holder has gone, and all of it has been sent.
  bool said_gone() const { return said_gone_; }

 private:
  struct Log {
    Log(int directory, const char* stem) : reader(directory, stem) {}
    wire::LogReader reader;
    uint64_t sent = 0;    // up to here it has gone to the near end
    uint64_t end = 0;     // up to here it is known to be on disk
    uint64_t credit = 0;  // up to here it may go
    uint64_t acked = 0;   // acknowledged to the holder up to here
  };
  // Waits until both logs are sent up to these offsets.
  struct Held {
    std::array<uint64_t, kFarStreams> after;
    uint16_t part;
    std::string packet;
    bool is_output;  // of the first log, which the disk did not take
  };

  void Take(uint16_t part, const wire::Packet& packet);
  void TakeFile(const wire::PacketHeader& header, std::string_view payload);
  std::array<uint64_t, kFarStreams> NeedsOf(const wire::Packet& packet) const;
  bool SendPiece(FarStream which);
  void SendHeld();
  void SendOutput(uint64_t offset, std::string_view bytes);
  void Acknowledge();
  void SayGone();
  bool MayGo(const Held& held) const;

  const uint32_t number_;
  const std::string id_;
  FrameStream* const stream_;  // borrowed
  UniqueFd directory_;
  std::array<std::unique_ptr<holder::Connection>, kParts> connections_;
  std::array<Log, kFarStreams> logs_;
  FarEvents events_;
  std::deque<Held> held_;
  std::string file_;         // what came of one for the program
  uint64_t noted_ = 0;       // the events were sent for so much of the log
  bool notes_left_ = false;  // and there were more than go at once
  bool rung_ = false;        // the holder waits for an acknowledgement
  bool gone_ = false;        // no holder any more
  bool said_gone_ = false;
};

}  // namespace glasstty::far
