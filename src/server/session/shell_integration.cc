// Each shell has its own way to use another start-up file: bash has --rcfile,
// which a login shell ignores; zsh has ZDOTDIR, where it looks for .zshenv
// first; fish has --init-command, which it runs after its own configuration.
#include "session/shell_integration.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "base/shells.h"
#include "session/shell_scripts.h"

namespace glasstty::session {
namespace {

// Changes `launch` for one shell. `script` is the path of the shell's script,
// `path` that of the session's directory.
using Apply = void (*)(const Surroundings& around, const std::string& script,
                       std::string_view path, ShellLaunch* launch);

// Removes a flag from argv. Returns false if it is not there.
bool TakeFlag(std::string_view flag, std::vector<std::string>* argv) {
  return std::erase_if(*argv, [flag](const auto& w) { return w == flag; }) > 0;
}

// Sets a variable. The value that the program would have got is kept in a
// variable with our prefix, from which the script restores it.
void Lend(const Surroundings& around, const std::string& name,
          const std::string& value, ShellLaunch* launch) {
  auto given = launch->environment.find(name);
  std::string own = VariableOf(around, name);
  if (given != launch->environment.end()) {
    launch->environment["GLASSTTY_" + name] = given->second;
  } else if (!own.empty()) {
    launch->environment["GLASSTTY_" + name] = own;
  }
  launch->environment[name] = value;
}

void ApplyBash(const Surroundings& around, const std::string& script,
               std::string_view, ShellLaunch* launch) {
  std::vector<std::string>& argv = launch->argv;
  for (const char* login : {"-l", "--login"}) {
    if (TakeFlag(login, &argv)) launch->environment["GLASSTTY_LOGIN"] = "1";
  }
  // Long options must come before short ones. With --rcfile, bash may read the
  // system's bashrc, too, which --norc forbids; POSIX mode avoids this.
  if (TakeFlag("--norc", &argv)) {
    launch->environment["GLASSTTY_NORC"] = "1";
    Lend(around, "ENV", script, launch);
    argv.insert(argv.begin() + 1, "--posix");
  } else {
    argv.insert(argv.begin() + 1, {"--rcfile", script});
  }
}

void ApplyZsh(const Surroundings& around, const std::string&,
              std::string_view path, ShellLaunch* launch) {
  Lend(around, "ZDOTDIR", std::string(path), launch);
}

void ApplyFish(const Surroundings&, const std::string& script, std::string_view,
               ShellLaunch* launch) {
  // The path may contain quotes and backslashes because of XDG_STATE_HOME.
  std::string quoted;
  for (char c : script) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  launch->argv.insert(launch->argv.begin() + 1,
                      {"--init-command", "source '" + quoted + "'"});
}

struct Integration {
  std::string_view shell;
  // The allowed flags, separated by blanks. With any other flag the shell is
  // not integrated, because it may run a script or read other files.
  std::string_view flags;
  const char* file;  // in the session's directory
  const char* script;
  Apply apply;
};
const Integration kIntegrations[] = {
    {"bash", "-i -l --login --norc --noprofile", "integration.bash",
     kBashScript, ApplyBash},
    {"zsh", "-i -l --login", ".zshenv", kZshScript, ApplyZsh},
    {"fish", "-i -l --interactive --login", "integration.fish", kFishScript,
     ApplyFish},
};

bool HasWord(std::string_view words, std::string_view word) {
  return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") !=
         std::string::npos;
}

// Returns null if `argv` must not be changed.
const Integration* FindIntegration(const std::vector<std::string>& argv) {
  const Shell* shell = FindShell(argv[0]);
  if (shell == nullptr) return nullptr;
  for (const Integration& row : kIntegrations) {
    if (row.shell != shell->name) continue;
    bool known = std::all_of(argv.begin() + 1, argv.end(), [&](const auto& w) {
      return HasWord(row.flags, w);
    });
    return known ? &row : nullptr;
  }
  return nullptr;
}

}  // namespace

// The variables are for shells that are not integrated, and for shells started
// inside an integrated one. fish keeps a nameless history only in memory.
void KeepHistoryApart(std::string_view path, ShellLaunch* launch) {
  std::map<std::string, std::string>& variables = launch->environment;
  if (variables.contains("HISTFILE") || variables.contains("fish_history")) {
    return;
  }
  launch->history = absl::StrFormat("%s/history", path);
  variables["HISTFILE"] = launch->history;
  variables["fish_history"] = "";
}

const std::vector<std::string>& IntegrationFiles() {
  static const auto* files = new std::vector<std::string>([] {
    std::vector<std::string> names;
    for (const Integration& row : kIntegrations) names.emplace_back(row.file);
    return names;
  }());
  return *files;
}

bool IntegrateShell(const Surroundings& around, int directory,
                    std::string_view path, std::string_view nonce,
                    ShellLaunch* launch) {
  const Integration* row = FindIntegration(launch->argv);
  if (row == nullptr) return false;
  if (!ReplaceFileAt(directory, row->file, row->script)) return false;
  launch->environment["GLASSTTY_NONCE"] = std::string(nonce);
  // The script restores the history, because the user's files may name another.
  if (!launch->history.empty()) {
    launch->environment["GLASSTTY_HISTORY"] = launch->history;
  }
  row->apply(around, absl::StrFormat("%s/%s", path, row->file), path, launch);
  return true;
}

}  // namespace glasstty::session
