// `glasstty setup CLIENT`: adds this program to the configuration of an MCP
// client, or removes it. It shows the change, asks, keeps a copy of the file,
// and writes the file completely or not at all. A client that has plugins gets
// the plugin instead, by the client's own commands.
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "cli/client_state.h"
#include "cli/clients.h"
#include "cli/config_edit.h"
#include "cli/options.h"
#include "cli/print.h"
#include "record/file_writer.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The number of unchanged lines around a change.
constexpr size_t kContext = 3;

// Prints the choices, if no client is named.
void PrintClients() {
  Print("usage: glasstty setup CLIENT\n\n");
  for (const ClientRow& client : ClientTable()) {
    Print("  %-15s %-15s %s\n", client.name, client.title, ClientPath(client));
  }
}

// Returns the lines that differ, with some around them. Our change is one
// block, or a few close together.
std::string DescribeChange(const std::string& before,
                           const std::string& after) {
  std::vector<std::string> old_lines = Split(before, '\n');
  std::vector<std::string> new_lines = Split(after, '\n');
  size_t shorter = std::min(old_lines.size(), new_lines.size());
  size_t head = 0, tail = 0;
  while (head < shorter && old_lines[head] == new_lines[head]) ++head;
  while (tail < shorter - head && old_lines[old_lines.size() - 1 - tail] ==
                                      new_lines[new_lines.size() - 1 - tail]) {
    ++tail;
  }
  std::string text;
  size_t from = head > kContext ? head - kContext : 0;
  for (size_t i = from; i < head; ++i) text += "  " + old_lines[i] + "\n";
  for (size_t i = head; i < old_lines.size() - tail; ++i) {
    if (!before.empty()) text += "- " + old_lines[i] + "\n";
  }
  for (size_t i = head; i < new_lines.size() - tail; ++i) {
    text += "+ " + new_lines[i] + "\n";
  }
  size_t rest = new_lines.size() - tail;
  for (size_t i = rest; i < std::min(rest + kContext, new_lines.size()); ++i) {
    if (i + 1 < new_lines.size() || !new_lines[i].empty()) {
      text += "  " + new_lines[i] + "\n";
    }
  }
  return text;
}

// Returns true if a person agrees. Error: there is nobody to ask.
absl::StatusOr<bool> Confirm(const std::string& question) {
  if (isatty(STDIN_FILENO) == 0) {
    return FailedPrecondition(
        "stdin is not a terminal, so nobody can be asked: give --yes to "
        "write, or --print to only look");
  }
  Print("%s [y/N] ", question);
  std::fflush(stdout);
  char answer[16] = "";
  ssize_t n = ReadSome(STDIN_FILENO, answer, sizeof answer - 1);
  return n > 0 && (answer[0] == 'y' || answer[0] == 'Y');
}

absl::Status WriteWhole(const std::string& path, const std::string& text) {
  ASSIGN_OR_RETURN(
      record::FileWriter file,
      record::FileWriter::Open(path, record::FileWriter::Mode::kReplace));
  RETURN_IF_ERROR(file.Write(text));
  return file.Commit();
}

// Writes PATH.bak, or PATH.bak2 and so on, so that no earlier copy is lost.
absl::StatusOr<std::string> KeepCopy(const std::string& path,
                                     const std::string& text) {
  std::error_code error;
  std::string copy = path + ".bak";
  for (int i = 2; std::filesystem::exists(copy, error); ++i) {
    copy = absl::StrFormat("%s.bak%d", path, i);
  }
  // The file may have secrets, so nobody else can read the copy before it has
  // the file's permissions.
  mode_t mask = umask(0077);
  absl::Status written = WriteWhole(copy, text);
  umask(mask);
  RETURN_IF_ERROR(written);
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    chmod(copy.c_str(), info.st_mode & 07777);
  }
  return copy;
}

// A change to one client: the commands that are run first, and the edit of its
// file.
struct Change {
  const ClientRow* client = nullptr;
  std::string path;
  bool adds = false;  // `after` has our entry; otherwise it has none
  std::string before;
  std::string after;
  std::vector<std::vector<std::string>> commands;

  bool empty() const { return commands.empty() && before == after; }
};

// Returns `change.before` with our entry, or without it.
absl::StatusOr<std::string> Edit(const Change& change) {
  return change.adds ? AddServer(change.before, *change.client, OwnPath())
                     : RemoveServer(change.before, *change.client);
}

std::vector<std::vector<std::string>> CommandsOf(
    const PluginCommands::Words (&lines)[2], const std::string& source) {
  std::vector<std::vector<std::string>> commands;
  for (const PluginCommands::Words& words : lines) {
    if (words[0] == nullptr) continue;
    commands.emplace_back();
    for (size_t i = 0; words[i] != nullptr; ++i) {
      bool is_source = words[i] == std::string(PluginCommands::kSource);
      commands.back().push_back(is_source ? source : words[i]);
    }
  }
  return commands;
}

// Returns the change for `--remove`, or for adding. With the plugin, the client
// needs no entry of ours, which would start a second server.
absl::StatusOr<Change> PlanChange(const Options& options,
                                  const ClientRow& client) {
  Change change;
  change.client = &client;
  change.path = options.Get("file", ClientPath(client));
  if (change.path.empty()) {
    return FailedPrecondition("HOME is not set: give --file FILE");
  }
  change.path =
      std::filesystem::absolute(change.path).lexically_normal().string();
  ASSIGN_OR_RETURN(change.before, ReadConfiguration(change.path));
  const PluginCommands* plugin = client.plugin;
  bool may_plug =
      plugin != nullptr && !options.Has("file") && !options.Has("server-only");
  bool removes = options.Has("remove");
  bool has_plugin = may_plug && HasPlugin(client);
  std::string source = may_plug ? PluginSource(*plugin) : "";
  bool can_plug = may_plug && FindInPath(plugin->program);
  bool plugs = !removes && can_plug && (has_plugin || !source.empty());
  if (removes && has_plugin) {
    change.commands = CommandsOf(plugin->remove, "");
  } else if (plugs && !has_plugin) {
    change.commands = CommandsOf(plugin->add, source);
  }
  if (may_plug && !removes && !plugs) {
    Print("%s, so only the server is added, not the plugin.\n",
          can_plug ? "There is no folder of plugins beside this program"
                   : absl::StrFormat("%s is not in PATH", plugin->program));
  }
  change.adds = !removes && !plugs;
  auto after = Edit(change);
  if (!after.ok()) {
    return FailedPrecondition("%s: %s; nothing was changed", change.path,
                              Message(after.status()));
  }
  change.after = *std::move(after);
  return change;
}

void Show(const Change& change) {
  if (!change.commands.empty()) {
    Print("%s, by its own commands:\n\n", change.client->title);
    for (const std::vector<std::string>& words : change.commands) {
      Print("  %s\n", Join(words, " "));
    }
    Print("\n");
  }
  if (change.before != change.after) {
    Print("%s, %s:\n\n%s\n", change.client->title, change.path,
          DescribeChange(change.before, change.after));
  }
}

absl::Status RunCommand(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  std::fflush(stdout);
  pid_t pid = -1;
  int error =
      posix_spawnp(&pid, argv[0], nullptr, nullptr, argv.data(), environ);
  if (error != 0) {
    return FailedPrecondition("cannot run %s: %s", words[0],
                              std::strerror(error));
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return absl::OkStatus();
  return FailedPrecondition(
      "`%s` failed; `glasstty setup CLIENT --server-only` adds only the "
      "server, without the client's help",
      Join(words, " "));
}

absl::Status WriteChange(const Change& change) {
  std::error_code error;
  std::filesystem::create_directories(
      std::filesystem::path(change.path).parent_path(), error);
  if (!change.before.empty()) {
    ASSIGN_OR_RETURN(std::string copy, KeepCopy(change.path, change.before));
    Print("A copy of the old file: %s\n", copy);
  }
  RETURN_IF_ERROR(WriteWhole(change.path, change.after));
  Print("Written. ");
  return absl::OkStatus();
}

absl::Status Make(const Change& change) {
  for (const std::vector<std::string>& words : change.commands) {
    RETURN_IF_ERROR(RunCommand(words));
  }
  // The client's commands may have changed the same file, or anybody else while
  // the user was asked.
  Change rest = change;
  ASSIGN_OR_RETURN(rest.before, ReadConfiguration(change.path));
  if (rest.before != change.before) {
    ASSIGN_OR_RETURN(rest.after, Edit(rest));
  }
  if (rest.before != rest.after) RETURN_IF_ERROR(WriteChange(rest));
  Print("%s\n", change.client->then);
  return absl::OkStatus();
}

absl::Status Setup(const Options& options) {
  const ClientRow* client = FindClient(options.operands[0]);
  if (client == nullptr) {
    return InvalidArgument("no client '%s'%s; there are: %s",
                           options.operands[0],
                           DidYouMean(options.operands[0], ClientNames()),
                           Join(ClientNames(), ", "));
  }
  ASSIGN_OR_RETURN(Change change, PlanChange(options, *client));
  if (change.empty()) {
    Print("%s %s glasstty: %s\n", client->title,
          options.Has("remove") ? "does not have" : "already has", change.path);
    return absl::OkStatus();
  }
  Show(change);
  if (options.Has("print")) return absl::OkStatus();
  if (!options.Has("yes")) {
    ASSIGN_OR_RETURN(
        bool agreed,
        Confirm(change.commands.empty() ? "Write this to " + change.path + "?"
                                        : "Do this?"));
    if (!agreed) {
      Print("Nothing was changed.\n");
      return absl::OkStatus();
    }
  }
  return Make(change);
}

}  // namespace

int RunSetup(const Options& options) {
  if (options.operands.empty()) {
    PrintClients();
    return 0;
  }
  const CommandRow& command = *FindCommand("setup");
  if (options.operands.size() > 1) {
    return Report(command, InvalidArgument("give one client"));
  }
  return Report(command, Setup(options));
}

}  // namespace glasstty
