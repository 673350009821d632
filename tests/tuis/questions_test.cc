// Tests that wizards are answered from start to end in one call, wherever they
// draw their questions, and that no answer is given twice or to another
// question.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/steps.h"
#include "tuis/programs.h"

namespace glasstty::testing {
namespace {

struct WizardKit {
  std::string name;
  std::string package;
  // These keys choose the first of the features, and answer yes.
  std::string first_feature = "<Space><Enter>";
  std::string yes = "y<Enter>";
};
void PrintTo(const WizardKit& wizard, std::ostream* out) {
  *out << wizard.name;
}

// Each may be given often, so that only the question decides.
Json Answer(const std::string& when, const std::string& input) {
  return {{"when", when}, {"input", {input}}, {"times", 9}};
}

class QuestionsOfWizards : public ::testing::TestWithParam<WizardKit> {};

TEST_P(QuestionsOfWizards, AreAnsweredInOneCall) {
  const WizardKit& wizard = GetParam();
  if (FromNpm(wizard.package + "/package.json").empty()) {
    GTEST_SKIP() << Missing("");
  }
  McpClient client;
  Json answers = {Answer("git\\?", wizard.yes),
                  Answer("[Tt]oken", "hush<Enter>"),
                  Answer("features", wizard.first_feature),
                  Answer("^Pick a framework", "<Down><Enter>"),
                  Answer("^Project name:", "demo<Enter>")};
  Reply reply =
      Open(&client, "it", Script("wizard.cjs", {wizard.name, "wizard"}),
           {{"answers", answers},
            {"timeout_s", 30},
            {"until", {{"text", "answered {"}}}});
  EXPECT_TRUE(
      Shows(reply,
            "answered {\"name\":\"demo\",\"framework\":\"Vue\",\"features\":"
            "[\"TypeScript\"],\"token\":\"hush\",\"git\":true}"));
}

INSTANTIATE_TEST_SUITE_P(All, QuestionsOfWizards,
                         ::testing::ValuesIn(std::vector<WizardKit>{
                             {"clack", "@clack/prompts", "<Space><Enter>", "y"},
                             {"inquirer", "inquirer"},
                             {"enquirer", "enquirer", "<Space><Enter>", "y"},
                             {"prompts", "prompts", "<Space><Enter>", "y"},
                             {"ink", "ink", "<Enter>", "<Enter>"},
                         }),
                         [](const ::testing::TestParamInfo<WizardKit>& row) {
                           return row.param.name;
                         });

// There is a toolbar below the question, and then a dialog on the whole screen.
TEST(Questions, OfPromptToolkitAreAnsweredInOneCall) {
  // ptpython is made with it.
  if (std::string why = Missing("ptpython3"); !why.empty()) {
    GTEST_SKIP() << why;
  }
  constexpr char kScript[] = R"(
from prompt_toolkit import prompt
from prompt_toolkit.shortcuts import radiolist_dialog
name = prompt('Your name: ', bottom_toolbar='Which fruit? F1 tells')
fruit = radiolist_dialog(title='Setup', text='Which fruit?',
                         values=[('a', 'Apple'), ('b', 'Banana')]).run()
print('answered', name, fruit)
)";
  McpClient client;
  Json answers = {Answer("fruit", "<Down><Enter><Tab><Enter>"),
                  Answer("^Your name: *$", "bob<Enter>")};
  Reply reply = Open(&client, "it", {"/usr/bin/python3", "-c", kScript},
                     {{"answers", answers},
                      {"timeout_s", 20},
                      {"until", {{"text", "answered"}}}});
  EXPECT_TRUE(Shows(reply, "answered bob b"));
}

// The answer would only be added to the text in the field.
class QuestionsThatRefuse : public ::testing::TestWithParam<WizardKit> {};

TEST_P(QuestionsThatRefuse, AreNotAnsweredAgain) {
  const WizardKit& wizard = GetParam();
  if (FromNpm(wizard.package + "/package.json").empty()) {
    GTEST_SKIP() << Missing("");
  }
  McpClient client;
  Json answers = {Answer("name", "abc<Enter>"), Answer("short", "no<Enter>")};
  Reply reply =
      Open(&client, "it", Script("wizard.cjs", {wizard.name, "strict"}),
           {{"answers", answers},
            {"timeout_s", 1.5},
            {"until", {{"regex", "abcabc|no"}}}});
  EXPECT_TRUE(Shows(reply, "reason=timeout"));
  EXPECT_TRUE(SeesOnScreen(&client, "it", "Too short"));
}

INSTANTIATE_TEST_SUITE_P(All, QuestionsThatRefuse,
                         ::testing::ValuesIn(std::vector<WizardKit>{
                             {"clack", "@clack/prompts"},
                             {"inquirer", "inquirer"}}),
                         [](const ::testing::TestParamInfo<WizardKit>& row) {
                           return row.param.name;
                         });

}  // namespace
}  // namespace glasstty::testing
