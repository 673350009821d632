// Starts a holder process and hands it what to run.
//
// Called by the server. The holder is not a child of the caller when this
// returns (it was forked twice and has its own session): a dead server leaves
// no zombie, and a signal to the server's group does not reach it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty::wire {

// What a session runs. Crosses to the holder in a memfd as NUL-terminated
// strings, so nothing of it shows in a command line or a file.
struct LaunchSpec {
  std::vector<std::string> argv;         // argv[0] is searched in PATH of `env`
  std::vector<std::string> environment;  // "NAME=value", complete
  std::string cwd;                       // empty: the server's
  uint16_t rows = 40;
  uint16_t cols = 120;
  bool pipe = false;
  bool record_input = false;     // keep what is typed while it echoes
  uint64_t grace_ms = 600'000;   // how long programs outlive a dead server
  uint64_t log_cap = 64u << 20;  // bytes of raw log kept
};

std::string EncodeSpec(const LaunchSpec& spec);
// False when `text` is not an encoded spec.
bool DecodeSpec(const std::string& text, LaunchSpec* spec);

// The holder's executable: opened once at start (O_PATH), so that an upgrade
// on disk cannot mix versions. See OpenProgram (wire/programs.h).
UniqueFd OpenHolderExecutable(std::string* path);

// Starts a holder in the directory `dir_fd` (mode 0700, ours, empty). Returns
// the control connection, invalid with errno on failure. The holder answers
// the first Hello with Welcome and then reports kStarted.
UniqueFd LaunchHolder(int executable_fd, int dir_fd, const LaunchSpec& spec);

// What a process that becomes one is born with (start_fds.h): the rest of what
// LaunchHolder does, for whoever gets it by other ways.
struct StartDescriptors {
  UniqueFd ours;    // our end of the control connection
  UniqueFd theirs;  // the other one
  UniqueFd spec;    // a file without a name that holds the text
  UniqueFd lock;    // of the directory, taken
};
// False with errno.
bool MakeStart(int dir_fd, const std::string& text, StartDescriptors* start);

// Starts the same executable with `text` instead of a LaunchSpec: it is told by
// its text what it is.
UniqueFd LaunchWith(int executable_fd, int dir_fd, const std::string& text);

// Connects to the holder of an existing session directory. Invalid with
// errno: ECONNREFUSED or ENOENT when it is gone.
UniqueFd ConnectHolder(int dir_fd);

// The same as an observer. ENOENT also when the holder is too old for them.
UniqueFd ConnectObserver(int dir_fd);

// True when no holder lives for this directory (its lock is free).
bool HolderIsDead(int dir_fd);
// The same, and it does not go on on another machine.
bool IsOver(int dir_fd);

}  // namespace glasstty::wire
