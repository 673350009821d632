// Opening, where the disk refuses; finding, and closing what nobody uses, with
// real holders and a manual clock.
#include "session/session_manager.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/status.h"
#include "testing/system.h"

namespace glasstty::testing {

using session::SessionRef;

namespace {

namespace fs = std::filesystem;

class SessionManagerTest : public ::testing::Test {
 protected:
  SessionManagerTest() {
    std::string path = (fs::temp_directory_path() / "manager-XXXXXX").string();
    base_ = mkdtemp(path.data());
    setenv("GLASSTTY_STATE_DIR", base_.c_str(), 1);
    // Never reached.
    setenv("GLASSTTY_HOLDER", "/bin/false", 1);
  }
  ~SessionManagerTest() override {
    unsetenv("GLASSTTY_STATE_DIR");
    unsetenv("GLASSTTY_HOLDER");
    fs::remove_all(base_);
  }

  std::string base_;
  ManualClock clock_;
  Loop loop_{&clock_};
};

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

class LiveSessions : public SessionManagerTest {
 protected:
  LiveSessions() {
    std::string holder = BuildPath("src/far/glasstty-holder");
    setenv("GLASSTTY_HOLDER", holder.c_str(), 1);
  }
  ~LiveSessions() override {
    if (!manager_) return;
    for (const SessionRef& session : manager_->All()) {
      if (!session->finished()) End(session);
    }
  }

  void Begin(session::SessionSettings settings) {
    manager_.emplace(&loop_, settings);
    ASSERT_TRUE(manager_->Prepare().ok());
  }
  SessionRef Open(const std::string& name, bool keep = false) {
    auto session =
        manager_->Open(name, {.argv = {"cat"}, .cwd = "/", .keep = keep});
    EXPECT_TRUE(session.ok()) << session.status();
    Until([&] { return (*session)->started(); });
    return *session;
  }
  void End(const SessionRef& session) {
    session->Close(std::chrono::seconds(1), true, true);
    Until([&] { return session->finished(); });
  }
  void Until(const std::function<bool()>& condition) {
    EXPECT_TRUE(Eventually(Seconds(20), [&] {
      loop_.RunReady();
      return condition();
    }));
  }
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    for (const SessionRef& session : manager_->All()) {
      names.push_back(session->name());
    }
    return names;
  }
  void Advance(Duration by) {
    clock_.Advance(by);
    loop_.RunReady();
  }

  std::optional<session::SessionManager> manager_;
};

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

// A process that ends loses its memory, and with it the mark that
// ProcessesWith looks for, before its sockets are closed; then it is a zombie.
bool IsDead(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string stat;
  std::getline(file, stat);
  size_t name_end = stat.rfind(") ");
  return name_end == std::string::npos || stat[name_end + 2] == 'Z';
}

// Sessions on other machines, which are this one: their clients run the line
// that they are given.
class SessionsElsewhere : public LiveSessions {
 protected:
  SessionsElsewhere() {
    setenv("GLASSTTY_FAR_DIR", (base_ + "/far").c_str(), 1);
    Begin({});
  }
  ~SessionsElsewhere() override {
    manager_.reset();
    KillAll();
    unsetenv("GLASSTTY_FAR_DIR");
  }

  void KillAll() {
    std::set<pid_t> killed;
    EXPECT_TRUE(Eventually(Seconds(20), [&] {
      std::vector<ProcessRow> left = ProcessesWith(base_);
      for (const ProcessRow& row : left) {
        kill(row.pid, SIGKILL);
        killed.insert(row.pid);
      }
      return left.empty() && std::all_of(killed.begin(), killed.end(), IsDead);
    }));
  }
  session::ReachedPlace Reach(const std::string& client) {
    place::Place place;
    std::string error;
    EXPECT_TRUE(place::PlaceOfPrefix({client}, &place, &error)) << error;
    auto reached = manager_->Reach(place);
    EXPECT_TRUE(reached.ok()) << reached.status();
    return *reached;
  }
  SessionRef OpenThere(const std::string& client) {
    session::PlaceLink* link = Reach(client).link;
    Until([link] { return link->up(); });
    auto session =
        manager_->Open("on-" + client, {.argv = {"cat"}, .cwd = "/"}, link);
    EXPECT_TRUE(session.ok()) << session.status();
    Until([&] { return (*session)->started(); });
    return *session;
  }
  // Those that live.
  std::vector<std::string> Clients() {
    std::vector<std::string> names;
    for (const SessionRef& session : manager_->All()) {
      bool is_client = session->name()[0] == '@' && !session->finished();
      if (is_client) names.push_back(session->name());
    }
    return names;
  }
};

TEST_F(SessionsElsewhere, EachPlaceHasAClientWithWhichTheNextServerGoesOn) {
  OpenThere("env");
  OpenThere("nice");
  const std::vector<std::string> both = {"@env", "@nice"};
  EXPECT_EQ(Clients(), both);
  manager_.reset();
  Begin({});
  EXPECT_EQ(Clients(), both);
}

TEST_F(SessionsElsewhere, AClientThatDiesIsStartedAgainForTheSessionThere) {
  SessionRef session = OpenThere("env");
  int pid = manager_->places().at(0).client->leader_pid();
  kill(pid, SIGKILL);
  Until([&] {
    Advance(std::chrono::milliseconds(100));
    SessionRef client = manager_->places().at(0).client;
    return client->started() && client->leader_pid() != pid &&
           !session->away_since();
  });
}

// Its relay knows another token.
TEST_F(SessionsElsewhere, OneThatNoRelayTakesIsGivenUpAfterTenSeconds) {
  SessionRef session = OpenThere("env");
  // So that none can be started.
  fs::permissions(base_ + "/places", fs::perms::all);
  KillAll();
  loop_.RunReady();
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(session->finished()) << i;
    Advance(std::chrono::milliseconds(100));
  }
  EXPECT_TRUE(session->finished());
  EXPECT_TRUE(session->holder_lost());
}

// Without a look at the loop the session does not know of it yet.
TEST_F(SessionsElsewhere, AHelperIsOpenedOnlyOverAConnection) {
  SessionRef session = OpenThere("env");
  session::ReachedPlace reached = Reach("env");
  kill(reached.client->leader_pid(), SIGKILL);
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    reached.link->IsGone();
    return !reached.link->up();
  }));
  EXPECT_FALSE(session->away_since());
  auto helper = manager_->OpenHelper("@help", {"cat"}, *session);
  EXPECT_EQ(Message(helper.status()),
            "on env: there is no connection now (term_list tells more)");
}

TEST_F(SessionsElsewhere, AHelperTakesWhatItHasStartedWithIt) {
  SessionRef session = OpenThere("env");
  const std::string folder = base_ + "/of-the-helper";
  fs::create_directory(folder);
  auto helper = manager_->OpenHelper(
      "@help",
      {"sh", "-c", "cd \"$0\" && setsid sleep 1000 & exec cat", folder},
      *session);
  ASSERT_TRUE(helper.ok()) << helper.status();
  EXPECT_TRUE((*helper)->origin().program.pipe);
  Until([&] { return ProcessesWith(folder).size() == 1; });
  // An ended session of somebody else's stays.
  SessionRef other = Open("other");
  End(other);
  manager_->EndHelper(*helper);
  Until([&] {
    Advance(std::chrono::milliseconds(200));
    return ProcessesWith(folder).empty();
  });
  helper->reset();
  Until([&] {
    Advance(std::chrono::milliseconds(200));
    return manager_->All().size() == 3;
  });
  EXPECT_EQ(Names().back(), "other");
}

}  // namespace
}  // namespace glasstty::testing
