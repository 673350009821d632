// glasstty: selects the subcommand.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/settings.h"
#include "support/log.h"
#include "support/text.h"

namespace glasstty {
namespace {

// Always returns 2, the status for invalid arguments.
int UnknownCommand(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandRow& row : Commands()) names.emplace_back(row.name);
  PrintError("glasstty: no command '%s'%s (glasstty --help)\n", name,
             DidYouMean(name, names));
  return 2;
}

int RunCommand(const CommandRow& command,
               const std::vector<std::string>& arguments) {
  auto options = ParseOptions(command, arguments);
  if (!options.ok()) return Report(command, options.status());
  if (options->help) {
    PrintShown(stdout, CommandHelp(command));
    return 0;
  }
  // Some settings, such as the directory of sessions, affect every subcommand.
  auto settings = LoadSettings({});
  // The doctor, and commands that take settings, report mistakes themselves.
  bool reports =
      command.takes_settings || std::string_view(command.name) == "doctor";
  if (!settings.ok() && !reports) return Report(command, settings.status());
  if (settings.ok() && !reports) WarnOfMistakes(*settings);
  return command.run(*options);
}

// Runs glasstty help [COMMAND].
int RunHelp(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    PrintShown(stdout, ProgramHelp());
    return 0;
  }
  const CommandRow* command = FindCommand(arguments[0]);
  if (command == nullptr) return UnknownCommand(arguments[0]);
  return RunCommand(*command, {"--help"});
}

// `words` is the command line without the program's name.
int Run(const std::vector<std::string>& words) {
  // Clients are often configured with the bare path; a person who types it at a
  // terminal wants to know what it is.
  if (words.empty()) {
    return isatty(STDIN_FILENO) == 0 ? RunServer({}) : RunHelp({});
  }
  std::vector<std::string> rest(words.begin() + 1, words.end());
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    return RunHelp(rest);
  }
  if (words[0] == "--version" || words[0] == "-V") {
    Print("%s\n", VersionText());
    return 0;
  }
  const CommandRow* command = FindCommand(words[0]);
  return command != nullptr ? RunCommand(*command, rest)
                            : UnknownCommand(words[0]);
}

}  // namespace
}  // namespace glasstty

int main(int argc, char** argv) {
  // This must precede anything that can warn.
  const char* traces = std::getenv("GLASSTTY_LOG");
  glasstty::InitLog(traces != nullptr ? traces : "");
  return glasstty::Run(std::vector<std::string>(argv + 1, argv + argc));
}
