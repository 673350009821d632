#include "session/session_list.h"

#include <array>
#include <vector>

#include "session/manager_fixtures.h"
#include "testing/fake_holder.h"

namespace glasstty::testing {
namespace {

class SessionListTest : public SessionManagerTest {
 protected:
  SessionListTest() {
    EXPECT_TRUE(list_.Open(1 << 20, [] { return false; }).ok());
  }
  SessionRef Add(const char* name) {
    SessionRef session = holders_.at(list_.all().size()).Open();
    session->SetName(name);
    list_.Add(session);
    return session;
  }

  std::array<FakeHolder, 3> holders_;
  session::SessionList list_{&loop_};
};

TEST_F(SessionListTest, GivesANameAgainOnceItsSessionHasEnded) {
  SessionRef vim = Add("vim");
  EXPECT_EQ(list_.FreeName("vim"), "vim-2");
  EXPECT_EQ(*list_.ChooseName("", "vim"), "vim-2");
  EXPECT_FALSE(list_.ChooseName("vim", "").ok());
  holders_[0].Exit(0);
  EXPECT_EQ(*list_.ChooseName("vim", ""), "vim");
  EXPECT_FALSE(list_.Has(*vim));
}

TEST_F(SessionListTest, ShowsWhatNobodyAskedForBehindTheRestThatLives) {
  SessionRef ended = Add("ended"), helper = Add("@put"), live = Add("live");
  holders_[0].Exit(0);
  EXPECT_EQ(list_.Shown(), (std::vector{live, helper, ended}));
}

}  // namespace
}  // namespace glasstty::testing
