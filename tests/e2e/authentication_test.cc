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

// gpg's agent, which is no child of the shell, lets another program ask on the
// shell's terminal: on a line, or in a dialog, of which nobody can see that it
// hides what is typed.
class AuthenticationPinentry : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!etc_.problem().empty()) GTEST_SKIP() << etc_.problem();
    for (const char* program :
         {"gpg", "pass", "pinentry-tty", "pinentry-curses"}) {
      if (RunCommand({"sh", "-c", "command -v " + std::string(program)})
              .status != 0) {
        GTEST_SKIP() << program << " is not installed";
      }
    }
    client_ = std::make_unique<McpClient>(etc_.options());
    RunIn(
        "mkdir -m 700 ~/.gnupg; cd; export GPG_TTY=$(tty); echo hidden > plain",
        "");
  }
  void TearDown() override {
    if (client_ != nullptr) RunIn("gpgconf --kill gpg-agent", "");
  }

  // Runs the command; nothing that was typed before is known any more.
  void RunIn(const std::string& command, const std::string& printed,
             const std::vector<Json>& answers = {}) {
    SCOPED_TRACE(command);
    Reply reply = client_->Call(
        "term_run", {{"command", "gpgconf --kill gpg-agent; " + command},
                     {"answers", answers},
                     {"timeout_s", 40}});
    EXPECT_TRUE(Shows(reply, "exit=0"));
    EXPECT_TRUE(Shows(reply, printed));
    EXPECT_TRUE(reply.header.starts_with("[main] prompt")) << reply.header;
  }
  // The agent would measure for a third of a second how often to hash a
  // passphrase.
  void AskWith(const std::string& program) {
    RunIn("printf '%s\\n' 's2k-count 65536' \"pinentry-program $(command -v " +
              program + ")\" > ~/.gnupg/gpg-agent.conf",
          "");
  }
  static Json Twice(Json answer) {
    answer["times"] = 2;
    return answer;
  }

  PrivateEtc etc_{PrivateEtc::Sudo::kSameTerminal};
  std::unique_ptr<McpClient> client_;
};

TEST_F(AuthenticationPinentry, OnALineIsDoneInOneCall) {
  AskWith("pinentry-tty");
  const Json answer = Twice(Answer("Passphrase:|Repeat:", "PASSWORD"));
  RunIn("gpg -q -c -o x plain", "Repeat:", {answer});
  RunIn("gpg -q -d x", "hidden", {answer});
}

TEST_F(AuthenticationPinentry, InADialogIsDoneInOneCall) {
  AskWith("pinentry-curses");
  const Json answer = Twice(Forced("assphrase", "PASSWORD"));
  RunIn("gpg -q -c -o x plain", "answered", {answer});
  RunIn("gpg -q -d x", "hidden", {answer});
}

TEST_F(AuthenticationPinentry, OfPassIsDoneInOneCall) {
  AskWith("pinentry-tty");
  const Json answer = Twice(Answer("Passphrase:|Repeat:", "PASSWORD"));
  RunIn("gpg -q --quick-gen-key alice future-default default never",
        "Repeat:", {answer});
  RunIn("pass init alice", "initialized");
  RunIn("echo hidden | pass insert -e a/b && gpgconf --kill gpg-agent", "");
  RunIn("pass a/b", "hidden", {answer});
}

INSTANTIATE_TEST_SUITE_P(UsePty, Authentication,
                         ::testing::Values(PrivateEtc::Sudo::kSameTerminal,
                                           PrivateEtc::Sudo::kOwnTerminal));

}  // namespace
}  // namespace glasstty::testing
