// Sessions on other machines, and the clients that reach those; the machines
// are this one.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "session/manager_fixtures.h"
#include "session/session_manager.h"
#include "support/status.h"
#include "testing/system.h"
#include "wire/place_control.h"
#include "wire/session_files.h"

namespace glasstty::testing {
namespace {

TEST_F(SessionsElsewhere, EachPlaceHasAClientWithWhichTheNextServerGoesOn) {
  OpenThere("env");
  OpenThere("nice");
  const std::vector<std::string> both = {"@env", "@nice"};
  EXPECT_EQ(Clients(), both);
  std::vector<int> pids = ClientPids();
  manager_.reset();
  Begin({});
  EXPECT_EQ(Clients(), both);
  // It has the same connections, and starts nothing anew.
  EXPECT_EQ(manager_->remote()->places().size(), 2u);
  EXPECT_EQ(ClientPids(), pids);
}

TEST_F(SessionsElsewhere, AClientThatDiesIsStartedAgainForTheSessionThere) {
  SessionRef session = OpenThere("env");
  int pid = manager_->remote()->places().at(0).client->life().leader_pid();
  kill(pid, SIGKILL);
  Until([&] {
    Advance(std::chrono::milliseconds(100));
    SessionRef client = manager_->remote()->places().at(0).client;
    return client->life().started() && client->life().leader_pid() != pid &&
           !session->contact().away_since();
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
  EXPECT_TRUE(session->verdict().holder_lost());
}

// Without a look at the loop the session does not know of it yet.
TEST_F(SessionsElsewhere, AHelperIsOpenedOnlyOverAConnection) {
  SessionRef session = OpenThere("env");
  session::ReachedPlace reached = Reach("env");
  kill(reached.client->life().leader_pid(), SIGKILL);
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    reached.link->IsGone();
    return !reached.link->up();
  }));
  EXPECT_FALSE(session->contact().away_since());
  auto helper = manager_->remote()->OpenHelper("@help", {"cat"}, *session);
  EXPECT_EQ(Message(helper.status()),
            "on env: there is no connection now (term_list tells more)");
}

TEST_F(SessionsElsewhere, AHelperTakesWhatItHasStartedWithIt) {
  SessionRef session = OpenThere("env");
  const std::string folder = base_ + "/of-the-helper";
  fs::create_directory(folder);
  auto helper = manager_->remote()->OpenHelper(
      "@help",
      {"sh", "-c", "cd \"$0\" && setsid sleep 1000 & exec cat", folder},
      *session);
  ASSERT_TRUE(helper.ok()) << helper.status();
  EXPECT_TRUE((*helper)->origin().program.pipe);
  Until([&] { return ProcessesWith(folder).size() == 1; });
  // An ended session of somebody else's stays.
  SessionRef other = Open("other");
  End(other);
  manager_->remote()->EndHelper(*helper);
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

TEST_F(SessionsElsewhere, AHelperMayEndByItself) {
  SessionRef session = OpenThere("env");
  const std::string file = base_ + "/read-end";
  auto helper = manager_->remote()->OpenHelper(
      "@help", {"sh", "-c", "cat; touch \"$0\"", file}, *session);
  ASSERT_TRUE(helper.ok()) << helper.status();
  Until([&] { return (*helper)->life().started(); });
  manager_->remote()->EndHelper(*helper);
  Until([&] { return (*helper)->finished(); });
  EXPECT_TRUE(fs::exists(file));
}

// It ends at once, for it knows no such option, and stays readable.
TEST_F(SessionsElsewhere, AProgramWithTheSameOptionIsNoClient) {
  auto mine = manager_->Open("mine", {.argv = {"env", "--plug"}, .cwd = "/"});
  ASSERT_TRUE(mine.ok()) << mine.status();
  Until([&] { return (*mine)->finished(); });
  OpenThere("env");
  EXPECT_EQ(Names(), (std::vector<std::string>{"on-env", "@env", "mine"}));
}

TEST_F(SessionsElsewhere, WhatNobodyAskedForStandsBehindWhatSomebodyDid) {
  SessionRef session = OpenThere("env");
  auto helper = manager_->remote()->OpenHelper("@help", {"cat"}, *session);
  ASSERT_TRUE(helper.ok()) << helper.status();
  Open("here");
  std::vector<std::string> names = Names();
  ASSERT_EQ(names.size(), 4u);
  EXPECT_EQ(names[0], "on-env");
  EXPECT_EQ(names[1], "here");
}

// Its relay goes on for the others.
TEST_F(SessionsElsewhere, OneThatCannotBeTakenOverIsEndedAlone) {
  OpenThere("env");
  auto left = manager_->Open("left", {.argv = {"cat"}, .cwd = "/"},
                             Reach("env").link.get());
  ASSERT_TRUE(left.ok()) << left.status();
  Until([&] { return (*left)->life().started(); });
  const std::string id = (*left)->origin().id;
  const std::string meta = manager_->LogPath(**left) + "/" + wire::kMetaName;
  left->reset();
  manager_.reset();
  fs::remove(meta);
  Begin({});
  auto other = manager_->Find("on-env");
  ASSERT_TRUE(other.ok()) << other.status();
  auto ended = manager_->left()->End(id);
  ASSERT_TRUE(ended.ok()) << ended.status();
  Until([&] { return manager_->left()->HasEnded(id); });
  EXPECT_FALSE((*other)->contact().away_since());
  EXPECT_FALSE((*other)->finished());
}

TEST_F(SessionsElsewhere, TheOnlySessionIsTheOneThatSomebodyAskedFor) {
  SessionRef session = OpenThere("env");
  auto helper = manager_->remote()->OpenHelper("@help", {"cat"}, *session);
  ASSERT_TRUE(helper.ok()) << helper.status();
  auto found = manager_->Find("");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(*found, session);
  End(session);
  found = manager_->Find("");
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(*found, session);
}

TEST_F(SessionsElsewhere, AShellIsCalledAsItsPlaceAndAProgramAsElsewhere) {
  session::PlaceLink* link = Reach("env").link.get();
  Until([link] { return link->up(); });
  auto name = [&](record::ProgramSpec program) {
    program.cwd = "/";
    auto session = manager_->Open("", std::move(program), link);
    return session.ok() ? (*session)->name() : Message(session.status());
  };
  EXPECT_EQ(name({}), link->place().name);
  EXPECT_EQ(name({.argv = {"cat"}}), "cat");
  EXPECT_EQ(name({.command = "cat -"}), "cat-2");
}

// A shell there marks its prompts as one here does.
TEST_F(SessionsElsewhere, AShellHasTheFileThatMakesItMarkItsPrompts) {
  session::PlaceLink* link = Reach("env").link.get();
  Until([link] { return link->up(); });
  auto session = manager_->Open("shell", {.argv = {"bash"}, .cwd = "/"}, link);
  ASSERT_TRUE(session.ok()) << session.status();
  Until([&] { return (*session)->life().started(); });
  std::string there = (*session)->origin().directory_there;
  EXPECT_NE(there, manager_->LogPath(**session));
  EXPECT_GT(ReadWholeFile(there + "/integration.bash").size(), 100u);
}

// The sessions that a client is for go on, and so does it; a helper is for a
// call of this server.
TEST_F(SessionsElsewhere, AnOrderlyEndLeavesTheClientsAndEndsTheHelpers) {
  SessionRef session = OpenThere("env");
  auto helper = manager_->remote()->OpenHelper("@help", {"cat"}, *session);
  ASSERT_TRUE(helper.ok()) << helper.status();
  SessionRef client = manager_->remote()->places().at(0).client;
  manager_->Shutdown(std::chrono::seconds(1));
  EXPECT_FALSE(client->life().close_asked());
  EXPECT_TRUE((*helper)->life().close_asked());
  EXPECT_TRUE(session->life().close_asked());
  Until([&] { return manager_->Idle(); });
  EXPECT_TRUE(session->life().ended());
  EXPECT_FALSE(client->life().ended());
}

// Others that live have nothing to do with it.
TEST_F(SessionsElsewhere, AClientThatNoSessionNeedsIsNotStartedAgain) {
  SessionRef session = OpenThere("env");
  Open("here");
  End(session);
  SessionRef client = manager_->remote()->places().at(0).client;
  kill(client->life().leader_pid(), SIGKILL);
  Until([&] { return client->finished(); });
  for (int i = 0; i < 40; ++i) Advance(std::chrono::seconds(1));
  EXPECT_EQ(manager_->remote()->places().at(0).client, client);
  EXPECT_TRUE(Clients().empty());
}

TEST_F(SessionsElsewhere, TheNextServerReachesNoPlaceOnWhichNothingLives) {
  SessionRef session = OpenThere("env");
  session->Write("x\r");
  Until([&] {
    return session->output().terminal().TakeSnapshot().rows[1].text == "x";
  });
  End(session);
  Until([&] { return session->life().ended(); });
  UniqueFd other_server = ConnectToRelay();
  session.reset();
  manager_.reset();
  Begin({});
  EXPECT_TRUE(manager_->remote()->places().empty());
}

// The machine may come back.
TEST_F(SessionsElsewhere, TheNextServerGoesOnWithSessionsThatHaveNoRelay) {
  OpenThere("env");
  manager_.reset();
  KillAll();
  Begin({});
  ASSERT_TRUE(manager_->Find("on-env").ok());
  SessionRef session = *manager_->Find("on-env");
  EXPECT_FALSE(session->finished());
  EXPECT_TRUE(session->contact().away_since());
}

TEST_F(SessionsElsewhere, TheNextServerRemovesVariablesThatWereNotReadThere) {
  SessionRef session = OpenThere("env");
  std::string file = LeaveVariables(*session);
  session.reset();
  manager_.reset();
  ASSERT_TRUE(fs::exists(file));
  Begin({});
  EXPECT_FALSE((*manager_->Find("on-env"))->contact().away_since());
  Until([&] { return !fs::exists(file); });
}

TEST_F(SessionsElsewhere, OneThatWasDiscardedIsNotLookedAfterAnyMore) {
  SessionRef session = OpenThere("env");
  fs::permissions(base_ + "/places", fs::perms::all);
  KillAll();
  Until([&] { return session->contact().away_since().has_value(); });
  manager_->list()->Discard(session);
  for (int i = 0; i < 20; ++i) Advance(std::chrono::seconds(1));
  EXPECT_FALSE(session->finished());
}

class WithoutItsRelay : public SessionsElsewhere {
 protected:
  // The client and what runs over there go on.
  void KillRelay() {
    UniqueFd connection = ConnectToRelay();
    ucred relay{};
    socklen_t size = sizeof relay;
    ASSERT_EQ(
        getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &relay, &size),
        0);
    ASSERT_GT(relay.pid, 1);
    ASSERT_NE(relay.pid, getpid());
    kill(relay.pid, SIGKILL);
    session::PlaceLink* link = manager_->remote()->places().at(0).link.get();
    EXPECT_TRUE(Eventually(Seconds(20), [link] { return link->IsGone(); }));
  }
  void AwaitReturn(const SessionRef& session) {
    Until([&] { return session->contact().away_since().has_value(); });
    AwaitLink(session);
  }
  // The next server may have reached the session before anybody looks.
  void AwaitLink(const SessionRef& session) {
    // In small steps: real processes must keep up with the clock, also on a
    // busy machine.
    Until([&] {
      Advance(std::chrono::milliseconds(10));
      return !session->contact().away_since() &&
             manager_->remote()->places().at(0).link->up();
    });
  }
  // When it is done, all that was sent before has been dealt with.
  void Type(const SessionRef& session, const std::string& line) {
    session->Write(line + "\r");
    Until([&] {
      return session->output().terminal().TakeSnapshot().rows[0].text == line;
    });
  }
};

TEST_F(WithoutItsRelay, ASessionGoesOnWithTheNextOne) {
  SessionRef session = OpenThere("env");
  int pid = session->life().leader_pid();
  KillRelay();
  AwaitReturn(session);
  Type(session, "hello");
  EXPECT_EQ(session->life().leader_pid(), pid);
  EXPECT_EQ(Clients(), std::vector<std::string>{"@env"});
}

TEST_F(WithoutItsRelay, VariablesThatWereNotReadAreRemovedOverTheNextOne) {
  SessionRef session = OpenThere("env");
  std::string file = LeaveVariables(*session);
  KillRelay();
  AwaitReturn(session);
  Until([&] { return !fs::exists(file); });
}

TEST_F(WithoutItsRelay, TheNextServerRemovesVariablesThatWereNotRead) {
  std::string file = LeaveVariables(*OpenThere("env"));
  KillRelay();
  manager_.reset();
  Begin({});
  AwaitLink(*manager_->Find("on-env"));
  Until([&] { return !fs::exists(file); });
}

// A client knows the token of the relay that it was started for.
TEST_F(WithoutItsRelay, AClientThatKnowsAnotherTokenIsNotTakenForTheNextOne) {
  OpenThere("env");
  KillRelay();
  manager_.reset();
  for (const fs::path& place : fs::directory_iterator(base_ + "/places")) {
    fs::remove(place / wire::kPlaceFileName);
  }
  Begin({});
  Reach("env");
  EXPECT_EQ(manager_->remote()->places().at(0).client->name(), "@env-2");
  EXPECT_EQ(Clients(), (std::vector<std::string>{"@env", "@env-2"}));
}

}  // namespace
}  // namespace glasstty::testing
