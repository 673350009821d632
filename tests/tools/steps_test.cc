#include "tools/steps.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "support/status.h"
#include "tools/input_notes.h"

namespace glasstty {
namespace {

std::vector<typing::Step> Parsed(std::string_view json) {
  auto steps = ParseSteps("term_send", "input", *ParseJson(json));
  EXPECT_TRUE(steps.ok()) << steps.status();
  return steps.ok() ? *steps : std::vector<typing::Step>();
}

std::string Refused(std::string_view json) {
  auto steps = ParseSteps("term_send", "input", *ParseJson(json));
  return steps.ok() ? "accepted" : Message(steps.status());
}

TEST(Steps, APlainStringIsLiteralWhateverItContains) {
  auto steps = Parsed(R"("echo <Enter> <C-c>\n")");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].kind, typing::Step::Kind::kText);
  EXPECT_EQ(steps[0].text, "echo <Enter> <C-c>\n");
}

TEST(Steps, AStringThatNamesAKeyIsTypedLiterallyWithANote) {
  for (const char* text :
       {"y<Enter>", "<C-c>", "a <Down*3>", "^C", "\\x03", "\\u0003", "<Esc>:q",
        "<Up>", "y{Enter}", "y\\n", "\\e"}) {
    EXPECT_NE(LiteralKeysNote("input", Json(text)), "") << text;
  }
  EXPECT_EQ(LiteralKeysNote("answers[0].input", Json("y<Enter>")),
            "<Enter> was typed literally, because 'answers[0].input' is a "
            "string: keys go in a list, as in [\"y<Enter>\"]");
  for (const char* text :
       {"", "y", "a < b > c", "<b>bold</b>", "<a href>", "<div>", "<lt>",
        "std::vector<int>", "2^C and more", "grep \\x03", "<"}) {
    EXPECT_EQ(LiteralKeysNote("input", Json(text)), "") << text;
  }
  EXPECT_EQ(LiteralKeysNote("input", *ParseJson(R"(["y<Enter>"])")), "");
  for (const char* step : {R"(["a", "\\x03"])", R"(["^C"])", R"(["y\\n"])",
                           R"(["y{Enter}"])", R"(["\\033"])"}) {
    EXPECT_NE(LiteralKeysNote("input", *ParseJson(step)), "") << step;
  }
  for (const char* step :
       {R"(["y\n"])", R"(["printf 'a\\n'<Enter>"])", R"(["echo ${HOME}"])",
        R"(["{a,b}"])", R"([{"text": "^C"}])", R"(["grep '^C'"])"}) {
    EXPECT_EQ(LiteralKeysNote("input", *ParseJson(step)), "") << step;
  }
  EXPECT_EQ(LiteralKeysNote("input", Json()), "");
}

TEST(Steps, WhatCannotBePastedIsNamed) {
  EXPECT_EQ(
      PasteNote(Parsed(R"([{"paste": "a\fb\u001bc\fd"}, {"text": "\u007f"}])")),
      R"(left out of the paste, because they are keys: \x0c\e)");
  EXPECT_EQ(PasteNote(Parsed(R"([{"paste": "a\tb"}])")), "");
}

TEST(Steps, TheJsonTextOfStepsIsRefusedAndNotTyped) {
  for (const char* text : {
           R"([{"secret": "hunter2"}])",
           R"([{"secret_env": "TOKEN"}, "<Enter>"])",
           R"( [ "ls", {"key": "Enter"} ]
)",
           R"(["ls<Enter>"])",
           R"({"secret_file": "~/token"})",
           R"([{"text": "a"}, {"secrt": "b"}])",
       }) {
    std::string once = DumpJson(Json(text));
    EXPECT_NE(Refused(once).find("this is the JSON text of steps"),
              std::string::npos)
        << text;
    EXPECT_EQ(Refused(once).find("hunter2"), std::string::npos);
    // In a list, too, but as literal text it can be typed.
    EXPECT_NE(Refused("[" + once + "]").find("input[0]: this is the JSON text"),
              std::string::npos)
        << text;
    auto literal = Parsed("[{\"text\": " + once + "}]");
    ASSERT_EQ(literal.size(), 1u);
    EXPECT_EQ(literal[0].text, text);
  }
}

TEST(Steps, TextThatIsNearlyTheJsonOfASecretIsRefused) {
  for (const char* text : {
           R"([{'secret': 'hunter2'}])",
           R"([{"secret": "hunter2"},])",
           R"([ "sudo ls<Enter>", {"secret": "hunter2",} ])",
           "```json\n[{\"secret\": \"hunter2\"}]\n```",
           R"([{secret: "hunter2"}])",
           "{\n  'force': true,\n  'secret_file': '~/hunter2'\n}",
           "[{“secret_env”: “HUNTER2”}]",
           R"([{"secret": "hunter2"})",
       }) {
    std::string refusal = Refused(DumpJson(Json(text)));
    EXPECT_NE(refusal.find("this is the JSON text of steps"), std::string::npos)
        << text;
    EXPECT_EQ(refusal.find("hunter2"), std::string::npos);
    EXPECT_EQ(Parsed("[{\"text\": " + DumpJson(Json(text)) + "}]")[0].text,
              text);
  }
}

TEST(Steps, ALongTextIsSearchedForASecretWithoutParsingIt) {
  std::string filler(70'000, 'x');
  std::string steps = R"([{"text": ")" + filler + R"("}])";
  EXPECT_EQ(Parsed(DumpJson(Json(steps)))[0].text, steps);
  std::string secret = R"([{"text": ")" + filler + R"("}, {"secret": "a"}])";
  EXPECT_NE(Refused(DumpJson(Json(secret))).find("this is the JSON text"),
            std::string::npos);
}

TEST(Steps, OtherJsonIsOrdinaryText) {
  for (const char* text :
       {"[1, 2, 3]", R"(["a", "b"])", R"({"name": "x"})", "[", "{}", "[]",
        R"([{"id": 1, "value": "<b>bold</b>"}])", "[ -f x ] && ls",
        "{ echo secret: x; }", "kubectl get secret", R"(x = {"secret": 1})",
        R"(["the secret": yes])"}) {
    auto steps = Parsed(DumpJson(Json(text)));
    ASSERT_EQ(steps.size(), 1u) << text;
    EXPECT_EQ(steps[0].text, text);
  }
}

TEST(Steps, StringsOfAListMixTextAndKeys) {
  auto steps = Parsed(R"(["ihello<Esc>", ":wq<Enter>"])");
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].text, "ihello");
  EXPECT_EQ(steps[1].kind, typing::Step::Kind::kKey);
  EXPECT_EQ(steps[2].text, ":wq");
  EXPECT_EQ(steps[3].kind, typing::Step::Kind::kKey);
}

TEST(Steps, EachObjectIsOneStep) {
  auto steps = Parsed(R"([{"text": "<Enter>"}, {"paste": "a\nb"},
      {"key": "C-c"}, {"secret": "s", "force": true}, {"resize": [24, 80]},
      {"eof": true}, {"signal": "INT"}, {"pause_s": 0.5},
      {"until": {"text": "ready"}, "timeout_s": 3}])");
  using Kind = typing::Step::Kind;
  const Kind kinds[] = {Kind::kText,   Kind::kPaste,  Kind::kKey,
                        Kind::kSecret, Kind::kResize, Kind::kEof,
                        Kind::kSignal, Kind::kPause,  Kind::kUntil};
  ASSERT_EQ(steps.size(), std::size(kinds));
  for (size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(steps[i].kind, kinds[i]) << i;
  }
  EXPECT_EQ(steps[0].text, "<Enter>");
  EXPECT_TRUE(steps[3].force);
  EXPECT_EQ(steps[4].size, (terminal::Size{24, 80}));
  EXPECT_EQ(steps[6].number, 2);
  EXPECT_EQ(steps[8].until.text, "ready");
  EXPECT_EQ(steps[8].seconds, 3);
}

TEST(Steps, AnEmptyTextDoesNotChangeTheNumberOfAShow) {
  auto steps = Parsed(R"(["a", {"show": true}, ""])");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[1].number, 2);
}

TEST(Steps, AKeyMayHaveTheBracketsOfTheNotation) {
  auto steps = Parsed(R"([{"key": "C-c"}, {"key": "<C-c>"}, {"key": "<"}])");
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(steps[0].key.character, U'c');
  EXPECT_TRUE(steps[1].key == steps[0].key);
  EXPECT_EQ(steps[2].key.character, U'<');
}

TEST(Steps, AMouseIsNamedByTextOrByCellsCountedFromOne) {
  auto steps = Parsed(R"([{"click": "OK"},
      {"click": [3, 7], "button": "right", "count": 2}, {"scroll": -3},
      {"scroll": 2, "at": [1, 1], "mods": "C"},
      {"drag": [[1, 2], "end"], "mods": "ctrl+M-S"}])");
  ASSERT_EQ(steps.size(), 5u);
  for (const typing::Step& step : steps)
    EXPECT_EQ(step.kind, typing::Step::Kind::kMouse);
  EXPECT_EQ(steps[0].gesture.from.kind, typing::Spot::Kind::kText);
  EXPECT_EQ(steps[0].gesture.from.text, "OK");
  EXPECT_EQ(steps[1].gesture.from.cell, (typing::CellPlace{2, 6}));
  EXPECT_EQ(steps[1].gesture.button, terminal::MouseButton::kRight);
  EXPECT_EQ(steps[1].gesture.times, 2);
  EXPECT_EQ(steps[2].gesture.button, terminal::MouseButton::kWheelUp);
  EXPECT_EQ(steps[2].gesture.times, 3);
  EXPECT_EQ(steps[2].gesture.from.kind, typing::Spot::Kind::kAnywhere);
  EXPECT_EQ(steps[3].gesture.button, terminal::MouseButton::kWheelDown);
  EXPECT_EQ(steps[3].gesture.from.cell, (typing::CellPlace{0, 0}));
  EXPECT_EQ(steps[4].gesture.kind, typing::Gesture::Kind::kDrag);
  EXPECT_EQ(steps[4].gesture.to.text, "end");
  EXPECT_EQ(steps[0].gesture.modifiers, 0);
  EXPECT_EQ(steps[3].gesture.modifiers, terminal::kControl);
  EXPECT_EQ(steps[4].gesture.modifiers,
            terminal::kControl | terminal::kAlt | terminal::kShift);
}

TEST(Steps, ASlipInAMouseStepSaysWhatMayStandThere) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([{"click": [0, 1]}])",
       "\"click\" must be a text on the screen or "
       "[row, col]"},
      {R"([{"click": "OK", "button": "up"}])",
       "\"button\" must be left, middle or right"},
      {R"([{"click": "OK", "count": 9}])", "\"count\" must be from 1 to 3"},
      {R"([{"click": "OK", "mods": "x"}])",
       "\"mods\" must be of C (ctrl), M (alt) and S (shift), such as "
       "\"C-S\""},
      {R"([{"scroll": 0}])",
       "\"scroll\" must be turns of the wheel, negative is up, at most 100"},
      {R"([{"scroll": -9223372036854775808}])",
       "\"scroll\" must be turns of the wheel, negative is up, at most 100"},
      {R"([{"scroll": 1, "at": 7}])", "\"at\" must be [row, col] or a text"},
      {R"([{"drag": [[1, 1]]}])",
       "\"drag\" must be two ends, each [row, col] or a text"},
  };
  for (const auto& [input, message] : cases) {
    EXPECT_EQ(
        Refused(input),
        absl::StrFormat("term_send: input[0]: %s; nothing was typed", message));
  }
}

TEST(Steps, ASecretComesFromTheServersEnvironment) {
  setenv("GLASSTTY_TEST_SECRET", "hunter2", 1);
  auto steps = Parsed(R"([{"secret_env": "GLASSTTY_TEST_SECRET"}])");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].kind, typing::Step::Kind::kSecret);
  EXPECT_EQ(steps[0].text, "hunter2");
  EXPECT_EQ(Refused(R"([{"secret_env": "GLASSTTY_NO_SUCH"}])"),
            "term_send: input[0]: the server has no environment variable "
            "'GLASSTTY_NO_SUCH'; nothing was typed");
}

TEST(Steps, ASecretOfAClientThatHandedItsVariablesOverIsAmongThose) {
  setenv("GLASSTTY_TEST_SECRET", "the server's", 1);
  record::Inheritance inherited;
  inherited.environment = {"A=b", "TOKEN=the client's", "GLASSTTY_TEST=x"};
  auto parse = [&inherited](const char* name) {
    return ParseSteps("term_send", "input", Json{{{"secret_env", name}}},
                      &inherited);
  };
  auto steps = parse("TOKEN");
  ASSERT_TRUE(steps.ok()) << steps.status();
  EXPECT_EQ((*steps)[0].text, "the client's");
  EXPECT_EQ(Message(parse("GLASSTTY_TEST_SECRET").status()),
            "term_send: input[0]: your client has started glasstty without a "
            "variable 'GLASSTTY_TEST_SECRET'; nothing was typed");
}

TEST(Steps, ASecretFileIsReadWithoutItsLastNewline) {
  std::string path = testing::TempDir() + "/secret";
  FILE* file = fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  fputs("hunter2\n", file);
  fclose(file);
  auto steps = Parsed(DumpJson(Json::array({Json{{"secret_file", path}}})));
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].text, "hunter2");
  EXPECT_EQ(Refused(R"([{"secret_file": "/no/such"}])"),
            "term_send: input[0]: open /no/such: No such file or directory; "
            "nothing was typed");
  EXPECT_EQ(Refused(R"([{"secret_file": "no-such"}])"),
            "term_send: input[0]: there is no file 'no-such' where the server "
            "runs; give its full path, or one that begins with '~'; nothing "
            "was typed");
}

// A shell would run the lines after the first.
TEST(Steps, ASecretOfSeveralLinesIsRefusedUnquoted) {
  const std::string kMany = "hunter2\nhunter3\n";
  setenv("GLASSTTY_TEST_SECRET", kMany.c_str(), 1);
  std::string path = testing::TempDir() + "/secret_of_many_lines";
  FILE* file = fopen(path.c_str(), "w");
  ASSERT_NE(file, nullptr);
  fputs(kMany.c_str(), file);
  fclose(file);
  const Json kSteps[] = {Json{{"secret", kMany}},
                         Json{{"secret", "hunter2\rhunter3"}},
                         Json{{"secret", kMany}, {"force", true}},
                         Json{{"secret_env", "GLASSTTY_TEST_SECRET"}},
                         Json{{"secret_file", path}}};
  for (const Json& step : kSteps) {
    std::string refusal = Refused(DumpJson(Json::array({step})));
    EXPECT_NE(refusal.find("a secret is one line"), std::string::npos)
        << refusal;
    EXPECT_EQ(refusal.find("hunter"), std::string::npos) << refusal;
  }
  EXPECT_EQ(Parsed(R"([{"secret": "hunter2\r\n"}])")[0].text, "hunter2");
}

TEST(Steps, WhatIsWrongIsSaidBeforeAnythingIsTyped) {
  const std::pair<const char*, const char*> cases[] = {
      {R"(7)", "term_send: 'input' must be a string or a list"},
      {R"(["ok", 7])",
       "term_send: input[1]: a step is a string or an object; nothing was "
       "typed"},
      {R"([{"txet": "a"}])",
       "term_send: input[0]: no step \"txet\"; did you mean text? (there are: "
       "text, paste, key, secret, secret_env, secret_file, resize, eof, "
       "signal, pause_s, until, click, scroll, drag, show); nothing was typed"},
      {R"([{"text": "a", "paste": "b"}])",
       "term_send: input[0]: \"text\" and \"paste\" are two steps: give each "
       "its own object; nothing was typed"},
      {R"([{}])",
       "term_send: input[0]: an empty step; give one of: text, paste, key, "
       "secret, secret_env, secret_file, resize, eof, signal, pause_s, until, "
       "click, scroll, drag, show; nothing was typed"},
      {R"([{"text": 1}])",
       "term_send: input[0]: \"text\" must be a string; nothing was typed"},
      {R"([{"resize": [24]}])",
       "term_send: input[0]: \"resize\" must be [rows, cols]; nothing was "
       "typed"},
      {R"([{"pause_s": 31}])",
       "term_send: input[0]: \"pause_s\" must be seconds from 0 to 30; nothing "
       "was typed"},
      {R"([{"eof": false}])",
       "term_send: input[0]: \"eof\" must be true; nothing was typed"},
  };
  for (const auto& [input, message] : cases) {
    EXPECT_EQ(Refused(input), message);
  }
}

TEST(Steps, ASecretHasOneEnter) {
  const std::pair<const char*, size_t> rows[] = {
      {R"([{"secret": "x"}, "<Enter>"])", 1},
      {R"([{"secret": "x"}, "\n"])", 1},
      {R"([{"secret": "x"}, "<Enter>", {"secret": "y"}, "<Enter>"])", 2},
      {R"([{"secret": "x"}, "<Tab>"])", 2},
      {R"(["x", "<Enter>"])", 2},
  };
  for (const auto& [input, count] : rows) {
    auto steps = ParseSteps("term_send", "input", *ParseJson(input));
    ASSERT_TRUE(steps.ok()) << input;
    size_t before = steps->size();
    std::string note = DropSecondEnters(&*steps);
    EXPECT_EQ(steps->size(), count) << input;
    EXPECT_EQ(note.empty(), before == count) << note;
  }
}

TEST(Steps, AnUnknownKeyOrSignalNamesTheNearest) {
  EXPECT_NE(Refused(R"(["<Entr>"])").find("<Enter>"), std::string::npos);
  EXPECT_NE(Refused(R"([{"signal": "TERN"}])").find("TERM"), std::string::npos);
}

TEST(Steps, AnImpossibleSizeIsRefused) {
  EXPECT_NE(Refused(R"([{"resize": [0, 80]}])"), "accepted");
  EXPECT_NE(Refused(R"([{"resize": [24, 100000]}])"), "accepted");
}

TEST(Steps, APatternOfAnInnerUntilIsCheckedToo) {
  EXPECT_NE(Refused(R"([{"until": {"regex": "("}}])"), "accepted");
  EXPECT_NE(Refused(R"([{"until": {"txt": "a"}}])").find("text"),
            std::string::npos);
}

}  // namespace
}  // namespace glasstty
