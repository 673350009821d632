// Finds the directory in which the client of `glasstty mcp` works, even if the
// client has started the server elsewhere.
//
// Most clients start their servers in the project's directory. Some start those
// of the user's own configuration in the home directory, and a plugin's server
// is started in the plugin's folder, where no session should start. The server
// also requests the roots of clients that support them (tools/roots.h).
// Functions of the process's state; one thread.
#pragma once

#include <string>
#include <vector>

namespace glasstty {

// The facts on which the choice is based.
struct Surroundings {
  std::string directory;  // this process's own working directory
  std::string home;
  // The values of variables in which clients name the folder of the plugin.
  std::vector<std::string> plugins = {};
  // The values of the variables in which clients name the project, in order of
  // preference.
  std::vector<std::string> projects = {};
  // The working directories of up to 8 ancestors of this process, the parent's
  // first.
  std::vector<std::string> ancestors = {};
};
Surroundings OwnSurroundings();

// Returns `around.directory`, unless it is the home directory, the root, or in
// the folder of a plugin of ours. In that case, returns the first project that
// the client names and that exists. If there is none, the home directory stays,
// a plugin's folder is replaced by the directory of the nearest ancestor that
// works elsewhere, and the root by the parent's directory. If there is no such
// directory, returns the home directory.
std::string ProjectDirectory(const Surroundings& around);

// Makes that directory the working directory of this process.
void EnterProjectDirectory();

}  // namespace glasstty
