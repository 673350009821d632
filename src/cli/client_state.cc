#include "cli/client_state.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "absl/strings/str_format.h"
#include "cli/config_edit.h"
#include "cli/options.h"
#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// A configuration is far smaller; another file at this path is not read into
// memory.
constexpr off_t kMaxConfig = 8 << 20;

}  // namespace

absl::StatusOr<std::string> ReadConfiguration(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::string();
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

bool HasPlugin(const ClientRow& client) {
  if (client.plugin == nullptr) return false;
  auto record = ReadConfiguration(ClientFile(client.plugin->record));
  return record.ok() &&
         record->find(client.plugin->recorded) != std::string::npos;
}

bool FindInPath(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return access(program.c_str(), X_OK) == 0;
  }
  const char* path = std::getenv("PATH");
  for (const std::string& folder : Split(path == nullptr ? "" : path, ':')) {
    std::string file = folder + "/" + program;
    if (!folder.empty() && access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

std::optional<ClientState> StateOf(const ClientRow& client) {
  std::string path = ClientPath(client);
  auto text = ReadConfiguration(path);
  auto program = text.ok() ? ServerProgram(*text, client) : std::nullopt;
  bool has_plugin = HasPlugin(client);
  if (!has_plugin && !program) return std::nullopt;
  if (has_plugin && program) {
    return ClientState{
        absl::StrFormat("the plugin, and an entry in %s, which starts a second "
                        "server: glasstty setup %s removes it",
                        path, client.name),
        false};
  }
  if (has_plugin) return ClientState{"the plugin"};
  // An entry with a URL has no program.
  if (program->empty()) return ClientState{"an entry in " + path};
  if (!FindInPath(*program)) {
    return ClientState{
        absl::StrFormat(
            "an entry in %s, but %s is not there: glasstty setup %s", path,
            *program, client.name),
        false};
  }
  return ClientState{absl::StrFormat("%s, in %s", *program, path)};
}

}  // namespace glasstty
