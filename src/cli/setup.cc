// `glasstty setup CLIENT`: adds this program to the configuration of an MCP
// client. Shows the change, asks, keeps a copy of the file, and writes it whole
// or not at all.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "cli/clients.h"
#include "cli/config_edit.h"
#include "cli/options.h"
#include "record/file_writer.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// A configuration is far smaller; a wrong path is not read into memory.
constexpr off_t kMaxConfig = 8 << 20;
// Unchanged lines that are shown around a change.
constexpr size_t kContext = 3;

// Without an operand: what there is to choose from.
void PrintClients() {
  std::printf("usage: glasstty setup CLIENT\n\n");
  for (const ClientRow& client : ClientTable()) {
    std::printf("  %-15s %-15s %s\n", client.name, client.title,
                ClientPath(client).c_str());
  }
}

// "" for a file that is not there yet. Error: it cannot be read, or it is no
// plain file.
absl::StatusOr<std::string> ReadConfiguration(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return std::string();
    return ErrnoStatus("cannot read", path);
  }
  if (!S_ISREG(info.st_mode)) {
    return FailedPrecondition("%s is not a regular file", path);
  }
  if (info.st_size > kMaxConfig) {
    return FailedPrecondition("%s is too large for a configuration", path);
  }
  return ReadInput(path);
}

// The lines that differ, with some around them. A change of ours is one block,
// or a few close together.
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

// True when a person says so. Error: nobody is there to be asked.
absl::StatusOr<bool> Confirm(const std::string& path) {
  if (isatty(STDIN_FILENO) == 0) {
    return FailedPrecondition(
        "stdin is not a terminal, so nobody can be asked: give --yes to "
        "write, or --print to only look");
  }
  std::printf("Write this to %s? [y/N] ", path.c_str());
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

// PATH.bak, or PATH.bak2 and so on: an earlier copy is never lost.
absl::StatusOr<std::string> KeepCopy(const std::string& path,
                                     const std::string& text) {
  std::error_code error;
  std::string copy = path + ".bak";
  for (int i = 2; std::filesystem::exists(copy, error); ++i) {
    copy = absl::StrFormat("%s.bak%d", path, i);
  }
  RETURN_IF_ERROR(WriteWhole(copy, text));
  // It may hold what only its owner may read.
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    chmod(copy.c_str(), info.st_mode & 07777);
  }
  return copy;
}

absl::Status Setup(const Options& options) {
  const ClientRow* client = FindClient(options.operands[0]);
  if (client == nullptr) {
    return InvalidArgument("no client '%s'%s; there are: %s",
                           options.operands[0],
                           DidYouMean(options.operands[0], ClientNames()),
                           Join(ClientNames(), ", "));
  }
  std::string path = options.Get("file", ClientPath(*client));
  if (path.empty()) {
    return FailedPrecondition("HOME is not set: give --file FILE");
  }
  path = std::filesystem::absolute(path).lexically_normal().string();
  ASSIGN_OR_RETURN(std::string before, ReadConfiguration(path));
  auto after = AddServer(before, *client, OwnPath());
  if (!after.ok()) {
    return FailedPrecondition("%s: %s; nothing was changed", path,
                              Message(after.status()));
  }
  if (*after == before) {
    std::printf("%s already has glasstty: %s\n", client->title, path.c_str());
    return absl::OkStatus();
  }
  std::printf("%s, %s:\n\n%s\n", client->title, path.c_str(),
              DescribeChange(before, *after).c_str());
  if (options.Has("print")) return absl::OkStatus();
  if (!options.Has("yes")) {
    ASSIGN_OR_RETURN(bool agreed, Confirm(path));
    if (!agreed) {
      std::printf("Nothing was changed.\n");
      return absl::OkStatus();
    }
  }
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(),
                                      error);
  if (!before.empty()) {
    ASSIGN_OR_RETURN(std::string copy, KeepCopy(path, before));
    std::printf("A copy of the old file: %s\n", copy.c_str());
  }
  RETURN_IF_ERROR(WriteWhole(path, *after));
  std::printf("Written. %s\n", client->then);
  return absl::OkStatus();
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
