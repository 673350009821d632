#include "support/signals.h"

#include <cstring>
#include <vector>

#include "support/status.h"
#include "support/text.h"

namespace glasstty {
namespace {

// The real-time signals above have no names of their own.
constexpr int kLastNamed = 31;

}  // namespace

std::string SignalName(int signal) {
  // glibc 2.32 and later: the name without SIG, independent of the locale.
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? name : absl::StrFormat("%d", signal);
}

// Digits are compared as text, so "0", "-9" and "99" are unknown names.
absl::StatusOr<int> ParseSignal(std::string_view name) {
  std::string wanted = AsciiLower(name);
  if (wanted.substr(0, 3) == "sig") wanted = wanted.substr(3);
  std::vector<std::string> names;
  for (int signal = 1; signal <= kLastNamed; ++signal) {
    names.push_back(SignalName(signal));
    if (AsciiLower(names.back()) == wanted ||
        absl::StrFormat("%d", signal) == wanted) {
      return signal;
    }
  }
  return InvalidArgument(
      "no signal '%s'%s (a name such as INT, TERM, HUP, "
      "KILL, USR1)",
      name, DidYouMean(wanted, names));
}

}  // namespace glasstty
