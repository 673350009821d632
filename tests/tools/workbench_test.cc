// Tests what the tools remember of sessions, and for how long.
#include "tools/workbench.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testing/fake_holder.h"
#include "tools/event_replies.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

class WorkbenchTest : public testing::Test {
 protected:
  WorkbenchTest() {
    std::string path =
        (std::filesystem::temp_directory_path() / "bench-XXXXXX").string();
    base_ = mkdtemp(path.data());
    setenv("GLASSTTY_STATE_DIR", base_.c_str(), 1);
    // Never started.
    setenv("GLASSTTY_HOLDER", "/bin/false", 1);
  }
  ~WorkbenchTest() override {
    unsetenv("GLASSTTY_STATE_DIR");
    unsetenv("GLASSTTY_HOLDER");
    std::filesystem::remove_all(base_);
  }

  std::string base_;
  FakeHolder holder_;
  session::SessionManager manager_{holder_.loop(), {}};
  Workbench bench_{holder_.loop(), &manager_};
  mcp::ToolCall call_{holder_.loop(), mcp::RequestContext(), 7, nullptr};
};

TEST_F(WorkbenchTest, TheMarkOfASessionGoesWithIt) {
  session::SessionRef session = holder_.Open();
  holder_.Print("text");
  ASSERT_TRUE(manager_.Prepare().ok());
  bench_.MarkOf(call_, *session);
  EXPECT_EQ(bench_.mark_count(), 1u);
  manager_.Forget(session);
  EXPECT_EQ(bench_.mark_count(), 0u);
  // Its last reply is sent afterwards.
  bench_.SetMark(7, *session, record::MarkNow(session->output().terminal()));
  EXPECT_EQ(bench_.mark_count(), 0u);
}

TEST_F(WorkbenchTest, WhatWasTypedIntoASessionGoesWithIt) {
  session::SessionRef session = holder_.Open();
  ASSERT_TRUE(manager_.Prepare().ok());
  GatedTyping typing;
  typing::StepGuard guard =
      bench_.gatekeeper()->GuardSteps(&bench_, &call_, session, &typing);
  std::vector<typing::Step> steps(1);
  steps[0].text = "half a line";
  holder_.Answer(wire::Waiting::kRead);
  Start(guard(&steps, 0), [](const std::string&) {});
  holder_.loop()->RunReady();
  EXPECT_EQ(bench_.gatekeeper()->line_count(), 1u);
  manager_.Forget(session);
  EXPECT_EQ(bench_.gatekeeper()->line_count(), 0u);
}

TEST_F(WorkbenchTest, NoMarkIsKeptBeforeTheLogHasBeenRead) {
  holder_.PrintSilently("one\r\ntwo\r\n");
  session::SessionRef session = holder_.OpenAdopted(holder_.end());
  ASSERT_TRUE(session->output().replaying());
  EXPECT_EQ(bench_.MarkOf(call_, *session).line, 0);
  EXPECT_EQ(bench_.mark_count(), 0u);
  holder_.Ring();
  bench_.MarkOf(call_, *session);
  EXPECT_EQ(bench_.mark_count(), 1u);
}

TEST_F(WorkbenchTest, ACancelledCallOpensNoSession) {
  call_.cancellation()->Cancel();
  absl::Status status;
  Start(bench_.OpenSession(&call_, "vim", {.argv = {"vim"}, .cwd = "/"}),
        [&status](const absl::StatusOr<session::SessionRef>& opened) {
          status = opened.status();
        });
  holder_.loop()->RunReady();
  EXPECT_EQ(status.message(), "the call was cancelled: nothing was opened");
  EXPECT_TRUE(manager_.All().empty());
}

// With `away-s = 0`, nobody is waited for, but a client that is there may still
// call the next server.
TEST_F(WorkbenchTest, AClientThatLivesIsExaminedAgainOnlyAfterAWhile) {
  holder_.BeOpenedBy({"code", "/p", 7, getpid()});
  session::SessionRef session = holder_.Open();
  ASSERT_TRUE(manager_.Prepare().ok());
  manager_.list()->Add(session);
  Clients* clients = bench_.clients();
  Time now = holder_.loop()->Now();
  clients->Recall(now);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(clients->ForgetAway(now).empty());
    Time next = clients->NextForget();
    EXPECT_GE(next, now + std::chrono::seconds(1));
    ASSERT_NE(next, Time::max());
    now = next;
  }
}

TEST_F(WorkbenchTest, EachWaitOfACallShowsThatTheCallIsAlive) {
  mcp::RequestContext context;
  context.progress_token = 1;
  std::vector<double> told;
  mcp::ToolCall call(holder_.loop(), context, 7,
                     [&told](std::string_view, const Json& params) {
                       told.push_back(params["progress"].get<double>());
                     });
  for (int wait = 0; wait < 2; ++wait) {
    Time deadline = holder_.loop()->Now() + std::chrono::seconds(25);
    Start(waits::AwaitOn(
              CallerOf(&call), std::vector<WaiterList*>(), [] { return false; },
              deadline),
          [](const waits::Result&) {});
    holder_.Advance(std::chrono::seconds(20));
    holder_.Advance(std::chrono::seconds(5));
  }
  EXPECT_EQ(told, (std::vector<double>{20, 25, 45, 50}));
}

// Another reply of the client tells the event while the wait collects more.
TEST_F(WorkbenchTest, AWaitForAnEventGoesOnIfAnotherReplyHasToldIt) {
  session::SessionRef session = holder_.Open({6, 40});
  ASSERT_TRUE(manager_.Prepare().ok());
  bench_.lookout()->Add(session);
  lookout::EventLog* log = bench_.lookout()->At(*session)->log();
  std::vector<session::SessionRef> sessions(1, session);
  std::string told;
  Start(AwaitEvent(&bench_, &call_, sessions, 30, ReplyFormat::kText),
        [&told](const mcp::ToolResult& result) { told = result.text; });
  auto pass = [this](int steps) {
    for (int i = 0; i < steps; ++i) {
      holder_.Advance(std::chrono::milliseconds(50));
    }
  };
  auto print = [&](const std::string& failure) {
    int64_t before = log->last();
    holder_.Print(failure + "\r\n");
    for (int i = 0; i < 20 && log->last() == before; ++i) pass(1);
    ASSERT_EQ(log->last(), before + 1);
  };
  print("error: no such type");
  log->SetTold(bench_.clients()->ReaderName(call_), log->last());
  pass(20);
  EXPECT_EQ(told, "");
  print("linker: failed badly");
  pass(20);
  EXPECT_NE(told.find("linker: failed badly"), std::string::npos) << told;
  EXPECT_EQ(told.find("no such type"), std::string::npos) << told;
}

// The log of a session that an earlier server left cannot be read.
class UnreadableLog : public WorkbenchTest {
 protected:
  session::SessionRef Adopt() {
    holder_.PrintSilently("abc");
    std::string segment = holder_.path() + "/" + wire::SegmentName("out", 0);
    std::filesystem::remove(segment);
    std::filesystem::create_directory(segment);
    session::SessionRef session = holder_.OpenAdopted(3);
    holder_.loop()->RunReady();
    return session;
  }
};

TEST_F(UnreadableLog, IsNotWaitedFor) {
  session::SessionRef session = Adopt();
  ASSERT_TRUE(session->output().replaying());
  std::optional<bool> read;
  std::vector<session::SessionRef> sessions(1, session);
  Start(bench_.AwaitReplays(&call_, sessions, std::chrono::seconds(45)),
        [&read](bool all) { read = all; });
  for (int pause : {20, 40, 80}) {
    holder_.loop()->RunReady();
    holder_.Advance(std::chrono::milliseconds(pause));
  }
  EXPECT_EQ(read, false);
  EXPECT_NE(session->verdict().LogTrouble().find("Is a directory"),
            std::string::npos);
  EXPECT_NE(session->verdict().LogTrouble().find("its programs keep running"),
            std::string::npos);
}

// The server knows all the same what the kernel has said of the program.
TEST_F(UnreadableLog, DoesNotHideTheEndOfTheProgram) {
  session::SessionRef session = Adopt();
  holder_.Exit(0);
  holder_.Vanish();
  EXPECT_FALSE(session->verdict().exited());
  for (int pause : {20, 40, 80, 160}) {
    holder_.Advance(std::chrono::milliseconds(pause));
  }
  EXPECT_TRUE(session->verdict().exited());
  EXPECT_TRUE(session->life().ended());
  EXPECT_TRUE(session->finished());
}

}  // namespace
}  // namespace glasstty
