// `glasstty config`: every setting, its value and where it comes from.
#include <cstdio>

#include "cli/command.h"
#include "cli/settings.h"
#include "support/log.h"
#include "support/status.h"

namespace glasstty {

int RunConfig(const Options& options) {
  auto loaded = LoadSettings(options.settings);
  if (!loaded.ok()) {
    Warn("%s", Message(loaded.status()));
    // As for a wrong flag: a setting is input of the user.
    return 2;
  }
  for (const SettingValue& row : loaded->values) {
    std::printf("%-14s %-20s %s\n", row.name.c_str(),
                row.value.empty() ? "-" : row.value.c_str(),
                row.origin.c_str());
  }
  std::printf("\nThe file: %s (name = value)\n", SettingsPath().c_str());
  return 0;
}

}  // namespace glasstty
