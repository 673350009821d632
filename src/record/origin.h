// The facts about a session that never change. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/program_spec.h"

namespace glasstty::record {

// Stored in meta.json (record/meta.h).
struct SessionOrigin {
  std::string id;    // 32 hex digits; names the directory
  std::string name;  // what agents call it; unique among the live ones
  // With its argv and cwd resolved: opening it again gives the same program.
  ProgramSpec program;
  uint64_t log_cap = 64u << 20;  // bytes; of the log, and of old lines
  int64_t started_ms = 0;        // wall clock
  // What the marks of the session's own shell carry (command_log.h).
  std::string nonce;
  // Where it runs, as it was written ("ssh:db"); empty: here.
  std::string place;
  // The words of its client, where it was written as words.
  std::vector<std::string> place_prefix;
  // The path of its directory there, as its program sees it.
  std::string directory_there;
};

}  // namespace glasstty::record
