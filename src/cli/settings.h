// Settings from the environment. One row per setting in settings.cc.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/session_manager.h"

namespace glasstty {

// Error: a variable whose value makes no sense.
// An empty variable counts as unset. A server refuses to start on an error: a
// limit that is silently not the one set would be found out too late.
absl::StatusOr<SessionSettings> SettingsFromEnvironment();

struct SettingDoc {
  std::string name;  // of the environment variable
  // One line with the default in brackets, for --help.
  std::string meaning;
};
// Every GLASSTTY_* variable, also those that are no number.
std::vector<SettingDoc> SettingDocs();

}  // namespace glasstty
