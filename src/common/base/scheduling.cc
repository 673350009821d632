#include "base/scheduling.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace glasstty {
namespace {

constexpr uint64_t kResetOnFork = 1;  // SCHED_FLAG_RESET_ON_FORK
constexpr uint64_t kShortestSliceNs = 100'000;

// The kernel's struct sched_attr, first version. The kernel's header cannot be
// included together with glibc's <sched.h>, because both define sched_param.
struct SchedulingAttributes {
  uint32_t size;
  uint32_t policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime_ns;
  uint64_t deadline_ns;
  uint64_t period_ns;
};
static_assert(sizeof(SchedulingAttributes) == 48);

}  // namespace

// Ignores a refusal, for example by a sandbox, because only speed is lost.
void PreferShortSlices() {
  SchedulingAttributes attributes{};
  constexpr int kThisThread = 0;
  if (syscall(SYS_sched_getattr, kThisThread, &attributes, sizeof attributes,
              0) != 0) {
    return;
  }
  constexpr uint32_t kNormal = 0, kBatch = 3;
  bool is_ordinary =
      attributes.policy == kNormal || attributes.policy == kBatch;
  // Before Linux 6.12, the kernel reports a slice of 0.
  if (!is_ordinary || attributes.runtime_ns == 0) return;
  attributes.flags |= kResetOnFork;
  attributes.runtime_ns = kShortestSliceNs;
  syscall(SYS_sched_setattr, kThisThread, &attributes, 0);
}

}  // namespace glasstty
