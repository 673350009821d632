// Tests that commands of any length run whole or not at all, in every shell.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

struct ShellRow {
  const char* name;
  std::vector<std::string> argv;
};

class LongCommands : public ::testing::TestWithParam<ShellRow> {
 protected:
  // Returns `size` bytes that print one word at their end.
  static std::string Command(size_t size) {
    const std::string end = "echo end";
    std::string text;
    while (text.size() + end.size() < size) text += "true a'b c';";
    // Blanks fill up after the last separator.
    text.resize(size - end.size(), ' ');
    size_t separator = text.rfind(';') + 1;
    for (size_t i = separator; i < text.size(); ++i) text[i] = ' ';
    return text + end;
  }
};

TEST_P(LongCommands, RunWhole) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", GetParam().argv)));
  std::vector<size_t> sizes = {900, 1'100, 4'095, 4'096, 5'000};
  // Some editors need seconds for these.
  if (IsLongRun()) sizes.insert(sizes.end(), {30'000, 100'000});
  for (size_t size : sizes) {
    Reply reply =
        client.Call("term_run", {{"session", "s"}, {"command", Command(size)}});
    EXPECT_EQ(reply.body, "end") << size << reply.text.substr(0, 500);
    EXPECT_NE(reply.header.find("exit=0"), std::string::npos) << reply.header;
  }
}

TEST_P(LongCommands, KeepEveryByte) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "s", GetParam().argv)));
  std::string text;
  for (int i = 0; i < 900; ++i) text += absl::StrFormat("%d-é%%\\!\t", i);
  Reply reply = client.Call(
      "term_run",
      {{"session", "s"}, {"command", "printf %s '" + text + "' | cksum"}});
  Reply same = client.Call(
      "term_run",
      {{"argv", {"sh", "-c", "printf %s \"$1\" | cksum", "sh", text}}});
  EXPECT_EQ(reply.body, same.body) << reply.header;
}

INSTANTIATE_TEST_SUITE_P(
    All, LongCommands,
    ::testing::Values(ShellRow{"bash", {"bash"}}, ShellRow{"zsh", {"zsh"}},
                      ShellRow{"fish", {"fish"}}, ShellRow{"mksh", {"mksh"}},
                      ShellRow{"dash", {"dash"}},
                      ShellRow{"busybox", {"busybox", "sh"}},
                      // This shell has no marks of its own, but takes pastes.
                      ShellRow{"bash_in_dash", {"dash", "-c", "bash; true"}}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace glasstty::testing
