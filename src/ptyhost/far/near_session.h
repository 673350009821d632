// Represents one session of another machine at the near end. To the server,
// this looks like a holder with an ordinary session directory. It asks the far
// end to do the work of a holder.
//
// Owns the socket `ctl` and the connection on it, the observers' connections,
// the logs and the events. The logs are stored on this machine, so readers
// never wait for the connection. Without a connection, writes are refused
// (WriteRefusal::kAway), and other requests are dropped; later, the server
// repeats those with kAskAgain (wire/messages.h). If the relay is killed, the
// session continues on the other machine, and the next relay resumes it from
// the local files. Borrows the stream, which may be closed. Relay thread only.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/fd.h"
#include "base/poll_loop.h"
#include "far/frame_stream.h"
#include "far/holder_record.h"
#include "far/in_flight_writes.h"
#include "far/near_events.h"
#include "far/near_logs.h"
#include "far/near_observers.h"
#include "holder/grace.h"
#include "holder/link.h"
#include "wire/messages.h"
#include "wire/place_info.h"

namespace glasstty::far {

class NearSession {
 public:
  // The descriptors that LaunchHolder would give a holder, and the server's
  // request.
  struct Start {
    UniqueFd server;
    UniqueFd directory;
    UniqueFd lock;
    wire::OpenInfo open;
    bool resumed = false;  // an earlier relay had the session, so its files
                           // exist
  };
  NearSession(uint32_t number, Start start, FrameStream* stream);

  // Creates the files and sockets, or continues with the existing files.
  // Returns false with errno on failure.
  bool Prepare();
  // The facts about the other machine that matter to a session.
  struct Machine {
    std::string boot_id;
    int64_t shift_ns = 0;  // converts a time of that machine to one of this
                           // machine
  };
  // Starts or resumes the session over a new connection.
  void Connect(const Machine& machine);
  void Disconnect();
  // Sets how many bytes of output may be in flight.
  void SetWindow(uint64_t bytes) { logs_.SetWindow(bytes); }

  // Handles a frame that the far end has sent for this session. Returns false
  // if the frame is invalid.
  bool Take(const Frame& frame);

  // Watches all connections and listening sockets of the session for one turn.
  void Watch(PollLoop* loop);
  // These read from, or write to, one connection: part 0 is the server's.
  void Read(size_t part, Time now);
  void Flush(size_t part);

  // Kills the session when its grace is over (holder/grace.h), and tries a full
  // disk again. Call this in each turn, and at next_timer().
  void RunTimers(Time now);
  Time next_timer() const { return grace_.next(); }

  // Returns true if the session is over and its server has been sent everything
  // or is gone. The session can then be destroyed, which closes the sockets and
  // the lock; the files remain.
  bool done() const;

 private:
  enum class Phase {
    kNew,      // the holder has not answered yet
    kKnown,    // the holder has answered, on this connection or an earlier one
    kFinished  // the holder is gone, and all of its output is stored here
  };
  enum class Reach {
    kAway,   // there is no connection
    kAsked,  // there is a connection, but the holder has not answered on it yet
    kThere
  };

  // These handle the server's requests, or forward them to the holder.
  void On(const wire::Hello&, const wire::Packet&);
  void On(const wire::Ack& ack, const wire::Packet&);
  void On(const wire::Policy& policy, const wire::Packet&);
  void On(const wire::Doubt& doubt, const wire::Packet&);
  void On(const wire::Write& write, const wire::Packet& packet);
  void On(const auto&, const wire::Packet& packet);
  holder::Connection* at(size_t part);
  void Forward(size_t part, const wire::Packet& packet);
  void Greet();
  void LoseServer(Time now);
  void LoseObserver(size_t part);
  void Ring();
  void GiveCredit();
  void SettleWrites();
  void Kill();
  bool connected() const { return reach_ != Reach::kAway; }

  bool TakeLog(const Frame& frame);
  bool TakeNotes(const Frame& frame);
  bool TakePacket(const Frame& frame);
  void SendToObserver(holder::Connection* observer, const wire::Packet& packet);
  // Handles a packet from the holder for the server. Returns true if the caller
  // should send the server the packet unchanged.
  bool Hear(const wire::FromHolder& message, const wire::Packet& packet);
  void TakeWelcome(const wire::HolderInfo& info);
  void TakeExit(const wire::Exit& exit);
  void TakeGone(const Frame& frame);
  void Finish();

  const uint32_t number_;
  wire::OpenInfo open_;
  const bool resumed_;
  FrameStream* const stream_;  // borrowed
  const UniqueFd directory_;
  const UniqueFd lock_;
  holder::Link link_;
  NearObservers observers_;
  const MonotonicClock clock_;
  NearEvents events_;
  NearLogs logs_;
  HolderRecord holder_;
  InFlightWrites writes_;
  // A text may come in several packets (kWriteMore).
  enum class Written {
    kWhole,  // no text is incomplete
    kBegun,  // the first packets of a text have been forwarded
    kCut,    // a packet could not be forwarded, so the rest is refused
  };
  Written written_ = Written::kWhole;
  holder::Grace grace_;
  Phase phase_ = Phase::kNew;
  Reach reach_ = Reach::kAway;
  uint64_t away_since_ = 0;
  bool wants_greeting_ = false;  // the server waits for Welcome
};

}  // namespace glasstty::far
