// Sessions on other machines, and the clients that reach those; the machines
// are this one.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "session/manager_fixtures.h"
#include "session/session_manager.h"
#include "support/status.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

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
