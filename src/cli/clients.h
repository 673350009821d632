// The MCP clients that `glasstty setup` knows: where each keeps its servers,
// and what an entry looks like there. A row each in clients.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/json.h"

namespace glasstty {

struct ClientRow {
  enum class Format {
    kJson,
    kToml
  };  // JSON with comments, where they have any

  const char* name;   // "vscode"
  const char* title;  // "VS Code"
  // Of the user's own configuration; '~' is the home directory,
  // '$XDG_CONFIG_HOME' defaults to ~/.config.
  const char* path;
  Format format;
  // Where the servers are: members with '.' between.
  const char* servers;
  // The members of our entry. `program`: the absolute path of glasstty.
  Json (*entry)(const std::string& program);
  // What is left for the user to do.
  const char* then;
};

const std::vector<ClientRow>& ClientTable();
// Null for a name that none has.
const ClientRow* FindClient(std::string_view name);
std::vector<std::string> ClientNames();

// `path` of a row, absolute. "" when the home directory is not known.
std::string ClientPath(const ClientRow& client);

// The absolute path of this program, links followed: desktop clients have a
// shorter PATH than shells.
std::string OwnPath();

// The entry as it appears in a file of that client with nothing else in it.
std::string ClientSnippet(const ClientRow& client, const std::string& program);

}  // namespace glasstty
