// Answers a hook that a client runs before it calls a tool of ours, by the
// rules that the user has given to the client for its own shell tool.
//
// Reads the client's files of rules and some environment variables, and starts
// nothing.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "support/json.h"

namespace glasstty {

enum class PermitScope {
  // An answer is given only if a rule decides.
  kRules,
  // If no rule decides, the answer makes the client ask its user, with the
  // command in the question. There is no answer if the tool is term_send, or if
  // the user has chosen not to be asked.
  kQuestion,
};

// Returns the answer as JSON in the client's form, or null if the client is to
// decide as if there were no hook. Error: no client has this name.
absl::StatusOr<Json> AnswerByRules(const std::string& client, const Json& hook,
                                   PermitScope scope);

}  // namespace glasstty
