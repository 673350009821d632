// A person's view of a session, with a real holder and a manual clock. The test
// stands in for the holder where it has to say when a message arrives.
#include "watch/watched.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "record/recording.h"
#include "session/manager_fixtures.h"
#include "wire/messages.h"
#include "wire/own_socket.h"
#include "wire/session_files.h"

namespace glasstty::testing {
namespace {

class WatchedTest : public LiveSessions {
 protected:
  // Opens a session, in which the test listens in place of its holder.
  WatchedTest() {
    Begin({});
    session_ = Open("it");
    const std::string path = base_ + "/" + session_->origin().id;
    fs::rename(path + "/" + wire::kWatchName, path + "/hidden");
    UniqueFd directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    listener_ = wire::ListenAt(directory.get(), wire::kWatchName,
                               SOCK_SEQPACKET | SOCK_NONBLOCK, 1);
    EXPECT_TRUE(listener_.valid());
    auto recorded = record::FindRecorded(path);
    EXPECT_TRUE(recorded.ok()) << recorded.status();
    recorded_ = *std::move(recorded);
  }

  void Accept() {
    holder_ = wire::AcceptOwn(listener_.get());
    ASSERT_TRUE(holder_.valid());
    wire::SendMessage(holder_.get(), wire::Welcome{});
  }

  // Returns the next message of type M that the observer has sent; others are
  // skipped. Returns false if there is none.
  template <typename M>
  bool Receive(M* message) {
    loop_.RunReady();
    char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
    wire::Packet packet;
    while (wire::ReceivePacket(holder_.get(), buffer, sizeof buffer, &packet) ==
           wire::Receive::kPacket) {
      if (packet.header.type != M::kType) continue;
      *message = wire::DecodeAs<M>(packet);
      return true;
    }
    return false;
  }

  // Returns the next text that the observer has typed, whole.
  std::string ReceiveText() {
    std::string text;
    char buffer[sizeof(wire::PacketHeader) + wire::kMaxPayload];
    bool is_whole = false;
    Until([&] {
      wire::Packet packet;
      while (!is_whole &&
             wire::ReceivePacket(holder_.get(), buffer, sizeof buffer,
                                 &packet) == wire::Receive::kPacket) {
        if (packet.header.type != wire::Write::kType) continue;
        auto write = wire::DecodeAs<wire::Write>(packet);
        text += write.bytes;
        is_whole = !(write.flags & wire::kWriteMore);
      }
      return is_whole;
    });
    return text;
  }

  SessionRef session_;
  UniqueFd listener_;
  UniqueFd holder_;
  record::RecordedSession recorded_;
};

// The holder drops an observer that is too slow, and reports nothing more.
TEST_F(WatchedTest, SizesAreFollowedAfterTheHolderHasDroppedTheObserver) {
  auto watched = watch::Watched::Open(&loop_, std::move(recorded_), "test");
  ASSERT_TRUE(watched.ok()) << watched.status();
  Accept();
  session_->Resize({.rows = 11, .cols = 41});
  Until([&] { return session_->output().terminal().size().rows == 11; });
  wire::SendMessage(holder_.get(), wire::Resized{0, 11, 41});
  Until([&] { return (*watched)->terminal().size().rows == 11; });
  holder_.Reset();
  listener_.Reset();
  session_->Resize({.rows = 12, .cols = 42});
  Until([&] {
    Advance(std::chrono::milliseconds(100));
    return (*watched)->terminal().size() ==
           terminal::Size{.rows = 12, .cols = 42};
  });
}

// A near relay drops the observers when it loses the connection.
TEST_F(WatchedTest, ViewComesBackWithTheConnectionToItsMachine) {
  const std::string mark =
      base_ + "/" + session_->origin().id + "/" + wire::kElsewhereName;
  std::ofstream(mark) << "there";
  auto watched = watch::Watched::Open(&loop_, std::move(recorded_), "test");
  ASSERT_TRUE(watched.ok()) << watched.status();
  Accept();
  Until([&] { return (*watched)->can_type(); });
  EXPECT_FALSE((*watched)->away());
  holder_.Reset();
  Until([&] { return !(*watched)->can_type(); });
  EXPECT_TRUE((*watched)->away());
  Advance(std::chrono::milliseconds(100));
  EXPECT_FALSE(wire::AcceptOwn(listener_.get()).valid()) << "connects at once";
  Until([&] {
    Advance(std::chrono::milliseconds(100));
    holder_ = wire::AcceptOwn(listener_.get());
    return holder_.valid();
  });
  EXPECT_TRUE((*watched)->away());
  wire::SendMessage(holder_.get(), wire::Welcome{});
  Until([&] { return (*watched)->can_type(); });
  EXPECT_FALSE((*watched)->away());
  // The fixture ends the session, which is on this machine.
  fs::remove(mark);
}

// The holder rings again only after it has heard that the last end is known.
TEST_F(WatchedTest, WithoutAScreenOutputIsHeardOfAtEachProbe) {
  auto facts = watch::Watched::OpenFacts(&loop_, std::move(recorded_), "test");
  ASSERT_TRUE(facts.ok()) << facts.status();
  Accept();
  wire::Ack ack;
  ASSERT_TRUE(Receive(&ack));  // of the Welcome
  wire::SendMessage(holder_.get(), wire::Data{.out_end = 7});
  EXPECT_FALSE(Receive(&ack));
  (*facts)->Probe();
  ASSERT_TRUE(Receive(&ack));
  EXPECT_EQ(ack.out, 7u);
  (*facts)->Probe();
  EXPECT_FALSE(Receive(&ack));
}

// The holder joins the packets of a text, so a beginning without its end would
// be typed with the next key.
TEST_F(WatchedTest, TextIsSentWholeThoughTheHolderReadsSlowly) {
  auto watched = watch::Watched::Open(&loop_, std::move(recorded_), "test");
  ASSERT_TRUE(watched.ok()) << watched.status();
  Accept();
  const std::string paste(1'000'000, 'p');
  (*watched)->Type(paste);
  (*watched)->Type("k");
  EXPECT_EQ((*watched)->refused(), "");
  EXPECT_EQ(ReceiveText(), paste);
  EXPECT_EQ(ReceiveText(), "k");
}

TEST_F(WatchedTest, SizesOfWindowsBecomeSizesThatATerminalMayHave) {
  auto watched = watch::Watched::Open(&loop_, std::move(recorded_), "test");
  ASSERT_TRUE(watched.ok()) << watched.status();
  Accept();
  wire::Resize resize;
  (*watched)->Resize({1, 80});
  ASSERT_TRUE(Receive(&resize));
  EXPECT_EQ(resize, (wire::Resize{2, 80}));
  (*watched)->Resize({600, 2000});
  ASSERT_TRUE(Receive(&resize));
  EXPECT_EQ(resize, (wire::Resize{500, 400}));
}

TEST_F(WatchedTest, NothingIsSentOfATextThatIsRefused) {
  auto watched = watch::Watched::Open(&loop_, std::move(recorded_), "test");
  ASSERT_TRUE(watched.ok()) << watched.status();
  Accept();
  (*watched)->Type(std::string(4'000'000, 'p'));
  EXPECT_NE((*watched)->refused(), "");
  (*watched)->Type("k");
  EXPECT_EQ((*watched)->refused(), "");
  EXPECT_EQ(ReceiveText(), "k");
}

}  // namespace
}  // namespace glasstty::testing
