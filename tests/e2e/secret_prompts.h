// Programs that ask for a secret, and the places where it may be found
// afterwards.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "testing/mcp_client.h"

namespace glasstty::testing {

inline constexpr char kSecretValue[] = "Qx7attach95";

struct SecretPrompt {
  const char* name;
  // Runs in the directory that Prepare has filled.
  std::vector<std::string> argv;
  const char* answer;  // what it prints once it has read kSecretValue
};
void PrintTo(const SecretPrompt& prompt, std::ostream* out);

const std::vector<SecretPrompt>& SecretPrompts();

// Makes an ssh key with the passphrase kSecretValue: `folder`/key.
void MakeKeyWithPassphrase(const std::string& folder);

// Opens it as session "main", recorded, and waits until it asks.
void OpenSecretPrompt(McpClient* client, const SecretPrompt& prompt,
                      const std::string& folder);

// Checks that the secret is in no file of the server, in no reply and in no
// process.
void ExpectSecretNowhere(McpClient* client);

}  // namespace glasstty::testing
