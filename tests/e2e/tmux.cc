#include "e2e/tmux.h"

#include <map>

#include "e2e/steps.h"

namespace glasstty::testing {
namespace {

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

// Returns tmux's name for "<Esc>"; other names are the same in both.
std::string KeyName(const std::string& name) {
  static const std::map<std::string, std::string> kNames = {
      {"Esc", "Escape"},     {"Tab", "Tab"},      {"BS", "BSpace"},
      {"PageDown", "NPage"}, {"PageUp", "PPage"}, {"Del", "DC"},
      {"S-Tab", "BTab"},
  };
  auto found = kNames.find(name);
  return found == kNames.end() ? name : found->second;
}

}  // namespace

Tmux::Tmux(int rows, int cols) : rows_(rows), cols_(cols) {}

Tmux::~Tmux() { Run({"kill-server"}); }

CommandResult Tmux::Run(std::vector<std::string> arguments) {
  std::vector<std::string> argv = {"tmux", "-S", folder_.Join("socket"), "-f",
                                   folder_.Join("conf")};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return RunCommand(argv, {"LC_ALL=C.UTF-8", "TMUX="});
}

void Tmux::StartShell(const std::string& command, const std::string& cwd) {
  folder_.Write("conf",
                "set -g status off\n"
                "set -g default-terminal xterm-256color\n"
                "set -s escape-time 0\n"
                "set -g remain-on-exit on\n"
                "set -g remain-on-exit-format ''\n");
  CommandResult result = Run({"new-session", "-d", "-x", std::to_string(cols_),
                              "-y", std::to_string(rows_), "-c", cwd, command});
  EXPECT_EQ(result.status, 0) << result.output;
}

void Tmux::Start(const std::vector<std::string>& argv, const std::string& cwd,
                 const std::vector<std::string>& environment) {
  std::string command = "exec env -i";
  for (const std::string& variable : environment) {
    command += " " + Quoted(variable);
  }
  // tmux marks line-drawing cells instead of showing them as Unicode, so let
  // ncurses send Unicode here. Ours gets the VT100 character set.
  command += " TERM=xterm-256color NCURSES_NO_UTF8_ACS=1";
  for (const std::string& argument : argv) command += " " + Quoted(argument);
  StartShell(command, cwd);
}

void Tmux::Replay(const std::string& file) {
  // The second cat swallows tmux's answers to queries in the bytes.
  StartShell("stty raw -echo; cat " + Quoted(file) + "; exec cat >/dev/null",
             "/");
}

void Tmux::Keys(const std::string& input) {
  std::string literal;
  auto flush = [&] {
    if (!literal.empty()) Run({"send-keys", "-l", "--", literal});
    literal.clear();
  };
  for (size_t i = 0; i < input.size(); ++i) {
    size_t end = input[i] == '<' ? input.find('>', i) : std::string::npos;
    if (end == std::string::npos) {
      literal += input[i];
      continue;
    }
    flush();
    Run({"send-keys", KeyName(input.substr(i + 1, end - i - 1))});
    i = end;
  }
  flush();
}

std::vector<std::string> Tmux::Screen() {
  CommandResult result = Run({"capture-pane", "-p"});
  return UnfoldRows(result.output);
}

}  // namespace glasstty::testing
