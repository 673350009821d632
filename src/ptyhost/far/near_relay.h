// The near end of the connection to a place: represents all sessions that run
// there.
//
// Owns the sessions, the connection and the sockets in the place's directory:
// `ctl` for servers, `plug` for the client that reaches the place. The client
// is not part of glasstty. It runs in a visible session, where it may ask a
// person for a password, and its stdin and stdout are connected to the relay
// (far/plug.h). When the client ends, it may be started again after a pause.
// Like a holder, the relay outlives the server. It ends when it has neither a
// session nor a server, or when it has had no session for five minutes.
// Single-threaded, with one PollLoop.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/fd.h"
#include "base/poll_loop.h"
#include "far/attempts.h"
#include "far/frame_stream.h"
#include "far/heartbeat.h"
#include "far/near_session.h"
#include "far/window.h"
#include "holder/listener.h"
#include "wire/place_control.h"

namespace glasstty::far {

class NearRelay {
 public:
  struct Start {
    wire::PlaceSpec spec;
    UniqueFd server;  // the connection of the first server
    UniqueFd directory;
    UniqueFd lock;
  };
  explicit NearRelay(Start start);

  // Returns when the relay is no longer needed, or if the sockets cannot be
  // created.
  void Run();

 private:
  // Runs one turn of the loop.
  void Wait();
  void WatchAll();
  void RunTimers(Time now);
  Time NextTimer() const;
  bool IsUsed() const;

  // Servers.
  void AcceptServer();
  void ReadServer(size_t index);
  void StartSession(wire::ReceivedPlaceMessage* message);
  void TellStatus();
  void TellStatus(int server);
  void Measure();
  // Sends a ping if the window needs a measurement (Window::WantsPing).
  void Probe();

  // The client.
  void AcceptPlug();
  void ReadPlugStatus();
  void Go();
  void ReadConnection();
  bool ReadGreeting();
  bool ReadFrames();
  bool TakeHello(std::string_view payload);
  void TakePong(const FrameHeader& header);
  bool TakeForSession(const Frame& frame);
  bool Upload(const std::string& machine);
  void LoseConnection(const std::string& why);
  void SetState(wire::PlaceState state);
  bool up() const { return status_.state == wire::PlaceState::kUp; }

  const wire::PlaceSpec spec_;
  const UniqueFd directory_;
  const UniqueFd lock_;
  holder::Listener control_;
  holder::Listener plug_listener_;
  std::vector<UniqueFd> servers_;
  UniqueFd plug_;  // of a plug that waits for permission to start its client
  FrameStream stream_;
  wire::PlaceStatus status_;
  std::map<uint32_t, std::unique_ptr<NearSession>> sessions_;
  uint32_t last_number_ = 0;
  // The machine, from the Hello message to the loss of the connection.
  std::optional<NearSession::Machine> machine_;
  Window window_;
  Attempts attempts_;
  Heartbeat heartbeat_;
  PollLoop loop_;
  bool measures_ = false;  // a server waits for the result of a ping
  bool leaves_ = false;
  Time idle_at_;
};

}  // namespace glasstty::far
