// Starts a holder process and passes it the program to run.
//
// Called by the server, and on other machines by the far relay. When
// LaunchHolder returns, the holder is not a child of the caller (it was cloned
// twice and has its own session). So no zombie is left when the holder ends,
// and a signal to the server's group does not reach the holder.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"

namespace glasstty::wire {

// The program that a session runs. The holder gets the spec in a memfd as
// NUL-terminated strings, so it appears in no command line and no file.
struct LaunchSpec {
  std::vector<std::string> argv;         // argv[0] is searched for in the PATH
                                         // of `environment`, unless it contains
                                         // a slash
  std::vector<std::string> environment;  // "NAME=value", complete
  std::string cwd;                       // empty: the server's
  uint16_t rows = 40;
  uint16_t cols = 120;
  bool pipe = false;             // pipes instead of a terminal
  bool record_input = false;     // record what is typed while the terminal
                                 // echoes
  uint64_t grace_ms = 600'000;   // how long programs outlive a dead server
  uint64_t log_cap = 64u << 20;  // the limit of the raw log in bytes
  std::optional<mode_t> umask;   // nullopt: the server's
  // Indexed by the resources of getrlimit(2). Resources beyond the end of the
  // list keep the limits of the server.
  std::vector<rlimit> limits;
};

std::string EncodeSpec(const LaunchSpec& spec);
// Returns false if `text` is not an encoded spec, or contains no argv.
bool DecodeSpec(const std::string& text, LaunchSpec* spec);

// Opens the holder's executable as OpenProgram does (wire/programs.h). Call
// this once at the start, so that an upgrade on disk cannot mix versions.
UniqueFd OpenHolderExecutable(std::string* path);

// Starts a holder in the directory `dir_fd`, which must have no log yet, be
// owned by this user and have mode 0700. Returns the control connection, which
// is invalid with errno on failure. The holder answers the first Hello with
// Welcome and then Started.
UniqueFd LaunchHolder(int executable_fd, int dir_fd, const LaunchSpec& spec);

// Our end of the control connection, and the descriptors that a holder or a
// near relay inherits (start_fds.h) besides the directory.
struct StartDescriptors {
  UniqueFd ours;    // our end of the control connection
  UniqueFd theirs;  // the end that the new process inherits
  UniqueFd spec;    // an unnamed file that contains the `text` of MakeStart
  UniqueFd lock;    // the file `lock` of the directory, already locked
};
// Creates the descriptors. Callers need this only to send them to a near relay.
// Returns false with errno on failure.
bool MakeStart(int dir_fd, const std::string& text, StartDescriptors* start);

// Like LaunchHolder, but passes `text` instead of an encoded LaunchSpec. The
// text also selects the role of the process (far/main.cc).
UniqueFd LaunchWith(int executable_fd, int dir_fd, const std::string& text);

// Connects to the holder of an existing session directory. The result is
// invalid with errno on failure: ECONNREFUSED or ENOENT if the holder is gone.
UniqueFd ConnectHolder(int dir_fd);

// Like ConnectHolder, but connects as an observer. ENOENT may also mean that
// the holder is too old for observers.
UniqueFd ConnectObserver(int dir_fd);

// Returns true if the lock of the directory is free, so its holder is dead.
bool HolderIsDead(int dir_fd);
// Like HolderIsDead, but false if the session continues on another machine.
bool IsOver(int dir_fd);

}  // namespace glasstty::wire
