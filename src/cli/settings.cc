#include "cli/settings.h"

#include <chrono>
#include <cstdint>
#include <cstdlib>

#include "support/json.h"
#include "support/status.h"

namespace glasstty {
namespace {

struct SettingRow {
  const char* name;
  const char* meaning;
  double min;
  double max;
  void (*set)(double value, SessionSettings* settings);
};
constexpr SettingRow kRows[] = {
    {"GLASSTTY_MAX_SESSIONS", "sessions open at once (64)", 1, 1024,
     [](double v, SessionSettings* s) {
       s->max_sessions = static_cast<int>(v);
     }},
    {"GLASSTTY_GRACE_S",
     "seconds that programs outlive a server that died (600)", 0, 1e7,
     [](double v, SessionSettings* s) {
       s->grace_ms = static_cast<uint64_t>(v * 1000);
     }},
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
  docs.push_back({"GLASSTTY_STATE_DIR",
                  "where session logs are kept ($XDG_STATE_HOME/glasstty)"});
  docs.push_back({"GLASSTTY_LOG",
                  "traces on stderr: rpc, holder, wait, feed, session or all"});
  docs.push_back({"GLASSTTY_HOLDER", "path of glasstty-holder"});
  return docs;
}

}  // namespace glasstty
