// Tests that a secret reaches the program that asks for it, and nothing else.
//
// Searched are each reply, the server's stderr with every trace on, and each
// file below the state directory, while it runs and after its end.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "e2e/ordinary_user.h"
#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

namespace fs = std::filesystem;

constexpr char kByValue[] = "Qx7value91";
constexpr char kByEnv[] = "Qx7envir92";
constexpr char kByFile[] = "Qx7files93";

bool IsTold(const Reply& reply, const std::string& state) {
  return reply.header.find("] " + state) != std::string::npos;
}

struct Asker {
  std::string name;
  std::vector<std::string> argv;
  std::string answer;  // what it prints once it has read the secret
  User user = User::kSame;
};

void PrintTo(const Asker& asker, std::ostream* out) { *out << asker.name; }

const Asker kAskers[] = {
    {"sudo",
     {"sudo", "-k", "-p", "Yours: ", "true"},
     "try again",
     User::kOrdinary},
    {"su", {"su"}, "failure", User::kOrdinary},
    {"passwd", {"passwd"}, "unchanged", User::kOrdinary},
    {"sshkeygen", {"ssh-keygen", "-t", "ed25519", "-f", "key"}, "again:"},
    {"openssl",
     {"openssl", "genpkey", "-algorithm", "ed25519", "-aes256"},
     "Verifying"},
    {"getpass",
     {"/usr/bin/python3", "-c",
      "import getpass; print('got', len(getpass.getpass()))"},
     "got 10"},
    {"bash",
     {"bash", "-c", "read -s -p 'Password: ' x; echo got ${#x}"},
     "got 10"},
};

class Secrets : public ::testing::TestWithParam<Asker> {
 protected:
  Secrets() {
    ServerOptions options;
    if (GetParam().user == User::kOrdinary) {
      options = user_.emplace().options();
    }
    options.extra_environment = {std::string("HIDDEN=") + kByEnv,
                                 "GLASSTTY_LOG=all"};
    client_.emplace(options);
    file_ = folder_.Write("secret", std::string(kByFile) + "\n");
    RunCommand({"chmod", "-R", "a+rX", folder_.path()});
  }

  // Opens a separate session for each way to give the secret.
  void Answer(const std::string& name, const Json& secret) {
    std::string cwd = user_ ? user_->home() : client_->home();
    Collect(Open(&*client_, name, GetParam().argv, {{"cwd", cwd}}));
    Json until = {{"state", {"secret"}}};
    Reply asks = Collect(client_->Call(
        "term_wait", {{"session", name}, {"until", until}, {"timeout_s", 20}}));
    ASSERT_TRUE(IsTold(asks, "secret")) << asks.text;
    Reply reply = Collect(
        client_->Call("term_send", {{"session", name},
                                    {"input", Json::array({secret})},
                                    {"until", {{"text", GetParam().answer}}},
                                    {"timeout_s", 20}}));
    ASSERT_TRUE(Good(reply));
    ASSERT_TRUE(Shows(reply, "reason=matched"));
    // These are all modes that can be requested.
    for (const char* mode : {"snapshot", "history", "raw", "stream"}) {
      Collect(client_->Call("term_read", {{"session", name}, {"mode", mode}}));
    }
    Collect(client_->Call("term_list", {{"verbose", true}, {"lines", 20}}));
    Collect(client_->Call("term_list", {{"format", "json"}}));
  }

  Reply Collect(Reply reply) {
    replies_ += DumpJson(reply.message) + "\n";
    return reply;
  }

  void ExpectNowhere(const std::string& text) {
    EXPECT_EQ(replies_.find(text), std::string::npos) << replies_;
    EXPECT_EQ(client_->stderr_text().find(text), std::string::npos)
        << client_->stderr_text();
    for (const std::string& path : FilesWith(client_->state_dir(), text)) {
      ADD_FAILURE() << text << " is in " << path;
    }
  }

  TempDir folder_;
  std::string file_;
  std::optional<OrdinaryUser> user_;
  std::optional<McpClient> client_;
  std::string replies_;
};

TEST_P(Secrets, LeaveNoTrace) {
  if (GetParam().name == "sudo" && !user_->IsAskedBySudo()) {
    GTEST_SKIP() << "sudo asks this user for no password";
  }
  Answer("value", {{"secret", kByValue}});
  Answer("env", {{"secret_env", "HIDDEN"}});
  Answer("file", {{"secret_file", file_}});
  // A text that is not secret is found in each of the places.
  Collect(Open(&*client_, "open", {"cat"}, {{"cwd", "/"}}));
  Collect(Keys(&*client_, "open", "no secret<Enter>"));
  EXPECT_NE(replies_.find("no secret"), std::string::npos);
  EXPECT_NE(client_->stderr_text().find("secret_env"), std::string::npos);
  EXPECT_FALSE(FilesWith(client_->state_dir(), "no secret").empty());

  for (const char* secret : {kByValue, kByEnv, kByFile}) ExpectNowhere(secret);
  client_->CloseStdin();
  EXPECT_TRUE(client_->WaitForExit(Seconds(20)));
  for (const char* secret : {kByValue, kByEnv, kByFile}) ExpectNowhere(secret);
}

INSTANTIATE_TEST_SUITE_P(All, Secrets, ::testing::ValuesIn(kAskers),
                         [](const auto& row) { return row.param.name; });

// Mistakes beside a secret are answered without it.
TEST(SecretsEnvironment, VariablesOfTheSettingAreInNoProgram) {
  McpClient client(
      {.extra_environment = {"GLASSTTY_SECRETS=DEPLOY_PASSWORD, *_KEY",
                             "DEPLOY_PASSWORD=hunter2", "API_KEY=k-123",
                             "OTHER=visible"}});
  Reply reply = client.Call("term_run", {{"argv", {"env"}}});
  EXPECT_TRUE(Shows(reply, "OTHER=visible")) << reply.text;
  EXPECT_EQ(reply.text.find("hunter2"), std::string::npos);
  EXPECT_EQ(reply.text.find("k-123"), std::string::npos);
  // It can still be typed.
  ASSERT_TRUE(Good(Open(&client, "asks",
                        {"bash", "-c", "read -sp pw: p; echo got ${#p}"},
                        {{"until", {{"text", "pw:"}}}})));
  Json step = {{"secret_env", "DEPLOY_PASSWORD"}};
  reply = client.Call("term_send", {{"session", "asks"},
                                    {"input", Json::array({step})},
                                    {"until", {{"text", "got 7"}}}});
  EXPECT_TRUE(Good(reply)) << reply.text;
}

TEST(SecretsMisuse, IsAnsweredWithoutTheSecret) {
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_LOG=all"};
  McpClient client(options);
  Open(&client, "it", {"cat"});
  Json good = {{"secret", kByValue}};
  Json forse = {{"secret", kByValue}, {"forse", true}};
  Json two = {{"secret", kByValue}, {"text", "x"}};
  Json list = {{"secret", {kByValue}}};
  Json mistakes[] = {
      {{"session", "no-such"}, {"input", Json::array({good})}},
      {{"sesion", "it"}, {"input", Json::array({good})}},
      {{"session", "it"}, {"input", Json::array({forse})}},
      {{"session", "it"}, {"input", Json::array({two})}},
      {{"session", "it"}, {"input", Json::array({list})}},
      {{"session", "it"}, {"input", good}},
      {{"session", "it"}, {"input", Json::array({good, "<Ctl-C>"})}},
  };
  for (const Json& arguments : mistakes) {
    Reply reply = client.Call("term_send", arguments);
    EXPECT_TRUE(reply.is_error) << reply.text;
    EXPECT_EQ(DumpJson(reply.message).find(kByValue), std::string::npos)
        << reply.text;
  }
  EXPECT_EQ(client.stderr_text().find(kByValue), std::string::npos);
}

TEST(SecretsPrompt, ThatShowsWhatIsTypedGetsNothing) {
  McpClient client;
  Open(&client, "it", {"cat"});
  Json secret = {{"secret", kByValue}};
  Reply reply = client.Call(
      "term_send", {{"session", "it"}, {"input", Json::array({secret})}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(
      Shows(reply, "not typed: the terminal is not at a password prompt"));
  EXPECT_TRUE(FilesWith(client.state_dir(), kByValue).empty());

  secret["force"] = true;
  reply = client.Call("term_send",
                      {{"session", "it"}, {"input", Json::array({secret})}});
  EXPECT_TRUE(Good(reply));
  EXPECT_TRUE(SeesOnScreen(&client, "it", kByValue));
}

// Asks for a password; once the file `go` exists, shows what is typed. It does
// so without a byte of output, so the server cannot know.
constexpr char kTurncoat[] = R"(
stty -echo
printf 'Password: '
while [ ! -e go ]; do read -t 0.01 x; done
stty echo
touch gone
exec cat
)";

TEST(SecretsPrompt, ThatBeginsToShowWhatIsTypedGetsNothing) {
  McpClient client;
  TempDir folder;
  Open(&client, "it", {"bash", "-c", kTurncoat}, {{"cwd", folder.path()}});
  Json until = {{"state", {"secret"}}};
  Reply reply = client.Call(
      "term_wait", {{"session", "it"}, {"until", until}, {"timeout_s", 20}});
  ASSERT_TRUE(IsTold(reply, "secret")) << reply.text;

  folder.Write("go", "");
  ASSERT_TRUE(
      Eventually(Seconds(20), [&] { return fs::exists(folder.Join("gone")); }));
  Json secret = {{"secret", kByValue}};
  reply = client.Call("term_send",
                      {{"session", "it"}, {"input", Json::array({secret})}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(
      Shows(reply, "not typed: the terminal is not at a password prompt"));
  EXPECT_TRUE(FilesWith(client.state_dir(), kByValue).empty());
}

}  // namespace
}  // namespace glasstty::testing
