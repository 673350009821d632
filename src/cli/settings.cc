#include "cli/settings.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "support/json.h"
#include "support/status.h"

namespace glasstty {
namespace {

// A number from the environment. `min` and `max` are allowed values, in the
// unit that `meaning` names; `set` converts it to the member's own.
struct SettingRow {
  const char* name;
  const char* meaning;
  double min;
  double max;
  void (*set)(double value, SessionSettings* settings);
};
constexpr SettingRow kRows[] = {
    // The upper ends keep the conversions below from overflowing, and are far
    // above what a machine serves.
    {"GLASSTTY_MAX_SESSIONS", "sessions open at once (64)", 1, 1024,
     [](double v, SessionSettings* s) {
       s->max_sessions = static_cast<int>(v);
     }},
    {"GLASSTTY_GRACE_S",
     "seconds that programs outlive a server that died (600)", 0, 1e7,
     [](double v, SessionSettings* s) {
       s->grace_ms = static_cast<uint64_t>(v * 1000);
     }},
    // At least one segment of the log (8 MiB), which is what the cap removes.
    {"GLASSTTY_LOG_MIB", "raw log kept per session, in MiB (64)", 8, 1 << 20,
     [](double v, SessionSettings* s) {
       s->log_cap = static_cast<uint64_t>(v) << 20;
     }},
    {"GLASSTTY_EXITED_MIN", "minutes that exited sessions stay readable (30)",
     0, 1e6,
     [](double v, SessionSettings* s) {
       s->exited_for = std::chrono::minutes(static_cast<int64_t>(v));
     }},
};

}  // namespace

absl::StatusOr<SessionSettings> SettingsFromEnvironment() {
  SessionSettings settings;
  for (const SettingRow& row : kRows) {
    const char* text = std::getenv(row.name);
    if (text == nullptr || *text == '\0') continue;
    char* end = nullptr;
    // strtod(3) takes "nan" as well: the comparison is written so that it
    // fails.
    double value = std::strtod(text, &end);
    if (*end != '\0' || !(value >= row.min && value <= row.max)) {
      return InvalidArgument("%s=%s: must be a number from %g to %g (%s)",
                             row.name, text, row.min, row.max, row.meaning);
    }
    row.set(value, &settings);
  }
  return settings;
}

std::vector<SettingDoc> SettingDocs() {
  std::vector<SettingDoc> docs;
  for (const SettingRow& row : kRows) docs.push_back({row.name, row.meaning});
  // Read where they are used, since they are no numbers; named here so that
  // --help tells all.
  docs.push_back({"GLASSTTY_STATE_DIR",
                  "where session logs are kept ($XDG_STATE_HOME/glasstty)"});
  docs.push_back({"GLASSTTY_LOG",
                  "traces on stderr: rpc, holder, wait, feed, session or all"});
  docs.push_back({"GLASSTTY_HOLDER", "path of glasstty-holder"});
  return docs;
}

}  // namespace glasstty
