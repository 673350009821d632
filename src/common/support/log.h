// Log lines on stderr, for developers and never for the agent.
//
// Warnings are always written; traces are selected by category with
// GLASSTTY_LOG=rpc,holder,... (or "all"). Control characters are escaped;
// callers never pass secrets. stdout carries only protocol lines.
#pragma once

#include <string_view>

#include "absl/strings/str_format.h"

namespace glasstty {

enum class LogCategory { kRpc, kHolder, kWait, kFeed, kSession };

// Enables the listed categories, separated by commas. Call it first in main.
// Warns about unknown names and lists the known ones.
void InitLog(std::string_view categories);
bool LogEnabled(LogCategory category);

// Write lines such as "glasstty: warning: ..." and "holder build: read 17 ...".
void WriteWarning(std::string_view text);
void WriteTrace(LogCategory category, std::string_view text);

template <class... Args>
void Warn(const absl::FormatSpec<Args...>& format, const Args&... args) {
  WriteWarning(absl::StrFormat(format, args...));
}
// Formats only if the category is enabled.
template <class... Args>
void Trace(LogCategory category, const absl::FormatSpec<Args...>& format,
           const Args&... args) {
  if (LogEnabled(category)) {
    WriteTrace(category, absl::StrFormat(format, args...));
  }
}

}  // namespace glasstty
