// Tests settings from flags, the environment and a file, and their effects.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/source_tree.h"
#include "testing/system.h"

namespace glasstty::testing {
namespace {

// Runs `glasstty config` with these.
CommandResult Config(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment) {
  std::vector<std::string> argv = {ServerPath(), "config"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return RunCommand(argv, environment);
}

bool HasLine(const CommandResult& result,
             const std::vector<std::string>& words) {
  for (const std::string& line : Lines(result.output)) {
    bool all = true;
    size_t at = 0;
    for (const std::string& word : words) {
      at = line.find(word, at);
      all = all && at != std::string::npos;
    }
    if (all) return true;
  }
  return false;
}

TEST(Settings, AFlagOutranksTheEnvironmentWhichOutranksTheFile) {
  TempDir home;
  std::string file = home.Write(
      "config", "# mine\n\nmax-sessions = 3\ngrace-s=5\n  exited-min = 7 \n");
  std::vector<std::string> environment = {
      "GLASSTTY_CONFIG=" + file, "GLASSTTY_GRACE_S=6", "GLASSTTY_EXITED_MIN="};
  CommandResult result = Config({"--gate=strict"}, environment);
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_TRUE(HasLine(result, {"max-sessions", "3", file + ":3"}))
      << result.output;
  EXPECT_TRUE(HasLine(result, {"grace-s", "6", "environment GLASSTTY_GRACE_S"}))
      << result.output;
  EXPECT_TRUE(HasLine(result, {"exited-min", "7", file + ":5"}));
  EXPECT_TRUE(HasLine(result, {"gate ", "strict", "flag"}));
  EXPECT_TRUE(HasLine(result, {"log-mib", "64", "default"}));
  result = Config({"--set", "grace-s=9"}, environment);
  EXPECT_TRUE(HasLine(result, {"grace-s", "9", "flag"})) << result.output;
}

TEST(Settings, TheFileIsLookedForWhereTheOthersAre) {
  TempDir home;
  ASSERT_EQ(RunCommand({"mkdir", "-p", home.Join("glasstty")}).status, 0);
  home.Write("glasstty/config", "max-sessions = 3\n");
  CommandResult result = Config({}, {"XDG_CONFIG_HOME=" + home.path()});
  EXPECT_TRUE(HasLine(result, {"max-sessions", "3", "glasstty/config:1"}))
      << result.output;
}

TEST(Settings, EveryOneIsInTheReadme) {
  std::string readme = ReadWholeFile(SourcePath("README.md"));
  for (const std::string& line : Lines(Config({}, {}).output)) {
    std::string name = line.substr(0, line.find(' '));
    if (name.empty()) break;
    EXPECT_NE(readme.find("| `" + name + "` | `GLASSTTY_"), std::string::npos)
        << line;
  }
}

TEST(Settings, AMistakeOfTheFileIsNamedWithItsPlaceAndTheServerStarts) {
  TempDir home;
  const struct {
    std::string text;
    std::string words;
  } kRows[] = {
      {"max-sessions = many",
       ":1: max-sessions=many: must be a whole number from 1 to 1024 (sessions "
       "open at once)"},
      {"max-sessions = 0", "must be a whole number from 1"},
      {"max-sessions = 1.5", "must be a whole number from 1"},
      {"gate = maybe", "must be on, off or strict"},
      {"gate-patterns = a;(b", "line 2: "},
      {"places = ssh:db", "write 'PATTERN allow'"},
      {"gate-patterns = @/no/such/file", "open /no/such/file"},
      {"tools = read,snd", "no tool"},
      {"lease-idle-s = soon", ":1: lease-idle-s=soon: must be a number from"},
      {"lease-idle-s = 0", "must be a number from 0.1"},
  };
  for (const auto& row : kRows) {
    std::string file = home.Write("config", row.text + "\n");
    std::vector<std::string> environment = {
        "GLASSTTY_CONFIG=" + file, "GLASSTTY_STATE_DIR=" + home.path()};
    CommandResult server =
        RunCommand({ServerPath(), "mcp", "--alone"}, environment);
    EXPECT_EQ(server.status, 0);
    EXPECT_NE(server.output.find(row.words), std::string::npos)
        << server.output;
  }
}

TEST(Settings, EachMistakeOfTheFileIsNamed) {
  TempDir home;
  std::string file = home.Write("config",
                                "size = banana\nhooks = maybe\nnonsense\n"
                                "gate-patterns = (a\nshared = off # for now\n");
  CommandResult result = RunCommand(
      {ServerPath(), "run", "echo it"},
      {"GLASSTTY_CONFIG=" + file, "GLASSTTY_STATE_DIR=" + home.path()});
  EXPECT_EQ(result.status, 0) << result.output;
  for (const char* words :
       {":1: size=banana", ":2: hooks=maybe", ":3: write 'name = value'",
        ":4: gate-patterns=(a", ":5: shared=off # for now",
        "a comment needs a line of its own"}) {
    EXPECT_NE(result.output.find(words), std::string::npos) << words << "\n"
                                                            << result.output;
  }
  RunCommand({ServerPath(), "serve", "--stop"},
             {"GLASSTTY_STATE_DIR=" + home.path()});
}

TEST(Settings, ASizeThatNoTerminalCanHaveIsNamed) {
  CommandResult result =
      RunCommand({ServerPath(), "doctor"}, {"GLASSTTY_SIZE=500x1000"});
  EXPECT_NE(result.output.find("size 500x1000: rows * columns"),
            std::string::npos)
      << result.output;
}

TEST(Settings, AWrongValueOfTheFileAllowsNothingThatItMayForbid) {
  TempDir home;
  std::string file = home.Write("config",
                                "gate = strikt\nplaces = ssh:db\n"
                                "tools = nosuch\nsecrets = TOKEN KEY\n");
  CommandResult result = Config({}, {"GLASSTTY_CONFIG=" + file});
  const std::vector<std::vector<std::string>> kLines = {
      {"gate ", "strict", "instead of file"},
      {"places", "* deny", "instead of file"},
      {"tools", "read", "instead of file"},
      {"secrets", "every word", "instead of file"}};
  for (const std::vector<std::string>& words : kLines) {
    EXPECT_TRUE(HasLine(result, words)) << words[0] << "\n" << result.output;
  }
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_CONFIG=" + file};
  McpClient client(options);
  EXPECT_TRUE(client.Call("term_run", {{"command", "true"}}).is_error);
}

TEST(Settings, ASecretOfAWrongValueOfTheFileReachesNoProgram) {
  TempDir home;
  ServerOptions options;
  options.extra_environment = {
      "GLASSTTY_CONFIG=" + home.Write("config", "secrets = TOKEN KEY\n"),
      "TOKEN=hush1", "KEY=hush2"};
  McpClient client(options);
  Reply reply = client.Call("term_run", {{"command", "echo [$TOKEN$KEY]"}});
  EXPECT_TRUE(Shows(reply, "\n[]"));
}

// A client that shows no stderr would only say that the server does not start.
TEST(Settings, AWrongVariableIsAWarningAndTheStrictestValueCounts) {
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_LOG_MIB=4", "GLASSTTY_TOOLS=nosuch"};
  McpClient client(options);
  EXPECT_TRUE(client.Call("term_run", {{"command", "true"}}).is_error);
  for (const char* words :
       {"environment GLASSTTY_LOG_MIB: log-mib=4: must be", "tools=nosuch",
        "until it is mended, read counts"}) {
    EXPECT_NE(client.stderr_text().find(words), std::string::npos)
        << client.stderr_text();
  }
}

TEST(Settings, AWrongFlagIsAnError) {
  CommandResult server = RunCommand(
      {ServerPath(), "mcp", "--alone", "--size=banana", "--hooks=maybe"});
  EXPECT_NE(server.status, 0);
  EXPECT_NE(server.output.find("size=banana"), std::string::npos);
  EXPECT_NE(server.output.find("hooks=maybe"), std::string::npos)
      << server.output;
  const struct {
    std::string argument;
    std::string words;
  } kFlags[] = {
      {"--max-sessions", "--max-sessions needs a value"},
      {"--frob=1", "flag: no setting 'frob'"},
      {"verbose", "unexpected argument 'verbose'"},
  };
  for (const auto& row : kFlags) {
    CommandResult result = Config({row.argument}, {});
    EXPECT_NE(result.status, 0);
    EXPECT_NE(result.output.find(row.words), std::string::npos)
        << result.output;
  }
  CommandResult result = Config({}, {"GLASSTTY_CONFIG=/no/such/file"});
  EXPECT_NE(result.output.find("settings: open /no/such/file"),
            std::string::npos)
      << result.output;
}

// Dotfile managers keep settings behind links.
TEST(Settings, WhereSessionsAreKeptHoldsForEverySubcommand) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "kept", {"cat"})));
  TempDir home;
  std::string file =
      home.Write("config", "state-dir = " + client.state_dir() + "\n");
  std::vector<std::string> environment = {"GLASSTTY_CONFIG=" + file,
                                          "HOME=" + home.path()};
  for (std::vector<std::string> words :
       {std::vector<std::string>{"ls"}, {"tail", "kept"}, {"replay", "kept"}}) {
    words.insert(words.begin(), ServerPath());
    CommandResult result = RunCommand(words, environment);
    EXPECT_EQ(result.status, 0) << words[1] << result.output;
  }
  EXPECT_NE(RunCommand({ServerPath(), "ls"}, environment).output.find("kept"),
            std::string::npos);
}

TEST(Settings, ABadLineOfTheFileIsAWarningThatNamesIt) {
  const struct {
    std::string text;
    std::string words;
  } kRows[] = {
      {"max-session = 3",
       ":2: no setting 'max-session'; did you mean max-sessions?"},
      {"max-sessions 3", ":2: write 'name = value', not 'max-sessions 3'"},
      {"max-sessions = many", ":2: max-sessions=many: must be a whole number"},
  };
  for (const auto& row : kRows) {
    TempDir home;
    std::string file =
        home.Write("config", "grace-s = 5\n" + row.text + "\nidle-min = 7\n");
    std::vector<std::string> environment = {
        "GLASSTTY_CONFIG=" + file, "GLASSTTY_STATE_DIR=" + home.path()};
    CommandResult listed = RunCommand({ServerPath(), "places"}, environment);
    EXPECT_NE(listed.output.find(row.words), std::string::npos)
        << listed.output;
    EXPECT_NE(listed.output.find("no places"), std::string::npos)
        << listed.output;
    // The other lines count.
    CommandResult config = Config({}, environment);
    EXPECT_EQ(WEXITSTATUS(config.status), 2);
    EXPECT_TRUE(HasLine(config, {"grace-s", "5"})) << config.output;
    EXPECT_TRUE(HasLine(config, {"idle-min", "7"})) << config.output;
    CommandResult doctor = RunCommand({ServerPath(), "doctor"}, environment);
    EXPECT_NE(doctor.output.find(row.words), std::string::npos)
        << doctor.output;
  }
}

TEST(Settings, AFileMayBeALinkButNoPipe) {
  TempDir home;
  std::string link = home.Join("link"), pipe = home.Join("pipe");
  std::string file = home.Write("config", "max-sessions = 7\n");
  ASSERT_EQ(symlink(file.c_str(), link.c_str()), 0);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  CommandResult result = Config({}, {"GLASSTTY_CONFIG=" + link});
  EXPECT_EQ(result.status, 0) << result.output;
  for (const std::string& path : {pipe, std::string("/dev/stdin")}) {
    result = Config({}, {"GLASSTTY_CONFIG=" + path});
    EXPECT_NE(result.output.find("not a plain file"), std::string::npos)
        << result.output;
    result = Config({"--gate-patterns=@" + path}, {});
    EXPECT_NE(result.output.find("not a plain file"), std::string::npos)
        << result.output;
  }
  std::string patterns = home.Write("patterns", "^frobnicate\n");
  std::string patterns_link = home.Join("patterns-link");
  ASSERT_EQ(symlink(patterns.c_str(), patterns_link.c_str()), 0);
  result = Config({"--gate-patterns=@" + patterns_link}, {});
  EXPECT_EQ(result.status, 0) << result.output;
}

std::vector<std::string> ToolNames(McpClient* client) {
  std::vector<std::string> names;
  Json answer = client->Request("tools/list");
  for (const Json& tool : answer["result"]["tools"]) {
    names.push_back(tool["name"].get<std::string>());
  }
  return names;
}

TEST(Settings, TheSetOfToolsCanBeNarrowed) {
  ServerOptions options;
  options.arguments = {"mcp", "--alone", "--tools=read"};
  McpClient reader(options);
  EXPECT_EQ(ToolNames(&reader),
            (std::vector<std::string>{"term_read", "term_search", "term_wait",
                                      "term_list"}));
  options.arguments = {"mcp", "--alone"};
  options.extra_environment = {"GLASSTTY_TOOLS=run,term_read"};
  McpClient two(options);
  EXPECT_EQ(ToolNames(&two),
            (std::vector<std::string>{"term_run", "term_read"}));
  Reply reply = two.Call("term_open");
  EXPECT_TRUE(reply.is_error);
}

TEST(Settings, TheLimitOfSessionsComesFromAFlagAndIsNamed) {
  ServerOptions options;
  options.arguments = {"mcp", "--alone", "--max-sessions=1"};
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "one", {"bash", "--norc"})));
  Reply reply = Open(&client, "two", {"bash", "--norc"});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "1 sessions are open, which is the limit"));
  EXPECT_TRUE(Shows(reply, "one"));
}

TEST(Settings, ASessionWithoutUseIsClosedAndItsFateIsTold) {
  ServerOptions options;
  // This is 0.6 s.
  options.arguments = {"mcp", "--alone", "--idle-min=0.01"};
  McpClient client(options);
  ASSERT_TRUE(Good(Open(&client, "idle", {"cat"})));
  ASSERT_TRUE(Good(Open(&client, "waited", {"cat"})));
  int wait = client.SendCall("term_wait", {{"session", "waited"},
                                           {"until", {{"text", "never"}}},
                                           {"timeout_s", 3}});
  ASSERT_TRUE(Eventually(Seconds(10), [&client] {
    return client.Call("term_list").text.find("was closed after") !=
           std::string::npos;
  }));
  Reply list = client.Call("term_list");
  EXPECT_TRUE(Shows(list, "[idle] exited"));
  EXPECT_TRUE(Shows(list, "was closed after 0.01 minutes without use"));
  // A wait counts as use.
  Reply waited = client.Await(wait);
  EXPECT_TRUE(Shows(waited, "reason=timeout"));
  Reply reply = client.Call("term_send", {{"session", "idle"}, {"input", "x"}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "was closed after 0.01 minutes without use"));
  ASSERT_TRUE(
      Good(client.Call("term_close", {{"session", "idle"}, {"forget", true}})));
  reply = client.Call("term_read", {{"session", "idle"}});
  EXPECT_TRUE(Shows(reply, "no session 'idle' (it was closed after"));
  EXPECT_TRUE(Shows(client.Call("term_list"), "[idle] gone: was closed"));
}

TEST(Settings, TheDoctorNamesAProgramThatIsMissing) {
  TempDir home;
  std::vector<std::string> environment = {"GLASSTTY_STATE_DIR=" + home.path(),
                                          "GLASSTTY_VIEW=/nowhere/view"};
  CommandResult result = RunCommand({ServerPath(), "doctor"}, environment);
  EXPECT_NE(result.status, 0);
  EXPECT_NE(result.output.find("glasstty-view is missing (view), looked for "
                               "/nowhere/view"),
            std::string::npos)
      << result.output;
}

TEST(Settings, CommandsThatOnlyLookLeaveTheStateDirectoryAsItIs) {
  TempDir home;
  const std::vector<std::vector<std::string>> kCommands = {{"doctor"},
                                                           {"tail", "nosuch"},
                                                           {"cast", "nosuch"},
                                                           {"replay", "nosuch"},
                                                           {"config"}};
  for (const auto& command : kCommands) {
    std::vector<std::string> argv = {ServerPath()};
    argv.insert(argv.end(), command.begin(), command.end());
    std::string missing = home.Join("missing/state");
    RunCommand(argv, {"GLASSTTY_STATE_DIR=" + missing});
    EXPECT_NE(access(home.Join("missing").c_str(), F_OK), 0) << command[0];
    for (mode_t mode : {0755, 0775}) {
      ASSERT_EQ(chmod(home.path().c_str(), mode), 0);
      RunCommand(argv, {"GLASSTTY_STATE_DIR=" + home.path()});
      struct stat info;
      ASSERT_EQ(stat(home.path().c_str(), &info), 0);
      EXPECT_EQ(info.st_mode & 0777, mode) << command[0];
      EXPECT_NE(access(home.Join("ended").c_str(), F_OK), 0) << command[0];
    }
  }
}

TEST(Settings, AStateDirectoryThatOthersMayWriteToIsRefusedWithTheWayOut) {
  TempDir home;
  ASSERT_EQ(chmod(home.path().c_str(), 0775), 0);
  ServerOptions options;
  options.state_dir = home.path();
  McpClient client(options);
  Reply reply = client.Call("term_open", {{"argv", {"cat"}}});
  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(Shows(reply, "chmod go-w " + home.path()));
  ASSERT_EQ(chmod(home.path().c_str(), 0755), 0);
  EXPECT_TRUE(Good(client.Call("term_open", {{"argv", {"cat"}}})));
  struct stat info;
  ASSERT_EQ(stat(home.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0755u);
}

}  // namespace
}  // namespace glasstty::testing
