// Accounts of this machine, as /etc/passwd lists them. Those that only a
// directory service knows are not found: the C library would load a module for
// them into this process, and in a statically linked program that crashes.
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

// None when there is no such account, or the file cannot be read.
std::optional<Account> FindAccount(uid_t user);
std::optional<Account> FindAccount(std::string_view name);

}  // namespace glasstty
