#include "tools/call_record.h"

#include <gtest/gtest.h>

namespace glasstty {
namespace {

std::string Shown(const char* json) {
  auto arguments = ParseJson(json);
  EXPECT_TRUE(arguments.ok()) << json;
  return HarmlessArguments(*arguments);
}

TEST(HarmlessArguments, ShowWhatACallIsAbout) {
  EXPECT_EQ(Shown(R"({"command":"ls -l","session":"main"})"), "ls -l");
  EXPECT_EQ(Shown(R"({"until":{"text":"done"},"timeout_s":5})"),
            R"(until: {"text":"done"}, timeout_s: 5)");
  EXPECT_EQ(Shown("{}"), "");
}

TEST(HarmlessArguments, AreOnOneLine) {
  EXPECT_EQ(Shown(R"({"command":"a\nb\u001b[m"})"), "a\\nb\\e[m");
}

TEST(HarmlessArguments, AreCut) {
  std::string shown = HarmlessArguments({{"command", std::string(1000, 'x')}});
  EXPECT_LT(shown.size(), 230u);
  EXPECT_TRUE(shown.ends_with("..."));
}

TEST(HarmlessArguments, NameOthersWithoutTheirValue) {
  EXPECT_EQ(Shown(R"({"env":{"TOKEN":"s3cret"},"content":"s3cret"})"),
            "env: …, content: …");
  EXPECT_EQ(Shown(R"({"answers":[{"when":"?","input":"s3cret"}]})"),
            "answers: …");
}

TEST(HarmlessArguments, HideTypedTextButNotKeys) {
  EXPECT_EQ(Shown(R"({"input":"s3cret\n"})"), "…");
  EXPECT_EQ(Shown(R"({"input":["s3cret<Enter>","<C-c>"]})"), "…<Enter><C-c>");
  EXPECT_EQ(Shown(R"({"input":["a<lt>b"]})"), "…");
}

TEST(HarmlessArguments, HideKeysThatTypeText) {
  EXPECT_EQ(Shown(R"({"input":["<p><i><n><Space><S-a><b*3>"]})"), "…");
  EXPECT_EQ(Shown(R"({"input":["<p><Enter><Up><Tab>"]})"), "…<Enter><Up><Tab>");
}

TEST(HarmlessArguments, HideWhatLooksLikeAKey) {
  EXPECT_EQ(Shown(R"({"input":["<s3cret>"]})"), "…");
  EXPECT_EQ(Shown(R"({"input":["<s3cret"]})"), "…");
}

TEST(HarmlessArguments, HideTheTextOfSteps) {
  EXPECT_EQ(Shown(R"({"input":[{"secret":"s3cret"},{"text":"s3cret"},
                    {"until":{"state":"prompt"}}]})"),
            R"({secret: …}{text: …}{until: {"state":"prompt"}})");
}

}  // namespace
}  // namespace glasstty
