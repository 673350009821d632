// The variables by which clients and terminals mark the programs that they
// start, which are wrong in a session.
//
// Test runners that believe an agent is reading leave out the output of passing
// tests. An agent in a session takes over the ids and tokens of the outer one.
// Programs draw pictures and request keys as the outer terminal supports them.
// The user's own settings for such programs stay (docs/clients.md). Pure
// functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace glasstty::session {

using Variables = std::map<std::string, std::string>;

// Returns whether the variable of this name is one that a client, or the
// terminal in which the client runs, sets for its own children.
bool IsForeignMark(std::string_view name);

// Removes the git setting that Copilot CLI adds (GIT_CONFIG_COUNT), because git
// fails in bare repositories with it. The user's settings stay. REQUIRES:
// `variables` still has the marks of the client.
void RemoveGitSettingOfClient(Variables* variables);

}  // namespace glasstty::session
