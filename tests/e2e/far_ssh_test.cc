// Tests sessions over sshd, as an ordinary user may run it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "e2e/ssh_server.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class FarSsh : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(ssh_.problem(), "");
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {"PATH=" + ssh_.bin() + ":" + getenv("PATH"),
                                 std::string("PHRASE=") + kPassphrase,
                                 // The home of the user who runs the test must
                                 // stay clean.
                                 "GLASSTTY_FAR_DIR=" + there_.path()};
    client_ = std::make_unique<McpClient>(options);
  }
  Reply OpenThere() { return client_->Call("term_open", {{"on", "ssh:db"}}); }

  static constexpr char kPassphrase[] = "tango-7-rivet-91";
  SshServer ssh_{kPassphrase, false};
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
