// The tables of commands and flags, and what is made from them.
#include "cli/options.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/help.h"
#include "cli/settings.h"
#include "support/status.h"

namespace glasstty {
namespace {

Options Parsed(const char* command, const std::vector<std::string>& arguments) {
  auto options = ParseOptions(*FindCommand(command), arguments);
  EXPECT_TRUE(options.ok()) << options.status();
  return options.ok() ? *options : Options();
}

std::string Refused(const char* command,
                    const std::vector<std::string>& arguments) {
  auto options = ParseOptions(*FindCommand(command), arguments);
  return options.ok() ? "accepted" : Message(options.status());
}

TEST(ParseOptions, AValueStandsBehindTheFlagOrAnEqualsSign) {
  Options options = Parsed("replay", {"--at", "1.5", "--size=24x80", "s"});
  EXPECT_EQ(options.Get("at"), "1.5");
  EXPECT_EQ(options.Get("size"), "24x80");
  EXPECT_EQ(options.operands, std::vector<std::string>{"s"});
  EXPECT_EQ(options.Get("to", "none"), "none");
}

TEST(ParseOptions, ASwitchTakesNoValue) {
  EXPECT_TRUE(Parsed("tail", {"-f", "s"}).Has("f"));
  EXPECT_EQ(Refused("setup", {"--print=x"}), "--print takes no value");
}

TEST(ParseOptions, HelpCountsWhateverElseIsThere) {
  for (const CommandRow& command : Commands()) {
    EXPECT_TRUE(Parsed(command.name, {"--help"}).help) << command.name;
    EXPECT_TRUE(Parsed(command.name, {"-h"}).help) << command.name;
  }
}

TEST(ParseOptions, AMistakeIsNamedWithTheNearestFlag) {
  EXPECT_EQ(Refused("replay", {"--sise", "1x1"}),
            "no flag --sise; did you mean size?");
  EXPECT_EQ(Refused("tail", {"-x"}), "no flag -x");
  EXPECT_EQ(Refused("tail", {"-n"}), "-n needs a value");
  EXPECT_EQ(Refused("doctor", {"x"}), "unexpected argument 'x'");
}

TEST(ParseOptions, SettingsAreHandedOnAsTheyAre) {
  Options options = Parsed("mcp", {"--gate=off", "--set", "idle-min=1"});
  std::vector<std::string> expected = {"--gate=off", "--set", "idle-min=1"};
  EXPECT_EQ(options.settings, expected);
}

TEST(Help, EveryFlagOfACommandIsInItsHelpAndUsage) {
  for (const CommandRow& command : Commands()) {
    std::string help = CommandHelp(command);
    for (const FlagRow& flag : command.flags) {
      EXPECT_NE(help.find("  " + FlagText(flag)), std::string::npos)
          << command.name << " " << flag.name;
      EXPECT_NE(Usage(command).find(FlagText(flag)), std::string::npos);
    }
    EXPECT_NE(help.find(command.example), std::string::npos) << command.name;
  }
}

TEST(Help, NoLineIsWiderThanATerminal) {
  std::string texts = ProgramHelp();
  for (const CommandRow& command : Commands()) texts += CommandHelp(command);
  size_t begin = 0;
  while (begin < texts.size()) {
    size_t end = texts.find('\n', begin);
    EXPECT_LE(end - begin, 90u) << texts.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(Help, TheProgramsHelpNamesEveryCommandAndSetting) {
  std::string help = ProgramHelp();
  for (const CommandRow& command : Commands()) {
    EXPECT_NE(help.find(std::string("  ") + command.name), std::string::npos);
  }
  for (const SettingDoc& doc : SettingDocs()) {
    EXPECT_NE(help.find(doc.variable), std::string::npos) << doc.name;
  }
}

}  // namespace
}  // namespace glasstty
