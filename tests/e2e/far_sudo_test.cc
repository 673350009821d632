// Tests another user as a place, where sudo asks for a password.
//
// Needs root and a mount namespace: in it nobody has a password and may use
// sudo, and no file of this machine is touched.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "e2e/ordinary_user.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

constexpr char kPassword[] = "tango-3-rivet-57";

// $1 is a folder with `shadow` and `sudoers`; the command to run follows.
constexpr char kWithPassword[] =
    "set -e; mount --make-rprivate /; mount --bind $1/shadow /etc/shadow; "
    "mount --bind $1/sudoers /etc/sudoers; shift; exec \"$@\"";

class FarSudo : public ::testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0 || RunCommand({"unshare", "--mount", "true"}).status) {
      GTEST_SKIP() << "takes root, and a machine on which it may unshare";
    }
    ASSERT_EQ(RunCommand({"sudo", "-V"}).status, 0) << "no sudo";
    std::string hash =
        RunCommand({"openssl", "passwd", "-6", kPassword}).output;
    while (!hash.empty() && hash.back() == '\n') hash.pop_back();
    folder_.Write("shadow", "root:*:19000:0:99999:7:::\nnobody:" + hash +
                                ":19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:"
                                "::\n");
    chmod(folder_
              .Write("sudoers",
                     "Defaults env_keep += GLASSTTY_TEST\n"
                     "nobody ALL=(ALL) ALL\n")
              .c_str(),
          0440);
    // Each of both users creates files there.
    chmod(folder_.path().c_str(), 0755);
    mkdir(there_.path().c_str(), 01777);
    chmod(there_.path().c_str(), 01777);
    ServerOptions options = user_.options();
    std::vector<std::string> words = {"--mount",     "sh", "-c",
                                      kWithPassword, "x",  folder_.path(),
                                      options.binary};
    words.insert(words.end(), options.arguments.begin(),
                 options.arguments.end());
    options.binary = "/usr/bin/unshare";
    options.arguments = words;
    options.environment.push_back(std::string("WORD=") + kPassword);
    options.environment.push_back("GLASSTTY_FAR_DIR=" + there_.Join("daemon"));
    state_ = options.state_dir;
    client_ = std::make_unique<McpClient>(options);
  }
  Reply OpenThere() {
    return client_->Call("term_open", {{"on", "sudo:daemon"}});
  }

  OrdinaryUser user_;
  TempDir folder_;
  TempDir there_;
  std::string state_;
  std::unique_ptr<McpClient> client_;
};

TEST_F(FarSudo, AsksForAPasswordWhichStaysNowhere) {
  Reply asked = OpenThere();
  EXPECT_TRUE(Shows(asked, "asks in session '@daemon'; "));
  EXPECT_TRUE(Shows(asked, "[sudo] password for nobody:"));
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(
        Good(client_->Call("term_send", {{"session", "@daemon"},
                                         {"input", "wrong\n"},
                                         {"until", {{"text", "try again"}}}})));
    EXPECT_TRUE(
        Good(client_->Call("term_wait", {{"session", "@daemon"},
                                         {"until", {{"state", "secret"}}}})));
  }
  EXPECT_TRUE(Good(client_->Call(
      "term_send",
      {{"session", "@daemon"}, {"input", {{{"secret_env", "WORD"}}}}})));
  Reply opened = OpenThere();
  ASSERT_TRUE(Good(opened));
  EXPECT_TRUE(Shows(opened, "[daemon] "));
  Reply run = client_->Call(
      "term_run", {{"session", "daemon"}, {"command", "id -un; echo $WORD"}});
  EXPECT_EQ(run.body, "daemon\n");
  for (const std::string& folder :
       {state_, user_.home(), there_.path(), std::string("/tmp/glasstty-1")}) {
    EXPECT_EQ(FilesWith(folder, kPassword), std::vector<std::string>());
  }
}

}  // namespace
}  // namespace glasstty::testing
