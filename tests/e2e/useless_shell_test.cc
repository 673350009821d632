// Tests a $SHELL that is not a shell, and shells that end before their first
// prompt.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

class UselessShell : public ::testing::Test {
 protected:
  McpClient* With(const std::string& shell) {
    ServerOptions options;
    options.environment = DefaultEnvironment(home_.path());
    options.extra_environment = {"SHELL=" + shell};
    client_ = std::make_unique<McpClient>(options);
    return client_.get();
  }
  Reply Run(const std::string& command) {
    return client_->Call("term_run", {{"command", command}});
  }
  std::string Program(const std::string& name, const std::string& text) {
    std::string path = home_.Write(name, text);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  TempDir home_;
  std::unique_ptr<McpClient> client_;
};

TEST_F(UselessShell, IsReplacedByOneThatWorksAndTheFirstReplySaysSo) {
  const std::string plain = home_.Write("plain", "no program");
  for (const std::string& shell :
       {std::string("/usr/sbin/nologin"), std::string("/bin/false"),
        std::string("/no/such/shell"), plain, std::string("/tmp"),
        std::string("bash"), Program("git-shell", "#!/bin/sh\n"),
        // These would neither end nor show a prompt.
        std::string("/bin/cat"), std::string("/usr/bin/tmux"),
        std::string("/usr/bin/python3"),
        Program("of-ones-own", "#!/bin/sh\nexec cat\n")}) {
    With(shell);
    Reply reply = Run("echo $((40 + 2)) $SHELL");
    EXPECT_TRUE(Shows(reply, "SHELL is \"" + shell + "\", which"));
    EXPECT_TRUE(reply.body.starts_with("42 /")) << reply.text;
    EXPECT_EQ(reply.body.find(shell + "\n"), std::string::npos) << reply.text;
    reply = client_->Call("term_open", {{"name", "other"}});
    EXPECT_EQ(reply.text.find("SHELL is"), std::string::npos) << reply.text;
  }
}

TEST_F(UselessShell, IsNotToldOfWhereNoneIsSet) {
  With("");
  Reply reply = Run("echo hi");
  EXPECT_EQ(reply.body, "hi");
  EXPECT_EQ(reply.text.find("SHELL is"), std::string::npos) << reply.text;
}

TEST_F(UselessShell, ThatEndsAtOnceIsToldOfWithStatusLastLineAndTheWayOut) {
  With(Program("mksh", "#!/bin/sh\necho 'Closed \"today\".'\nexit 3\n"));
  for (int i = 0; i < 2; ++i) {
    Reply reply = Run("true");
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "/mksh ended (status 3) before it showed a"));
    EXPECT_TRUE(Shows(reply, R"(last line: "Closed \"today\".")"));
    EXPECT_TRUE(Shows(reply, "\"argv\": [\"/bin/bash\", \"--norc\"]}"));
    EXPECT_TRUE(Shows(reply, "set SHELL"));
  }
  ASSERT_TRUE(Good(client_->Call(
      "term_open", {{"name", "main"}, {"argv", {"/bin/bash", "--norc"}}})));
  EXPECT_EQ(Run("echo back").body, "back");
}

struct StartFile {
  const char* shell;
  const char* file;
  std::vector<std::string> way_out;
};

TEST_F(UselessShell, WhoseStartFileExitsIsToldOfWithTheWayAroundTheFile) {
  for (const StartFile& row :
       {StartFile{"bash", ".bashrc", {"/bin/bash", "--norc"}},
        StartFile{"zsh", ".zshrc", {"/bin/zsh", "-f"}},
        StartFile{"fish",
                  ".config/fish/config.fish",
                  {"/usr/bin/fish", "--no-config"}}}) {
    With(row.way_out[0]);
    std::filesystem::path path = home_.Join(row.file);
    std::filesystem::create_directories(path.parent_path());
    // `exit` there does not end fish.
    home_.Write(row.file, "echo bad setup\nexec sh -c 'exit 7'\n");
    Reply reply = Run("true");
    EXPECT_TRUE(reply.is_error);
    EXPECT_TRUE(Shows(reply, "ended (status 7) before it showed a prompt"));
    EXPECT_TRUE(Shows(reply, "last line: \"bad setup\""));
    EXPECT_TRUE(Shows(reply, Json(row.way_out)[1].dump()));
    reply =
        client_->Call("term_open", {{"name", "main"}, {"argv", row.way_out}});
    EXPECT_EQ(Run("echo back").body, "back") << row.shell;
  }
}

TEST_F(UselessShell, ThatWorkedBeforeItEndedIsToldOfWithItsStatus) {
  With("/bin/bash");
  client_->Call("term_open", {{"name", "s"}, {"argv", {"bash"}}});
  client_->Call("term_run",
                {{"session", "s"}, {"command", "echo bye; exit 5"}});
  Reply reply =
      client_->Call("term_run", {{"session", "s"}, {"command", "true"}});
  EXPECT_TRUE(Shows(reply, "session 's' has exited (status 5)"));
}

// This is the recipe of docs/people.md.
TEST_F(UselessShell, NeedNotBeLeftForTmuxWhereTheSessionIsNamed) {
  for (const auto& [shell, file] :
       {std::pair("/bin/bash", ".bashrc"), std::pair("/bin/zsh", ".zshrc")}) {
    home_.Write(file, "[ -z \"$GLASSTTY_SESSION\" ] && exec tmux\n");
    With(shell);
    EXPECT_EQ(Run("echo $0 here").body.find("here") == std::string::npos,
              false);
  }
  home_.Write("config.fish", "test -z \"$GLASSTTY_SESSION\"; and exec tmux\n");
  With("/usr/bin/fish");
  std::filesystem::create_directories(home_.Join(".config/fish"));
  std::filesystem::rename(home_.Join("config.fish"),
                          home_.Join(".config/fish/config.fish"));
  EXPECT_EQ(Run("echo here").body, "here");
}

}  // namespace
}  // namespace glasstty::testing
