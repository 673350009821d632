// Tests the near end of a connection as a whole, with a scripted far end that
// wants to exhaust its memory.
#include "far/near_relay.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "base/limits.h"
#include "testing/system.h"
#include "wire/own_socket.h"
#include "wire/place_control.h"

namespace glasstty::far {
namespace {

constexpr char kNearToken[] = "0123456789abcdef";

UniqueFd OpenFolder(const std::string& directory) {
  return UniqueFd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

// Starts a relay in `directory`, with one server. Returns its pid.
pid_t StartRelay(const std::string& directory, const std::string& program,
                 UniqueFd* server) {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC,
                       0, ends),
            0);
  server->Reset(ends[0]);
  UniqueFd theirs(ends[1]);
  pid_t pid = fork();
  if (pid != 0) return pid;
  server->Reset();
  SurviveFailedWrites();
  NearRelay relay({.spec = {.text = "ssh:db",
                            .prefix = {},
                            .token = kNearToken,
                            .near_id = std::string(32, 'a'),
                            .programs = {"x86_64", program}},
                   .server = std::move(theirs),
                   .directory = OpenFolder(directory),
                   .lock = UniqueFd()});
  relay.Run();
  _exit(0);
}

TEST(NearRelay, SendsNoSecondProgramToAnEndThatHasNotReadTheFirst) {
  constexpr size_t kProgram = 1'000'000;
  testing::TempDir dir;
  std::string program = dir.Write("program", std::string(kProgram, 'x'));
  UniqueFd server, plug, directory = OpenFolder(dir.path());
  pid_t pid = StartRelay(dir.path(), program, &server);
  ASSERT_TRUE(testing::Eventually(testing::Seconds(20), [&] {
    plug = wire::ConnectAt(directory.get(), wire::kPlugName, SOCK_STREAM);
    return plug.valid();
  }));
  // The plug reports that no client ran yet, and may start one.
  int32_t status = -1;
  ASSERT_TRUE(WriteAll(
      plug.get(), {reinterpret_cast<const char*>(&status), sizeof status}));
  char go = 0;
  ASSERT_EQ(ReadSome(plug.get(), &go, 1), 1);
  std::string asks;
  for (int i = 0; i < 100; ++i)
    asks += std::string(kNearToken) + " need x86_64\n";
  ASSERT_TRUE(WriteAll(plug.get(), asks));
  size_t sent = 0;
  char buffer[4096];
  ssize_t n;
  while ((n = ReadSome(plug.get(), buffer, sizeof buffer)) > 0) {
    sent += static_cast<size_t>(n);
  }
  EXPECT_LT(sent, 2 * kProgram);
  server.Reset();
  EXPECT_EQ(waitpid(pid, nullptr, 0), pid);
}

}  // namespace
}  // namespace glasstty::far
