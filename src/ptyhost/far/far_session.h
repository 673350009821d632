// Carries the packets between a session's holder and the near end, and the
// holder's logs to the near end.
//
// Owns the connections to the holder (the server's and those of observers).
// Also owns the queue of packets that must wait, because no packet may overtake
// bytes of the log to which it refers. Never blocks: the relay polls the
// descriptors. Borrows the stream. Relay thread only.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "base/fd.h"
#include "base/poll_loop.h"
#include "far/far_events.h"
#include "far/frame_stream.h"
#include "holder/connection.h"
#include "wire/log_reader.h"
#include "wire/messages.h"
#include "wire/place_info.h"

namespace glasstty::far {

class FarSession {
 public:
  // The server's connection, and one for each observer.
  static constexpr size_t kParts = 1 + wire::kMaxObservers;

  // `directory` is the session's directory.
  FarSession(uint32_t number, std::string id, UniqueFd directory,
             FrameStream* stream);

  const std::string& id() const { return id_; }

  // Sends Hello to the holder, whose answer is later forwarded to the near end.
  // The logs and records are sent beginning at `from`.
  void Begin(UniqueFd control, const wire::AttachInfo& from);
  // Begins for a session whose holder is dead: sends the rest of the logs, then
  // kGone.
  void BeginDead(const wire::AttachInfo& from);

  void TakePacket(uint16_t part, std::string_view packet);
  void TakeCredit(FarStream stream, uint64_t upto);
  void HangUp(uint16_t part);

  // Watches all connections to the holder for one turn.
  void Watch(PollLoop* loop);
  // Reads a bounded number of packets from the connection `part`.
  void Read(size_t part);

  // Sends at most one piece of each log, then the packets that refer only to
  // bytes already sent. Returns true if more may be sent now.
  bool Pump();
  // Returns true if the logs and then FrameType::kGone have been sent.
  bool said_gone() const { return phase_ == Phase::kSaidGone; }

 private:
  enum class Phase {
    kLive,     // the holder runs
    kGone,     // the holder is gone, but the ends of its logs are unknown
    kEnding,   // the ends are known, but the logs have not been sent completely
    kSaidGone  // the logs have been sent completely, and then kGone
  };
  struct Log {
    Log(int directory, const char* stem) : reader(directory, stem) {}
    wire::LogReader reader;
    uint64_t sent = 0;    // the offset up to which the log was sent
    uint64_t end = 0;     // the log is known to extend to this offset
    uint64_t credit = 0;  // the offset up to which the log may be sent
    uint64_t acked = 0;   // the offset acknowledged to the holder
  };
  // A packet that is held until both logs were sent up to the offsets `after`.
  struct Held {
    std::array<uint64_t, kFarStreams> after;
    uint16_t part;
    std::string packet;
    bool is_output;  // the packet contains output that the disk refused
  };

  void Take(uint16_t part, const wire::Packet& packet);
  void TakeFile(const wire::File& file);
  void FindEndBefore(const wire::Inline& output);
  // The result points into `held`. REQUIRES: held.is_output.
  static wire::Inline OutputOf(const Held& held);
  bool SendPiece(FarStream which);
  void SendHeld();
  void SendLog(FarStream which, uint64_t offset, std::string_view bytes);
  void Acknowledge();
  void SayGone();
  bool FindEnds();
  bool AllSent() const;
  bool MayGo(const Held& held) const;

  const uint32_t number_;
  const std::string id_;
  FrameStream* const stream_;  // borrowed
  UniqueFd directory_;
  std::array<std::unique_ptr<holder::Connection>, kParts> connections_;
  std::array<Log, kFarStreams> logs_;
  FarEvents events_;
  std::deque<Held> held_;
  std::string file_;         // the received part of a file for the shell
  uint64_t noted_ = 0;       // events_ was sent up to this offset of the log
  bool notes_left_ = false;  // events_ may have more records to send
  bool rung_ = false;        // the holder's last doorbell is not acknowledged
  Phase phase_ = Phase::kLive;
};

}  // namespace glasstty::far
