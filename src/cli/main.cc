// glasstty: picks the subcommand.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/escape.h"
#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "support/log.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Always 2, "wrongly called".
int UnknownCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandRow& row : Commands()) names.emplace_back(row.name);
  std::fprintf(stderr, "glasstty: no command '%s'%s (glasstty --help)\n",
               EscapeControls(name).c_str(), DidYouMean(name, names).c_str());
  return 2;
}

int RunCommand(const CommandRow& command,
               const std::vector<std::string>& arguments) {
  auto options = ParseOptions(command, arguments);
  if (!options.ok()) return Report(command, options.status());
  if (options->help) {
    std::fputs(CommandHelp(command).c_str(), stdout);
    return 0;
  }
  // Where sessions are kept, for one, holds for every subcommand. The doctor
  // tells itself what is wrong with a setting.
  auto settings = LoadSettings({});
  if (!settings.ok() && std::string_view(command.name) != "doctor") {
    return Report(command, settings.status());
  }
  return command.run(*options);
}

// glasstty help [COMMAND]
int RunHelp(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    std::fputs(ProgramHelp().c_str(), stdout);
    return 0;
  }
  const CommandRow* command = FindCommand(arguments[0]);
  if (command == nullptr) return UnknownCommand(arguments[0]);
  return RunCommand(*command, {"--help"});
}

// `words` is the command line without the program's name.
int Run(const std::vector<std::string>& words) {
  // Clients are often configured with the bare path; a person at a terminal who
  // types it wants to know what it is.
  if (words.empty()) {
    return isatty(STDIN_FILENO) == 0 ? RunServer({}) : RunHelp({});
  }
  std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    return RunHelp(rest);
  }
  if (words[0] == "--version" || words[0] == "-V") {
    std::printf("%s\n", VersionText().c_str());
    return 0;
  }
  const CommandRow* command = FindCommand(words[0]);
  return command != nullptr ? RunCommand(*command, rest)
                            : UnknownCommand(words[0]);
}

}  // namespace
}  // namespace glasstty

int main(int argc, char** argv) {
  // Before anything can warn.
  const char* traces = std::getenv("GLASSTTY_LOG");
  glasstty::InitLog(traces != nullptr ? traces : "");
  return glasstty::Run(std::vector<std::string>(argv + 1, argv + argc));
}
