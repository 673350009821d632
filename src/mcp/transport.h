// The seam between the protocol and what carries its lines.
//
// An implementation owns its descriptors and its output queue. It hands
// complete input lines to Server::Receive; the server hands complete output
// lines back. Neither calls the other from within such a call: SendLine only
// queues.
#pragma once

#include <string>

namespace glasstty::mcp {

class Transport {
 public:
  virtual ~Transport() = default;

  // Queues `line` (no newline inside). False when the other side is gone and
  // the line will never be sent.
  virtual bool SendLine(std::string line) = 0;
  // True while the other side reads too slowly: what may be dropped
  // (notifications) is not worth queueing.
  virtual bool congested() const = 0;
  // Nothing more is sent after what is queued.
  virtual void Close() = 0;
};

}  // namespace glasstty::mcp
