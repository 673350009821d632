// The interface between the protocol and the connection that carries its lines.
//
// An implementation owns its descriptors and its output queue. It passes
// complete input lines to Server::Receive; the server passes complete output
// lines back, also from within Receive. SendLine only queues a line, and never
// calls the server.
#pragma once

#include <string>

namespace glasstty::mcp {

class Transport {
 public:
  virtual ~Transport() = default;

  // Queues `line`, which contains no newline. Returns false if the peer is gone
  // and the line will never be sent.
  virtual bool SendLine(std::string line) = 0;
  // Returns true while the peer reads too slowly. Messages that may be dropped
  // (notifications) should not be queued then.
  virtual bool congested() const = 0;
  // Takes no more input. Queued lines are still sent.
  virtual void Close() = 0;
};

}  // namespace glasstty::mcp
