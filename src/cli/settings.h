// Settings from the environment. One row per setting in settings.cc.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "session/session_manager.h"

namespace glasstty {

// Error: a variable whose value makes no sense.
absl::StatusOr<SessionSettings> SettingsFromEnvironment();

struct SettingDoc {
  std::string name;  // of the environment variable
  std::string meaning;
};
std::vector<SettingDoc> SettingDocs();

}  // namespace glasstty
