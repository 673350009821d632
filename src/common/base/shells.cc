#include "base/shells.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace glasstty {
namespace {

// In bash, "!(" is literal only with `shopt -s extglob`.
constexpr std::string_view kBashBang = " \t\r\n=";
constexpr std::string_view kZshBang = " \t\r\n=(";

constexpr std::string_view kEval = "eval \"$(printf %)\"";

constexpr Shell kShells[] = {
    // The columns are the members of Shell, in their order. A small
    // quick_bytes, the last column, means that the editor processes the whole
    // line for each key: zsh because of highlighting, others because they lack
    // bracketed paste. Restricted shells have no `source`, because they run no
    // file whose name contains a slash.
    {"bash", true, true, "$?", ".", true, kEval, kBashBang, "--norc"},
    {"zsh", true, true, "$?", ".", true, kEval, kZshBang, "-f", 200},
    {"fish", true, false, "$status", "source", false,
     "eval (printf % | string collect)", "", "--no-config"},
    {"sh", false, true, "$?", ".", true, kEval, ""},
    {"dash", false, true, "$?", ".", true, kEval, ""},
    {"ash", false, true, "$?", ".", true, kEval, ""},
    {"busybox", true, true, "$?", ".", true, kEval, "", "", 200},
    {"ksh", true, true, "$?", ".", true, kEval, "", "", 200},
    {"rksh", true, true, "$?", "", true, kEval, ""},
    {"mksh", true, true, "$?", ".", true, kEval, "", "", 200},
    {"yash", true, true, "$?", ".", true, kEval, "", "", 200},
    {"rbash", true, true, "$?", "", true, kEval, kBashBang, "--norc"},
    {"csh", true, false, "$status", "source", true, "", kZshBang, "-f"},
    {"tcsh", true, false, "$status", "source", true, "", kZshBang, "-f"},
};

// Other names of the shells in the table.
struct Alias {
  std::string_view name;
  std::string_view shell;
};
constexpr Alias kAliases[] = {
    {"bash-static", "bash"}, {"zsh-static", "zsh"}, {"zsh5", "zsh"},
    {"mksh-static", "mksh"}, {"lksh", "mksh"},      {"ksh93", "ksh"},
    {"ksh2020", "ksh"},      {"pdksh", "ksh"},      {"oksh", "ksh"},
    {"loksh", "ksh"},        {"rksh93", "rksh"},    {"bsd-csh", "csh"},
};

// Programs that passwd entries name instead of a shell. They reject the user,
// serve a single protocol or purpose, or start shells in windows of their own.
// /etc/shells lists some of them.
constexpr std::string_view kNoShells[] = {
    "nologin",     "false",   "true", "sync", "halt",   "shutdown", "git-shell",
    "sftp-server", "scponly", "rssh", "tmux", "screen", "zellij"};

// Returns true if the administrator lists the path as a shell (shells(5)).
bool IsListed(const std::string& path) {
  std::ifstream shells("/etc/shells");
  for (std::string line; std::getline(shells, line);) {
    if (line == path) return true;
  }
  return false;
}

// Returns true if the quotes of `text` can be paired without a parser for
// nested constructs.
bool HasPlainQuotes(std::string_view text) {
  for (std::string_view nesting : {"\n", "`", "$(", "${", "$'"}) {
    if (text.find(nesting) != std::string_view::npos) return false;
  }
  return true;
}

bool BeginsWithCaret(std::string_view text) {
  size_t line = 0;
  while (line != std::string_view::npos) {
    size_t first = text.find_first_not_of(" \t", line);
    if (first != std::string_view::npos && text[first] == '^') return true;
    line = text.find('\n', line);
    if (line != std::string_view::npos) ++line;
  }
  return false;
}

}  // namespace

const Shell* FindShell(std::string_view program) {
  program = program.substr(program.rfind('/') + 1);
  if (program.starts_with('-')) program.remove_prefix(1);
  for (const Alias& alias : kAliases) {
    if (alias.name == program) program = alias.shell;
  }
  const Shell* row = std::find_if(
      std::begin(kShells), std::end(kShells),
      [program](const Shell& shell) { return shell.name == program; });
  return row == std::end(kShells) ? nullptr : row;
}

const Shell& ShellOrSh(std::string_view program) {
  const Shell* row = FindShell(program);
  return row != nullptr ? *row : *FindShell("sh");
}

std::string WhyNoShell(const std::string& path) {
  if (path.empty() || path[0] != '/') return "is not an absolute path";
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? "does not exist" : "cannot be looked at";
  }
  if (!S_ISREG(info.st_mode) || access(path.c_str(), X_OK) != 0) {
    return "is not an executable file";
  }
  // A link may point at a program with many names (busybox), so the name of the
  // link counts, too.
  char* real = realpath(path.c_str(), nullptr);
  std::string target = real == nullptr ? path : real;
  std::free(real);
  bool is_known = false;
  for (const std::string& name : {path, target}) {
    std::string_view base = std::string_view(name).substr(name.rfind('/') + 1);
    if (std::find(std::begin(kNoShells), std::end(kNoShells), base) !=
        std::end(kNoShells)) {
      return "is not a shell";
    }
    is_known = is_known || FindShell(name) != nullptr || IsListed(name);
  }
  return is_known ? "" : "is neither a known shell nor listed in /etc/shells";
}

std::string FirstShell(const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (WhyNoShell(path).empty()) return path;
  }
  return WhyNoShell("/bin/bash").empty() ? "/bin/bash" : "/bin/sh";
}

bool RecallsHistory(const Shell& shell, std::string_view text) {
  if (shell.plain_after_bang.empty()) return false;
  if (BeginsWithCaret(text)) return true;
  bool plain_quotes = HasPlainQuotes(text);
  bool in_double = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '!') {
      bool is_last = i + 1 == text.size();
      if (is_last) return false;
      if (shell.plain_after_bang.find(text[i + 1]) == std::string_view::npos) {
        return true;
      }
    }
    if (!plain_quotes) continue;
    if (c == '\\') ++i;
    if (c == '"') in_double = !in_double;
    if (c == '\'' && !in_double) {
      size_t end = text.find('\'', i + 1);
      if (end == std::string_view::npos) return false;
      i = end;
    }
  }
  return false;
}

}  // namespace glasstty
