// Tests the far end of a connection as a whole, with a scripted near end.
#include "far/far_relay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "testing/system.h"
#include "wire/place_info.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

constexpr char kFarToken[] = "0123456789";

class FarRelayTest : public ::testing::Test {
 protected:
  FarRelayTest() {
    EXPECT_EQ(mkdir(sessions_.c_str(), 0700), 0);
    EXPECT_EQ(mkdir((sessions_ + "/" + id_).c_str(), 0700), 0);
  }

  // Attaches the session, and ends the connection when the far end has given up
  // the session. Returns true if it has, false if the far end ends by itself.
  bool AttachGivesUp() {
    int ends[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    UniqueFd near_end(ends[0]), far_end(ends[1]);
    std::string frame;
    AppendFrame({.type = FrameType::kAttach, .session = 1},
                wire::EncodeAttach({.id = id_}), &frame);
    EXPECT_TRUE(WriteAll(near_end.get(), frame));
    pid_t pid = fork();
    if (pid == 0) {
      near_end.Reset();
      UniqueFd out(dup(far_end.get()));
      FarRelay relay({sessions_, kFarToken, std::string(32, 'b')},
                     std::move(far_end), std::move(out));
      _exit(relay.Run());
    }
    far_end.Reset();
    bool is_given_up = ReadsGone(near_end.get());
    near_end.Reset();
    int status = -1;
    EXPECT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
    return is_given_up;
  }

  // Reads until kGone, or to the end of the stream.
  static bool ReadsGone(int fd) {
    const std::string greeting = std::string("\n") + kFarToken + "\n";
    std::string greeted;
    FrameReader reader;
    char buffer[4096];
    ssize_t n;
    while ((n = ReadSome(fd, buffer, sizeof buffer)) > 0) {
      std::string bytes(buffer, static_cast<size_t>(n));
      size_t missing = greeting.size() - greeted.size();
      greeted += bytes.substr(0, missing);
      if (bytes.size() > missing) reader.Append(bytes.substr(missing));
      Frame frame;
      while (reader.Next(&frame) == FrameReader::Result::kFrame) {
        if (frame.header.type == FrameType::kGone) return true;
      }
    }
    return false;
  }

  testing::TempDir dir_;
  const std::string sessions_ = dir_.Join("sessions");
  const std::string id_ = std::string(32, 'a');
};

// The near end tries again over another connection.
TEST_F(FarRelayTest, SessionWhoseHolderLivesIsNotGivenUpIfItCannotBeReached) {
  const std::string path = sessions_ + "/" + id_ + "/" + wire::kLockName;
  UniqueFd lock(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(flock(lock.get(), LOCK_EX | LOCK_NB), 0);
  EXPECT_FALSE(AttachGivesUp());
  lock.Reset();
  EXPECT_TRUE(AttachGivesUp());
}

TEST_F(FarRelayTest, SessionThatIsMissingIsGivenUp) {
  ASSERT_EQ(rmdir((sessions_ + "/" + id_).c_str()), 0);
  EXPECT_TRUE(AttachGivesUp());
}

}  // namespace
}  // namespace glasstty::far
