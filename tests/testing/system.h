// Accesses the machine around a test: folders of its own, processes that carry
// its mark, waiting for events outside.
//
// Reads /proc and files only. Nothing here knows MCP.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace glasstty::testing {

using Seconds = std::chrono::duration<double>;

// Deletes a folder in which processes that are about to end may still make and
// delete files.
void RemoveAll(const std::string& path);

// An empty folder that is deleted with its owner.
class TempDir {
 public:
  TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  ~TempDir();

  const std::string& path() const { return path_; }
  std::string Join(const std::string& name) const { return path_ + "/" + name; }
  // Writes a file below it and returns the whole path.
  std::string Write(const std::string& name, const std::string& content) const;

 private:
  std::string path_;
};

std::string ReadWholeFile(const std::string& path);

// Returns true as soon as `condition` holds, false if it does not within
// `limit`. For events that no descriptor reports: processes, files of others.
bool Eventually(Seconds limit, const std::function<bool()>& condition);

// Returns a file of this build: BuildPath("tests/e2e/slow_reader").
std::string BuildPath(const std::string& relative);

// Return the pair that is tested: that of this build, or of
// $GLASSTTY_TEST_PAIR, the path of a folder in which it is installed
// (bin/glasstty, libexec/glasstty-holder).
std::string ServerPath();
std::string HolderPath();

struct ProcessRow {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';
  std::string command;  // arguments, separated by blanks
};

// Returns the processes whose environment, command line or working directory
// contains `mark`; no zombies, not the caller.
std::vector<ProcessRow> ProcessesWith(const std::string& mark);
std::string Describe(const std::vector<ProcessRow>& processes);

// Returns the session directories below `state_dir` whose holder lives (it
// keeps a lock).
std::vector<std::string> LiveHolders(const std::string& state_dir);
// Returns the socket files below `state_dir`, and sockets bound to a path in
// it.
std::vector<std::string> SocketsBelow(const std::string& state_dir);

// Returns the addresses on which those processes accept TCP connections, in hex
// as in /proc/net/tcp, without the port.
std::set<std::string> TcpListenersOf(const std::string& mark);

// Returns the output of the program in session `name`: its raw log, all
// segments.
std::string RawLog(const std::string& state_dir, const std::string& name);
// Returns the directory of the newest session called `name`; empty if there is
// none.
std::string SessionDirectory(const std::string& state_dir,
                             const std::string& name);

struct CommandResult {
  int status = -1;  // as waitpid(2) gives it
  std::string output;
};
// Runs a program to its end without a shell; collects stdout and stderr
// together.
CommandResult RunCommand(const std::vector<std::string>& argv,
                         const std::vector<std::string>& extra_env = {});

}  // namespace glasstty::testing
