#include "record/call_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/fd.h"

namespace glasstty::record {
namespace {

class CallLog : public testing::Test {
 protected:
  CallLog() {
    char path[] = "/tmp/glasstty-calls-XXXXXX";
    path_ = mkdtemp(path);
    directory_ = UniqueFd(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  ~CallLog() override { std::filesystem::remove_all(path_); }

  std::string path_;
  UniqueFd directory_;
};

AgentCall CallAt(int64_t ns, std::string arguments = "command: ls") {
  return {.begin = Time{Duration(ns)},
          .end = Time{Duration(ns + 5)},
          .client = "client 1",
          .tool = "term_run",
          .arguments = std::move(arguments),
          .reply = "[main] prompt"};
}

TEST_F(CallLog, HasNoCallsAtFirst) {
  EXPECT_TRUE(ReadCalls(directory_.get()).empty());
}

TEST_F(CallLog, KeepsWhatWasCalled) {
  AgentCall refused = CallAt(20);
  refused.failed = true;
  AppendCall(directory_.get(), CallAt(10, "command: echo \"ä\""));
  AppendCall(directory_.get(), refused);
  std::vector<AgentCall> calls = ReadCalls(directory_.get());
  ASSERT_EQ(calls.size(), 2u);
  EXPECT_EQ(calls[0].arguments, "command: echo \"ä\"");
  EXPECT_EQ(calls[0].tool, "term_run");
  EXPECT_EQ(calls[0].client, "client 1");
  EXPECT_EQ(calls[0].reply, "[main] prompt");
  EXPECT_EQ(calls[0].begin.time_since_epoch().count(), 10);
  EXPECT_EQ(calls[0].end.time_since_epoch().count(), 15);
  EXPECT_FALSE(calls[0].failed);
  EXPECT_TRUE(calls[1].failed);
}

// A program of the session may have put it there. Waiting for a reader would
// stop the server for ever.
TEST_F(CallLog, APipeInItsPlaceHoldsNothingUp) {
  ASSERT_EQ(mkfifo((path_ + "/calls").c_str(), 0600), 0);
  AppendCall(directory_.get(), CallAt(1));
  // Nor does a reader get what was called.
  UniqueFd reader(
      open((path_ + "/calls").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  AppendCall(directory_.get(), CallAt(2));
  char byte;
  EXPECT_EQ(read(reader.get(), &byte, 1), 0);
  EXPECT_TRUE(ReadCalls(directory_.get()).empty());
}

TEST_F(CallLog, SkipsALineThatWasWrittenHalf) {
  AppendCall(directory_.get(), CallAt(1));
  std::ofstream(path_ + "/calls", std::ios::app) << "{\"begin\":2,\"to\n";
  AppendCall(directory_.get(), CallAt(3));
  EXPECT_EQ(ReadCalls(directory_.get()).size(), 2u);
}

TEST_F(CallLog, KeepsOnlyTheNewestCalls) {
  for (int i = 0; i < 4000; ++i) {
    AppendCall(directory_.get(), CallAt(i, std::string(150, 'x')));
  }
  std::vector<AgentCall> calls = ReadCalls(directory_.get());
  EXPECT_GT(calls.size(), 900u);
  EXPECT_LT(calls.size(), 2500u);
  EXPECT_EQ(calls.back().begin.time_since_epoch().count(), 3999);
  EXPECT_LT(std::filesystem::file_size(path_ + "/calls"), 270'000u);
}

TEST_F(CallLog, FollowsNoLink) {
  std::filesystem::create_symlink(path_ + "/elsewhere", path_ + "/calls");
  AppendCall(directory_.get(), CallAt(1));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/elsewhere"));
}

}  // namespace
}  // namespace glasstty::record
