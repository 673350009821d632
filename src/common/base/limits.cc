#include "base/limits.h"

#include <signal.h>

namespace glasstty {
namespace {

std::optional<rlimit> g_original;

}  // namespace

void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  rlimit raised{limit.rlim_max, limit.rlim_max};
  if (limit.rlim_cur >= limit.rlim_max) return;
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) g_original = limit;
}

std::optional<rlimit> OriginalDescriptorLimit() { return g_original; }

void SurviveFailedWrites() {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

}  // namespace glasstty
