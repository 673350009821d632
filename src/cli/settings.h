// The settings, one row each in settings.cc, and the four sources of their
// values.
//
// A flag (--max-sessions=8, or --set max-sessions=8) takes precedence over the
// environment (GLASSTTY_MAX_SESSIONS=8), which takes precedence over the file
// (max-sessions = 8), which takes precedence over the default. An empty
// variable counts as unset.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/gate.h"
#include "session/session_manager.h"
#include "tools/handed_over.h"

namespace glasstty {

// The settings of a server, and those of clients that have none of their own.
struct Settings {
  session::SessionSettings sessions;
  gate::Settings gate;
  // The tools to offer: "all", "read", or names.
  std::string tools = "all";
  // The size of a terminal that is opened without one.
  terminal::Size size = record::ProgramSpec().size;
  // Hooks of clients' plugins may speak to agents.
  bool hooks = true;
  // A plugin's hook applies the client's own permission rules to our tools.
  bool client_rules = true;
  // A line for /bin/sh that is run for each event; "": none.
  std::string on_event;
  // The time that sessions of a client that has ended wait for its return.
  Duration away = std::chrono::minutes(5);
  // `glasstty mcp` joins the user's shared server.
  bool shared = true;
};

// A setting with its current value, for people.
struct SettingValue {
  std::string name;  // such as "max-sessions"
  std::string value;
  // "default", "environment GLASSTTY_MAX_SESSIONS", "file PATH:3" or "flag";
  // "instead of file PATH:3" if the value there is wrong.
  std::string origin;
};

struct LoadedSettings {
  Settings settings;
  // All settings, in the order of the table.
  std::vector<SettingValue> values;
  // A text for each ignored line of the file and each ignored variable: why it
  // is ignored, and what counts instead, such as "PATH:3: no setting 'x'".
  std::vector<std::string> ignored;
  // An error about the flags whose values are out of bounds; OK if there are
  // none. These settings have their defaults.
  absl::Status invalid;
};

// Loads the settings from all four sources; `arguments` are a subcommand's
// flags. Exports the values that other layers read from the environment. A
// wrong value of the file or of a variable must not stop anything: the default
// replaces it, or the strictest value if that is safer. If a flag's value is
// out of bounds, a server does not start; other commands warn. Error: the file
// cannot be read (a missing file or a folder is an error only if the user named
// it), or a flag is malformed or names no setting.
absl::StatusOr<LoadedSettings> LoadSettings(
    const std::vector<std::string>& arguments);

// Returns whether each client may have this setting for itself.
bool BelongsToClient(std::string_view setting);
// Returns what a setting such as "--gate=off" becomes in the environment:
// ("GLASSTTY_GATE", "off"). A path in the value is made absolute.
// REQUIRES: LoadSettings has accepted it.
std::pair<std::string, std::string> VariableOfFlag(const std::string& flag);
// Reads the client's own settings from its environment; those that it does not
// set are taken from `standard`, except `secrets`. For a wrong value, the
// strictest one counts, or that of `standard` if none is safer than others.
// Sets in `inherited` which variables are secret, and whether shells share the
// user's history.
ClientSettings SettingsOfClient(const Settings& standard,
                                const std::string& directory,
                                record::Inheritance* inherited);

// Prints on stderr what was ignored: one bad line of the file must not end
// every command.
void WarnOfMistakes(const LoadedSettings& loaded);

struct SettingDoc {
  std::string name;
  std::string variable;
  // A line for --help, with the default in parentheses.
  std::string meaning;
};
std::vector<SettingDoc> SettingDocs();

// Returns the path of the file, which need not exist.
std::string SettingsPath();

}  // namespace glasstty
