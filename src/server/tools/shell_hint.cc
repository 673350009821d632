#include "tools/shell_hint.h"

#include <algorithm>
#include <vector>

#include "gate/shell_reader.h"
#include "support/text.h"

namespace glasstty {
namespace {

// A program, and the conditions under which it uses the terminal.
struct TerminalProgram {
  const char* programs;
  // Options with which the program does not use the terminal.
  const char* batch;
  // Options whose value is the next word.
  const char* valued = "";
  // The smallest and largest number of operands with which it uses a terminal.
  size_t fewest = 0;
  size_t most = 100;
  // The words after the first operand belong to another program.
  bool stops_at_word = false;
};

constexpr TerminalProgram kTerminalPrograms[] = {
    {"ssh mosh", "-N -f -V -G -Q -O -W -T",
     "-b -c -D -E -e -F -I -i -J -L -l -m -o -p -R -S -w", 1, 1},
    {"sudo doas su", "-n -S -A -l -k -K -V --non-interactive --stdin --askpass",
     "-u -g -h -p -C -r -t -U -D -R -T", 0, 100, true},
    {"vi vim nvim nano pico emacs micro hx kak",
     "-es -Es --headless --batch -batch --version --help"},
    {"top htop btop atop", "-b -v --version --help"},
    {"psql", "-c -f -l --command --file --list --version --help"},
    {"mysql mariadb", "-e --execute --version --help"},
    {"sqlite3", "-batch -version -help", "-cmd -separator", 0, 1},
    {"redis-cli mongosh", "--eval --version --help", "-h -p -a -u -n", 0, 0},
    {"python python3 ipython node irb ghci lua R julia bc",
     "-c -m -e -p -V --version --help", "", 0, 0},
    {"gdb lldb", "-batch --batch --version --help"},
};

bool IsListed(const char* list, const std::string& name) {
  std::vector<std::string> names = Split(list, ' ');
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Accepts "--file=x" for "--file", and "-bn1" for "-b".
bool HasBatchOption(const TerminalProgram& row, const std::string& option) {
  if (IsListed(row.batch, option.substr(0, option.find('=')))) return true;
  bool is_short = option.size() > 2 && option[1] != '-';
  return is_short && IsListed(row.batch, option.substr(0, 2));
}

bool WantsTerminal(const TerminalProgram& row, const gate::Words& words) {
  size_t count = 0;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i].text;
    bool is_option = word.size() > 1 && word[0] == '-';
    if (is_option && HasBatchOption(row, word)) return false;
    if (is_option && IsListed(row.valued, word)) ++i;
    if (!is_option) ++count;
    if (count > 0 && row.stops_at_word) break;
  }
  return count >= row.fewest && count <= row.most;
}

}  // namespace

std::string WantsTerminal(std::string_view line) {
  // Stands for input from the terminal; redirected input has another text.
  const gate::Piped terminal = gate::Piped::Known("a terminal");
  std::string found;
  gate::ShellState state;
  gate::ShellReader::Run run = [&](gate::SimpleCommand* command) {
    bool reads_terminal =
        command->input.known && command->input.text == terminal.text;
    bool is_shown = command->end != '|' && !command->nested;
    if (found.empty() && reads_terminal && is_shown &&
        !command->words.empty()) {
      std::string name = gate::BaseName(command->words[0].text);
      for (const TerminalProgram& row : kTerminalPrograms) {
        bool wants =
            IsListed(row.programs, name) && WantsTerminal(row, command->words);
        if (wants) found = name;
      }
    }
    return gate::Piped::Unknown();
  };
  gate::ShellReader(line, &state, &run, terminal).Read();
  return found;
}

}  // namespace glasstty
