// The variables by which clients and terminals mark the programs that they
// start, which are wrong in a session.
//
// Test runners leave out what passing tests print if an agent seems to look,
// and the next agent takes over ids and tokens of the first one; programs draw
// pictures and ask for keys as the terminal outside has them. The user's own
// settings for such programs stay (docs/clients.md). Pure functions.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace glasstty::session {

using Variables = std::map<std::string, std::string>;

// Returns whether a client, or the terminal in which it runs, has set the
// variable of this name for its own children.
bool IsForeignMark(std::string_view name);

// Takes out the setting that Copilot CLI adds to git's (GIT_CONFIG_COUNT), with
// which git fails in bare repositories; settings of the user stay. Call it
// while the variables still have the marks of the client.
void RemoveGitSettingOfClient(Variables* variables);

}  // namespace glasstty::session
