// Starts a holder process and hands it what to run.
//
// Called by the server. The holder is not a child of the caller when this
// returns (it was forked twice and has its own session): a dead server leaves
// no zombie, and a signal to the server's group does not reach it.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty::wire {

// The program that a session runs. The spec crosses to the holder in a memfd as
// NUL-terminated strings, so no command line and no file shows it.
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
  std::optional<mode_t> umask;   // nullopt: the server's
  // Indexed by the resources of getrlimit(2); a missing one is the server's.
  std::vector<rlimit> limits;
};

std::string EncodeSpec(const LaunchSpec& spec);
// Returns false if `text` is not an encoded spec.
bool DecodeSpec(const std::string& text, LaunchSpec* spec);

// Opens the holder's executable, once at the start and with O_PATH, so that an
// upgrade on disk cannot mix versions. See OpenProgram (wire/programs.h).
UniqueFd OpenHolderExecutable(std::string* path);

// Starts a holder in the directory `dir_fd` (mode 0700, ours, empty). Returns
// the control connection, which is invalid, with errno, on failure. The holder
// answers the first Hello with Welcome and then reports kStarted.
UniqueFd LaunchHolder(int executable_fd, int dir_fd, const LaunchSpec& spec);

// The descriptors that a holder or a near relay inherits (start_fds.h), for
// callers that pass them on some other way than LaunchHolder.
struct StartDescriptors {
  UniqueFd ours;    // our end of the control connection
  UniqueFd theirs;  // the other one
  UniqueFd spec;    // a file without a name that holds the text
  UniqueFd lock;    // of the directory; held
};
// Returns false with errno on failure.
bool MakeStart(int dir_fd, const std::string& text, StartDescriptors* start);

// Starts the same executable with `text` instead of a LaunchSpec; the text says
// what the process is to become.
UniqueFd LaunchWith(int executable_fd, int dir_fd, const std::string& text);

// Connects to the holder of an existing session directory. The result is
// invalid with errno: ECONNREFUSED or ENOENT if the holder is gone.
UniqueFd ConnectHolder(int dir_fd);

// Like ConnectHolder, but connects as an observer. ENOENT also means that the
// holder is too old for observers.
UniqueFd ConnectObserver(int dir_fd);

// Returns true if no holder lives for this directory (its lock is free).
bool HolderIsDead(int dir_fd);
// Like HolderIsDead, but false if the session continues on another machine.
bool IsOver(int dir_fd);

}  // namespace glasstty::wire
