// The inherited environment cannot simply be passed on. Desktops, editors and
// CI start clients with TERM=dumb or without TERM, with LANG=C, with the size
// of another window, and with variables that indicate an automated reader. A
// program that believes these variables draws boxes as question marks, or does
// not draw at all. Later steps of ChildEnvironment override earlier ones, and
// the caller's variables override everything.
#include "session/environment.h"

#include <fnmatch.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "absl/strings/str_format.h"
#include "base/shells.h"
#include "base/visible.h"
#include "session/foreign_marks.h"
#include "support/account.h"
#include "support/text.h"

namespace glasstty::session {
namespace {

// A variable and the value it gets.
struct Setting {
  const char* name;
  const char* value;
};

// Describes our own terminal, never the one in which the server happens to run.
constexpr Setting kTerminal[] = {{"TERM", "xterm-256color"},
                                 {"COLORTERM", "truecolor"}};

// The most frequent obstacle for agents is a pager that waits for a key.
constexpr Setting kPagers[] = {{"PAGER", "cat"},     {"GIT_PAGER", "cat"},
                               {"MANPAGER", "cat"},  {"SYSTEMD_PAGER", "cat"},
                               {"GH_PAGER", "cat"},  {"AWS_PAGER", ""},
                               {"BAT_PAGER", "cat"}, {"DELTA_PAGER", "cat"}};

bool StartsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

// Programs must not get the tokens by which our processes authenticate.
bool IsDropped(std::string_view name) {
  if (IsForeignMark(name)) return true;
  bool ours = StartsWith(name, "GLASSTTY_");
  bool token = name.size() > 6 && name.substr(name.size() - 6) == "_TOKEN";
  return ours && token;
}

bool IsUtf8Locale(const std::string& value) {
  std::string lower = AsciiLower(value);
  return lower.find("utf-8") != std::string::npos ||
         lower.find("utf8") != std::string::npos;
}

// The first one that is set of LC_ALL, LC_CTYPE and LANG decides the character
// set (locale(7)).
void EnsureUtf8(Variables* variables) {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    auto it = variables->find(name);
    if (it == variables->end() || it->second.empty()) continue;
    if (IsUtf8Locale(it->second)) return;
    break;
  }
  // LC_ALL would override LC_CTYPE. C.UTF-8 needs no locale package: it is
  // built into newer versions of glibc, and Debian added it to older ones.
  variables->erase("LC_ALL");
  (*variables)["LC_CTYPE"] = "C.UTF-8";
  if (!IsUtf8Locale((*variables)["LANG"])) (*variables)["LANG"] = "C.UTF-8";
}

// Returns the value of SHELL; "" if it is not set.
std::string ShellVariable(const record::Inheritance* inherited) {
  if (inherited != nullptr) {
    return FindVariable(inherited->environment, "SHELL").value_or("");
  }
  const char* shell = std::getenv("SHELL");
  return shell == nullptr ? "" : shell;
}

}  // namespace

std::vector<std::string> ChildEnvironment(
    const std::vector<std::string>& inherited,
    const EnvironmentOptions& options) {
  Variables variables;
  for (const std::string& entry : inherited) {
    size_t equals = entry.find('=');
    // Not every entry of an environment has the form "NAME=value".
    if (equals == std::string::npos || equals == 0) continue;
    std::string name = entry.substr(0, equals);
    variables[name] = entry.substr(equals + 1);
  }
  RemoveGitSettingOfClient(&variables);
  std::erase_if(variables,
                [](const auto& entry) { return IsDropped(entry.first); });
  if (variables.count("PATH") == 0) {
    variables["PATH"] = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
  }
  EnsureUtf8(&variables);
  for (const Setting& setting : kTerminal) {
    variables[setting.name] = setting.value;
  }
  if (options.tame_pagers) {
    for (const Setting& setting : kPagers) {
      variables[setting.name] = setting.value;
    }
  }
  variables["GLASSTTY_SESSION"] = options.session_id;
  for (const auto& [name, value] : options.extra) variables[name] = value;
  std::vector<std::string> out;
  out.reserve(variables.size());
  for (const auto& [name, value] : variables) {
    out.push_back(absl::StrFormat("%s=%s", name, value));
  }
  return out;
}

std::optional<std::string> FindVariable(
    const std::vector<std::string>& environment, std::string_view name) {
  for (const std::string& entry : environment) {
    bool is_it = entry.size() > name.size() && StartsWith(entry, name) &&
                 entry[name.size()] == '=';
    if (is_it) return entry.substr(name.size() + 1);
  }
  return std::nullopt;
}

std::string VariableOf(const Surroundings& around, std::string_view name) {
  return FindVariable(around.environment, name).value_or("");
}

void WithholdSecrets(const std::vector<std::string>& patterns,
                     Surroundings* around) {
  std::erase_if(around->environment, [&patterns](const std::string& entry) {
    std::string name = entry.substr(0, entry.find('='));
    return std::any_of(patterns.begin(), patterns.end(),
                       [&name](const std::string& pattern) {
                         return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
                       });
  });
}

std::vector<std::string> BaseEnvironment(const record::Inheritance* inherited) {
  std::vector<std::string> all;
  if (inherited != nullptr) {
    all = inherited->environment;
  } else {
    for (char** entry = environ; *entry != nullptr; ++entry) {
      all.emplace_back(*entry);
    }
  }
  if (UserShellNote(inherited).empty()) return all;
  for (std::string& entry : all) {
    if (StartsWith(entry, "SHELL=")) entry = "SHELL=" + UserShell(inherited);
  }
  return all;
}

std::string UserShell(const record::Inheritance* inherited) {
  // SHELL is often not set in services and containers.
  std::optional<Account> account = FindAccount(getuid());
  return FirstShell(
      {ShellVariable(inherited), account.has_value() ? account->shell : ""});
}

std::string UserShellNote(const record::Inheritance* inherited) {
  std::string shell = ShellVariable(inherited);
  if (shell.empty()) return "";
  std::string why = WhyNoShell(shell);
  if (why.empty()) return "";
  return absl::StrFormat("SHELL is %s, which %s: %s is used instead",
                         Quoted(shell), why, UserShell(inherited));
}

}  // namespace glasstty::session
