// The words and facts with which term_close reports what became of a session.
//
// Pure functions; loop thread only.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/session.h"
#include "support/json.h"

namespace glasstty {

// The outcome for one session, in both formats.
struct Closed {
  std::string text;
  Json json;
};

// Returns the processes that are left, with the way to end them; "" if nothing
// is left.
std::string SurvivorText(const std::vector<session::ProcessInfo>& survivors);
// Returns the facts of SurvivorText for programs; an empty list if nothing is
// left.
Json SurvivorJson(const std::vector<session::ProcessInfo>& survivors);

// The processes that are left of a session whose holder was killed. Error: they
// could not be seen.
using Orphans = absl::StatusOr<std::vector<session::ProcessInfo>>;
std::string OrphansText(const Orphans& left);

// Returns " (ended with it: ...)", or "" if nothing ran beside the program.
std::string EndedText(const std::vector<std::string>& commands);

// Describes a session that is not closed, because a person has the keyboard.
// `name` is the session's name for the caller.
Closed DescribeSpared(const std::string& name, const session::Session& session);
// Describes the session of a client that is not closed yet, because `needed`
// sessions that it leads to have not ended.
Closed DescribeNeeded(const std::string& name, const session::Session& session,
                      int64_t needed);

}  // namespace glasstty
