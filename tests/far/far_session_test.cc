// Tests a session at the far end, between a scripted holder and a scripted near
// end.
#include "far/far_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "holder/listener.h"
#include "holder/log_writer.h"
#include "testing/system.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

using testing::TempDir;

class FarEnd : public ::testing::Test {
 protected:
  static constexpr uint16_t kObserver = 1;

  void SetUp() override {
    int control[2], connection[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, control),
              0);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, connection), 0);
    holder_.Reset(control[0]);
    near_ = FrameStream(UniqueFd(connection[0]), UniqueFd(dup(connection[0])));
    near_.Begin();
    far_ = FrameStream(UniqueFd(connection[1]), UniqueFd(dup(connection[1])));
    far_.Begin();
    ASSERT_TRUE(log_.Open());
    ASSERT_TRUE(listener_.Listen());
    session_ = std::make_unique<FarSession>(
        1, std::string(32, 'a'), UniqueFd(dup(directory_.get())), &far_);
    session_->Begin(UniqueFd(control[1]), {});
    session_->TakeCredit(FarStream::kOut, 1 << 20);
    wire::Writer watch = wire::Encode(wire::Watch{});
    session_->TakePacket(kObserver, wire::BytesOf(watch.packet()));
    observer_ = listener_.Accept();
    ASSERT_TRUE(observer_.valid());
  }

  // The holder sends this on one of its connections.
  void Say(uint16_t part, const wire::IsMessage auto& message) {
    const UniqueFd& from = part == 0 ? holder_ : observer_;
    ASSERT_TRUE(wire::SendMessage(from.get(), message));
    session_->Read(part);
  }
  // Returns the frames that reach the near end, in words.
  std::vector<std::string> Arrives() {
    while (session_->Pump()) {
    }
    far_.Flush();
    EXPECT_TRUE(near_.Fill());
    std::vector<std::string> frames;
    Frame frame;
    while (near_.Next(&frame) == FrameReader::Result::kFrame) {
      if (frame.header.type == FrameType::kLog) {
        frames.push_back("log " + std::string(frame.payload));
      } else if (frame.header.type == FrameType::kPacket) {
        frames.push_back("packet for " + std::to_string(frame.header.part));
      }
    }
    return frames;
  }

  TempDir dir_;
  UniqueFd directory_{
      open(dir_.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  holder::LogWriter log_{directory_.get(), "out", 1 << 20};
  holder::Listener listener_{directory_.get(), wire::kWatchName};
  UniqueFd holder_, observer_;
  FrameStream near_, far_;
  std::unique_ptr<FarSession> session_;
};

// The holder rings each of its connections once until the next acknowledgement,
// so an observer may hear of output before the server does.
TEST_F(FarEnd, TellsAnObserverOfOutputOnlyBehindIt) {
  log_.Append("one");
  Say(kObserver, wire::Data{3});
  EXPECT_EQ(Arrives(), (std::vector<std::string>{"log one", "packet for 1"}));
  Say(0, wire::Data{3});
  EXPECT_EQ(Arrives(), std::vector<std::string>{});
}

// While the disk is full, an answer may come before the output that it counts.
TEST_F(FarEnd, DoesNotHoldUpOutputBehindAnAnswerThatCountsIt) {
  log_.Append("on disk, ");
  Say(0, wire::Data{9});
  Say(0, wire::State{.serial = 1, .answer = {.offset = 13}});
  Say(0, wire::Inline{.offset = 9, .bytes = "lost"});
  EXPECT_EQ(Arrives(), (std::vector<std::string>{"log on disk, ", "log lost",
                                                 "packet for 0"}));
}

TEST_F(FarEnd, SendsWhatIsOnDiskBeforeOutputThatIsNot) {
  log_.Append("announced, ");
  Say(0, wire::Data{11});
  log_.Append("not announced, ");
  Say(0, wire::State{.serial = 1, .answer = {.offset = 30}});
  Say(0, wire::Inline{.offset = 26, .bytes = "lost"});
  EXPECT_EQ(Arrives(),
            (std::vector<std::string>{"log announced, not announced, ",
                                      "log lost", "packet for 0"}));
}

// Its name ends with a NUL, which is missing only if something other than a
// near end has sent it.
TEST_F(FarEnd, TakesAFileOnlyWithItsWholeName) {
  wire::Writer file = wire::Encode(
      wire::File{.size = 2, .name = wire::kCommandName, .piece = "ls"});
  wire::Packet cut = file.packet();
  cut.payload = wire::kCommandName;
  session_->TakePacket(0, wire::BytesOf(cut));
  EXPECT_FALSE(std::filesystem::exists(dir_.Join(wire::kCommandName)));
  session_->TakePacket(0, wire::BytesOf(file.packet()));
  EXPECT_EQ(testing::ReadWholeFile(dir_.Join(wire::kCommandName)), "ls");
}

}  // namespace
}  // namespace glasstty::far
