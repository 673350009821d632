// Tests a session whose log cannot be read: calls say so in time, and it can be
// closed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "wire/session_files.h"

namespace glasstty::testing {
namespace {

class UnreadableLog : public ::testing::Test {
 protected:
  // An earlier server left this session, with a directory in place of its log.
  UnreadableLog() {
    first_ = Start();
    Open(first_.get(), "job", {"sh", "-c", "echo hello; exec sleep 100"},
         {{"until", {{"text", "hello"}}}});
    first_->Signal(SIGKILL);
    EXPECT_TRUE(first_->WaitForExit(Seconds(10)));
    segment_ = SessionDirectory(state_.path(), "job") + "/" +
               wire::SegmentName("out", 0);
    EXPECT_EQ(rename(segment_.c_str(), (segment_ + ".saved").c_str()), 0);
    EXPECT_EQ(mkdir(segment_.c_str(), 0700), 0);
    client_ = Start();
  }

  std::unique_ptr<McpClient> Start() {
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {"GLASSTTY_GRACE_S=60"};
    return std::make_unique<McpClient>(options);
  }
  void Repair() {
    EXPECT_EQ(rmdir(segment_.c_str()), 0);
    EXPECT_EQ(rename((segment_ + ".saved").c_str(), segment_.c_str()), 0);
  }

  TempDir state_;
  std::string segment_;
  // Everything that the first has started ends with it.
  std::unique_ptr<McpClient> first_, client_;
};

TEST_F(UnreadableLog, ACallEndsInItsOwnTimeAndSaysWhy) {
  auto began = std::chrono::steady_clock::now();
  Reply wait = client_->Call(
      "term_wait",
      {{"session", "job"}, {"until", {{"text", "never"}}}, {"timeout_s", 0.3}});
  std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_TRUE(Shows(wait, "reason=timeout"));
  EXPECT_TRUE(Shows(wait, "its log cannot be read: "));
  EXPECT_TRUE(Shows(wait, "its programs keep running"));
  EXPECT_LT(took.count(), 10 * Slowness());
  EXPECT_TRUE(Shows(client_->Call("term_list"), "its log cannot be read: "));
  EXPECT_TRUE(Shows(
      client_->Call("term_search", {{"session", "job"}, {"regex", "hello"}}),
      "its log cannot be read: "));
}

TEST_F(UnreadableLog, ACommandIsNotTypedAndTheReplySaysWhy) {
  Reply run = client_->Call(
      "term_run",
      {{"session", "job"}, {"command", "true"}, {"timeout_s", 0.3}});
  EXPECT_TRUE(Shows(run, "nothing was typed: its log cannot be read: "));
}

TEST_F(UnreadableLog, ASessionIsClosedWithoutIt) {
  Reply closed =
      client_->Call("term_close", {{"session", "job"}, {"force", true}});
  EXPECT_TRUE(Shows(closed, "none of its processes is left"));
}

TEST_F(UnreadableLog, IsReadOnceItCanBe) {
  EXPECT_TRUE(Shows(client_->Call("term_read", {{"session", "job"}}),
                    "its log cannot be read: "));
  Repair();
  Reply wait = client_->Call(
      "term_wait",
      {{"session", "job"}, {"until", {{"text", "hello"}}}, {"timeout_s", 20}});
  EXPECT_TRUE(Shows(wait, "hello"));
  EXPECT_EQ(wait.text.find("cannot be read"), std::string::npos) << wait.text;
}

}  // namespace
}  // namespace glasstty::testing
