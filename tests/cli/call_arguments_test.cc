// A tool's arguments from the words of a command line.
#include "cli/call_arguments.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "cli/help.h"
#include "support/loop.h"
#include "support/status.h"
#include "support/text.h"
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

TEST_F(CallArguments, AMemberIsNotSetInAValueWithoutMembers) {
  EXPECT_EQ(Read("term_wait", {R"({"until":"x"})", "--until.text", "y"}),
            R"(--until.text: until is "x" already, which has no members)");
  EXPECT_EQ(Read("term_wait", {R"({"until":[1]})", "--text", "y"},
                 {.inner = "until"}),
            "--text: until is [1] already, which has no members");
  EXPECT_EQ(Read("term_wait", {R"({"until":{"idle":1}})", "--until.text", "y"}),
            R"({"until":{"idle":1,"text":"y"}})");
}

TEST_F(CallArguments, ASwitchOfTheCommandTakesNoValue) {
  EXPECT_EQ(Read("term_read", {"--json=false"}), "--json takes no value");
  EXPECT_EQ(Read("term_read", {"--json"}), "{}");
  EXPECT_TRUE(flags_.contains("json"));
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
  EXPECT_EQ(Read("term_wait", {"--timeout", "1h30m"}),
            R"({"timeout_s":5400.0})");
  EXPECT_EQ(Read("term_wait", {"--timeout", "1m30s500ms"}),
            R"({"timeout_s":90.5})");
  for (const char* wrong : {"soon", "", "5m3", "m", "1x", "1.2.3s"}) {
    EXPECT_EQ(Read("term_wait", {"--timeout_s", wrong}),
              std::string("--timeout: '") + wrong +
                  "' is not a time such as 90, 90s or 1h30m");
  }
}

TEST_F(CallArguments, ASwitchMayHaveANumberBehindIt) {
  WordRules rules = {.names = {"session"}, .inner = "until"};
  EXPECT_EQ(Read("term_wait", {"--listening", "8977"}, rules),
            R"({"until":{"listening":8977}})");
  EXPECT_EQ(Read("term_wait", {"--listening", "web"}, rules),
            R"({"until":{"listening":true},"session":"web"})");
}

TEST_F(CallArguments, ASwitchMayHaveOneOfItsWordsBehindIt) {
  WordRules rules = {.rest = "sessions", .inner = "until"};
  EXPECT_EQ(Read("term_wait", {"--change", "meaningful"}, rules),
            R"({"until":{"change":"meaningful"}})");
  EXPECT_EQ(Read("term_wait", {"--change", "main"}, rules),
            R"({"until":{"change":true},"sessions":["main"]})");
  EXPECT_EQ(Read("term_wait", {"main", "--change"}, rules),
            R"({"until":{"change":true},"sessions":["main"]})");
}

TEST_F(CallArguments, ChoicesMayHaveCommasBetweenThem) {
  WordRules rules = {.rest = "sessions", .inner = "until"};
  const char* both = R"({"until":{"state":["input","prompt"]}})";
  EXPECT_EQ(Read("term_wait", {"--state", "input,prompt"}, rules), both);
  EXPECT_EQ(Read("term_wait", {"--state", "input", "--state", "prompt"}, rules),
            both);
  EXPECT_EQ(Read("term_wait", {"--state", "input"}, rules),
            R"({"until":{"state":"input"}})");
  // Other texts may have commas in them.
  EXPECT_EQ(Read("term_send", {"--input", "a,b"}), R"({"input":"a,b"})");
}

// Returns a value of this type that the field accepts.
Json Sample(const mcp::FieldHead& field, const Json& schema,
            const std::string& type) {
  const Json* choices = FindMember(schema, "enum");
  if (choices != nullptr) return (*choices)[0];
  const Json* items = FindMember(schema, "items");
  // An item may stand for the list.
  bool is_item = type == "string" && items != nullptr;
  if (is_item && items->contains("enum")) return (*items)["enum"][0];
  if (type == "string") return field.words.empty() ? "text" : field.words[0];
  if (type == "boolean") return true;
  if (type == "integer" || type == "number") return 5;
  if (type == "object") return Json::object();
  Json item = items == nullptr ? Json{{"type", "string"}} : *items;
  Json types = item["type"];
  std::string first = types.is_string() ? types : types[0];
  return Json::array({Sample(field, item, first), Sample(field, item, first)});
}

// Returns the words of a flag with this value.
std::vector<std::string> WordsOf(const std::string& name, const Json& value) {
  std::string flag = "--" + name;
  if (value == true) return {flag};
  if (value.is_string()) return {flag, value.get<std::string>()};
  if (!value.is_array()) return {flag, DumpJson(value)};
  std::vector<std::string> words;
  for (const Json& item : value) {
    for (const std::string& word : WordsOf(name, item)) words.push_back(word);
  }
  return words;
}

std::vector<std::string> TypesOf(const mcp::FieldHead& field) {
  const Json* types = FindMember(field.schema, "type");
  if (types == nullptr) return {"object"};
  if (types->is_string()) return {types->get<std::string>()};
  return types->get<std::vector<std::string>>();
}

// Pairs the path of a field with a value of one of its types.
struct Written {
  std::string path;
  Json value;
};

// Returns all types of all fields, those of the members included.
std::vector<Written> EveryValue(const std::vector<mcp::FieldHead>& fields,
                                const std::string& outer = "") {
  std::vector<Written> all;
  for (const mcp::FieldHead& field : fields) {
    for (const std::string& type : TypesOf(field)) {
      all.push_back({outer + field.name, Sample(field, field.schema, type)});
    }
    // Items of a list are written as JSON.
    if (TypesOf(field)[0] != "object") continue;
    auto members = EveryValue(field.members, outer + field.name + ".");
    all.insert(all.end(), members.begin(), members.end());
  }
  return all;
}

// Returns the value at a path with dots.
Json At(Json value, const std::string& path) {
  for (const std::string& name : Split(path, '.')) value = value[name];
  return value;
}

TEST_F(CallArguments, EveryTypeOfEveryArgumentCanBeAFlag) {
  for (const mcp::Tool& tool : tools_) {
    for (const Written& written : EveryValue(tool.fields)) {
      auto words = WordsOf(written.path, written.value);
      SCOPED_TRACE(tool.name + " " + Join(words, " "));
      auto read = ReadArguments(tool, {}, {}, words);
      ASSERT_TRUE(read.ok()) << Message(read.status());
      EXPECT_EQ(At(read->arguments, written.path), written.value);
      absl::Status checked = tool.check(read->arguments);
      // Which arguments are required, or go together, is another question.
      bool fits = Message(checked).find(" must be ") == std::string::npos;
      EXPECT_TRUE(fits) << Message(checked);
    }
  }
}

TEST_F(CallArguments, FlagsOfTheCommandStayWithIt) {
  EXPECT_EQ(Read("term_read", {"--json", "-q", "--exec", "a b"}), "{}");
  EXPECT_EQ(flags_, (std::map<std::string, std::string>{
                        {"json", ""}, {"q", ""}, {"exec", "a b"}}));
  EXPECT_EQ(Read("term_wait", {"main", "-q"}, {.rest = "sessions"}),
            R"({"sessions":["main"]})");
  EXPECT_TRUE(flags_.contains("q"));
  // As text for a program, it is not the command's.
  WordRules rules = {
      .names = {"session"}, .rest = "input", .how = WordRules::Rest::kSteps};
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
