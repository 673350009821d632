// Programs that only start another one.
#include <algorithm>
#include <string_view>
#include <vector>

#include "gate/judge.h"
#include "support/text.h"

namespace glasstty {
namespace {

// As the wrapper's man page has it.
struct WrapperRow {
  std::string_view name;
  // Letters of options that take an argument of their own.
  std::string_view with_value;
  // Long options that may have theirs in the next word, a blank between two.
  std::string_view long_with_value = "";
  // Arguments before the command. timeout(1) has the duration, chroot(8) the
  // new root, taskset(1) the mask.
  int operands = 0;
  // The rest of the command comes from stdin.
  bool takes_input = false;
};
// and, or, not are fish's; noglob and nocorrect are zsh's.
constexpr WrapperRow kWrappers[] = {
    {"sudo", "ughpCDRTtUr",
     "user group host prompt close-from chdir chroot command-timeout type "
     "other-user role"},
    {"doas", "uC"},
    {"env", "uCa", "unset chdir argv0"},
    {"nohup", ""},
    {"time", "fo", "format output"},
    {"nice", "n", "adjustment"},
    {"ionice", "cnpPu", "class classdata pid pgid uid"},
    {"setsid", ""},
    {"stdbuf", "ioe", "input output error"},
    {"timeout", "sk", "signal kill-after", 1},
    {"gtimeout", "sk", "signal kill-after", 1},
    {"command", ""},
    {"exec", "a"},
    {"builtin", ""},
    {"chroot", "", "userspec groups", 1},
    {"unshare", "SGRw",
     "setuid setgid root wd propagation setgroups monotonic boottime map-user "
     "map-group map-users map-groups"},
    {"strace", "eopPuEIXsabOSU",
     "output trace attach user env string-limit columns detach-on trace-path "
     "interruptible const-print-style summary-sort-by summary-columns "
     "summary-syscall-overhead signal status read write raw abbrev verbose "
     "inject fault kvm decode-pids quiet"},
    {"ltrace", "eopuAaDFlnswx", "output"},
    {"busybox", ""},
    {"toybox", ""},
    {"chrt", "TPD", "sched-runtime sched-period sched-deadline", 1},
    {"taskset", "", "", 1},
    {"unbuffer", ""},
    {"pkexec", "u", "user"},
    {"systemd-run", "puHM",
     "property unit slice uid gid nice description setenv working-directory "
     "service-type on-active on-boot on-startup on-unit-active "
     "on-unit-inactive on-calendar timer-property path-property "
     "socket-property host machine"},
    {"fakeroot", "lsibf", "lib faked fd-base"},
    {"noglob", ""},
    {"nocorrect", ""},
    {"systemd-inhibit", "", "what who why mode"},
    {"dbus-run-session", "", "config-file dbus-daemon"},
    {"xargs", "IndPLEsa",
     "max-args max-procs max-chars arg-file delimiter process-slot-var", 0,
     true},
    {"parallel", "jNPnaLISCd",
     "jobs max-procs max-args max-lines delay timeout joblog retries halt "
     "sshlogin sshloginfile colsep delimiter arg-file results workdir tmpdir "
     "load memfree nice tagstring",
     0, true},
    {"rust-parallel", "j", "jobs", 0, true},
    {"setpriv", "",
     "ruid euid reuid rgid egid regid groups bounding-set inh-caps "
     "ambient-caps securebits pdeathsig selinux-label apparmor-profile"},
    {"firejail", ""},
    {"proxychains", "f"},
    {"torsocks", ""},
    {"caffeinate", "tw"},
    {"and", ""},
    {"or", ""},
    {"not", ""}};

// "A=b" and not "/bin/a=b". sudo and env take assignments in front of the
// command (sudo(8), env(1)).
bool IsAssignment(const std::string& text) {
  size_t equals = text.find('=');
  return equals != std::string::npos && equals > 0 && text.find('/') > equals;
}

// "-u root" and "-Eu root", not "-uroot"; "--user root" and, as getopt_long(3)
// lets people shorten it, "--us root", not "--user=root".
bool TakesNextWord(const WrapperRow& row, std::string_view option) {
  if (!option.starts_with("--")) {
    return option.find_first_of(row.with_value, 1) == option.size() - 1;
  }
  std::vector<std::string> names = Split(row.long_with_value, ' ');
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return name.starts_with(option.substr(2));
  });
}

// Where the value of env's -S begins in an option; its size: in the next word.
// 0: it is another option.
size_t SplitStringAt(const std::string& option) {
  if (option.starts_with("--")) {
    std::string name = option.substr(0, option.find('='));
    bool splits = std::string_view("--split-string").starts_with(name);
    return splits ? std::min(name.size() + 1, option.size()) : 0;
  }
  size_t valued = option.find_first_of("uCaS", 1);
  bool splits = valued != option.npos && option[valued] == 'S';
  return splits ? valued + 1 : 0;
}

// What stands behind the wrapper at words[0], its options and its operands.
std::vector<Word> Behind(const WrapperRow& row,
                         const std::vector<Word>& words) {
  int operands = row.operands;
  size_t i = 1;
  for (; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (text == "--") {
      ++i;
      break;
    }
    if (text.size() > 1 && text[0] == '-') {
      // env(1) splits the value of -S into words, which go before the others:
      // what eval does with all of them.
      size_t value = row.name == "env" ? SplitStringAt(text) : 0;
      if (value > 0) {
        std::vector<Word> split = {Word::Literal("eval")};
        if (value < text.size()) split.push_back(words[i].Part(value));
        split.insert(split.end(), words.begin() + static_cast<long>(i) + 1,
                     words.end());
        return split;
      }
      if (TakesNextWord(row, text)) ++i;
    } else if (!IsAssignment(text) && operands-- <= 0) {
      break;
    }
  }
  i = std::min(i, words.size());
  return {words.begin() + static_cast<long>(i), words.end()};
}

}  // namespace

// One after the other: "sudo env A=b nohup rm". What is nothing but a wrapper
// stays, and is judged as a program.
std::vector<Word> Unwrap(std::vector<Word> words, bool* takes_input) {
  while (!words.empty()) {
    std::string name = BaseName(words[0].text);
    auto row = std::find_if(
        std::begin(kWrappers), std::end(kWrappers),
        [&name](const WrapperRow& each) { return each.name == name; });
    if (row == std::end(kWrappers)) break;
    // "command -v rm" only asks.
    bool asks = name == "command" && words.size() > 1 &&
                (words[1].text == "-v" || words[1].text == "-V");
    std::vector<Word> inner = Behind(*row, words);
    if (asks || inner.empty()) break;
    *takes_input |= row->takes_input;
    words = std::move(inner);
  }
  return words;
}

}  // namespace glasstty
