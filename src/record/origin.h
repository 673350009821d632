// What a session is, from its beginning to its end. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "terminal/snapshot.h"

namespace glasstty {

// Stored in meta.json (record/meta.h).
struct SessionOrigin {
  std::string id;    // 32 hex digits; names the directory
  std::string name;  // what agents call it; unique among the live ones
  // Never empty; argv[0] as it was given, not as it was found in PATH.
  std::vector<std::string> argv;
  std::string cwd;
  // The size at the start; the terminal knows the present one.
  Size size;
  int scrollback_rows = 10'000;
  uint64_t log_cap = 64u << 20;  // bytes; of the log, and of old lines
  int64_t started_ms = 0;        // wall clock
  bool keep = false;             // survives the client
  bool pipe = false;             // no terminal: stdout and stderr apart
  // What the marks of the session's own shell carry (command_log.h).
  std::string nonce;
};

}  // namespace glasstty
