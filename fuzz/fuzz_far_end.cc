// Tests the far end of a session between a near end and a holder, each of which
// may send anything: no bytes may crash it or make it keep more than came.
//
// The input is a list of steps: a byte that says who sends what, one for the
// part, one for the type of the packet, one for the size of its payload, eight
// each for its two numbers, then the payload.
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <string_view>

#include "base/poll_loop.h"
#include "far/far_session.h"
#include "folder.h"
#include "holder/listener.h"
#include "require.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

class Play {
 public:
  Play() {
    int ends[2];
    Require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) == 0);
    holder_.Reset(ends[0]);
    Require(listener_.Listen());
    session_.Begin(UniqueFd(ends[1]), {});
  }
  ~Play() { listener_.Stop(); }

  void Step(int who, uint16_t part, wire::PacketHeader header,
            std::string_view payload) {
    switch (who) {
      case 0: {
        std::string bytes(wire::AsBytes(header));
        session_.TakePacket(part, bytes + std::string(payload));
        UniqueFd observer = listener_.Accept();
        if (observer.valid()) observer_ = std::move(observer);
        break;
      }
      case 1:
        session_.TakePacket(part, payload);
        break;
      case 2:
        session_.TakeCredit(static_cast<far::FarStream>(part), header.a);
        break;
      case 3:
        session_.HangUp(part);
        break;
      case 4:
        wire::SendPacket(holder_.get(), header, payload);
        break;
      case 5:
        if (observer_.valid()) {
          wire::SendPacket(observer_.get(), header, payload);
        }
        break;
      default:
        (part % 2 == 0 ? holder_ : observer_).Reset();
    }
    session_.Watch(&loop_);
    loop_.Turn(Time());
    for (int i = 0; i < 8 && session_.Pump(); ++i) {
    }
  }
  // The number of bytes that wait to be sent to the near end.
  size_t queued() const { return stream_.queued(); }

 private:
  UniqueFd directory_{
      open(Folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  holder::Listener listener_{directory_.get(), wire::kWatchName};
  UniqueFd holder_, observer_;
  PollLoop loop_;
  far::FrameStream stream_;
  far::FarSession session_{1, std::string(32, 'a'),
                           UniqueFd(dup(directory_.get())), &stream_};
};

}  // namespace
}  // namespace glasstty

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace glasstty;
  std::string_view input(reinterpret_cast<const char*>(data), size);
  Play play;
  constexpr size_t kHead = 20;
  size_t steps = 0;
  while (input.size() >= kHead) {
    int who = static_cast<uint8_t>(input[0]) % 7;
    uint16_t part = static_cast<uint8_t>(input[1]) % 12;
    wire::PacketHeader header;
    header.type =
        static_cast<wire::PacketType>(static_cast<uint8_t>(input[2]) % 96);
    std::string_view payload =
        input.substr(kHead, static_cast<uint8_t>(input[3]));
    std::memcpy(&header.a, input.data() + 4, sizeof header.a);
    std::memcpy(&header.b, input.data() + 12, sizeof header.b);
    header.payload = payload.size();
    input.remove_prefix(kHead + payload.size());
    play.Step(who, part, header, payload);
    ++steps;
  }
  Require(play.queued() <= size + steps * 4096);
  return 0;
}
