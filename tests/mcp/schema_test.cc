// Tests argument tables: schema, defaults and messages of every supported type.
#include "mcp/schema.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/status.h"

namespace glasstty::mcp {

enum class Colour { kRed, kGreen };
template <>
struct EnumNames<Colour> {
  static constexpr std::string_view kNames[] = {"red", "green"};
};

namespace {

struct Until {
  std::string text;
  std::optional<double> quiet_s;
  OneOrMore<Colour> state;
  std::variant<bool, int> listening = false;

  static const std::vector<Field<Until>>& Fields() {
    static const auto* fields = new std::vector<Field<Until>>{
        Optional("text", &Until::text, ""),
        Optional("quiet_s", &Until::quiet_s, "", Range{0, 60}),
        Optional("state", &Until::state, ""),
        Optional("listening", &Until::listening, "", Range{1, 65535})};
    return *fields;
  }
};

struct Shared {
  int max_lines = 100;

  static const std::vector<Field<Shared>>& Fields() {
    static const auto* fields = new std::vector<Field<Shared>>{
        Optional("max_lines", &Shared::max_lines, "Cut.", Range{0})};
    return *fields;
  }
};

struct Args : Shared {
  std::string session;
  int rows = 24;
  int64_t offset = 0;
  int free = 1;
  double timeout_s = 1.5;
  bool styled = false;
  Colour colour = Colour::kGreen;
  std::optional<std::string> name;
  std::vector<std::string> argv;
  std::vector<int> codes = {0};
  std::map<std::string, std::string> env;
  Until until;
  Json input;

  static const std::vector<Field<Args>>& Fields() {
    static const auto* fields = new std::vector<Field<Args>>(With<Args>(
        {Required("session", &Args::session, "Session name."),
         Optional("rows", &Args::rows, "Height.", Range{2, 500}),
         Optional("offset", &Args::offset, ""),
         Optional("free", &Args::free, ""),
         Optional("timeout_s", &Args::timeout_s, "", Range{0, 3600}),
         Optional("styled", &Args::styled, ""),
         Optional("colour", &Args::colour, ""),
         Optional("name", &Args::name, ""), Optional("argv", &Args::argv, ""),
         Optional("codes", &Args::codes, "", Range{0, 255}),
         Optional("env", &Args::env, ""), Optional("until", &Args::until, ""),
         Optional("input", &Args::input, "",
                  Shape{R"({"type":["string","array"]})"})},
        Shared::Fields()));
    return *fields;
  }
};

// Returns the message for `arguments` (JSON text), or "ok".
std::string Outcome(const std::string& arguments) {
  auto json = ParseJson(arguments);
  if (!json.ok()) return "bad test: " + arguments;
  Args args;
  absl::Status status = ParseArguments("term_x", *json, &args);
  return status.ok() ? "ok" : Message(status);
}

// Returns the message for one member beside a valid `session`.
std::string With(const std::string& member) {
  return Outcome(R"({"session":"s",)" + member + "}");
}

TEST(Schema, IsCompactAndTellsTypesEnumsAndDefaults) {
  EXPECT_EQ(DumpJson(SchemaOf<Args>()),
            R"({"type":"object","properties":{)"
            R"("session":{"type":"string","description":"Session name."},)"
            R"("rows":{"type":"integer",)"
            R"("description":"Height.","default":24},)"
            R"("offset":{"type":"integer"},)"
            R"("free":{"type":"integer","default":1},)"
            R"("timeout_s":{"type":"number","default":1.5},)"
            R"("styled":{"type":"boolean"},)"
            R"("colour":{"type":"string","enum":["red","green"],)"
            R"("default":"green"},)"
            R"("name":{"type":"string"},)"
            R"("argv":{"type":"array","items":{"type":"string"}},)"
            R"("codes":{"type":"array","items":{"type":"integer"},)"
            R"("default":[0]},)"
            R"("env":{"type":"object"},)"
            R"("until":{"type":"object","properties":{)"
            R"("text":{"type":"string"},)"
            R"("quiet_s":{"type":"number"},)"
            R"("state":{"type":["string","array"],"items":{"type":"string",)"
            R"("enum":["red","green"]}},)"
            R"("listening":{"type":["boolean","integer"]}}},)"
            R"("input":{"type":["string","array"]},)"
            R"("max_lines":{"type":"integer","description":"Cut.",)"
            R"("default":100}},"required":["session"],)"
            R"("additionalProperties":false})");
}

struct WordyArgs {
  bool wrap = true;
  int64_t since = 5'000'000'000;
  Json input = "text";
  std::variant<std::string, std::vector<int>> keys;

  static const std::vector<Field<WordyArgs>>& Fields() {
    static const auto* fields = new std::vector<Field<WordyArgs>>{
        Optional("wrap", &WordyArgs::wrap, ""),
        Optional("since", &WordyArgs::since, ""),
        Optional("input", &WordyArgs::input, "", Shape{R"({"type":"string"})"}),
        Optional("keys", &WordyArgs::keys, "")};
    return *fields;
  }
};

TEST(Schema, TellsDefaultsThatNobodyExpectsAndTheRulesOfBothAlternatives) {
  EXPECT_EQ(DumpJson(SchemaOf<WordyArgs>()),
            R"({"type":"object","properties":{)"
            R"("wrap":{"type":"boolean","default":true},)"
            R"("since":{"type":"integer","default":5000000000},)"
            R"("input":{"type":"string","default":"text"},)"
            R"("keys":{"type":["string","array"],)"
            R"("items":{"type":"integer"}}},)"
            R"("additionalProperties":false})");
}

struct TerseArgs {
  std::optional<Until> until;

  static const std::vector<Field<TerseArgs>>& Fields() {
    static const auto* fields = new std::vector<Field<TerseArgs>>{
        Optional("until", &TerseArgs::until, "See term_wait.", Terse{})};
    return *fields;
  }
};

TEST(Schema, MayLeaveAStructToAnotherToolAndStillChecksIt) {
  EXPECT_EQ(
      DumpJson(SchemaOf<TerseArgs>()),
      R"({"type":"object","properties":{"until":{"type":"object",)"
      R"("description":"See term_wait."}},"additionalProperties":false})");
  TerseArgs args;
  EXPECT_EQ(Message(ParseArguments(
                "t", *ParseJson(R"({"until":{"quiet_s":"1"}})"), &args)),
            R"(t: 'until.quiet_s' must be a number from 0 to 60, got "1")");
}

TEST(Schema, FillsTheStructAndLeavesDefaultsElsewhere) {
  Args args;
  auto json = ParseJson(
      R"({"session":"s","rows":2.0,"timeout_s":3,"colour":"red","name":"n",
          "argv":["a","b"],"codes":[],"env":{"A":"1"},"max_lines":0,
          "until":{"quiet_s":0.5,"state":["green","red"],"listening":5173},
          "input":["x",{"eof":true}]})");
  ASSERT_TRUE(json.ok());
  ASSERT_EQ(Message(ParseArguments("t", *json, &args)), "");
  EXPECT_EQ(args.session, "s");
  EXPECT_EQ(args.rows, 2);
  EXPECT_EQ(args.timeout_s, 3);
  EXPECT_EQ(args.colour, Colour::kRed);
  EXPECT_EQ(args.name, "n");
  EXPECT_EQ(args.argv, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(args.codes.empty());
  EXPECT_EQ(args.env["A"], "1");
  EXPECT_EQ(args.until.quiet_s, 0.5);
  EXPECT_EQ(args.until.state.values,
            (std::vector<Colour>{Colour::kGreen, Colour::kRed}));
  EXPECT_EQ(std::get<int>(args.until.listening), 5173);
  EXPECT_EQ(args.input.size(), 2u);
  EXPECT_EQ(args.max_lines, 0);
  EXPECT_FALSE(args.styled);
}

struct Case {
  const char* member;
  const char* message;
};

TEST(Schema, NamesToolArgumentExpectationAndValue) {
  const Case cases[] = {
      {R"("rows":"24")",
       R"(term_x: 'rows' must be an integer from 2 to 500, got "24")"},
      {R"("rows":1)", "term_x: 'rows' must be an integer from 2 to 500, got 1"},
      {R"("rows":1000000000)",
       "term_x: 'rows' must be an integer from 2 to 500, got 1000000000"},
      {R"("rows":1.5)",
       "term_x: 'rows' must be an integer from 2 to 500, got 1.5"},
      {R"("rows":true)",
       "term_x: 'rows' must be an integer from 2 to 500, got true"},
      {R"("rows":null)",
       "term_x: 'rows' must be an integer from 2 to 500, got null"},
      {R"("rows":[24])",
       "term_x: 'rows' must be an integer from 2 to 500, got a list"},
      {R"("rows":18446744073709551615)",
       "term_x: 'rows' must be an integer from 2 to 500, got "
       "18446744073709551615"},
      {R"("free":2147483648)",
       "term_x: 'free' must be an integer from -2147483648 to 2147483647, "
       "got 2147483648"},
      {R"("free":-2147483649)",
       "term_x: 'free' must be an integer from -2147483648 to 2147483647, "
       "got -2147483649"},
      {R"("free":4294967297)",
       "term_x: 'free' must be an integer from -2147483648 to 2147483647, "
       "got 4294967297"},
      {R"("offset":"x")", R"(term_x: 'offset' must be an integer, got "x")"},
      {R"("max_lines":-1)",
       "term_x: 'max_lines' must be an integer of at least 0, got -1"},
      {R"("timeout_s":"1")",
       R"(term_x: 'timeout_s' must be a number from 0 to 3600, got "1")"},
      {R"("timeout_s":-0.5)",
       "term_x: 'timeout_s' must be a number from 0 to 3600, got -0.5"},
      {R"("styled":"true")",
       R"(term_x: 'styled' must be true or false, got "true")"},
      {R"("styled":1)", "term_x: 'styled' must be true or false, got 1"},
      {R"("colour":"blue")",
       R"(term_x: 'colour' must be one of red, green, got "blue")"},
      {R"("colour":0)", "term_x: 'colour' must be one of red, green, got 0"},
      {R"("name":7)", "term_x: 'name' must be a string, got 7"},
      {R"("name":null)", "term_x: 'name' must be a string, got null"},
      {R"("argv":"ls -l")",
       "term_x: 'argv' must be a list (each a string), got a string"},
      {R"("argv":["ls",1])", "term_x: 'argv[1]' must be a string, got 1"},
      {R"("codes":[0,256])",
       "term_x: 'codes[1]' must be an integer from 0 to 255, got 256"},
      {R"("until":"ready")",
       R"(term_x: 'until' must be an object, got "ready")"},
      {R"("until":{"quiet_s":"1"})",
       R"(term_x: 'until.quiet_s' must be a number from 0 to 60, got "1")"},
      {R"("until":{"state":"blue"})",
       "term_x: 'until.state' must be one of red, green, or a list of them, "
       R"(got "blue")"},
      {R"("until":{"state":["red","blue"]})",
       R"(term_x: 'until.state[1]' must be one of red, green, got "blue")"},
      {R"("until":{"listening":0})",
       "term_x: 'until.listening' must be an integer from 1 to 65535, got 0"},
      {R"("until":{"listening":"yes"})",
       "term_x: 'until.listening' must be true or false or an integer from 1 "
       R"(to 65535, got "yes")"},
  };
  for (const Case& c : cases) EXPECT_EQ(With(c.member), c.message);
}

TEST(Schema, TakesTheEndsOfARange) {
  for (const char* member :
       {R"("free":2147483647)", R"("free":-2147483648)", R"("rows":2)",
        R"("rows":500)", R"("timeout_s":0)", R"("timeout_s":3600)",
        R"("codes":[0,255])", R"("until":{"listening":65535})"}) {
    EXPECT_EQ(With(member), "ok") << member;
  }
}

TEST(Schema, NeverShowsValuesThatMayBeSecret) {
  EXPECT_EQ(With(R"("env":{"TOKEN":12345})"),
            "term_x: 'env.TOKEN' must be a string, got a number");
  EXPECT_EQ(With(R"("env":"hunter2")"),
            "term_x: 'env' must be an object with string values, got a string");
  EXPECT_EQ(With(R"("input":{"secret":"hunter2"})"),
            "term_x: 'input' must be a string or a list, got an object");
  EXPECT_EQ(With(R"("input":4711)"),
            "term_x: 'input' must be a string or a list, got a number");
}

TEST(Schema, AnUnknownArgumentIsToldTheNearestAndAllOthers) {
  EXPECT_EQ(With(R"("tiemout_s":3)"),
            "term_x has no argument 'tiemout_s'; did you mean timeout_s? It "
            "takes: session, rows, offset, free, timeout_s, styled, colour, "
            "name, argv, codes, env, until, input, max_lines");
  EXPECT_EQ(With(R"("zzzzzz":3)").substr(0, 44),
            "term_x has no argument 'zzzzzz'. It takes: s");
  EXPECT_EQ(With(R"("until":{"txt":"x"})"),
            "term_x: 'until' has no member 'txt'; did you mean text? It "
            "takes: text, quiet_s, state, listening");
}

TEST(Schema, AMissingArgumentIsExplained) {
  EXPECT_EQ(Outcome("{}"), "term_x needs 'session': Session name.");
}

TEST(Schema, SwallowsWhatClientsAddByThemselves) {
  EXPECT_EQ(With(R"("wait_for_previous":true)"), "ok");
  EXPECT_NE(With(R"("until":{"wait_for_previous":true})"), "ok");
}

TEST(Schema, EchoesNoMoreThanAModelNeeds) {
  std::string long_value(100'000, 'a');
  EXPECT_LT(With("\"rows\":\"" + long_value + "\"").size(), 200u);
  EXPECT_LT(With("\"" + long_value + "\":1").size(), 400u);
}

TEST(Schema, EveryArgumentRefusesOrTakesEveryKindOfValueWithoutHarm) {
  const char* values[] = {
      "null", "true", "-1",     "0",      "1e300",      "\"\"",
      "[]",   "{}",   "[[[]]]", "[null]", "{\"a\":{}}", "18446744073709551616",
      "-0.0"};
  for (const auto& field : Args::Fields()) {
    for (const char* value : values) {
      std::string outcome =
          Outcome("{\"session\":\"s\",\"" + field.name + "\":" + value + "}");
      bool named = outcome.find("'" + field.name) != std::string::npos;
      EXPECT_TRUE(outcome == "ok" || named) << outcome;
    }
  }
}

}  // namespace
}  // namespace glasstty::mcp
