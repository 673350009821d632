#include "e2e/secret_prompts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "e2e/steps.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// sudo asks root for nothing, so another user runs it.
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
      // The secret is the wrong password, which sudo verifies first.
      {"sudo", Sudo(), "try again"},
  };
  return *prompts;
}

// Uses no command line, because tests that run side by side search them.
void MakeKeyWithPassphrase(const std::string& folder) {
  std::string answer = folder + "/answer";
  std::ofstream(answer) << "#!/bin/sh\necho " << kSecretValue << "\n";
  ASSERT_EQ(chmod(answer.c_str(), 0700), 0);
  CommandResult made =
      RunCommand({"ssh-keygen", "-q", "-t", "ed25519", "-f", folder + "/key"},
                 {"SSH_ASKPASS=" + answer, "SSH_ASKPASS_REQUIRE=force"});
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
