// `glasstty config`: prints every setting, its value and its source.
#include <cstdio>

#include "cli/command.h"
#include "cli/print.h"
#include "cli/settings.h"
#include "support/log.h"
#include "support/status.h"

namespace glasstty {

int RunConfig(const Options& options) {
  auto loaded = LoadSettings(options.settings);
  if (!loaded.ok()) {
    Warn("%s", Message(loaded.status()));
    return 2;
  }
  WarnOfMistakes(*loaded);
  for (const SettingValue& row : loaded->values) {
    Print("%-14s %-20s %s\n", row.name, row.value.empty() ? "-" : row.value,
          row.origin);
  }
  Print("\nThe file: %s (name = value)\n", SettingsPath());
  // Wrong settings count as invalid arguments: they are input of the user, too.
  return loaded->invalid.ok() && loaded->ignored.empty() ? 0 : 2;
}

}  // namespace glasstty
