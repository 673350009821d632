// Finds the directory in which the client of `glasstty mcp` works, if the
// client has started the server elsewhere.
//
// Most clients start their servers in the project's directory. From a user's
// own configuration, some start them in the home directory, and a plugin's
// server is started in the plugin's folder; sessions must not start there.
// Clients that have roots are asked instead (tools/roots.h). Functions of the
// process's state; one thread.
#pragma once

#include <string>
#include <vector>

namespace glasstty {

// The facts on which the choice is based.
struct Surroundings {
  std::string directory;  // of this process
  std::string home;
  // The values of variables in which clients name the folder of the plugin.
  std::vector<std::string> plugins = {};
  // Those in which they name the project, best first.
  std::vector<std::string> projects = {};
  // The directories of this process's parent, of its parent, and so on.
  std::vector<std::string> ancestors = {};
};
Surroundings OwnSurroundings();

// Returns `directory`, unless it is the home directory, the root or the folder
// of a plugin of ours: then the project that the client names. If it names
// none, the home directory stays, and instead of the others it is the directory
// of the process that has started this one, or else the home directory.
std::string ProjectDirectory(const Surroundings& around);

// Makes that directory the working directory of this process.
void EnterProjectDirectory();

}  // namespace glasstty
