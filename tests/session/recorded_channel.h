// A channel that only keeps what is sent: enough for the parts of a session
// that send but do not listen.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "session/channel.h"
#include "session/holder_link.h"
#include "testing/received.h"

namespace glasstty::session {

class RecordedChannel : public Channel {
 public:
  explicit RecordedChannel(std::vector<Received>* sent) : sent_(sent) {}
  void SetListener(ChannelListener* /*listener*/) override {}
  void Send(wire::PacketHeader header, std::string_view payload) override {
    sent_->push_back({header, std::string(payload)});
  }

 private:
  std::vector<Received>* const sent_;
};

// Connects `link`, and forgets the greeting.
inline void Record(HolderLink* link, std::vector<Received>* sent) {
  link->Connect(std::make_unique<RecordedChannel>(sent), nullptr);
  sent->clear();
}

}  // namespace glasstty::session
