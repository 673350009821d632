// The properties that a program inherits from the client that opens its
// session, as a child inherits from its parent. A value; any thread.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace glasstty::record {

struct Inheritance {
  std::vector<std::string> environment;  // "NAME=value"
  std::optional<mode_t> umask;
  // Indexed by the resources of getrlimit(2); may be shorter.
  std::vector<rlimit> limits;
  // Names of variables that no program gets, in which '*' stands for any text.
  std::vector<std::string> secrets;
  // True if shells write their history into the user's files; nullopt: the
  // server's setting applies.
  std::optional<bool> shares_history;
};

}  // namespace glasstty::record
