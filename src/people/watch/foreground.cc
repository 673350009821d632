#include "watch/foreground.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "base/visible.h"
#include "support/text.h"

namespace glasstty::watch {
namespace {

constexpr size_t kMostCommand = 4096;  // the maximum length that is shown

// For the client of another machine, returns its command line without the
// command that it runs there. Other command lines are returned unchanged.
std::vector<std::string> ShownWords(const std::vector<std::string>& argv) {
  constexpr int kBeforeClient = 4;  // holder --plug SOCKET --
  if (argv.size() <= kBeforeClient || argv[1] != "--plug") return argv;
  std::vector<std::string> words;
  for (size_t i = kBeforeClient; i < argv.size(); ++i) {
    if (argv[i].find("glasstty-") != std::string::npos) break;
    words.push_back(argv[i]);
  }
  return words;
}

// Returns the command as a person would have typed it: the line that a shell
// runs, or the program's name with its arguments.
std::string CommandOf(std::vector<std::string> argv) {
  if (argv.empty()) return "";
  if (argv.size() == 3 && argv[1] == "-c") return argv[2];
  argv[0].erase(0, argv[0].rfind('/') + 1);
  // The name of a login shell begins with a dash.
  if (argv[0].starts_with('-')) argv[0].erase(0, 1);
  return Join(argv, " ");
}

// Returns "" if the process is gone, or its command line cannot be read.
std::string CommandOf(int pid) {
  std::string text;
  std::string path = absl::StrFormat("/proc/%d/cmdline", pid);
  if (!ReadFileAt(AT_FDCWD, path, kMostCommand, &text)) return "";
  if (text.ends_with('\0')) text.pop_back();
  return text.empty() ? "" : CommandOf(Split(text, '\0'));
}

std::string DirectoryOf(int pid) {
  char path[PATH_MAX];
  ssize_t size =
      readlink(absl::StrFormat("/proc/%d/cwd", pid).c_str(), path, sizeof path);
  return size <= 0 ? "" : std::string(path, static_cast<size_t>(size));
}

std::string WithTilde(const std::string& path) {
  const char* home = std::getenv("HOME");
  std::string_view prefix = home == nullptr ? "" : home;
  bool is_below = prefix.size() > 1 && path.starts_with(prefix) &&
                  (path.size() == prefix.size() || path[prefix.size()] == '/');
  return is_below ? "~" + path.substr(prefix.size()) : path;
}

}  // namespace

std::string OpenedWith(const record::SessionOrigin& origin) {
  return CleanText(Join(ShownWords(origin.program.argv), " "));
}

Foreground StartedProgram(const record::SessionOrigin& origin) {
  Foreground started;
  started.program = ShowOnOneLine(CommandOf(ShownWords(origin.program.argv)));
  started.where = origin.place.empty()
                      ? ShowOnOneLine(WithTilde(origin.program.cwd))
                      : CleanText(origin.place);
  return started;
}

// For another machine, the answer's process ids are not used, because they are
// not valid on this one.
Foreground ForegroundOf(const record::SessionOrigin& origin,
                        const wire::ProbeAnswer& answer) {
  Foreground found = StartedProgram(origin);
  // True for a session that runs the client of another machine.
  bool serves_place = origin.name.starts_with('@');
  bool is_own = serves_place || answer.foreground_pgrp == answer.leader_pid;
  if (!origin.place.empty()) {
    if (!is_own) found.program = ShowOnOneLine(answer.name);
    return found;
  }
  std::string command = is_own ? "" : CommandOf(answer.foreground_pgrp);
  if (command.empty() && !is_own) command = answer.name;
  if (!command.empty()) found.program = ShowOnOneLine(command);
  std::string directory = DirectoryOf(answer.foreground_pgrp);
  if (directory.empty()) directory = DirectoryOf(answer.leader_pid);
  if (!directory.empty()) found.where = ShowOnOneLine(WithTilde(directory));
  return found;
}

}  // namespace glasstty::watch
