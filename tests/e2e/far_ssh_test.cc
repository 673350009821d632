// Sessions over sshd, as an ordinary user may run it.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class FarSsh : public ::testing::Test {
 protected:
  // A port that is free now.
  static int FreePort() {
    UniqueFd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(fd.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  void SetUp() override {
    std::string port = std::to_string(FreePort());
    const std::string& d = home_.path();
    RunCommand(
        {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", d + "/hostkey"});
    RunCommand({"ssh-keygen", "-q", "-t", "ed25519", "-N", kPassphrase, "-f",
                d + "/key"});
    home_.Write("sshd_config",
                "Port " + port + "\nListenAddress 127.0.0.1\nHostKey " + d +
                    "/hostkey\nAuthorizedKeysFile " + d + "/key.pub\nPidFile " +
                    d +
                    "/pid\nPasswordAuthentication no\nStrictModes no\n"
                    "UsePAM no\n");
    home_.Write("config",
                "Host db\n HostName 127.0.0.1\n Port " + port +
                    "\n IdentityFile " + d +
                    "/key\n IdentitiesOnly yes\n UserKnownHostsFile " + d +
                    "/known\n GlobalKnownHostsFile /dev/null\n");
    std::string client = home_.Write(
        "bin-ssh", "#!/bin/sh\nexec /usr/bin/ssh -F " + d + "/config \"$@\"\n");
    ASSERT_EQ(mkdir(home_.Join("bin").c_str(), 0700), 0);
    ASSERT_EQ(rename(client.c_str(), home_.Join("bin/ssh").c_str()), 0);
    ASSERT_EQ(chmod(home_.Join("bin/ssh").c_str(), 0700), 0);
    // Of root's, it insists on this one.
    if (geteuid() == 0) mkdir("/run/sshd", 0755);
    CommandResult started = RunCommand(
        {"/usr/sbin/sshd", "-f", d + "/sshd_config", "-E", d + "/log"});
    ASSERT_EQ(started.status, 0) << started.output;
    ASSERT_TRUE(Eventually(Seconds(10), [this] {
      return !ReadWholeFile(home_.Join("pid")).empty();
    }));
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {
        "PATH=" + home_.Join("bin") + ":" + getenv("PATH"),
        std::string("PHRASE=") + kPassphrase,
        // Not into the home of who runs the test.
        "GLASSTTY_FAR_DIR=" + there_.path()};
    client_ = std::make_unique<McpClient>(options);
  }
  void TearDown() override {
    client_.reset();
    std::string pid = ReadWholeFile(home_.Join("pid"));
    if (!pid.empty()) kill(std::stoi(pid), SIGTERM);
  }
  Reply OpenThere() { return client_->Call("term_open", {{"on", "ssh:db"}}); }

  static constexpr char kPassphrase[] = "tango-7-rivet-91";
  TempDir home_;
  TempDir state_;
  TempDir there_;
  std::unique_ptr<McpClient> client_;
};

TEST_F(FarSsh, AsksForTheHostAndThePassphraseWhichStayNowhere) {
  EXPECT_TRUE(Shows(OpenThere(), "Are you sure you want to continue"));
  Json wait = {{"regex", "passphrase.*:"}};
  EXPECT_TRUE(Good(client_->Call(
      "term_send", {{"session", "@db"}, {"input", "yes\n"}, {"until", wait}})));
  EXPECT_TRUE(Shows(OpenThere(), "Enter passphrase for key"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(Good(client_->Call(
        "term_send",
        {{"session", "@db"}, {"input", "wrong\n"}, {"until", wait}})));
  }
  EXPECT_TRUE(Good(client_->Call(
      "term_send",
      {{"session", "@db"}, {"input", {{{"secret_env", "PHRASE"}}}}})));
  Reply opened = OpenThere();
  ASSERT_TRUE(Good(opened));
  EXPECT_TRUE(Shows(opened, "[db] "));
  Reply run = client_->Call(
      "term_run",
      {{"session", "db"}, {"command", "echo ${SSH_CONNECTION%% *}"}});
  EXPECT_TRUE(Shows(run, "127.0.0.1"));
  for (const std::string& folder : {state_.path(), there_.path()}) {
    EXPECT_EQ(FilesWith(folder, kPassphrase), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace glasstty::testing
