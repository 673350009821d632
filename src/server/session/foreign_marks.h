// The environment variables by which clients and terminals mark the programs
// that they start. These marks are wrong in a session.
//
// Because of these marks, test runners believe that an agent is reading, and
// omit the output of passing tests. An agent in a session uses the ids and
// tokens of the agent outside. Programs draw pictures and request keys in ways
// that only the outer terminal supports. The user's own settings for clients
// and terminals are not marks (docs/clients.md). Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace glasstty::session {

using Variables = std::map<std::string, std::string>;

// Returns whether the variable of this name is one that a client, or the
// terminal in which the client runs, sets for its own children.
bool IsForeignMark(std::string_view name);

// Removes the git setting that Copilot CLI adds (safe.bareRepository=explicit,
// by GIT_CONFIG_COUNT), because git fails in bare repositories with it. All
// other settings stay. REQUIRES: `variables` still has the marks of the client.
void RemoveGitSettingOfClient(Variables* variables);

}  // namespace glasstty::session
