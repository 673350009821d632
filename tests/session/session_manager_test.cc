// Opening, where the disk refuses; finding, and closing what nobody uses, with
// real holders and a manual clock.
#include "session/session_manager.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "session/manager_fixtures.h"
#include "support/status.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// No later server could take such a session over.
TEST_F(SessionManagerTest, StartsNoSessionWhoseDescriptionCannotBeWritten) {
  session::SessionManager manager(&loop_, {});
  ASSERT_TRUE(manager.Prepare().ok());
  rlimit before;
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit none{0, before.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &none);
  auto session = manager.Open("", {.argv = {"cat"}});
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_DFL);
  ASSERT_FALSE(session.ok());
  EXPECT_NE(Message(session.status()).find("meta.json"), std::string::npos)
      << session.status();
  EXPECT_TRUE(manager.All().empty());
  for (const auto& entry : fs::directory_iterator(base_)) {
    std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "ended" || name == "claims") << name;
  }
}

TEST_F(LiveSessions, ThoseThatEndedStandBehindTheOthers) {
  Begin({});
  SessionRef a = Open("a"), b = Open("b"), c = Open("c");
  End(a);
  EXPECT_EQ(Names(), (std::vector<std::string>{"b", "c", "a"}));
  // Which one is meant is clear when only one lives; else those are named.
  std::string which = Message(manager_->Find("").status());
  EXPECT_EQ(which.find("a ("), std::string::npos) << which;
  EXPECT_NE(which.find("b ("), std::string::npos) << which;
  End(b);
  ASSERT_TRUE(manager_->Find("").ok());
  EXPECT_EQ((*manager_->Find(""))->name(), "c");
  End(c);
  std::string none = Message(manager_->Find("d").status());
  EXPECT_NE(none.find("a (exited"), std::string::npos) << none;
  EXPECT_FALSE(manager_->Find("").ok());
}

TEST_F(LiveSessions, TheOnlyOneNeedsNoNameEvenWhenItHasEnded) {
  Begin({});
  End(Open("only"));
  ASSERT_TRUE(manager_->Find("").ok());
  EXPECT_EQ((*manager_->Find(""))->name(), "only");
}

TEST_F(LiveSessions, WhatNobodyUsesIsClosed) {
  Begin({.idle_limit = std::chrono::minutes(10)});
  SessionRef unused = Open("unused"), kept = Open("kept", true);
  SessionRef used = Open("used");
  Advance(std::chrono::minutes(9));
  EXPECT_FALSE(unused->finished());
  manager_->Touch(*used);
  Advance(std::chrono::minutes(5));
  Until([&] { return unused->finished(); });
  EXPECT_NE(manager_->FateOf("unused").find("after 10 minutes without use"),
            std::string::npos);
  EXPECT_FALSE(used->finished());
  EXPECT_FALSE(kept->finished());
  Advance(std::chrono::minutes(15));
  Until([&] { return used->finished(); });
  EXPECT_FALSE(kept->finished());
}

TEST_F(LiveSessions, WhatHasEndedStaysReadableForAWhile) {
  Begin({.exited_for = std::chrono::minutes(30)});
  SessionRef old = Open("old");
  End(old);
  Advance(std::chrono::minutes(20));
  SessionRef late = Open("late");
  End(late);
  EXPECT_TRUE(manager_->Find("old").ok());
  Advance(std::chrono::minutes(11));
  Open("next");
  EXPECT_FALSE(manager_->Find("old").ok());
  EXPECT_TRUE(manager_->Find("late").ok());
}

// All that is left is in use.
TEST_F(LiveSessions, AStateDirectoryThatStaysTooLargeIsLeftAtThat) {
  Begin({.state_cap = 1});
  SessionRef session = Open("a");
  for (int i = 0; i < 10; ++i) Advance(std::chrono::minutes(1));
  EXPECT_FALSE(session->finished());
  EXPECT_TRUE(manager_->Find("a").ok());
}

TEST_F(LiveSessions, ThereAreAtMostSoMany) {
  Begin({.max_sessions = 2});
  SessionRef a = Open("a");
  Open("b");
  auto third = manager_->Open("c", {.argv = {"cat"}});
  ASSERT_FALSE(third.ok());
  EXPECT_NE(Message(third.status()).find("term_close one of: a, b"),
            std::string::npos)
      << third.status();
  // One that has ended takes no room.
  End(a);
  Until([&] { return a->ended(); });
  Open("c");
}

TEST_F(LiveSessions, ANameIsUsedOnceAndAgainWhenItsSessionHasEnded) {
  Begin({});
  SessionRef a = Open("a");
  EXPECT_NE(Message(manager_->Open("a", {.argv = {"cat"}}).status())
                .find("is open already"),
            std::string::npos);
  End(a);
  EXPECT_NE(Open("a")->leader_pid(), a->leader_pid());
  EXPECT_EQ(manager_->All().size(), 1u);
  // Without a name it is that of the program, numbered.
  EXPECT_EQ(Open("")->name(), "cat");
  EXPECT_EQ(Open("")->name(), "cat-2");
}

TEST_F(LiveSessions, TheNextServerTakesOverWhatOneHasLeft) {
  Begin({});
  int pid = Open("a")->leader_pid();
  Open("kept", true);
  manager_.reset();
  Begin({});
  ASSERT_TRUE(manager_->Find("a").ok());
  SessionRef a = *manager_->Find("a");
  Until([&] { return !a->replaying(); });
  EXPECT_EQ(a->leader_pid(), pid);
  EXPECT_FALSE(a->finished());
  // An orderly end takes all but those that are kept.
  manager_->Shutdown(std::chrono::seconds(1));
  Until([&] { return manager_->Idle(); });
  a.reset();
  manager_.reset();
  Begin({});
  EXPECT_EQ(Names(), std::vector<std::string>{"kept"});
}

TEST_F(LiveSessions, OneWhoseHolderDiedWithoutAServerHasEndedWhenTheNextComes) {
  Begin({});
  Open("a");
  int holder = 0;
  for (const ProcessRow& process : ProcessesWith(base_)) {
    if (process.command.find("glasstty-holder") != std::string::npos) {
      holder = process.pid;
    }
  }
  ASSERT_GT(holder, 0) << Describe(ProcessesWith(base_));
  manager_.reset();
  ASSERT_EQ(kill(holder, SIGKILL), 0);
  ASSERT_TRUE(
      Eventually(Seconds(20), [&] { return LiveHolders(base_).empty(); }));
  Begin({});
  ASSERT_TRUE(manager_->Find("a").ok());
  SessionRef found = *manager_->Find("a");
  Until([&] { return !found->replaying(); });
  EXPECT_TRUE(found->finished());
  EXPECT_FALSE(found->away_since());
}

}  // namespace
}  // namespace glasstty::testing
