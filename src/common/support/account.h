// The user accounts of this machine, as listed in /etc/passwd. Accounts of a
// directory service are not found: for them, the C library would load a module,
// which would crash a statically linked program.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

namespace glasstty {

struct Account {
  std::string home;
  std::string shell;
};

// These return nullopt if there is no such account or no readable file.
std::optional<Account> FindAccount(uid_t user);
std::optional<Account> FindAccount(std::string_view name);

}  // namespace glasstty
