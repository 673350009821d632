#include "cli/settings.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "absl/strings/numbers.h"
#include "support/status.h"
#include "support/text.h"
#include "support/user_file.h"

namespace glasstty {
namespace {

// Far above any settings; keeps a wrong path (a disk, a log) out of memory.
constexpr size_t kMaxFile = 1 << 20;

// Fills `settings`. Error: what the value must be.
using Apply = absl::Status (*)(const std::string& value, Settings* settings);

struct SettingRow {
  const char* name;
  const char* meaning;
  // As it would be written; empty: worked out where it is used.
  const char* standard;
  Apply apply;
  // Read from the environment where it is used, so it is put there.
  bool exported = false;
};

// `min` and `max` are allowed values, in the unit that the meaning names.
absl::StatusOr<double> Number(const std::string& value, double min,
                              double max) {
  char* end = nullptr;
  // strtod(3) takes "nan" as well: the comparison is written so that it fails.
  double number = std::strtod(value.c_str(), &end);
  if (!value.empty() && *end == '\0' && number >= min && number <= max) {
    return number;
  }
  return InvalidArgument("must be a number from %g to %g", min, max);
}

// As Number; none of a fraction.
absl::StatusOr<int64_t> WholeNumber(const std::string& value, int64_t min,
                                    int64_t max) {
  int64_t number = 0;
  if (absl::SimpleAtoi(value, &number) && number >= min && number <= max) {
    return number;
  }
  return InvalidArgument("must be a whole number from %d to %d", min, max);
}

// The upper ends keep the conversions from overflowing, and are far above what
// a machine serves.
absl::Status SetMaxSessions(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(int64_t number, WholeNumber(value, 1, 1024));
  settings->sessions.max_sessions = static_cast<int>(number);
  return absl::OkStatus();
}

// Ten million seconds are four months.
absl::Status SetGrace(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(double number, Number(value, 0, 1e7));
  settings->sessions.grace_ms = static_cast<uint64_t>(number * 1000);
  return absl::OkStatus();
}

// At least one segment of the log (8 MiB), which is what the cap removes.
absl::Status SetLogMib(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(int64_t number, WholeNumber(value, 8, 1 << 20));
  settings->sessions.log_cap = static_cast<uint64_t>(number) << 20;
  return absl::OkStatus();
}

// Room for the logs of some sessions. At most what a file system holds.
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

// Fractions are allowed, for tests and the impatient.
absl::Status SetIdle(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(double number, Number(value, 0, 1e6));
  settings->sessions.idle_limit = std::chrono::duration_cast<Duration>(
      std::chrono::duration<double, std::ratio<60>>(number));
  return absl::OkStatus();
}

absl::Status SetGate(const std::string& value, Settings* settings) {
  // In the order of gate::Mode.
  constexpr const char* kModes[] = {"off", "on", "strict"};
  for (size_t i = 0; i < std::size(kModes); ++i) {
    if (value != kModes[i]) continue;
    settings->gate.mode = static_cast<gate::Mode>(i);
    return absl::OkStatus();
  }
  return InvalidArgument("must be on, off or strict");
}

// "@PATH", or patterns with ';' between them.
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

absl::Status SetPlaces(const std::string& value, Settings* settings) {
  ASSIGN_OR_RETURN(settings->gate.places, gate::ParsePlaceRules(value));
  return absl::OkStatus();
}

// Judged where the tools are known.
absl::Status SetTools(const std::string& value, Settings* settings) {
  settings->tools = value;
  return absl::OkStatus();
}

absl::Status CheckLeaseIdle(const std::string& value, Settings*) {
  return Number(value, 0.1, 86'400).status();
}

// Judged where it is used.
absl::Status Exported(const std::string&, Settings*) {
  return absl::OkStatus();
}

// Columns: name, meaning (for help and messages), default as text, how it is
// applied, whether it is handed on by the environment.
constexpr SettingRow kRows[] = {
    {"max-sessions", "sessions open at once", "64", SetMaxSessions},
    {"grace-s", "seconds that programs outlive a dead server", "600", SetGrace},
    {"log-mib", "raw log kept per session, in MiB", "64", SetLogMib},
    {"state-mib",
     "disk space for all sessions, in MiB; first ended, first deleted", "2048",
     SetStateMib},
    {"exited-min", "minutes that exited sessions stay readable", "30",
     SetExited},
    {"idle-min",
     "minutes without use after which a session is closed; 0: never", "0",
     SetIdle},
    {"lease-idle-s",
     "seconds after a person's last key until the keyboard goes back to the "
     "agent",
     "600", CheckLeaseIdle, true},
    {"gate", "whether dangerous commands are refused: on, off, strict", "on",
     SetGate},
    {"gate-patterns",
     "further dangerous commands: RE2 patterns split by ';', or @FILE", "",
     SetGatePatterns},
    {"places",
     "which other machines may be used: 'PATTERN allow', 'ask' or 'deny', "
     "separated by ';'",
     "", SetPlaces},
    {"tools", "which tools are offered: all, read, or names separated by ','",
     "all", SetTools},
    {"state-dir",
     "where session logs are kept ($XDG_STATE_HOME/glasstty if not set)", "",
     Exported, true},
    {"log", "traces on stderr: rpc, holder, wait, feed, session or all", "",
     Exported, true},
    {"holder", "path of glasstty-holder", "", Exported, true},
};
constexpr size_t kRowCount = std::size(kRows);

// "GLASSTTY_MAX_SESSIONS". Only ASCII letters are in names, so no locale is
// asked.
std::string VariableOf(std::string name) {
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  }
  return "GLASSTTY_" + name;
}

// The row's index. Error: no such setting, with the nearest.
absl::StatusOr<size_t> FindSetting(const std::string& name) {
  std::vector<std::string> names;
  for (size_t i = 0; i < kRowCount; ++i) {
    if (name == kRows[i].name) return i;
    names.emplace_back(kRows[i].name);
  }
  return NotFound("no setting '%s'%s (glasstty config lists them)", name,
                  DidYouMean(name, names));
}

// Collects what is set, a later place over an earlier one.
class Loader {
 public:
  Loader() {
    for (const SettingRow& row : kRows) {
      values_.push_back({row.name, row.standard, "default"});
    }
  }

  // Nothing for a file that is not there, unless it was asked for.
  absl::Status ReadFile(const std::string& path, bool required) {
    auto text = ReadUserFile(path, kMaxFile);
    if (absl::IsNotFound(text.status()) && !required) return absl::OkStatus();
    if (!text.ok()) {
      return InvalidArgument("settings: %s", Message(text.status()));
    }
    int number = 0;
    for (const std::string& whole : Split(*text, '\n')) {
      ++number;
      // Blanks around names and values mean nothing.
      std::string line(TrimBlanks(whole));
      if (line.empty() || line[0] == '#') continue;
      std::string place = absl::StrFormat("%s:%d", path, number);
      size_t equals = line.find('=');
      if (equals == std::string::npos) {
        return InvalidArgument("%s: write 'name = value', not '%s'", place,
                               line);
      }
      RETURN_IF_ERROR(Set(
          std::string(TrimBlanks(std::string_view(line).substr(0, equals))),
          std::string(TrimBlanks(std::string_view(line).substr(equals + 1))),
          "file " + place));
    }
    return absl::OkStatus();
  }

  // Variables that are no setting of ours are left alone: others may use the
  // prefix, such as the mark of a session.
  absl::Status ReadEnvironment() {
    for (const SettingRow& row : kRows) {
      std::string variable = VariableOf(row.name);
      const char* value = std::getenv(variable.c_str());
      // Set but empty is not set, as in most programs.
      if (value == nullptr || *value == '\0') continue;
      RETURN_IF_ERROR(Set(row.name, value, "environment " + variable));
    }
    return absl::OkStatus();
  }

  // "--name=value", "--set name=value".
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
      RETURN_IF_ERROR(
          Set(word.substr(2, equals - 2), word.substr(equals + 1), "flag"));
    }
    return absl::OkStatus();
  }

  // Judged at the end, so that a bad value that is overruled does no harm.
  absl::StatusOr<LoadedSettings> Finish() {
    LoadedSettings loaded;
    for (size_t i = 0; i < kRowCount; ++i) {
      const SettingValue& value = values_[i];
      // Defaults are those of the structs; the text in the table is for people.
      if (value.origin == "default") continue;
      absl::Status status = kRows[i].apply(value.value, &loaded.settings);
      if (!status.ok()) {
        return InvalidArgument("%s: %s=%s: %s (%s)", value.origin, value.name,
                               value.value, Message(status), kRows[i].meaning);
      }
      if (kRows[i].exported) {
        setenv(VariableOf(value.name).c_str(), value.value.c_str(), 1);
      }
    }
    loaded.values = std::move(values_);
    return loaded;
  }

 private:
  // `origin` comes first in the message, as compilers do.
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
};

}  // namespace

std::string SettingsPath() {
  auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  std::string base = variable("XDG_CONFIG_HOME");
  // The XDG base directory specification has relative paths ignored.
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
