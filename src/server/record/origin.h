// The facts about a session that are fixed when it is opened, apart from its
// name, which SessionList::Rename may change. A value; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/program_spec.h"

namespace glasstty::record {

// Stored in meta.json (record/meta.h).
struct SessionOrigin {
  std::string id;    // 32 lower-case hex digits; names the directory
  std::string name;  // unique among live sessions
  // argv and cwd are filled in, so a restart starts the same program.
  ProgramSpec program;
  uint64_t log_cap = 64u << 20;  // bytes for the log, and as many for old lines
  int64_t started_ms = 0;        // wall clock
  // The nonce in the marks of the session's own shell (command_log.h).
  std::string nonce;
  // The machine on which the session runs, as the caller wrote it ("ssh:db");
  // empty: this machine.
  std::string place;
  // The words of the command that runs programs at the place, if the caller
  // gave words; otherwise empty.
  std::vector<std::string> place_prefix;
  // The path of the session's directory on that machine, as its program sees
  // it.
  std::string directory_there;
};

}  // namespace glasstty::record
