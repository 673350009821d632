// Reports what happens in the session to the holder's peers: the server and the
// observers.
//
// Owns the connections to the peers, and the sockets `ctl` and `watch`. Borrows
// the program. Makes no decisions and handles no requests. Holder thread only.
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

  // Creates the sockets. Returns false with errno on failure. Also succeeds if
  // a sandbox refuses sockets; the first server is then the only peer.
  bool Listen();
  // Returns false if the sockets were refused, so nobody can connect.
  bool is_reachable() const { return is_reachable_; }
  void StopListening();

  Link* link() { return &link_; }
  Observers* observers() { return &observers_; }
  // Returns the connection of the writer; null for an observer that is gone.
  Connection* FindWriter(Input::Writer writer);
  // Closes the connection of a server that is gone, and withdraws its SetAsk.
  void DropServer();
  // Sets and sends the text in which the server's agent asks a person for
  // something. An empty text withdraws the request.
  void SetAsk(std::string text);

  // Tells the program's logs how far the server has read. The first server
  // counts as attached even before its Hello, so that no output is trimmed
  // before it has read it.
  void SetReader();
  // Rings the doorbell of each peer (Connection::Ring).
  void Ring();
  void SendInline();
  // Resizes the terminal if the size is valid, and sends its actual size to all
  // peers.
  void Resize(const wire::Resize& size);
  // Reports the program's end to all peers.
  void SendExit();
  // Sends Welcome and the state that follows it to a new server or observer.
  void SendWelcome(Connection* to, uint32_t lease_serial);
  // Sends the text of SetAsk to an observer, unless it is empty.
  void SendAsk(Observer* to);
  // SendState examines what the program waits for and sends the result to `to`;
  // SendLastState repeats the last result.
  void SendState(Connection* to, const wire::Probe& probe,
                 uint64_t input_ticks);
  void SendLastState(Connection* to, const wire::Probe& probe);
  // Sends a list of the session's processes to `to`; `flags` are TreeFlags.
  void SendTree(Connection* to, uint64_t serial, uint64_t flags = 0);
  // Reports input that was not delivered to the writer that sent it.
  void SendDropped();
  // If the program has read all input, sends a receipt for the last write to
  // the server and to the observers that typed for a call.
  void SendReceipt(Time now);

 private:
  Program* const program_;  // borrowed
  Link link_;
  Observers observers_;
  bool is_reachable_ = true;
  std::string ask_;
  wire::ProbeAnswer last_look_;  // for observers that probe often
};

}  // namespace glasstty::holder
