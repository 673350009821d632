// Tests that text which was typed at a prompt and not entered never becomes
// part of the next command, whatever the line editor makes of it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

struct Editor {
  std::string name;
  std::string shell;
  std::string mode;  // a command that switches to it

  friend void PrintTo(const Editor& editor, std::ostream* os) {
    *os << editor.name;
  }
};

const std::vector<Editor> kEditors = {
    {"Bash", "bash", "set -o emacs"},
    {"BashVi", "bash", "set -o vi"},
    {"Zsh", "zsh", "bindkey -e"},
    {"ZshVi", "zsh", "bindkey -v"},
    {"Fish", "fish", "fish_default_key_bindings"},
    {"FishVi", "fish", "fish_vi_key_bindings"},
};

class Leftovers : public ::testing::TestWithParam<Editor> {
 protected:
  Leftovers() {
    home_.Write(".zshrc", "");
    ServerOptions options;
    options.environment = DefaultEnvironment(home_.path());
    client_.emplace(options);
    opened_ = Open(&*client_, "s", {GetParam().shell},
                   {{"cwd", home_.path()}, {"rows", 30}, {"cols", 80}});
    mode_ = Run(GetParam().mode);
  }

  Reply Run(const std::string& command) {
    ++commands_;
    return client_->Call("term_run", {{"session", "s"}, {"command", command}});
  }

  Reply Send(const Json& input) {
    return client_->Call("term_send", {{"session", "s"}, {"input", input}});
  }

  // Checks that the command prints only its own output, and that the reply
  // mentions the discarded text.
  ::testing::AssertionResult RunsAlone(const std::string& word) {
    Reply reply = Run("echo " + word);
    if (!reply.is_error && reply.body == word &&
        reply.header.find(" first, as by <C-c>") != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << reply.text << "\n-- screen:\n"
                                         << Join(Screen(&*client_, "s"));
  }

  // Returns how often the shell has said that it runs a command.
  size_t CommandsBegun() const {
    std::string log = RawLog(client_->state_dir(), "s");
    size_t count = 0;
    for (size_t at = log.find("\x1b]133;C"); at != std::string::npos;
         at = log.find("\x1b]133;C", at + 1)) {
      ++count;
    }
    return count;
  }

  TempDir home_;
  std::optional<McpClient> client_;
  Reply opened_, mode_;
  size_t commands_ = 0;
};

using Random = std::mt19937;

template <size_t N>
std::string Pick(Random* random, const char* const (&choices)[N]) {
  return choices[(*random)() % N];
}

// Running these texts would leave a file behind. No editor runs the line for
// their first letters after Escape.
constexpr const char* kTexts[] = {
    "touch ran",
    "touch ran;",
    "echo left",
    "$(touch ran) ",
    "`touch ran`",
    "'open ",
    "\"open ",
    "(touch ran",
    "{ touch ran; ",
    "touch ran && ",
    "touch ran | ",
    "touch ran \\",
    "5",
    "2d",
    "r",
    "f",
    "d",
    "c",
    "y",
    "g",
    "/to",
    "if touch ran; ",
    "\"xp",
    "ünï漢 ",
};
constexpr const char* kKeys[] = {
    "<Esc>",  "<C-x>",   "<C-v>",  "<C-r>",  "<C-l>",      "<Tab><Tab>",
    "<Up>",   "<Down>",  "<Left>", "<Home>", "<Right>",    "<BS>",
    "<Esc>5", "<Esc>[5", "<C-k>",  "<C-u>",  "<C-x><C-r>", "<C-t>",
    "<Esc>d", "<Esc>r",  "<Esc>f", "<C-w>",  "<C-_>",      "<C-v><C-v>",
};

Json RandomStep(Random* random, bool first) {
  switch ((*random)() % 8) {
    case 0:
    case 1:
      return {{"text", Pick(random, kTexts)}};
    case 2: {
      int rows = 10 + static_cast<int>((*random)() % 30);
      int cols = 40 + static_cast<int>((*random)() % 60);
      return {{"resize", {rows, cols}}};
    }
    case 3:
      // After half a key a newline would be Enter.
      return {{"paste", first ? "touch ran\ntouch ran" : "touch ran"}};
    case 4:
      // The end of this paste is missing.
      return {{"text", "\x1b[200~touch ran"}};
    default:
      return Pick(random, kKeys);
  }
}

TEST_P(Leftovers, NeverGetIntoTheNextCommand) {
  const int count = Rounds(4, 40);
  ASSERT_TRUE(Good(opened_));
  ASSERT_TRUE(Good(mode_));
  for (int i = 0; i < count; ++i) {
    // Each sequence can be reproduced by its number.
    Random random(static_cast<unsigned>(i));
    Json steps = Json::array();
    int length = 1 + static_cast<int>(random() % 6);
    for (int n = 0; n < length; ++n) {
      steps.push_back(RandomStep(&random, n == 0));
    }
    // Type something, so that the reply has something to mention.
    steps.push_back(Pick(&random, kKeys));
    Reply sent = Send(steps);
    EXPECT_FALSE(sent.is_error) << sent.text;
    EXPECT_TRUE(RunsAlone("MARK" + std::to_string(i)))
        << "sequence " << i << ": " << steps.dump();
    EXPECT_EQ(CommandsBegun(), commands_)
        << "sequence " << i << " ran something: " << steps.dump();
    EXPECT_EQ(ReadWholeFile(home_.Join("ran")), "");
    if (HasFailure()) return;
  }
  EXPECT_EQ(access(home_.Join("ran").c_str(), F_OK), -1);
}

TEST_P(Leftovers, AreGivenUpAlsoWhenThePromptWasDrawnAgain) {
  ASSERT_TRUE(Good(mode_));
  const Json kRedraws[] = {
      {"<C-l>"}, {{{"resize", {20, 70}}}}, {"<Tab>", "<Tab>"}, {"<Left>"}};
  for (const Json& redraw : kRedraws) {
    Send("touch alph");
    Send(redraw);
    EXPECT_TRUE(RunsAlone("one")) << redraw.dump();
  }
  if (GetParam().shell == "fish") {
    // After a syntax error, fish draws the prompt and the line again.
    Send("echo left )\n");
    EXPECT_TRUE(RunsAlone("two"));
  }
  EXPECT_EQ(CommandsBegun(), commands_);
}

TEST_P(Leftovers, AreNamedInTheReply) {
  ASSERT_TRUE(Good(mode_));
  Send("half");
  Reply reply = Run("echo one");
  EXPECT_EQ(reply.body, "one");
  EXPECT_TRUE(Shows(reply, "\"half\" was left at the prompt"));
  Send({"<Esc>"});
  EXPECT_TRUE(Shows(Run("echo two"), "the line was cleared first"));
  EXPECT_EQ(Run("echo three").header.find(" first"), std::string::npos);
}

TEST_P(Leftovers, MayHaveBeenTypedAhead) {
  ASSERT_TRUE(Good(mode_));
  for (std::string keys : {"touch ran", "<Esc>", "<C-x>", "<C-v>"}) {
    client_->Call("term_send", {{"session", "s"},
                                {"input", {"sleep 0.3<Enter>", keys}},
                                {"until", {{"text", "nothing"}}},
                                {"timeout_s", 0}});
    ++commands_;
    client_->Call("term_wait",
                  {{"session", "s"}, {"until", {{"state", "prompt"}}}});
    EXPECT_TRUE(RunsAlone("one")) << keys;
  }
  EXPECT_EQ(CommandsBegun(), commands_);
}

// bash and zsh report 130 after an interrupt, so there is none without need.
TEST_P(Leftovers, AreNotLookedForWhereAProgramHasReadWhatWasTyped) {
  ASSERT_TRUE(Good(mode_));
  std::string read = GetParam().shell == "zsh" ? "read -r x" : "read x";
  for (int i = 0; i < Rounds(4, 20); ++i) {
    Send(Json{read + "<Enter>", "answer<Enter>"});
    Reply reply = Run("echo on");
    EXPECT_EQ(reply.body, "on") << reply.text;
    EXPECT_EQ(reply.header.find(" first, as by <C-c>"), std::string::npos)
        << reply.text;
    // A line that was entered empty is over as well.
    Send("\n");
    EXPECT_EQ(Run("true").header.find(" first, as by <C-c>"),
              std::string::npos);
  }
}

struct Plain {
  std::string name;
  std::vector<std::string> argv;
};

// Shells without marks report nothing about their line.
class PlainLeftovers : public ::testing::TestWithParam<Plain> {};

TEST_P(PlainLeftovers, AreGivenUpAsFarAsItIsKnownWhatWasTyped) {
  McpClient client;
  TempDir folder;
  ASSERT_TRUE(Good(Open(&client, "s", GetParam().argv,
                        {{"cwd", folder.path()}, {"integration", "off"}})));
  for (const char* keys : {"touch ran", "touch ran; <C-v>", "<Esc>5",
                           "\x1b[200~touch ran", "'touch"}) {
    client.Call("term_send", {{"session", "s"}, {"input", {keys}}});
    Reply reply =
        client.Call("term_run", {{"session", "s"}, {"command", "echo one"}});
    EXPECT_EQ(reply.body, "one") << keys << ": " << reply.text;
    EXPECT_TRUE(Shows(reply, "the line was cleared first"));
  }
  Reply clean = client.Call("term_run", {{"session", "s"}, {"command", "ls"}});
  EXPECT_EQ(clean.body, "") << clean.text;
  EXPECT_EQ(clean.header.find(" first, as by <C-c>"), std::string::npos)
      << clean.text;
}

INSTANTIATE_TEST_SUITE_P(
    All, PlainLeftovers,
    ::testing::Values(Plain{"Dash", {"dash"}}, Plain{"Sh", {"sh"}},
                      Plain{"Bash", {"bash", "--norc"}},
                      Plain{"BashVi", {"bash", "--norc", "-o", "vi"}},
                      Plain{"Zsh", {"zsh", "-f"}}),
    [](const auto& shell) { return shell.param.name; });

TEST(ZshLeftovers, ThatWerePutAsideAreGivenUpWhenTheyComeBack) {
  TempDir home;
  home.Write(".zshrc", "");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", {"zsh"}, {{"cwd", home.path()}})));
  client.Call("term_run",
              {{"session", "s"}, {"command", "print -z touch ran"}});
  Reply reply =
      client.Call("term_run", {{"session", "s"}, {"command", "echo one"}});
  EXPECT_EQ(reply.body, "one") << reply.text;
  EXPECT_TRUE(Shows(reply, "\"touch ran\" was left at the prompt"));
  // After push-line, the next line begins with it.
  client.Call("term_send",
              {{"session", "s"}, {"input", {"touch ran", "<Esc>q"}}});
  reply = client.Call("term_run", {{"session", "s"}, {"command", "echo two"}});
  EXPECT_EQ(reply.body, "two") << reply.text;
}

TEST(ZshLeftovers, AreSeenBesideAWidgetOfTheUser) {
  TempDir home;
  home.Write(".zshrc",
             "zle-line-init() { echo >>~/begun }; zle -N zle-line-init\n"
             "PS1='> '; RPS1='right'\n");
  ServerOptions options;
  options.environment = DefaultEnvironment(home.path());
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "s", {"zsh"}, {{"cwd", home.path()}})));
  for (int i = 0; i < 3; ++i) {
    client.Call("term_run",
                {{"session", "s"}, {"command", "print -z touch ran"}});
    Reply reply =
        client.Call("term_run", {{"session", "s"}, {"command", "echo one"}});
    EXPECT_EQ(reply.body, "one") << reply.text;
    EXPECT_TRUE(Shows(reply, "was left at the prompt"));
  }
  EXPECT_FALSE(std::filesystem::exists(home.Join("ran")));
  EXPECT_GE(std::filesystem::file_size(home.Join("begun")), 6u);
}

TEST(TrappedLeftovers, ArePutAwayOrNothingIsTyped) {
  McpClient client;
  for (std::string trap : {"trap 'echo trapped' INT", "trap '' INT"}) {
    client.Call("term_run", {{"command", trap}});
    client.Call("term_send", {{"session", "main"}, {"input", "half"}});
    Reply reply = client.Call("term_run", {{"command", "echo one"}});
    if (reply.is_error) {
      EXPECT_TRUE(Shows(reply, "no command was typed"));
      client.Call("term_send", {{"session", "main"}, {"input", {"<C-u>\n"}}});
    } else {
      EXPECT_EQ(reply.body, "one") << reply.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Leftovers,
                         ::testing::ValuesIn(Sample(kEditors, 2)),
                         [](const auto& editor) { return editor.param.name; });

}  // namespace
}  // namespace glasstty::testing
