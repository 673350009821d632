// glasstty: picks the subcommand.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/settings.h"
#include "support/log.h"
#include "support/text.h"

namespace glasstty {
namespace {

// `arguments` and `help` are for --help only; `run` gets what follows the name.
struct CommandRow {
  const char* name;
  const char* arguments;
  const char* help;
  int (*run)(const CommandArguments&);
};
constexpr CommandRow kCommands[] = {
    {"mcp", "[--SETTING=VALUE]", "serve MCP on stdin and stdout", RunServer},
    {"config", "[--SETTING=VALUE]",
     "list the settings and where they come from", RunConfig},
    {"tail", "[-f] [-n LINES] SESSION",
     "print a session's last lines, as text; -f: follow it", RunTail},
    {"cast", "[--format v2|v3] [-o FILE] SESSION",
     "make an asciicast of a session", RunCast},
    {"replay", "[--to BYTE] [--at SECONDS] SESSION|FILE",
     "show the screen at a moment of a session, or of a recording", RunReplay},
    {"dump", "FILE", "list a program's output as named tokens", RunDump},
    {"doctor", "", "say what this machine offers and lacks", RunDoctor},
};

void PrintHelp() {
  std::printf(
      "glasstty %s: real terminals for AI agents, over MCP\n\n"
      "usage: glasstty COMMAND [ARGUMENTS]\n\n",
      GLASSTTY_VERSION);
  for (const CommandRow& row : kCommands) {
    std::string call = std::string(row.name) + " " + row.arguments;
    std::printf("  %-48s %s\n", call.c_str(), row.help);
  }
  std::printf(
      "  %-48s this text\n  %-48s the version\n\n"
      "Without a command it serves MCP if stdin is not a terminal.\n\n"
      "Settings, as --NAME=VALUE, as \"NAME = VALUE\" in the file, or as a "
      "variable:\n",
      "--help", "--version");
  for (const SettingDoc& doc : SettingDocs()) {
    std::printf("  %-14s %-23s %s\n", doc.name.c_str(), doc.variable.c_str(),
                doc.meaning.c_str());
  }
}

// Always 2, "wrongly called".
int UnknownCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandRow& row : kCommands) names.emplace_back(row.name);
  std::fprintf(stderr, "glasstty: no command '%s'%s (glasstty --help)\n",
               name.c_str(), DidYouMean(name, names).c_str());
  return 2;
}

// `words` is the command line without the program's name.
int Run(const std::vector<std::string>& words) {
  // Clients are often configured with the bare path; a person at a terminal who
  // types it wants to know what it is.
  if (words.empty()) {
    if (isatty(STDIN_FILENO) == 0) return RunServer({});
    PrintHelp();
    return 0;
  }
  // Help that was asked for goes to stdout and is no failure.
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    PrintHelp();
    return 0;
  }
  if (words[0] == "--version" || words[0] == "-V") {
    std::printf("glasstty %s\n", GLASSTTY_VERSION);
    return 0;
  }
  for (const CommandRow& row : kCommands) {
    if (words[0] != row.name) continue;
    return row.run(CommandArguments(words.begin() + 1, words.end()));
  }
  return UnknownCommand(words[0]);
}

}  // namespace
}  // namespace glasstty

int main(int argc, char** argv) {
  // Before anything can warn.
  const char* traces = std::getenv("GLASSTTY_LOG");
  glasstty::InitLog(traces != nullptr ? traces : "");
  return glasstty::Run(std::vector<std::string>(argv + 1, argv + argc));
}
