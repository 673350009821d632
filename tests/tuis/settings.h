// The settings of the agents' programs in the tests' home: they take each past
// its first questions, name the mock model and keep it from using the network.
//
// Nothing here knows how the programs are started or what is tested.
#pragma once

#include <string>

#include "support/json.h"
#include "testing/system.h"

namespace glasstty::testing {

// Writes the settings of all programs into `home`. They trust the folder
// `project` and use the model at `url`.
void WriteSettings(const TempDir& home, const std::string& project,
                   const std::string& url);

// Returns the environment in which the programs find these settings.
Json SettingsEnvironment(const TempDir& home, const std::string& url);

}  // namespace glasstty::testing
