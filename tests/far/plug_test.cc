// Tests the program that runs the client of a place, beside a relay of the
// test.
#include "far/plug.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "base/fd.h"
#include "testing/system.h"
#include "wire/place_control.h"

namespace glasstty::far {
namespace {

class Plug : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = directory_.Join(wire::kPlugName);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(name.size(), sizeof address.sun_path);
    strcpy(address.sun_path, name.c_str());
    listener_ = UniqueFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    ASSERT_EQ(bind(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                   sizeof address),
              0);
    ASSERT_EQ(listen(listener_.get(), 8), 0);
    plug_ = fork();
    if (plug_ != 0) return;
    listener_.Reset();
    char shell[] = "sh", option[] = "-c", command[] = "echo here; exit 3";
    char* client[] = {shell, option, command, nullptr};
    _exit(RunPlug(directory_.path(), client));
  }
  UniqueFd Accept() {
    return UniqueFd(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  }
  // Returns how the previous client ended, in the form of waitpid(2).
  static int32_t LastStatus(const UniqueFd& plug) {
    int32_t status = 0;
    EXPECT_EQ(recv(plug.get(), &status, sizeof status, MSG_WAITALL),
              ssize_t{sizeof status});
    return status;
  }
  static std::string ReadToTheEnd(const UniqueFd& plug) {
    std::string all;
    char bytes[64];
    for (ssize_t n; (n = read(plug.get(), bytes, sizeof bytes)) > 0;) {
      all.append(bytes, static_cast<size_t>(n));
    }
    return all;
  }
  // Returns the exit status of the plug itself, once it has ended.
  int ExitStatus() {
    int status = -1;
    EXPECT_EQ(waitpid(plug_, &status, 0), plug_);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  ::glasstty::testing::TempDir directory_;
  UniqueFd listener_;
  pid_t plug_ = -1;
};

TEST_F(Plug, RunsTheClientWhenItsRelaySaysSoAndReportsHowItEnded) {
  UniqueFd first = Accept();
  EXPECT_EQ(LastStatus(first), -1);
  ASSERT_EQ(write(first.get(), "g", 1), 1);
  EXPECT_EQ(ReadToTheEnd(first), "here\n");
  first.Reset();
  UniqueFd second = Accept();
  EXPECT_EQ(LastStatus(second), 3 << 8);
  unlink(directory_.Join(wire::kPlugName).c_str());
  listener_.Reset();
  second.Reset();
  EXPECT_EQ(ExitStatus(), 0);
}

// The kernel may still accept connections for a relay that is being killed.
TEST_F(Plug, OutlivesARelayThatEndsBeforeItSaysAnything) {
  Accept().Reset();
  UniqueFd next = Accept();
  EXPECT_EQ(LastStatus(next), -1);
  ASSERT_EQ(write(next.get(), "g", 1), 1);
  EXPECT_EQ(ReadToTheEnd(next), "here\n");
  listener_.Reset();
  next.Reset();
  unlink(directory_.Join(wire::kPlugName).c_str());
  EXPECT_EQ(ExitStatus(), 0);
}

TEST_F(Plug, EndsWhenItsRelaysOnlyHangUp) {
  for (int i = 0; i < 3; ++i) Accept().Reset();
  EXPECT_EQ(ExitStatus(), 0);
}

}  // namespace
}  // namespace glasstty::far
