// The machine around a test: folders of its own, processes that carry its
// mark, waiting for things that happen outside.
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

// An empty folder that goes away with its owner.
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

// True as soon as `condition` holds, false when it does not within `limit`.
// For what no descriptor tells of: processes, files of others.
bool Eventually(Seconds limit, const std::function<bool()>& condition);

// A file of this build: BuildPath("tests/e2e/slow_reader").
std::string BuildPath(const std::string& relative);

// The pair that is tested: this build's, or that of $GLASSTTY_TEST_PAIR, the
// path of a folder that it is installed in (bin/glasstty,
// libexec/glasstty-holder).
std::string ServerPath();
std::string HolderPath();

struct ProcessRow {
  pid_t pid = 0;
  pid_t parent = 0;
  char state = '?';
  std::string command;  // arguments, separated by blanks
};

// Processes whose environment, command line or working directory contains
// `mark`; no zombies, not the caller.
std::vector<ProcessRow> ProcessesWith(const std::string& mark);
std::string Describe(const std::vector<ProcessRow>& processes);

// Session directories below `state_dir` whose holder lives (it keeps a lock).
std::vector<std::string> LiveHolders(const std::string& state_dir);
// Socket files below `state_dir`, and sockets bound to a path in it.
std::vector<std::string> SocketsBelow(const std::string& state_dir);

// The addresses on which those processes accept TCP connections, in hex as
// /proc/net/tcp has them, without the port.
std::set<std::string> TcpListenersOf(const std::string& mark);

// What the program wrote in session `name`: its raw log, all segments.
std::string RawLog(const std::string& state_dir, const std::string& name);
// The directory of the newest session called `name`; empty when there is none.
std::string SessionDirectory(const std::string& state_dir,
                             const std::string& name);

struct CommandResult {
  int status = -1;  // as waitpid(2) gives it
  std::string output;
};
// Runs a program to its end without a shell; stdout and stderr together.
CommandResult RunCommand(const std::vector<std::string>& argv,
                         const std::vector<std::string>& extra_env = {});

}  // namespace glasstty::testing
