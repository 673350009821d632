#include "cli/project_directory.h"

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_format.h"
#include "base/fd.h"

namespace glasstty {
namespace {

// Claude Code sets the first for every server. The others belong to clients
// whose plugins have the same formats; Cursor joins several folders with
// commas.
constexpr const char* kProjectVariables[] = {
    "CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "QWEN_PROJECT_DIR",
    "CURSOR_PROJECT_DIR", "WORKSPACE_FOLDER_PATHS"};
constexpr const char* kPluginVariables[] = {"CLAUDE_PLUGIN_ROOT",
                                            "PLUGIN_ROOT"};
// The files that make a folder a plugin, of any client.
constexpr const char* kManifests[] = {
    "plugin.json", ".claude-plugin/plugin.json", ".codex-plugin/plugin.json",
    "gemini-extension.json"};
constexpr size_t kMostManifest = 64 << 10;
// A launcher, a shell and npm may stand between the client and this process.
constexpr int kMostAncestors = 8;

std::vector<std::string> ValuesOf(const char* const* names, size_t count) {
  std::vector<std::string> values;
  for (size_t i = 0; i < count; ++i) {
    const char* value = std::getenv(names[i]);
    if (value != nullptr && *value == '/') values.emplace_back(value);
  }
  return values;
}

// Returns 0 if it is unknown.
pid_t ParentOf(pid_t pid) {
  std::string stat;
  std::string path = absl::StrFormat("/proc/%d/stat", pid);
  if (!ReadFileAt(AT_FDCWD, path.c_str(), 4096, &stat)) return 0;
  // The name of the program, in parentheses, may contain anything.
  size_t name_end = stat.rfind(')');
  int parent = 0;
  if (name_end == std::string::npos ||
      std::sscanf(stat.c_str() + name_end, ") %*c %d", &parent) != 1) {
    return 0;
  }
  return parent;
}

bool IsDirectory(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

// Other plugins' folders are projects to us: somebody may work on them.
bool HasOurManifest(const std::string& folder) {
  for (const char* manifest : kManifests) {
    std::string text;
    std::string path = folder + "/" + manifest;
    if (ReadFileAt(AT_FDCWD, path.c_str(), kMostManifest, &text) &&
        text.find("\"glasstty\"") != std::string::npos) {
      return true;
    }
  }
  return false;
}

bool IsInPlugin(const Surroundings& around) {
  const std::string& directory = around.directory;
  for (const std::string& plugin : around.plugins) {
    if (directory == plugin || directory.starts_with(plugin + "/")) return true;
  }
  // A launcher may have changed into a folder of the plugin.
  size_t slash = directory.rfind('/');
  return HasOurManifest(directory) ||
         (slash != std::string::npos && slash > 0 &&
          HasOurManifest(directory.substr(0, slash)));
}

// Returns the folder, or the first of several that are separated by commas; ""
// if it does not exist.
std::string FirstFolder(const std::string& named) {
  if (IsDirectory(named)) return named;
  std::string first = named.substr(0, named.find(','));
  return IsDirectory(first) ? first : "";
}

}  // namespace

Surroundings OwnSurroundings() {
  Surroundings around;
  std::error_code error;
  around.directory = std::filesystem::current_path(error).string();
  const char* home = std::getenv("HOME");
  around.home = home == nullptr ? "" : home;
  around.plugins = ValuesOf(kPluginVariables, std::size(kPluginVariables));
  around.projects = ValuesOf(kProjectVariables, std::size(kProjectVariables));
  pid_t pid = getppid();
  for (int i = 0; i < kMostAncestors && pid > 1; ++i) {
    // The link cannot be read if the process belongs to another user.
    auto path = std::filesystem::read_symlink(
        absl::StrFormat("/proc/%d/cwd", pid), error);
    if (error) break;
    around.ancestors.push_back(path.string());
    pid = ParentOf(pid);
  }
  return around;
}

std::string ProjectDirectory(const Surroundings& around) {
  bool in_plugin = IsInPlugin(around);
  bool in_root = around.directory == "/";
  bool at_home = around.directory == around.home;
  if (!in_plugin && !in_root && !at_home) return around.directory;
  for (const std::string& named : around.projects) {
    if (std::string folder = FirstFolder(named); !folder.empty()) {
      return folder;
    }
  }
  // Even if the client works elsewhere, it may have chosen the home directory.
  if (at_home && !in_plugin) return around.directory;
  for (const std::string& ancestor : around.ancestors) {
    bool is_other = ancestor != around.directory && ancestor != "/";
    if (is_other && IsDirectory(ancestor)) return ancestor;
    // In a plugin, launchers work in the same folder, so look further. In the
    // root, the parent of the client's shell may work anywhere.
    if (!in_plugin || ancestor == "/") break;
  }
  return around.home.empty() ? around.directory : around.home;
}

void EnterProjectDirectory() {
  Surroundings around = OwnSurroundings();
  std::string directory = ProjectDirectory(around);
  if (directory.empty() || directory == around.directory) return;
  // If this fails, sessions start where the client has started us.
  if (chdir(directory.c_str()) == 0) setenv("PWD", directory.c_str(), 1);
}

}  // namespace glasstty
