#include "e2e/secret_prompts.h"

#include <unistd.h>

#include "e2e/steps.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// For root sudo asks nothing, so somebody else asks it.
std::vector<std::string> Sudo() {
  if (geteuid() != 0) return {"sudo", "-k", "true"};
  return {"setpriv",        "--reuid=nobody", "--regid=nogroup",
          "--clear-groups", "sudo",           "true"};
}

}  // namespace

void PrintTo(const SecretPrompt& prompt, std::ostream* out) {
  *out << prompt.name;
}

const std::vector<SecretPrompt>& SecretPrompts() {
  static const auto* prompts = new std::vector<SecretPrompt>{
      {"read",
       {"bash", "-c", "read -s -p 'Password: ' x; echo got ${#x}; read y"},
       "got 11"},
      {"getpass",
       {"/usr/bin/python3", "-c",
        "import getpass; print('got', len(getpass.getpass())); input()"},
       "got 11"},
      {"sshkeygen", {"ssh-keygen", "-t", "ed25519", "-f", "new"}, "again:"},
      {"sshpassphrase",
       {"sh", "-c", "ssh-keygen -y -f key; cat"},
       "ssh-ed25519 "},
      // It is the wrong one, of which sudo makes sure first.
      {"sudo", Sudo(), "try again"},
  };
  return *prompts;
}

void MakeKeyWithPassphrase(const std::string& folder) {
  CommandResult made = RunCommand({"ssh-keygen", "-q", "-t", "ed25519", "-N",
                                   kSecretValue, "-f", folder + "/key"});
  ASSERT_EQ(made.status, 0) << made.output;
}

void OpenSecretPrompt(McpClient* client, const SecretPrompt& prompt,
                      const std::string& folder) {
  MakeKeyWithPassphrase(folder);
  ASSERT_TRUE(Good(
      Open(client, "main", prompt.argv, {{"record", true}, {"cwd", folder}})));
  ASSERT_TRUE(Good(client->Call(
      "term_wait", {{"session", "main"}, {"until", {{"state", "secret"}}}})));
}

void ExpectSecretNowhere(McpClient* client) {
  EXPECT_EQ(FilesWith(client->state_dir(), kSecretValue),
            std::vector<std::string>());
  EXPECT_EQ(client->stderr_text().find(kSecretValue), std::string::npos);
  for (const char* mode : {"all", "raw"}) {
    Reply reply =
        client->Call("term_read", {{"session", "main"}, {"mode", mode}});
    EXPECT_EQ(reply.text.find(kSecretValue), std::string::npos);
  }
  for (const ProcessRow& process : ProcessesWith(kSecretValue)) {
    ADD_FAILURE() << process.command;
  }
}

}  // namespace glasstty::testing
