// Tests writing a file elsewhere, with a relay and a far program that are
// played by the test, and with a manual clock.
#include "typing/put_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "session/session_manager.h"
#include "support/status.h"
#include "testing/fake_holder.h"
#include "testing/system.h"
#include "wire/messages.h"
#include "wire/place_control.h"
#include "wire/place_info.h"
#include "wire/session_files.h"

namespace glasstty::typing {
namespace {

namespace fs = std::filesystem;

using std::chrono::milliseconds;
using std::chrono::seconds;
using wire::PlaceMessage;
using wire::PlaceState;

using Put = absl::StatusOr<wire::PutResult>;

// The sizes of what is requested at a time, and of what is sent before the
// program must have read it.
constexpr size_t kPiece = 64 << 10;
constexpr size_t kWindow = 256 << 10;

// Returns "aaa...", with a different letter for each piece.
std::string Lettered(size_t size) {
  std::string text(size, 'a');
  for (size_t i = 0; i < size; ++i) {
    text[i] = static_cast<char>('a' + i / kPiece % 26);
  }
  return text;
}

class PutFileTest : public ::testing::Test {
 protected:
  PutFileTest() {
    setenv("GLASSTTY_STATE_DIR", dir_.path().c_str(), 1);
    // These relays and clients end at once.
    setenv("GLASSTTY_HOLDER", "/bin/true", 1);
    holder_.LiveElsewhere();
    session_ = holder_.Open();
    manager_.emplace(holder_.loop(), session::SessionSettings{});
    EXPECT_TRUE(manager_->Prepare().ok());
    LiveAsRelay();
    Say(PlaceState::kUp);
  }
  // A frame that is never resumed is a leak.
  ~PutFileTest() override {
    cancellation_.Cancel();
    holder_.loop()->RunReady();
    manager_.reset();
    unsetenv("GLASSTTY_STATE_DIR");
    unsetenv("GLASSTTY_HOLDER");
  }

  // Creates the relay's socket in the place's directory, which the first
  // attempt to reach it has made.
  void LiveAsRelay() {
    place::Place place;
    std::string error;
    ASSERT_TRUE(place::ParsePlace("ssh:db", &place, &error)) << error;
    auto first = manager_->remote()->Reach(place);
    ASSERT_TRUE(first.ok()) << first.status();
    ASSERT_TRUE(testing::Eventually(
        seconds(20), [&first] { return first->link->IsGone(); }));
    std::string path =
        fs::directory_iterator(dir_.Join("places"))->path().string() + "/" +
        wire::kControlName;
    UniqueFd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    ASSERT_EQ(bind(listener.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address),
              0);
    ASSERT_EQ(listen(listener.get(), 1), 0);
    // The claim on the directory vanishes with the last process that was just
    // started.
    ASSERT_TRUE(testing::Eventually(
        seconds(20), [&] { return manager_->remote()->Reach(place).ok(); }));
    relay_ = UniqueFd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
    ASSERT_TRUE(relay_.valid());
  }
  void Say(PlaceState state) {
    EXPECT_TRUE(wire::SendPlaceMessage(relay_.get(), PlaceMessage::kStatus,
                                       wire::EncodeStatus({.state = state})));
    holder_.loop()->RunReady();
  }

  // Begins the call; its program has been handed over, but not started.
  void Write(std::string content) {
    content_ = std::move(content);
    Start(PutFile(manager_->remote(), &cancellation_, session_,
                  {.size = content_.size(), .path = "/etc/x"}, &source_),
          [this](Put put) { put_ = std::move(put); });
    wire::ReceivedPlaceMessage message;
    while (wire::ReceivePlaceMessage(relay_.get(), &message)) {
      if (message.type != PlaceMessage::kStart) continue;
      ASSERT_EQ(message.descriptors.size(), size_t{wire::kStartFds});
      control_ = std::move(message.descriptors[0]);
      directory_ = std::move(message.descriptors[1]);
      std::string text(64 << 10, '\0');
      ssize_t n =
          pread(message.descriptors[2].get(), text.data(), text.size(), 0);
      text.resize(n > 0 ? static_cast<size_t>(n) : 0);
      ASSERT_TRUE(wire::DecodeOpen(text, &open_));
    }
  }
  // Likewise, with a program that has started.
  void WriteTo(std::string content) {
    Write(std::move(content));
    ASSERT_TRUE(control_.valid());
    StartProgram();
  }
  void StartProgram() { Tell(wire::Started{4242}); }
  void Tell(const wire::IsMessage auto& message) {
    EXPECT_TRUE(wire::SendMessage(control_.get(), message));
    Take();
  }
  // Reads everything that has been sent to the program by now.
  void Take() {
    std::string buffer(sizeof(wire::PacketHeader) + wire::kMaxPayload, '\0');
    bool more = true;
    while (more) {
      holder_.loop()->RunReady();
      wire::Packet packet;
      more = false;
      while (control_.valid() &&
             wire::ReceivePacket(control_.get(), buffer.data(), buffer.size(),
                                 &packet) == wire::Receive::kPacket) {
        more = true;
        if (packet.header.type != wire::Write::kType) continue;
        auto write = wire::DecodeAs<wire::Write>(packet);
        serial_ = write.serial;
        flags_ = write.flags;
        typed_ += write.bytes;
      }
    }
  }
  void Consume() { Tell(wire::Consumed{serial_}); }
  void Refuse() { Tell(wire::Refused{serial_, wire::WriteRefusal::kAway}); }
  void Advance(Duration by) {
    holder_.Advance(by);
    Take();
  }
  // The program prints this and ends.
  void EndWith(const std::string& output) {
    UniqueFd log(openat(directory_.get(), wire::SegmentName("out", 0).c_str(),
                        O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    ASSERT_TRUE(WriteAll(log.get(), output));
    Tell(wire::Data{output.size()});
    Tell(wire::Exit{output.size()});
  }
  void EndWith(const wire::PutResult& result) {
    EndWith(wire::EncodePutResult(result) + "\n");
  }
  std::string Error() const {
    if (!put_) return "still waiting";
    return put_->ok() ? "" : Message(put_->status());
  }
  // Returns true if the helper's session is on the list.
  bool HasHelper() const {
    auto all = manager_->All();
    return std::any_of(all.begin(), all.end(),
                       [](const auto& one) { return one->name() == "@put"; });
  }

  testing::TempDir dir_;
  FakeHolder holder_;
  session::SessionRef session_;
  std::optional<session::SessionManager> manager_;
  Cancellation cancellation_;
  UniqueFd relay_;
  UniqueFd control_;  // to the session of the program
  UniqueFd directory_;
  wire::OpenInfo open_;
  std::string content_;
  Content source_ = [this](uint64_t offset,
                           size_t most) -> absl::StatusOr<std::string> {
    EXPECT_LT(offset, content_.size());
    return content_.substr(offset, most);
  };
  std::optional<Put> put_;
  uint64_t serial_ = 0;  // of the last write
  uint64_t flags_ = 0;
  std::string typed_;
};

constexpr char kNothing[] =
    "on ssh:db: the connection broke or does not answer: nothing was written";
constexpr char kUnknown[] =
    "on ssh:db: the connection broke or does not answer: whether the file was "
    "written is not known";

TEST_F(PutFileTest, TheContentAndItsEndAreGivenToAProgramThere) {
  Write("hello");
  ASSERT_GT(open_.spec.argv.size(), 2u);
  wire::PutRequest request;
  EXPECT_TRUE(wire::DecodePut(
      {open_.spec.argv.begin() + 2, open_.spec.argv.end()}, &request));
  EXPECT_EQ(request.path, "/etc/x");
  EXPECT_EQ(request.size, 5u);
  EXPECT_TRUE(open_.spec.pipe);
  Take();
  EXPECT_EQ(typed_, "") << "not before it has started";
  Advance(seconds(2));
  StartProgram();
  EXPECT_EQ(typed_, "hello");
  Consume();
  EXPECT_EQ(typed_, "hello" + std::string(wire::kPutEnd));
  EXPECT_EQ(flags_, uint64_t{wire::kWriteEof});
  // A disk may take long.
  Advance(seconds(5));
  EXPECT_FALSE(put_);
  EndWith({.problem = {}, .path = "/etc/x", .created = true, .size = 5});
  ASSERT_EQ(Error(), "");
  EXPECT_EQ((*put_)->path, "/etc/x");
  EXPECT_TRUE((*put_)->created);
  EXPECT_FALSE(HasHelper());
}

TEST_F(PutFileTest, LargeContentIsSentAsTheProgramReadsIt) {
  const std::string content = Lettered(2 * kWindow + 100);
  WriteTo(content);
  EXPECT_EQ(typed_.size(), kWindow);
  Consume();
  EXPECT_EQ(typed_.size(), 2 * kWindow);
  Consume();
  EXPECT_EQ(typed_.size(), content.size());
  Consume();
  EXPECT_TRUE(typed_ == content + std::string(wire::kPutEnd));
}

// A source may return less than it is asked for.
TEST_F(PutFileTest, AWindowIsFullOnlyWithItsLastByte) {
  source_ = [this](uint64_t offset, size_t most) {
    size_t least = offset % (kWindow + kPiece - 1) == 0 ? 1 : 0;
    return content_.substr(offset, most - least);
  };
  constexpr size_t kFirst = kWindow + kPiece - 1;
  WriteTo(Lettered(3 * kWindow));
  EXPECT_EQ(typed_.size(), kFirst);
  Consume();
  EXPECT_EQ(typed_.size(), 2 * kFirst);
}

TEST_F(PutFileTest, AnEmptyFileIsItsEndOnly) {
  WriteTo("");
  EXPECT_EQ(typed_, wire::kPutEnd);
  EXPECT_EQ(flags_, uint64_t{wire::kWriteEof});
}

TEST_F(PutFileTest, ContentThatCannotBeReadEndsTheCall) {
  source_ = [this](uint64_t offset,
                   size_t most) -> absl::StatusOr<std::string> {
    if (offset > 0) return Unavailable("the disk is gone");
    return content_.substr(0, most);
  };
  WriteTo(std::string(2 * kPiece, 'x'));
  EXPECT_EQ(Error(), "the disk is gone");
  EXPECT_EQ(typed_.size(), kPiece) << "and no end, so nothing is written";
}

TEST_F(PutFileTest, WhatTheProgramSaysOfTheFileIsTheError) {
  WriteTo("hello");
  EndWith({.problem = {.kind = FileProblem::Kind::kNoDirectory,
                       .error = 0,
                       .path = "",
                       .text = "no directory /etc"},
           .path = ""});
  EXPECT_EQ(Error(), "no directory /etc");
  EXPECT_EQ(typed_, "hello") << "the end is for who reads it";
}

TEST_F(PutFileTest, AProgramThatSaysNothingOfOursHasAnotherVersion) {
  WriteTo("hello");
  EndWith("usage: holder\n");
  EXPECT_EQ(Error(),
            "on ssh:db: our program there has another version, so nothing was "
            "written (close the sessions there, then glasstty places clean "
            "ssh:db)");
}

TEST_F(PutFileTest, AProgramThatCannotBeStartedIsReportedAtOnce) {
  Write("hello");
  Tell(wire::Started{0, wire::StartStage::kExec, ENOENT});
  Advance(seconds(1));
  ASSERT_TRUE(put_);
  EXPECT_FALSE(put_->ok());
  EXPECT_NE(Error(), kNothing);
  EXPECT_EQ(typed_, "");
}

TEST_F(PutFileTest, AnEndBeforeTheStartIsNotWaitedFor) {
  Write("hello");
  control_.Reset();
  Advance(seconds(1));
  EXPECT_NE(Error(), "still waiting");
}

TEST_F(PutFileTest, WithoutAConnectionNothingIsTried) {
  Say(PlaceState::kPausing);
  Write("hello");
  EXPECT_EQ(Error(),
            "on ssh:db: there is no connection now (term_list tells more)");
  EXPECT_FALSE(control_.valid());
}

TEST_F(PutFileTest, AConnectionThatBreaksBeforeTheStartIsNotWaitedFor) {
  Write("hello");
  Tell(wire::Away{true, 1});
  Advance(seconds(1));
  EXPECT_EQ(Error(), kNothing);
  EXPECT_EQ(typed_, "");
}

TEST_F(PutFileTest, WhatIsNotReadForTwentySecondsIsGivenUp) {
  WriteTo(std::string(2 * kWindow, 'x'));
  Advance(seconds(19));
  Consume();
  EXPECT_EQ(typed_.size(), 2 * kWindow);
  Advance(milliseconds(19'999));
  Advance(milliseconds(1));
  // The program has a second for its last words.
  EXPECT_EQ(Error(), "still waiting");
  Advance(seconds(1));
  EXPECT_EQ(Error(), kNothing);
  EXPECT_EQ(typed_.size(), 2 * kWindow) << "no end, so nothing is written";
}

TEST_F(PutFileTest, RefusedContentIsNotWritten) {
  WriteTo(std::string(2 * kWindow, 'x'));
  Refuse();
  Advance(seconds(1));
  EXPECT_EQ(Error(), kNothing);
  EXPECT_EQ(typed_.size(), kWindow);
}

TEST_F(PutFileTest, OfARefusedEndNothingWasWritten) {
  WriteTo("hello");
  Consume();
  Refuse();
  Advance(seconds(1));
  EXPECT_EQ(Error(), kNothing);
}

TEST_F(PutFileTest, WithoutAnAnswerToTheEndItIsNotKnownWhetherItWasWritten) {
  WriteTo("hello");
  Consume();
  Advance(seconds(20));
  EXPECT_EQ(Error(), "still waiting");
  Advance(seconds(1));
  EXPECT_EQ(Error(), kUnknown);
}

TEST_F(PutFileTest, ACancelledCallWritesNoEnd) {
  WriteTo(std::string(2 * kWindow, 'x'));
  cancellation_.Cancel();
  Take();
  EXPECT_NE(Error(), "still waiting");
  EXPECT_EQ(typed_.size(), kWindow);
}

}  // namespace
}  // namespace glasstty::typing
