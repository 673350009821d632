// Opening, where the disk refuses; finding, and closing what nobody uses, with
// real holders and a manual clock.
#include "session/session_manager.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/descriptors.h"
#include "base/fd.h"
#include "record/housekeeper.h"
#include "record/meta.h"
#include "record/state_dir.h"
#include "session/manager_fixtures.h"
#include "support/status.h"
#include "support/task.h"
#include "testing/system.h"
#include "wire/session_files.h"

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
  manager_->list()->Touch(*used);
  Advance(std::chrono::minutes(5));
  Until([&] { return unused->finished(); });
  EXPECT_NE(manager_->list()->tombstones().Of("unused").find(
                "after 10 minutes without use"),
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
  // A session that has ended takes no room.
  End(a);
  Until([&] { return a->life().ended(); });
  Open("c");
}

TEST_F(LiveSessions, ANameIsUsedOnceAndAgainWhenItsSessionHasEnded) {
  Begin({});
  SessionRef a = Open("a");
  EXPECT_NE(Message(manager_->Open("a", {.argv = {"cat"}}).status())
                .find("is open already"),
            std::string::npos);
  End(a);
  EXPECT_NE(Open("a")->life().leader_pid(), a->life().leader_pid());
  EXPECT_EQ(manager_->All().size(), 1u);
  // Without a name it is that of the program, numbered.
  EXPECT_EQ(Open("")->name(), "cat");
  EXPECT_EQ(Open("")->name(), "cat-2");
}

TEST_F(LiveSessions, TheNextServerTakesOverWhatOneHasLeft) {
  Begin({});
  int pid = Open("a")->life().leader_pid();
  Open("kept", true);
  manager_.reset();
  Begin({});
  ASSERT_TRUE(manager_->Find("a").ok());
  SessionRef a = *manager_->Find("a");
  Until([&] { return !a->output().replaying(); });
  EXPECT_EQ(a->life().leader_pid(), pid);
  EXPECT_FALSE(a->finished());
  // An orderly end takes all but those that are kept.
  manager_->Shutdown(std::chrono::seconds(1));
  Until([&] { return manager_->Idle(); });
  a.reset();
  manager_.reset();
  Begin({});
  EXPECT_EQ(Names(), std::vector<std::string>{"kept"});
}

// Two servers on one state directory may have opened them.
TEST_F(LiveSessions, TwoOfOneNameKeepTheNamesThatTheyGetWhenTheyAreTakenOver) {
  Begin({});
  const std::string id = Open("b")->origin().id;
  Open("a");
  {
    auto folder = manager_->list()->state_dir()->OpenSession(id);
    ASSERT_TRUE(folder.ok()) << folder.status();
    auto origin = record::ReadMeta(*folder);
    ASSERT_TRUE(origin.ok()) << origin.status();
    record::Folder::Hold directory = folder->Open();
    manager_.reset();
    origin->name = "a";
    ASSERT_TRUE(ReplaceFileAt(directory->get(), wire::kMetaName,
                              record::EncodeMeta(*origin)));
  }
  std::map<std::string, std::string> ids;
  for (int server = 0; server < 2; ++server) {
    Begin({});
    std::map<std::string, std::string> now;
    for (const SessionRef& session : manager_->All()) {
      Until([&] { return !session->output().replaying(); });
      now[session->name()] = session->origin().id;
      auto stored = record::ReadMeta(
          *manager_->list()->state_dir()->OpenSession(session->origin().id));
      ASSERT_TRUE(stored.ok()) << stored.status();
      EXPECT_EQ(stored->name, session->name());
    }
    EXPECT_TRUE(now.contains("a-2")) << now.size();
    if (server > 0) {
      EXPECT_EQ(now, ids);
    }
    ids = now;
    manager_.reset();
  }
  Begin({});
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
  Until([&] { return !found->output().replaying(); });
  EXPECT_TRUE(found->finished());
  EXPECT_FALSE(found->contact().away_since());
}

// This holder has no permission to be executed.
TEST_F(SessionManagerTest, StartsNoSessionWithoutAHolderThatRuns) {
  const std::string holder = base_ + "/holder";
  std::ofstream(holder) << "text";
  fs::permissions(holder, fs::perms::owner_read);
  setenv("GLASSTTY_HOLDER", holder.c_str(), 1);
  session::SessionManager manager(&loop_, {});
  ASSERT_TRUE(manager.Prepare().ok());
  auto session = manager.Open("a", {.argv = {"cat"}});
  EXPECT_NE(Message(session.status()).find("glasstty-holder"),
            std::string::npos)
      << session.status();
  EXPECT_TRUE(manager.All().empty());
}

// An upgrade on disk must not bring another holder into a server that runs.
TEST_F(SessionManagerTest, LooksForItsHolderOnce) {
  session::SessionManager manager(&loop_, {});
  ASSERT_TRUE(manager.Prepare().ok());
  setenv("GLASSTTY_HOLDER", (base_ + "/none").c_str(), 1);
  EXPECT_TRUE(manager.Prepare().ok());
  EXPECT_FALSE(session::SessionManager(&loop_, {}).Prepare().ok());
}

TEST_F(SessionManagerTest, ASpoolIsAFileThatNobodyElseFinds) {
  session::SessionManager manager(&loop_, {});
  ASSERT_TRUE(manager.Prepare().ok());
  auto entries = [this] {
    return std::distance(fs::recursive_directory_iterator(base_), {});
  };
  auto before = entries();
  auto spool = manager.OpenSpool();
  ASSERT_TRUE(spool.ok()) << spool.status();
  EXPECT_TRUE(WriteAll(spool->get(), "text"));
  EXPECT_EQ(entries(), before);
}

// A client can have as many calls that run, each about one of them.
TEST_F(SessionManagerTest, AHundredAndFiftyThatEndedStayReadable) {
  {
    auto state_dir = record::StateDir::Open();
    ASSERT_TRUE(state_dir.ok());
    for (int i = 0; i < 151; ++i) {
      std::string id = *state_dir->Create();
      std::string meta = record::EncodeMeta(
          {.id = id,
           .name = absl::StrFormat("s%d", i),
           .program = {.argv = {"p"}, .size = {2, 10}, .scrollback_rows = 10},
           .started_ms = i});
      ASSERT_TRUE(ReplaceFileAt(state_dir->OpenSession(id)->Open()->get(),
                                wire::kMetaName, meta));
    }
  }
  std::string holder = BuildPath("src/ptyhost/far/glasstty-holder");
  setenv("GLASSTTY_HOLDER", holder.c_str(), 1);
  session::SessionManager manager(&loop_, {});
  ASSERT_TRUE(manager.Prepare().ok());
  loop_.RunReady();
  ASSERT_EQ(manager.All().size(), 151u);
  // It makes room even when it fails.
  EXPECT_FALSE(manager.Open("-", {}).ok());
  EXPECT_EQ(manager.All().size(), 150u);
  EXPECT_FALSE(manager.Find("s0").ok());
  EXPECT_TRUE(manager.Find("s1").ok());
}

TEST_F(LiveSessions, AreCalledAsTheirPrograms) {
  Begin({});
  auto name = [this](record::ProgramSpec program) {
    program.cwd = "/";
    auto session = manager_->Open("", std::move(program));
    return session.ok() ? (*session)->name() : Message(session.status());
  };
  EXPECT_EQ(name({.argv = {"/bin/cat", "-"}}), "cat");
  EXPECT_EQ(name({.command = "VARIABLE=x cat -"}), "cat-2");
  EXPECT_EQ(name({}), "shell");
}

TEST_F(LiveSessions, AreKnownUntilTheyAreForgotten) {
  Begin({});
  SessionRef a = Open("a");
  EXPECT_TRUE(manager_->Has(*a));
  SessionRef b = Open("b");
  End(a);
  manager_->Forget(a);
  EXPECT_FALSE(manager_->Has(*a));
  EXPECT_TRUE(manager_->Has(*b));
}

TEST_F(LiveSessions, OneThatWasClosedIsSpokenOfWithTheReason) {
  Begin({});
  SessionRef gone = Open("gone");
  Open("here");
  manager_->CloseUnused(gone, "was closed for a test");
  Until([&] { return gone->finished(); });
  manager_->Forget(gone);
  EXPECT_EQ(Message(manager_->Find("gone").status()),
            "no session 'gone' (it was closed for a test); open: here (" +
                StateText((*manager_->Find("here"))->verdict().LastState()) +
                ")");
  std::string unknown = Message(manager_->Find("zzz").status());
  EXPECT_TRUE(unknown.starts_with("no session 'zzz'; ")) << unknown;
}

TEST_F(LiveSessions, WithoutALimitNoneIsClosedForWantOfUse) {
  Begin({});
  SessionRef session = Open("a");
  for (int i = 0; i < 5; ++i) Advance(std::chrono::hours(24));
  EXPECT_FALSE(session->life().close_asked());
}

TEST_F(LiveSessions, TheLimitOfUseIsKeptToTheMinute) {
  Begin({.idle_limit = std::chrono::minutes(10)});
  SessionRef session = Open("a");
  for (int minute = 1; minute <= 9; ++minute) {
    Advance(std::chrono::minutes(1));
    EXPECT_FALSE(session->life().close_asked()) << minute;
  }
  Advance(std::chrono::minutes(1));
  EXPECT_TRUE(session->life().close_asked());
}

Task<Outcome> WaitForEver(SessionRef session) {
  co_return co_await session->WaitFor([] { return false; }, Time::max(),
                                      nullptr);
}

TEST_F(LiveSessions, AWaitIsUseHoweverLongItTakes) {
  Begin({.idle_limit = std::chrono::minutes(10)});
  SessionRef waited = Open("waited"), other = Open("other");
  Start(WaitForEver(waited), [](Outcome) {});
  Advance(std::chrono::hours(1));
  EXPECT_FALSE(waited->life().close_asked());
  EXPECT_TRUE(other->life().close_asked());
  waited->Abandon();
  // The limit begins at the end of the wait.
  Advance(std::chrono::minutes(9));
  EXPECT_FALSE(waited->life().close_asked());
}

TEST_F(LiveSessions, OneThatEndedGoesWhenItIsOlderThanTheLimit) {
  Begin({.exited_for = std::chrono::minutes(30)});
  End(Open("old"));
  Advance(std::chrono::minutes(30));
  Open("a");
  EXPECT_TRUE(manager_->Find("old").ok());
  Advance(std::chrono::milliseconds(1));
  Open("b");
  EXPECT_FALSE(manager_->Find("old").ok());
}

TEST_F(LiveSessions, OnesThatEndedMakeRoomOnDisk) {
  Begin({.state_cap = 1});
  for (const char* name : {"a", "b", "c"}) End(Open(name));
  SessionRef live = Open("live");
  Advance(record::Housekeeper::kEvery);
  EXPECT_EQ(Names(), std::vector<std::string>{"live"});
  EXPECT_TRUE(fs::is_empty(base_ + "/ended"));
  EXPECT_FALSE(live->life().close_asked());
}

// Programs that say that they have read the end of their input, and that leave
// something that has its own session behind.
class Leaving : public LiveSessions {
 protected:
  SessionRef OpenLeaving(const std::string& name) {
    fs::create_directory(base_ + "/" + name);
    auto session = manager_->Open(
        name, {.argv = {"sh", "-c",
                        "cd \"$0\"; setsid sleep 100 & cat; touch read-end",
                        base_ + "/" + name},
               .cwd = "/"});
    EXPECT_TRUE(session.ok()) << session.status();
    Until([&] { return Left(name) && (*session)->life().started(); });
    return *session;
  }
  // Returns true if a daemon of that session still runs.
  bool Left(const std::string& name) {
    for (const ProcessRow& row : ProcessesWith(base_ + "/" + name)) {
      if (row.command.starts_with("sleep")) return true;
    }
    return false;
  }
  bool HasReadEnd(const std::string& name) {
    return fs::exists(base_ + "/" + name + "/read-end");
  }
};

TEST_F(Leaving, WhatNobodyUsesMayEndByItselfAndTakesEverythingWithIt) {
  Begin({});
  SessionRef session = OpenLeaving("unused");
  manager_->CloseUnused(session, "");
  Until([&] { return session->life().ended(); });
  EXPECT_TRUE(HasReadEnd("unused"));
  EXPECT_FALSE(Left("unused"));
}

// Whoever could read what it would still print has gone.
TEST_F(Leaving, AnOrderlyEndHangsUpAndTakesEverythingWithIt) {
  Begin({});
  OpenLeaving("a");
  manager_->Shutdown(std::chrono::seconds(2));
  Until([&] { return manager_->Idle(); });
  EXPECT_FALSE(HasReadEnd("a"));
  EXPECT_FALSE(Left("a"));
}

// It may hold secrets; whoever was to read it would have done so by now.
TEST_F(LiveSessions, TheNextServerRemovesVariablesThatWereNotRead) {
  Begin({});
  SessionRef session = Open("a");
  std::string file = manager_->LogPath(*session) + "/" + wire::kEnvironmentName;
  std::ofstream(file) << "TOKEN=x";
  session.reset();
  manager_.reset();
  ASSERT_TRUE(fs::exists(file));
  Begin({});
  EXPECT_FALSE(fs::exists(file));
  EXPECT_TRUE(manager_->Find("a").ok());
}

// Neither silently missing nor half taken over.
TEST_F(LiveSessions, WhatCannotBeTakenOverForWantOfDescriptorsIsSoLater) {
  Begin({});
  for (const char* name : {"a", "b"}) Open(name, true);
  manager_.reset();
  manager_.emplace(&loop_, session::SessionSettings{});
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  int open = DescriptorLimit() - FreeDescriptors();
  // Enough to look at them, and too few for one of them.
  rlimit few{static_cast<rlim_t>(open + 20), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  absl::Status prepared = manager_->Prepare();
  std::vector<std::string> names;
  for (const auto& left : manager_->left()->all()) names.push_back(left.name);
  std::string why = Message(manager_->Find("a").status());
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_TRUE(prepared.ok()) << prepared;
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(manager_->All().empty());
  EXPECT_NE(why.find("too few descriptors are free"), std::string::npos) << why;
  EXPECT_NE(why.find("keeps running"), std::string::npos) << why;
  // By itself, once there are enough.
  Advance(std::chrono::milliseconds(250));
  EXPECT_TRUE(manager_->left()->all().empty());
  EXPECT_EQ(Names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(LiveSessions, NoneIsOpenedWithTooFewDescriptors) {
  Begin({});
  SessionRef a = Open("a");
  rlimit before;
  getrlimit(RLIMIT_NOFILE, &before);
  int open = DescriptorLimit() - FreeDescriptors();
  rlimit few{static_cast<rlim_t>(open + 10), before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  auto refused = manager_->Open("b", {.argv = {"cat"}, .cwd = "/"});
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(refused.ok());
  std::string why = Message(refused.status());
  EXPECT_NE(why.find("too few descriptors"), std::string::npos) << why;
  EXPECT_NE(why.find("term_close one of: a"), std::string::npos) << why;
}

}  // namespace
}  // namespace glasstty::testing
