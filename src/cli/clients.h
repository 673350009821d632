// The MCP clients that `glasstty setup` knows: the file in which each keeps its
// servers, what an entry looks like there, and how it installs our plugin if it
// has plugins. Each is a row in clients.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/json.h"

namespace glasstty {

// How a client installs and removes our plugin, which has the server, a skill
// and hooks. The words of a command end with a null; there may be only one
// command.
struct PluginCommands {
  static constexpr size_t kMostWords = 8;
  using Words = const char* [kMostWords];
  // Stands for the place of the plugin (PluginSource) in a command.
  static constexpr char kSource[] = "SOURCE";

  const char* program;  // such as "claude"
  Words add[2];
  Words remove[2];
  // The file `record` contains the text `recorded` once the plugin is
  // installed.
  const char* record;
  const char* recorded;
  // The plugin's path below the folder of plugins, and its address on the
  // network; null: the client cannot take it from there.
  const char* folder;
  const char* online;
};

// Returns where the client can take the plugin from: the folder that was
// installed beside this program, or else the network; "" for nowhere.
std::string PluginSource(const PluginCommands& plugin);

struct ClientRow {
  enum class Format { kJson, kToml, kYaml };  // JSON may have comments

  const char* name;   // such as "vscode"
  const char* title;  // such as "VS Code"
  // The path of the user's own configuration, as for ClientFile.
  const char* path;
  Format format;
  // The position of the servers: members separated by '.'.
  const char* servers;
  // Returns the members of our entry. `program` is the absolute path of
  // glasstty.
  Json (*entry)(const std::string& program);
  // Tells the user what remains to be done.
  const char* then;
  // Null: the client has no plugins, or none that its own program installs.
  const PluginCommands* plugin = nullptr;
  // The member of the entry that names the program.
  const char* program_key = "command";
};

const std::vector<ClientRow>& ClientTable();
// Returns null if no client has this name.
const ClientRow* FindClient(std::string_view name);
std::vector<std::string> ClientNames();

// Expands '~', which is the home directory, and '$XDG_CONFIG_HOME', which
// defaults to ~/.config, at the beginning of a path. Follows the variables by
// which clients move their own folders, such as CODEX_HOME. Returns "" if the
// home directory is unknown.
std::string ClientFile(const char* path);

// Returns the row's absolute path, or "" if the home directory is unknown.
inline std::string ClientPath(const ClientRow& client) {
  return ClientFile(client.path);
}

// Returns the absolute path of this program, with links resolved, because
// desktop clients have a shorter PATH than shells; "glasstty" if it is unknown.
std::string OwnPath();

// Returns a file of that client that contains only the entry.
std::string ClientSnippet(const ClientRow& client, const std::string& program);

}  // namespace glasstty
