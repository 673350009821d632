// Programs that ask an ordinary user for a password, on which root can see
// nothing: each is asked, answered, and back at the prompt in one call.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "e2e/private_etc.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

Json Answer(const char* question, const char* variable) {
  return {{"when", question},
          {"input", Json::array({{{"secret_env", variable}}})}};
}

// With sudo's own terminal nobody can see that the program hides it.
Json Forced(const char* question, const char* variable) {
  return {
      {"when", question},
      {"input", Json::array({{{"secret_env", variable}, {"force", true}}})}};
}

struct Asker {
  const char* command;
  std::vector<Json> answers;
  const char* printed;
};

const Asker kAskers[] = {
    {"sudo id -un", {Answer("assword", "PASSWORD")}, "root"},
    {"sudo -k -S -p 'Say it: ' id -un", {Answer("Say it", "PASSWORD")}, "root"},
    {"su - bob -c 'id -un'", {Answer("assword", "PASSWORD")}, "bob"},
    {"sudo sh -c 'stty -echo; printf \"Key: \"; read k; stty echo; echo; echo "
     "${#k}'",
     {Answer("assword", "PASSWORD"), Forced("Key", "OTHER_PASSWORD")},
     "16"},
    {"sudo sh -c 'printf \"Go on? [Y/n] \"; read k; echo \"<$k>\"'",
     {Answer("assword", "PASSWORD"), {{"when", "Go on"}, {"input", "yes\n"}}},
     "<yes>"},
    {"ssh host id -un",
     {{{"when", "continue connecting"}, {"input", "yes\n"}},
      Answer("assword", "PASSWORD")},
     "bob"},
    {"ssh -o ControlMaster=auto -o ControlPersist=60 -o ControlPath=~/c host "
     "id -un",
     {Answer("assword", "PASSWORD")},
     "bob"},
    {"ssh -o ControlPath=~/c host id -un", {}, "bob"},
    {"ssh -o ControlPath=~/c -O exit host", {}, "Exit request sent"},
    {"passwd",
     {Answer("Current", "PASSWORD"), Answer("New", "OTHER_PASSWORD"),
      Answer("Retype", "OTHER_PASSWORD")},
     "updated successfully"},
    {"sudo id -un", {Answer("assword", "OTHER_PASSWORD")}, "root"},
};

class Authentication : public ::testing::TestWithParam<PrivateEtc::Sudo> {
 protected:
  void SetUp() override {
    if (!etc_.problem().empty()) GTEST_SKIP() << etc_.problem();
    client_ = std::make_unique<McpClient>(etc_.options());
  }

  PrivateEtc etc_{GetParam()};
  std::unique_ptr<McpClient> client_;
};

TEST_P(Authentication, IsDoneInOneCall) {
  for (const Asker& asker : kAskers) {
    SCOPED_TRACE(asker.command);
    Reply reply = client_->Call(
        "term_run", {{"command", asker.command}, {"answers", asker.answers}});
    EXPECT_TRUE(Shows(reply, "exit=0"));
    EXPECT_TRUE(Shows(reply, asker.printed));
    EXPECT_TRUE(reply.header.starts_with("[main] prompt")) << reply.header;
  }
}

TEST_P(Authentication, LeadsToAShellInWhichCommandsRun) {
  for (const char* command : {"sudo -i", "sudo bash --norc", "sudo su -"}) {
    SCOPED_TRACE(command);
    Reply began = client_->Call(
        "term_run",
        {{"command", command}, {"answers", {Answer("assword", "PASSWORD")}}});
    EXPECT_TRUE(began.header.starts_with("[main] prompt")) << began.text;
    Reply reply = RunIn(client_.get(), "main", "id -un");
    EXPECT_TRUE(Shows(reply, "exit=0"));
    EXPECT_TRUE(Shows(reply, "root"));
    Keys(client_.get(), "main", "exit<Enter>");
    EXPECT_TRUE(Good(client_->Call(
        "term_wait", {{"session", "main"}, {"until", {{"state", "prompt"}}}})));
    EXPECT_TRUE(Shows(RunIn(client_.get(), "main", "id -un"), "alice"));
  }
}

INSTANTIATE_TEST_SUITE_P(UsePty, Authentication,
                         ::testing::Values(PrivateEtc::Sudo::kSameTerminal,
                                           PrivateEtc::Sudo::kOwnTerminal));

}  // namespace
}  // namespace glasstty::testing
