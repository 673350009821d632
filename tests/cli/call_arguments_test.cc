// A tool's arguments from the words of a command line.
#include "cli/call_arguments.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "cli/help.h"
#include "support/loop.h"
#include "support/status.h"
#include "tools/all_tools.h"

namespace glasstty {
namespace {

class CallArguments : public ::testing::Test {
 protected:
  const mcp::Tool& Find(const std::string& name) {
    for (const mcp::Tool& tool : tools_) {
      if (tool.name == name) return tool;
    }
    return tools_[0];
  }
  std::string Read(const std::string& tool,
                   const std::vector<std::string>& words,
                   const WordRules& rules = {}) {
    auto read = ReadArguments(Find(tool), rules, kFlags, words);
    if (!read.ok()) return Message(read.status());
    flags_ = read->flags;
    return DumpJson(read->arguments);
  }

  static constexpr FlagRow kFlags[] = {
      {"q", Takes::kNothing, "", ""},
      {"json", Takes::kNothing, "", ""},
      {"exec", Takes::kText, "COMMAND", ""},
  };
  std::map<std::string, std::string> flags_;
  ManualClock clock_;
  Loop loop_{&clock_};
  session::SessionManager manager_{&loop_, {}};
  Workbench bench_{&loop_, &manager_};
  std::vector<mcp::Tool> tools_ = AllTools(&bench_);
};

TEST_F(CallArguments, AValueIsOfTheTypeThatTheToolTakes) {
  EXPECT_EQ(Read("term_send", {"--session", "5", "--timeout_s", "1.5",
                               "--enter", "--input", "1"}),
            R"({"session":"5","timeout_s":1.5,"enter":true,"input":"1"})");
  EXPECT_EQ(Read("term_read", {"--lines=20"}), R"({"lines":20})");
  EXPECT_EQ(Read("term_send", {"--enter=false"}), R"({"enter":false})");
  EXPECT_EQ(Read("term_send", {"--timeout-s", "2"}), R"({"timeout_s":2})");
}

TEST_F(CallArguments, AListIsRepeatedOrJson) {
  EXPECT_EQ(Read("term_open", {"--argv", "ls", "--argv", "-l"}),
            R"({"argv":["ls","-l"]})");
  EXPECT_EQ(Read("term_open", {"--argv", R"(["ls","-l"])"}),
            R"({"argv":["ls","-l"]})");
  EXPECT_EQ(Read("term_send", {"--input", R"(["a","<Enter>"])"}),
            R"({"input":["a","<Enter>"]})");
}

TEST_F(CallArguments, MembersAreNamedWithADot) {
  EXPECT_EQ(Read("term_wait", {"--until.text", "ready", "--until.quiet_s=1"}),
            R"({"until":{"text":"ready","quiet_s":1}})");
  EXPECT_EQ(Read("term_wait", {"s", "--text", "ready"},
                 {.names = {"session"}, .inner = "until"}),
            R"({"session":"s","until":{"text":"ready"}})");
}

TEST_F(CallArguments, OneObjectIsAllOfThem) {
  EXPECT_EQ(Read("term_read", {R"({"session":"s","lines":3})"}),
            R"({"session":"s","lines":3})");
  EXPECT_EQ(Read("term_read", {R"({"session")"}),
            R"(the arguments are not a JSON object: {"session")");
}

TEST_F(CallArguments, FlagsOfACommandAreItsOwn) {
  WordRules rules = {.rest = "command",
                     .how = WordRules::Rest::kCommand,
                     .stops_at_word = true};
  EXPECT_EQ(
      Read("term_run", {"--session", "s", "ls", "--session", "-l"}, rules),
      R"({"session":"s","command":"ls --session -l"})");
  EXPECT_EQ(Read("term_run", {"{ echo a; }"}, rules),
            R"({"command":"{ echo a; }"})");
}

TEST_F(CallArguments, SeveralWordsReachAProgramUnchanged) {
  WordRules quoted = {.rest = "command", .how = WordRules::Rest::kCommand};
  EXPECT_EQ(Read("term_run", {"printf", "%s", "a; b", "it's", ""}, quoted),
            R"({"command":"printf '%s' 'a; b' 'it'\\''s' ''"})");
  WordRules list = {.rest = "command", .how = WordRules::Rest::kArgv};
  EXPECT_EQ(Read("term_open", {"sh", "-c", "a; b"}, list),
            R"({"argv":["sh","-c","a; b"]})");
  EXPECT_EQ(Read("term_open", {"a; b"}, list), R"({"command":"a; b"})");
}

TEST_F(CallArguments, ATimeHasAUnitOrIsInSeconds) {
  EXPECT_EQ(Read("term_wait", {"--timeout", "90s"}), R"({"timeout_s":90.0})");
  EXPECT_EQ(Read("term_wait", {"--timeout-s=1.5h"}), R"({"timeout_s":5400.0})");
  EXPECT_EQ(Read("term_wait", {"--timeout_s", "2"}), R"({"timeout_s":2})");
  EXPECT_EQ(Read("term_wait", {"--quiet", "200ms"}, {.inner = "until"}),
            R"({"until":{"quiet_s":0.2}})");
  EXPECT_EQ(Read("term_wait", {"--timeout", "soon"}),
            "--timeout_s: 'soon' is not a time such as 90, 90s or 5m");
}

TEST_F(CallArguments, ASwitchMayHaveANumberBehindIt) {
  WordRules rules = {.names = {"session"}, .inner = "until"};
  EXPECT_EQ(Read("term_wait", {"--listening", "8977"}, rules),
            R"({"until":{"listening":8977}})");
  EXPECT_EQ(Read("term_wait", {"--listening", "web"}, rules),
            R"({"until":{"listening":true},"session":"web"})");
}

TEST_F(CallArguments, FlagsOfTheCommandStayWithIt) {
  EXPECT_EQ(Read("term_read", {"--json", "-q", "--exec", "a b"}), "{}");
  EXPECT_EQ(flags_, (std::map<std::string, std::string>{
                        {"json", ""}, {"q", ""}, {"exec", "a b"}}));
  // As text for a program, it is not the command's.
  WordRules rules = {.names = {"session"}, .rest = "input"};
  EXPECT_EQ(Read("term_send", {"s", "x", "-q"}, rules),
            R"({"session":"s","input":["x","-q"]})");
  EXPECT_TRUE(flags_.empty());
}

TEST_F(CallArguments, StepsStayApart) {
  WordRules rules = {.names = {"session"}, .rest = "input"};
  EXPECT_EQ(Read("term_send", {"s", "a b", "<Enter>", "--enter"}, rules),
            R"({"session":"s","enter":true,"input":["a b","<Enter>"]})");
  EXPECT_EQ(Read("term_send", {"s", "--", "--enter"}, rules),
            R"({"session":"s","input":["--enter"]})");
}

TEST_F(CallArguments, MistakesAreNamed) {
  EXPECT_EQ(Read("term_read", {"--lines", "x"}),
            "--lines: 'x' is not a number");
  EXPECT_EQ(Read("term_read", {"--lines"}), "--lines needs a value");
  EXPECT_EQ(Read("term_read", {"x"}), "unexpected argument 'x'");
  EXPECT_EQ(Read("term_send", {"--enter=maybe"}),
            "--enter: 'maybe' is not true or false");
  EXPECT_EQ(Read("term_wait", {"--until.tekst", "x"}),
            "there is no argument --until.tekst");
  EXPECT_EQ(Read("term_wait", {"--until", "[x"}), "--until: '[x' is not JSON");
}

TEST_F(CallArguments, EveryArgumentOfEveryToolIsInTheHelp) {
  for (const mcp::Tool& tool : tools_) {
    std::string help = ToolFlagsHelp(FlagsOf(tool, {}));
    for (const ToolFlag& flag : FlagsOf(tool, {})) {
      EXPECT_NE(help.find("  --" + flag.name), std::string::npos) << tool.name;
      EXPECT_EQ(flag.name.find('_'), std::string::npos);
    }
    EXPECT_EQ(FlagsOf(tool, {}).size(), tool.fields.size());
  }
}

}  // namespace
}  // namespace glasstty
