// Programs that only start another one.
#include <iterator>

#include "gate/shell_judge.h"
#include "gate/shell_parser.h"

namespace glasstty {
namespace {

// As the wrapper's man page has it; long options are not listed, since
// WrapperWords expects their values behind '='.
struct WrapperRow {
  std::string_view name;
  // Letters of options that take an argument of their own.
  std::string_view with_value;
  // Arguments before the command. timeout(1) has the duration, chroot(8) the
  // new root, taskset(1) the mask.
  int operands = 0;
  // The rest of the command comes from stdin.
  bool takes_input = false;
};
// The last three are fish's; noglob and nocorrect are zsh's.
constexpr WrapperRow kWrappers[] = {{"sudo", "ughpCDRTtUr"},
                                    {"doas", "uC"},
                                    {"env", "uCS"},
                                    {"nohup", ""},
                                    {"time", "fo"},
                                    {"nice", "n"},
                                    {"ionice", "cnpPu"},
                                    {"setsid", ""},
                                    {"stdbuf", "ioe"},
                                    {"timeout", "sk", 1},
                                    {"gtimeout", "sk", 1},
                                    {"command", ""},
                                    {"exec", "a"},
                                    {"builtin", ""},
                                    {"chroot", "", 1},
                                    {"unshare", "SGR"},
                                    {"strace", "eopPuEIXs"},
                                    {"ltrace", "eopu"},
                                    {"busybox", ""},
                                    {"toybox", ""},
                                    {"chrt", "TPD", 1},
                                    {"taskset", "", 1},
                                    {"unbuffer", ""},
                                    {"pkexec", "u"},
                                    {"systemd-run", "pu"},
                                    {"fakeroot", "lsib"},
                                    {"noglob", ""},
                                    {"nocorrect", ""},
                                    {"systemd-inhibit", ""},
                                    {"dbus-run-session", ""},
                                    {"xargs", "IndPLEsa", 0, true},
                                    {"parallel", "jN", 0, true},
                                    {"rust-parallel", "j", 0, true},
                                    {"setpriv", ""},
                                    {"firejail", ""},
                                    {"proxychains", "f"},
                                    {"torsocks", ""},
                                    {"caffeinate", "tw"},
                                    {"and", ""},
                                    {"or", ""},
                                    {"not", ""}};

// By its last name: /usr/bin/env is env.
const WrapperRow* FindWrapper(const ShellWord& word) {
  std::string name = BaseName(word.text);
  for (const WrapperRow& row : kWrappers) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// "A=b" and not "/bin/a=b". sudo and env take assignments in front of the
// command (sudo(8), env(1)).
bool IsAssignment(const std::string& text) {
  size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 && text[0] != '-' &&
         text.find('/') > equals;
}

// How many words belong to the wrapper at words[0]. All of them when no command
// follows.
size_t WrapperWords(const WrapperRow& row,
                    const std::vector<ShellWord>& words) {
  size_t i = 1;
  int operands = row.operands;
  for (; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (text == "--") {
      ++i;
      break;
    }
    bool option = text.size() > 1 && text[0] == '-';
    if (option) {
      // "-u root" and "-Eu root", not "-uroot"; long options hold theirs behind
      // '='.
      size_t valued = text.find_first_of(row.with_value, 1);
      if (text[1] != '-' && valued == text.size() - 1) ++i;
      continue;
    }
    if (IsAssignment(text)) continue;
    if (operands-- <= 0) break;
  }
  return std::min(i, words.size());
}

}  // namespace

// One after the other: "sudo env A=b nohup rm". What is nothing but a wrapper
// stays, and is judged as a program.
std::vector<ShellWord> Unwrap(std::vector<ShellWord> words, bool* takes_input) {
  while (!words.empty()) {
    const WrapperRow* row = FindWrapper(words[0]);
    if (row == nullptr) break;
    // "command -v rm" only asks.
    bool asks = row->name == "command" && words.size() > 1 &&
                (words[1].text == "-v" || words[1].text == "-V");
    size_t own = WrapperWords(*row, words);
    // "env -S 'rm -rf /'": the words are in the option.
    if (asks || own == words.size()) break;
    *takes_input |= row->takes_input;
    words.erase(words.begin(), words.begin() + static_cast<long>(own));
  }
  return words;
}

}  // namespace glasstty
