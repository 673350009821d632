#include "cli/settings.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "cli/options.h"
#include "cli/print.h"
#include "support/status.h"
#include "support/text.h"
#include "support/user_file.h"
#include "tools/all_tools.h"
#include "wire/shared_server.h"

namespace glasstty {
namespace {

// A file of settings is far smaller; another file, such as a disk or a log, is
// not read into memory.
constexpr size_t kMaxFile = 1 << 20;

// The origin of values of the file begins with this.
constexpr std::string_view kFile = "file ";
// The origin of values of flags.
constexpr std::string_view kFlag = "flag";

// The strictest setting of `places`.
constexpr char kNoPlace[] = "* deny";

// Fills `settings`. The error says what the value must be.
using Apply = absl::Status (*)(const std::string& value, Settings* settings);

struct SettingRow {
  const char* name;
  const char* meaning;
  // The default in written form; empty: determined where it is used.
  const char* standard;
  Apply apply;
  // True if the value is put into the environment, because the code that uses
  // it reads it there.
  bool exported = false;
  // Replaces `apply` for a wrong value of the file or a variable, and forbids
  // all that the user may have meant to forbid. Null: the default counts.
  void (*restrict)(const std::string& value, Settings* settings) = nullptr;
  // Says in messages what `restrict` sets.
  const char* strictest = "";
};

// `min` and `max` are allowed, too, and have the unit of the setting.
absl::StatusOr<double> Number(const std::string& value, double min,
                              double max) {
  char* end = nullptr;
  // strtod(3) also accepts "nan", for which the comparisons below fail.
  double number = std::strtod(value.c_str(), &end);
  if (!value.empty() && *end == '\0' && number >= min && number <= max) {
    return number;
  }
  return InvalidArgument("must be a number from %g to %g", min, max);
}

// Like Number, but without fractions.
absl::StatusOr<int64_t> WholeNumber(const std::string& value, int64_t min,
                                    int64_t max) {
  int64_t number = 0;
  if (absl::SimpleAtoi(value, &number) && number >= min && number <= max) {
    return number;
  }
  return InvalidArgument("must be a whole number from %d to %d", min, max);
}

// The upper limits prevent overflow in the conversions, and are far above what
// a machine can serve.
absl::Status SetMaxSessions(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(int64_t number, WholeNumber(value, 1, 1024));
  settings->sessions.max_sessions = static_cast<int>(number);
  return absl::OkStatus();
}

// The limit of ten million seconds is four months.
absl::Status SetGrace(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(double number, Number(value, 0, 1e7));
  settings->sessions.grace_ms = static_cast<uint64_t>(number * 1000);
  return absl::OkStatus();
}

// The minimum is one segment (8 MiB), because the cap removes whole segments.
absl::Status SetLogMib(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(int64_t number, WholeNumber(value, 8, 1 << 20));
  settings->sessions.log_cap = static_cast<uint64_t>(number) << 20;
  return absl::OkStatus();
}

// The minimum has room for the logs of some sessions, and the maximum is what a
// file system holds.
absl::Status SetStateMib(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(int64_t number, WholeNumber(value, 64, 1 << 30));
  settings->sessions.state_cap = static_cast<uint64_t>(number) << 20;
  return absl::OkStatus();
}

absl::Status SetExited(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(int64_t number, WholeNumber(value, 0, 1'000'000));
  settings->sessions.exited_for = std::chrono::minutes(number);
  return absl::OkStatus();
}

absl::Status SetAway(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(double number, Number(value, 0, 1e6));
  settings->away = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double>(number));
  return absl::OkStatus();
}

// Fractions are allowed, for tests and the impatient.
absl::Status SetIdle(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(double number, Number(value, 0, 1e6));
  settings->sessions.idle_limit = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double, std::ratio<60>>(number));
  return absl::OkStatus();
}

absl::Status SetShellHistory(const std::string& value, Settings* settings) {
  if (value != "session" && value != "user") {
    return InvalidArgument("must be session or user");
  }
  settings->sessions.shares_history = value == "user";
  return absl::OkStatus();
}

absl::Status SetGate(const std::string& value, Settings* settings) {
  // The words have the order of gate::Mode.
  constexpr const char* kModes[] = {"off", "on", "strict"};
  for (size_t i = 0; i < std::size(kModes); ++i) {
    if (value != kModes[i]) continue;
    settings->gate.mode = static_cast<gate::Mode>(i);
    return absl::OkStatus();
  }
  return InvalidArgument("must be on, off or strict");
}

// Accepts "@PATH", or patterns separated by ';'.
absl::Status SetGatePatterns(const std::string& value, Settings* settings) {
  std::string text = value;
  if (value.starts_with("@")) {
    ASSIGN_OR_RETURN(text, ReadUserFile(value.substr(1), kMaxFile));
  } else {
    std::replace(text.begin(), text.end(), ';', '\n');
  }
  ASSIGN_OR_RETURN(settings->gate.patterns, gate::ParseGatePatterns(text));
  return absl::OkStatus();
}

void RestrictGate(const std::string&, Settings* settings) {
  settings->gate.mode = gate::Mode::kStrict;
}

// An invalid pattern may have been meant for any command.
void RestrictPatterns(const std::string&, Settings* settings) {
  bool is_off = settings->gate.mode == gate::Mode::kOff;
  if (!is_off) settings->gate.mode = gate::Mode::kStrict;
}

void RestrictPlaces(const std::string&, Settings* settings) {
  auto none = gate::ParsePlaceRules(kNoPlace);
  if (none.ok()) settings->gate.places = *std::move(none);
}

absl::Status SetPlaces(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(settings->gate.places, gate::ParsePlaceRules(value));
  return absl::OkStatus();
}

bool IsNamePart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' ||
         c == '*';
}

// Accepts names separated by commas; '*' stands for any text.
absl::Status SetSecrets(const std::string& value, Settings* settings) {
  std::vector<std::string> names;
  for (const std::string& word : Split(value, ',')) {
    std::string name(TrimBlanks(word));
    if (name.empty()) continue;
    if (!std::all_of(name.begin(), name.end(), IsNamePart)) {
      return InvalidArgument("'%s' is no name of a variable", name);
    }
    names.push_back(std::move(name));
  }
  settings->sessions.secrets = std::move(names);
  return absl::OkStatus();
}

// Takes every word that may be a name.
void RestrictSecrets(const std::string& value, Settings* settings) {
  std::string name;
  for (char c : value + ",") {
    if (IsNamePart(c)) {
      name += c;
    } else if (!name.empty()) {
      settings->sessions.secrets.push_back(std::exchange(name, ""));
    }
  }
}

absl::Status SetTools(const std::string& value, Settings* settings) {
  RETURN_IF_ERROR(CheckToolChoice(value));
  settings->tools = value;
  return absl::OkStatus();
}

void RestrictTools(const std::string&, Settings* settings) {
  settings->tools = "read";
}

absl::Status SetSize(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(settings->size, ParseSize(value));
  return absl::OkStatus();
}

absl::Status SetSwitch(const std::string& value, bool* is_on) {
  if (value != "on" && value != "off") {
    return InvalidArgument("must be on or off");
  }
  *is_on = value == "on";
  return absl::OkStatus();
}

absl::Status SetHooks(const std::string& value, Settings* settings) {
  return SetSwitch(value, &settings->hooks);
}

absl::Status SetClientRules(const std::string& value, Settings* settings) {
  return SetSwitch(value, &settings->client_rules);
}

absl::Status SetOnEvent(const std::string& value, Settings* settings) {
  settings->on_event = value;
  return absl::OkStatus();
}

absl::Status SetShared(const std::string& value, Settings* settings) {
  return SetSwitch(value, &settings->shared);
}

absl::Status CheckLeaseIdle(const std::string& value, Settings*) {
  return Number(value, 0.1, 86'400).status();
}

absl::Status CheckHttpAway(const std::string& value, Settings*) {
  return Number(value, 0, 1e6).status();
}

// The value is checked where it is used.
absl::Status Exported(const std::string&, Settings*) {
  return absl::OkStatus();
}

// The columns are name, meaning (for help and messages), default as text, how
// it is applied, whether the environment passes it on, and what counts instead
// of a wrong value.
constexpr SettingRow kRows[] = {
    {"max-sessions", "sessions open at once", "64", SetMaxSessions},
    {"grace-s", "seconds that programs outlive a dead server", "600", SetGrace},
    {"log-mib", "raw log kept per session, in MiB", "64", SetLogMib},
    {"state-mib",
     "disk space for all sessions, in MiB; first ended, first deleted", "2048",
     SetStateMib},
    {"exited-min", "minutes that exited sessions stay readable", "30",
     SetExited},
    {"away-s",
     "seconds that the sessions of a client that has ended wait for its return",
     "300", SetAway},
    {"http-away-min",
     "minutes without a request after which a client over HTTP has left; 0: "
     "never",
     "30", CheckHttpAway, true},
    {"idle-min",
     "minutes without use after which a session is closed; 0: never", "0",
     SetIdle},
    {"lease-idle-s",
     "seconds after a person's last key until the keyboard goes back to the "
     "agent",
     "600", CheckLeaseIdle, true},
    {"shell-history",
     "which history shells use: session (one of their own), user (your files)",
     "session", SetShellHistory},
    {"gate", "whether dangerous commands are refused: on, off, strict", "on",
     SetGate, false, RestrictGate, "strict"},
    {"gate-patterns",
     "further dangerous commands: RE2 patterns split by ';', or @FILE", "",
     SetGatePatterns, false, RestrictPatterns, "gate = strict"},
    {"places",
     "which other machines may be used: 'PATTERN allow', 'ask' or 'deny', "
     "separated by ';'",
     "", SetPlaces, false, RestrictPlaces, kNoPlace},
    {"secrets",
     "variables that only secret_env uses and no program gets: names separated "
     "by ',', in which * stands for any text",
     "", SetSecrets, false, RestrictSecrets, "every word in it"},
    {"tools", "which tools are offered: all, read, or names separated by ','",
     "all", SetTools, false, RestrictTools, "read"},
    {"size", "the size of terminals that are opened without one", "40x120",
     SetSize},
    {"hooks",
     "whether hooks of plugins speak to agents (docs/plugins.md): on, off",
     "on", SetHooks},
    {"client-rules",
     "whether a hook of plugins applies the client's permission rules for "
     "commands (docs/permit.md): on, off",
     "on", SetClientRules},
    {"on-event",
     "a command that the server runs for each event of a session "
     "(docs/watching.md)",
     "", SetOnEvent},
    {"shared",
     "whether clients join the user's shared server: on, off (one server for "
     "each client)",
     "on", SetShared},
    {"state-dir",
     "where session logs are kept ($XDG_STATE_HOME/glasstty if not set)", "",
     Exported, true},
    {"log", "traces on stderr: rpc, holder, wait, feed, session or all", "",
     Exported, true},
    {"holder", "path of glasstty-holder", "", Exported, true},
};
constexpr size_t kRowCount = std::size(kRows);

// Returns "GLASSTTY_MAX_SESSIONS". Names contain only ASCII letters and '-', so
// no locale is involved.
std::string VariableOf(std::string name) {
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return "GLASSTTY_" + name;
}

// Returns an absolute path for "@PATH" of gate-patterns; any other value is
// unchanged. "~" is expanded where the file is read.
std::string Anchored(const std::string& value, const std::string& directory) {
  bool is_relative = value.size() > 1 && value[0] == '@' && value[1] != '/' &&
                     value[1] != '~' && !directory.empty();
  return is_relative ? "@" + directory + "/" + value.substr(1) : value;
}

// Returns the row's index. Error: there is no such setting; the message has the
// nearest.
absl::StatusOr<size_t> FindSetting(const std::string& name) {
  std::vector<std::string> names;
  for (size_t i = 0; i < kRowCount; ++i) {
    if (name == kRows[i].name) return i;
    names.emplace_back(kRows[i].name);
  }
  return NotFound("no setting '%s'%s (glasstty config lists them)", name,
                  DidYouMean(name, names));
}

// Collects values; a later source overrides an earlier one.
class Loader {
 public:
  Loader() {
    for (const SettingRow& row : kRows) {
      values_.push_back({row.name, row.standard, "default"});
    }
  }

  // Does nothing if the file does not exist, unless it is `required`.
  absl::Status ReadFile(const std::string& path, bool required) {
    auto text = ReadUserFile(path, kMaxFile);
    if (absl::IsNotFound(text.status()) && !required) return absl::OkStatus();
    std::error_code unknown;
    bool is_folder = std::filesystem::is_directory(path, unknown);
    if (is_folder && !required) {
      ignored_.push_back(Message(text.status()));
      return absl::OkStatus();
    }
    if (!text.ok()) {
      return InvalidArgument("settings: %s", Message(text.status()));
    }
    int number = 0;
    for (const std::string& whole : Split(*text, '\n')) {
      ++number;
      // Blanks around names and values have no meaning.
      std::string line(TrimBlanks(whole));
      if (line.empty() || line[0] == '#') continue;
      std::string place = absl::StrFormat("%s:%d", path, number);
      size_t equals = line.find('=');
      if (equals == std::string::npos) {
        ignored_.push_back(
            absl::StrFormat("%s: write 'name = value', not '%s'", place, line));
        continue;
      }
      absl::Status status = Set(
          std::string(TrimBlanks(std::string_view(line).substr(0, equals))),
          std::string(TrimBlanks(std::string_view(line).substr(equals + 1))),
          std::string(kFile) + place);
      if (!status.ok()) ignored_.push_back(Message(status));
    }
    return absl::OkStatus();
  }

  // Variables that are not settings are ignored, because others may use the
  // prefix, such as the mark of a session.
  absl::Status ReadEnvironment() {
    for (const SettingRow& row : kRows) {
      std::string variable = VariableOf(row.name);
      const char* value = std::getenv(variable.c_str());
      // An empty variable counts as unset, as in most programs.
      if (value == nullptr || *value == '\0') continue;
      RETURN_IF_ERROR(Set(row.name, value, "environment " + variable));
    }
    return absl::OkStatus();
  }

  // Accepts "--name=value" and "--set name=value".
  absl::Status ReadFlags(const std::vector<std::string>& arguments) {
    for (size_t i = 0; i < arguments.size(); ++i) {
      std::string word = arguments[i];
      if (word == "--set" && i + 1 < arguments.size()) {
        word = "--" + arguments[++i];
      }
      if (word.substr(0, 2) != "--") {
        return InvalidArgument(
            "unexpected argument '%s'; settings are given as --name=value",
            word);
      }
      size_t equals = word.find('=');
      if (equals == std::string::npos) {
        return InvalidArgument("%s needs a value: %s=VALUE", word, word);
      }
      RETURN_IF_ERROR(Set(word.substr(2, equals - 2), word.substr(equals + 1),
                          std::string(kFlag)));
    }
    return absl::OkStatus();
  }

  // Values are checked at the end, so that an overridden bad value does no
  // harm.
  LoadedSettings Finish() {
    LoadedSettings loaded;
    for (size_t i = 0; i < kRowCount; ++i) {
      const SettingValue& value = values_[i];
      // The structs contain the defaults; the text in the table is for people.
      if (value.origin == "default") continue;
      absl::Status status = kRows[i].apply(value.value, &loaded.settings);
      if (!status.ok()) {
        Reject(i, status, &loaded);
        continue;
      }
      if (kRows[i].exported) {
        setenv(VariableOf(value.name).c_str(), value.value.c_str(), 1);
      }
    }
    loaded.values = std::move(values_);
    loaded.ignored = std::move(ignored_);
    if (!invalid_.empty()) {
      loaded.invalid = InvalidArgument("%s", Join(invalid_, "\n"));
    }
    return loaded;
  }

 private:
  // Reports the wrong value of a row, and puts another in its place.
  void Reject(size_t i, const absl::Status& why, LoadedSettings* loaded) {
    const SettingRow& row = kRows[i];
    SettingValue& value = values_[i];
    std::string message =
        absl::StrFormat("%s: %s=%s: %s (%s)", value.origin, value.name,
                        value.value, Message(why), row.meaning);
    if (value.origin == kFlag) {
      invalid_.push_back(std::move(message));
      return;
    }
    if (value.value.find(" #") != std::string::npos) {
      message += "; a comment needs a line of its own";
    }
    std::string counts = row.standard;
    if (row.restrict != nullptr) {
      row.restrict(value.value, &loaded->settings);
      counts = row.strictest;
      message += absl::StrFormat("; until it is mended, %s counts", counts);
    }
    ignored_.push_back(std::move(message));
    value.value = counts;
    value.origin = "instead of " + value.origin;
  }

  // The message begins with `origin`, as those of compilers do.
  absl::Status Set(const std::string& name, std::string value,
                   const std::string& origin) {
    auto row = FindSetting(name);
    if (!row.ok()) {
      return NotFound("%s: %s", origin, Message(row.status()));
    }
    values_[*row].value = std::move(value);
    values_[*row].origin = origin;
    return absl::OkStatus();
  }

  std::vector<SettingValue> values_;
  std::vector<std::string> ignored_;
  std::vector<std::string> invalid_;
};

}  // namespace

std::string SettingsPath() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::string base = variable("XDG_CONFIG_HOME");
  // The XDG base directory specification says that relative paths are ignored.
  if (!base.starts_with("/")) base = variable("HOME") + "/.config";
  return base + "/glasstty/config";
}

absl::StatusOr<LoadedSettings> LoadSettings(
    const std::vector<std::string>& arguments) {
  Loader loader;
  const char* named = std::getenv("GLASSTTY_CONFIG");
  bool required = named != nullptr && *named != '\0';
  RETURN_IF_ERROR(loader.ReadFile(required ? named : SettingsPath(), required));
  RETURN_IF_ERROR(loader.ReadEnvironment());
  RETURN_IF_ERROR(loader.ReadFlags(arguments));
  return loader.Finish();
}

bool BelongsToClient(std::string_view setting) {
  std::string variable = VariableOf(std::string(setting));
  return std::any_of(std::begin(wire::kClientVariables),
                     std::end(wire::kClientVariables),
                     [&](const char* name) { return variable == name; });
}

std::pair<std::string, std::string> VariableOfFlag(const std::string& flag) {
  size_t equals = flag.find('=');
  std::error_code unknown;
  return {VariableOf(flag.substr(2, equals - 2)),
          Anchored(flag.substr(equals + 1),
                   std::filesystem::current_path(unknown).string())};
}

ClientSettings SettingsOfClient(const Settings& standard,
                                const std::string& directory,
                                record::Inheritance* inherited) {
  Settings own = standard;
  own.sessions.secrets.clear();
  for (const SettingRow& row : kRows) {
    if (!BelongsToClient(row.name)) continue;
    std::string value =
        session::FindVariable(inherited->environment, VariableOf(row.name))
            .value_or("");
    if (value.empty()) continue;
    Settings changed = own;
    if (row.apply(Anchored(value, directory), &changed).ok()) {
      own = std::move(changed);
    } else if (row.restrict != nullptr) {
      row.restrict(value, &own);
    }
  }
  inherited->secrets = own.sessions.secrets;
  inherited->shares_history = own.sessions.shares_history;
  return {std::make_shared<const gate::Gate>(std::move(own.gate)), own.tools,
          own.size, own.hooks};
}

void WarnOfMistakes(const LoadedSettings& loaded) {
  std::vector<std::string> lines = loaded.ignored;
  if (!loaded.invalid.ok()) lines.push_back(Message(loaded.invalid));
  for (const std::string& line : lines) {
    PrintError("glasstty: ignored: %s\n", line);
  }
}

std::vector<SettingDoc> SettingDocs() {
  std::vector<SettingDoc> docs;
  for (const SettingRow& row : kRows) {
    std::string meaning = row.meaning;
    if (*row.standard != '\0')
      meaning += absl::StrFormat(" (%s)", row.standard);
    docs.push_back({row.name, VariableOf(row.name), std::move(meaning)});
  }
  return docs;
}

}  // namespace glasstty
