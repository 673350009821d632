// Tests Enter with Shift or Control, and other keys with modifiers that old
// terminals cannot send: programs that ask for them get them, and for the rest
// they are refused instead of sent as the plain key, which would submit half a
// message.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

class ModifiedKeys : public ::testing::TestWithParam<Program> {};

TEST_P(ModifiedKeys, ShiftEnterIsANewlineInAComposer) {
  SKIP_IF_MISSING(GetParam());
  // Qwen Code waits 0.2 s for the answer whether there are such keys. On a busy
  // machine its own start takes longer, so that it does not see an answer that
  // has come; then it does not ask for them.
  std::optional<AtWork> agent;
  Reply typed;
  for (int tries = 0; tries < 5; ++tries) {
    agent.emplace(GetParam());
    ASSERT_TRUE(agent->IsReady());
    typed = agent->Send({"first part<S-Enter>second part."});
    if (!typed.is_error) break;
  }
  ASSERT_TRUE(Good(typed));
  ASSERT_TRUE(agent->Sees("second part."));
  EXPECT_EQ(agent->model().TimesHeard("first part"), 0);
  agent->Send({"<Enter>"});
  ASSERT_TRUE(agent->Sees("heard part.")) << agent->model().EverythingHeard();
  EXPECT_GE(agent->model().TimesHeard("first part\nsecond part."), 1)
      << agent->model().EverythingHeard();
}

INSTANTIATE_TEST_SUITE_P(All, ModifiedKeys,
                         ::testing::ValuesIn(AgentPrograms()),
                         [](const ::testing::TestParamInfo<Program>& row) {
                           return row.param.name;
                         });

TEST(ModifiedKeysOfEditors, ReachNvim) {
  AtWork nvim({"nvim",
               {"nvim", "--clean", "-c",
                "inoremap <S-CR> with-shift<CR>| inoremap <C-CR> with-control"},
               "[No Name]"});
  ASSERT_TRUE(nvim.IsReady());
  ASSERT_TRUE(Good(nvim.Send({"i<S-Enter><C-Enter>"})));
  EXPECT_TRUE(nvim.Sees("with-shift"));
  EXPECT_TRUE(nvim.Sees("with-control"));
}

// It asks for them by itself only if the terminal says that it is xterm.
TEST(ModifiedKeysOfEditors, ReachEmacsThatAsksForThem) {
  const std::string setup = R"((progn
      (xterm--init-modify-other-keys)
      (global-set-key [S-return] (lambda () (interactive) (insert "with-shift ")))
      (global-set-key [C-tab] (lambda () (interactive) (insert "with-control ")))))";
  AtWork emacs({"emacs", {"emacs", "-nw", "-Q", "--eval", setup}, "*scratch*"});
  ASSERT_TRUE(emacs.IsReady());
  ASSERT_TRUE(Good(emacs.Send({"<S-Enter><C-Tab>"})));
  EXPECT_TRUE(emacs.Sees("with-shift"));
  EXPECT_TRUE(emacs.Sees("with-control"));
}

// None of them asks for such keys.
const Program kOldPrograms[] = {
    {"whiptail", {"whiptail", "--inputbox", "Name?", "10", "40"}, "Name?"},
    {"dialog", {"dialog", "--inputbox", "Name?", "10", "40"}, "Name?"},
    {"ptpython", {"ptpython3"}, ">>>"},
    {"visidata", {"visidata", "table.csv"}, "cherry"},
};

class RefusedKeys : public ::testing::TestWithParam<Program> {};

TEST_P(RefusedKeys, AreNamedAndNothingIsTyped) {
  AtWork it(GetParam());
  ASSERT_TRUE(it.IsReady());
  std::vector<std::string> before = Screen(it.client(), "it");
  for (const char* key : {"S-Enter", "C-Enter", "C-Tab", "C-S-x"}) {
    Reply reply = it.Send({"<" + std::string(key) + ">"});
    EXPECT_TRUE(reply.is_error) << key << ": " << reply.text;
    EXPECT_TRUE(Shows(reply, key));
  }
  EXPECT_EQ(Join(Screen(it.client(), "it")), Join(before));
}

INSTANTIATE_TEST_SUITE_P(All, RefusedKeys, ::testing::ValuesIn(kOldPrograms),
                         [](const ::testing::TestParamInfo<Program>& row) {
                           return row.param.name;
                         });

}  // namespace
}  // namespace glasstty::testing
