// Answers the hook of a client that is about to call a tool of ours, by the
// rules that the user has given to the client for its own shell tool.
//
// Reads only files, and starts nothing.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "support/json.h"

namespace glasstty {

enum class PermitScope {
  // The client is answered only if a rule is about the call.
  kRules,
  // If no rule decides, the client asks its user, with the command in the
  // question.
  kQuestion,
};

// Returns the client's JSON, or null if the client is to decide as if there
// were no hook. Error: no client has this name.
absl::StatusOr<Json> AnswerByRules(const std::string& client, const Json& hook,
                                   PermitScope scope);

}  // namespace glasstty
