// Starts another program with the state that a shell would give it: no signal
// is blocked or ignored (apart from 32 and 33, which glibc's posix_spawn
// ignores). The program has its own process group, so Ctrl-C at this process's
// terminal does not reach it.
//
// Owns no process: the caller must wait for each process that it starts.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace glasstty {

class Spawning {
 public:
  Spawning();
  ~Spawning();
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;

  // Makes this process's descriptor `from` the program's `to`. REQUIRES: `from`
  // is close-on-exec, and not the `to` of an earlier call.
  void Give(int from, int to);
  // Opens a file as the program's `to`; `flags` are those of open(2).
  void Open(int to, const char* path, int flags);

  // Starts the program at `path`. `words` begin with its name; `environment`
  // has a "NAME=value" for each variable. Returns the pid, or -1 with errno.
  pid_t Start(const std::string& path, std::vector<std::string> words,
              std::vector<std::string> environment) const;

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace glasstty
