#include "support/account.h"

#include <pwd.h>

#include <cstdio>
#include <functional>
#include <memory>

namespace glasstty {
namespace {

std::optional<Account> FindIf(const std::function<bool(const passwd&)>& fits) {
  std::unique_ptr<FILE, int (*)(FILE*)> file(fopen("/etc/passwd", "re"),
                                             fclose);
  if (file == nullptr) return std::nullopt;
  while (const passwd* entry = fgetpwent(file.get())) {
    if (fits(*entry)) return Account{entry->pw_dir, entry->pw_shell};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Account> FindAccount(uid_t user) {
  return FindIf([&](const passwd& entry) { return entry.pw_uid == user; });
}

std::optional<Account> FindAccount(std::string_view name) {
  return FindIf([&](const passwd& entry) { return name == entry.pw_name; });
}

}  // namespace glasstty
