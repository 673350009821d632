// One session at the near end. To the server it looks like a holder with an
// ordinary session directory; what a holder would do itself, it requests from
// the far end.
//
// Owns the socket `ctl` and the connection on it, the observers' connections,
// the logs and the events. The log is stored here, so readers never wait for
// the connection. While there is no connection, input and requests are refused
// at once and never kept; the server asks again later (kAway). If the relay is
// killed, the session continues on the other machine, and the next relay
// resumes it from its files here. Borrows the stream, which may be closed. The
// relay's thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "far/frame_stream.h"
#include "far/near_events.h"
#include "far/window.h"
#include "holder/link.h"
#include "holder/listener.h"
#include "holder/log_writer.h"
#include "wire/packets.h"
#include "wire/place_info.h"

namespace glasstty::far {

class NearSession {
 public:
  static constexpr size_t kParts = 1 + wire::kMaxObservers;

  // What LaunchHolder gives a holder, and what the server asked for.
  struct Start {
    UniqueFd server;
    UniqueFd directory;
    UniqueFd lock;
    wire::OpenInfo open;
    bool resumed = false;  // it was another relay's: the files are there
  };
  NearSession(uint32_t number, Start start, FrameStream* stream);

  // Creates the files and sockets, or goes on with the files. False with errno.
  bool Prepare();
  // The other machine, as far as it matters to a session.
  struct Machine {
    std::string boot_id;
    int64_t shift_ns = 0;  // a time over there plus this is one here
  };
  // The connection is there: asks for the session, or goes on with it.
  void Connect(const Machine& machine);
  void Disconnect();
  // How much output may be on its way.
  void SetWindow(uint64_t bytes) { window_ = bytes; }

  // Frames of the far end that are for this session. False when one cannot be.
  bool Take(const Frame& frame);

  // For poll(2): the descriptors of all parts, -1 where nobody is; part 0 is
  // the server's.
  int fd(size_t part) const;
  bool wants_write(size_t part) const;
  int listen_fd() const { return link_.listen_fd(); }
  int observer_listen_fd() const { return watch_.fd(); }
  void Read(size_t part, Time now);
  void Flush(size_t part);
  void Accept();
  void AcceptObserver();

  // Ends the session when its time without a server is over, and tries a full
  // disk again.
  void RunTimers(Time now);
  Time next_timer() const { return grace_at_; }

  // Nothing is left of it and the server knows: the files stay, the lock and
  // the sockets go with this.
  bool done() const;
  const std::string& id() const { return open_.id; }

 private:
  void Greet();
  void Welcome();
  void SettleWrites();
  void TakeRequest(const wire::Packet& packet);
  void TakeWrite(const wire::Packet& packet);
  void TakeDoubt(const wire::PacketHeader& header);
  void SendPacketFrame(uint16_t part, const wire::PacketHeader& header,
                       std::string_view payload);
  void LoseServer(Time now);
  void SetAcked();
  void Ring();
  void GiveCredit();

  bool TakeLog(const Frame& frame);
  bool TakeNotes(const Frame& frame);
  bool TakePacket(const Frame& frame);
  void TakeNews(const wire::PacketHeader& header, std::string_view payload);
  void TakeExit(const wire::PacketHeader& header, std::string_view payload);
  void TakeGone(const Frame& frame);
  void ExplainLoss(bool is_missing);
  void Finish();
  bool Create();
  bool Recall();
  void Remember();
  void Kill();

  holder::LogWriter& out() { return logs_[0]; }

  const uint32_t number_;
  wire::OpenInfo open_;
  FrameStream* const stream_;  // borrowed
  UniqueFd directory_;
  UniqueFd lock_;
  holder::Link link_;
  holder::Listener watch_;
  std::array<std::unique_ptr<holder::Connection>, wire::kMaxObservers>
      observers_;
  const MonotonicClock clock_;
  NearEvents events_;
  std::array<holder::LogWriter, kFarStreams> logs_;
  std::array<uint64_t, kFarStreams> credited_{};
  uint64_t window_ = kFirstWindow;
  // What the far holder said last.
  wire::HolderInfo info_;
  std::string boot_id_;      // of the machine on which it was started
  std::string boot_id_now_;  // of the one that is connected
  wire::PacketHeader started_;
  wire::PacketHeader exit_;
  uint64_t exit_err_end_ = 0;
  std::string lease_;  // payload of kLease; empty: none came
  wire::PacketHeader lease_header_;
  // What was typed and neither read nor refused, as far as is known here; and
  // what of it went over a connection that has broken since.
  std::vector<uint64_t> unconfirmed_;
  std::vector<uint64_t> doubtful_;
  const bool resumed_;
  bool known_ = false;  // it has said Welcome at least once
  bool connected_ = false;
  bool there_ = false;  // the same on the present connection
  bool kills_ = false;  // no server has come back for it
  bool wants_greeting_ = false;
  bool finished_ = false;
  uint64_t away_since_ = 0;
  uint64_t grace_ms_;
  Time grace_at_ = Time::max();
};

}  // namespace glasstty::far
