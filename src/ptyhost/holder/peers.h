// The holder's peers: the server and the observers, which are told what
// happens.
//
// Owns the connections to them and the sockets `ctl` and `watch`. Borrows the
// program, about which it reports. Decides nothing; handles no requests. The
// holder's thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/fd.h"
#include "holder/link.h"
#include "holder/observers.h"
#include "holder/program.h"
#include "wire/messages.h"

namespace glasstty::holder {

class Peers {
 public:
  // `dir_fd` is borrowed.
  Peers(int dir_fd, UniqueFd first_server, Program* program);

  // Creates the sockets. Returns false with errno on failure. In a sandbox that
  // refuses sockets there are none, and only the first server is a peer.
  bool Listen();
  // Returns false if nobody can connect any more.
  bool is_reachable() const { return is_reachable_; }
  void StopListening();

  Link* link() { return &link_; }
  Observers* observers() { return &observers_; }
  // Returns the server or an observer; null if there is none with that number.
  Connection* FindWriter(Input::Writer writer);
  // The server has gone.
  void DropServer();
  // Sets what the server's agent asks a person for; empty if nothing.
  void SetAsk(std::string text);

  // Tells the program's logs how far the server has read. A server counts as
  // attached as soon as it connects, before its Hello, so that nothing is
  // trimmed before it can read it.
  void SetReader();
  // Tells each peer where the log ends, and not again until that peer has
  // acknowledged.
  void Ring();
  void SendInline();
  // Resizes the terminal, if the size is valid, and tells everybody its size.
  void Resize(const wire::Resize& size);
  // Tells everybody that the program has ended.
  void SendExit();
  // Sends a new server or observer everything that it must know.
  void SendWelcome(Connection* to, uint32_t lease_serial);
  // Tells an observer what a person is asked for, if anything.
  void SendAsk(Observer* to);
  // SendState examines what the program waits for and tells `to`; SendLastState
  // repeats the last result.
  void SendState(Connection* to, const wire::Probe& probe,
                 uint64_t input_ticks);
  void SendLastState(Connection* to, const wire::Probe& probe);
  // Tells `to` about all processes of the session.
  void SendTree(Connection* to, uint64_t serial, uint64_t flags = 0);
  // Tells each writer how much of its input was not delivered.
  void SendDropped();
  // Sends one receipt for all writes up to the last, if all of it has been
  // read.
  void SendReceipt(Time now);

 private:
  Program* const program_;  // borrowed
  Link link_;
  Observers observers_;
  bool is_reachable_ = true;
  std::string ask_;
  wire::ProbeAnswer last_look_;  // for observers that ask often
};

}  // namespace glasstty::holder
