#include "support/log.h"

#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <string>

#include "base/escape.h"
#include "base/fd.h"
#include "support/check.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The names are in the order of LogCategory.
constexpr const char* kNames[] = {"rpc", "holder", "wait", "feed", "session"};
// InitLog sets this before the loop runs; it is constant afterwards.
bool enabled[std::size(kNames)];

void WriteLine(std::string_view head, std::string_view text) {
  // stderr may be closed or full, but a log line is never worth a failure.
  (void)!WriteAll(STDERR_FILENO,
                  absl::StrFormat("%s%s\n", head, EscapeBytes(text)));
}

}  // namespace

void CheckFailed(const char* file, int line, const char* what) {
  WriteLine("", absl::StrFormat("%s:%d: CHECK failed: %s", file, line, what));
  // A core dump is better than continuing in a wrong state. The programs in
  // sessions survive in their holders.
  std::abort();
}

void InitLog(std::string_view categories) {
  // A command that serves calls InitLog again after reading its settings. The
  // second call must not repeat the warnings of the first.
  static std::string& last = *new std::string();
  if (categories.empty() || categories == last) return;
  last = categories;
  for (const std::string& wanted : Split(categories, ',')) {
    bool known = wanted == "all";
    for (size_t i = 0; i < std::size(kNames); ++i) {
      if (wanted != kNames[i] && wanted != "all") continue;
      enabled[i] = known = true;
    }
    if (known) continue;
    std::vector<std::string> names(std::begin(kNames), std::end(kNames));
    Warn("GLASSTTY_LOG: no category '%s' (there are: all, %s)", wanted,
         Join(names, ", "));
  }
}

bool LogEnabled(LogCategory category) {
  return enabled[static_cast<size_t>(category)];
}

void WriteWarning(std::string_view text) {
  WriteLine("glasstty: warning: ", text);
}

void WriteTrace(LogCategory category, std::string_view text) {
  WriteLine(absl::StrFormat("%s ", kNames[static_cast<size_t>(category)]),
            text);
}

}  // namespace glasstty
