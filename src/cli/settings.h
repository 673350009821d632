// Settings: one row each in settings.cc, and four places they can come from.
//
// A flag (--max-sessions=8, or --set max-sessions=8) outranks the environment
// (GLASSTTY_MAX_SESSIONS=8), which outranks the file (max-sessions = 8), which
// outranks the default. An empty variable counts as unset.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/gate.h"
#include "session/session_manager.h"

namespace glasstty {

// The settings of a server.
struct Settings {
  session::SessionSettings sessions;
  gate::Settings gate;
  // Which tools: "all", "read", or names.
  std::string tools = "all";
};

// One setting with its present value, for people.
struct SettingValue {
  std::string name;  // "max-sessions"
  std::string value;
  // "default", "environment GLASSTTY_MAX_SESSIONS", "file PATH:3" or "flag".
  std::string origin;
};

struct LoadedSettings {
  Settings settings;
  // Every setting, in the order of the table.
  std::vector<SettingValue> values;
};

// From all four places; `arguments` are a subcommand's, flags only. What other
// layers read from the environment themselves is put there.
// Error: a value that makes no sense, an unknown name; with its place. A server
// refuses to start then: a limit that is silently not the one set would be
// found out too late.
absl::StatusOr<LoadedSettings> LoadSettings(
    const std::vector<std::string>& arguments);

struct SettingDoc {
  std::string name;
  std::string variable;
  // One line with the default in brackets, for --help.
  std::string meaning;
};
std::vector<SettingDoc> SettingDocs();

// Where the file is looked for; it need not exist.
std::string SettingsPath();

}  // namespace glasstty
