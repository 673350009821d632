// Tests the time slices of this process, and of its children.
#include "base/scheduling.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace glasstty {
namespace {

// Returns sched_attr::sched_runtime, in ns: the slice of an ordinary task since
// Linux 6.12, 0 before.
uint64_t OwnSlice() {
  uint64_t attributes[6] = {};
  EXPECT_EQ(syscall(SYS_sched_getattr, 0, attributes, sizeof attributes, 0), 0);
  return attributes[3];
}

// Returns what `action` returns in a child of this process, whose own slices
// stay unchanged.
template <class Action>
uint64_t InChild(Action action) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    uint64_t said = action();
    _exit(write(ends[1], &said, sizeof said) == sizeof said ? 0 : 1);
  }
  uint64_t said = 0;
  EXPECT_EQ(read(ends[0], &said, sizeof said),
            static_cast<ssize_t>(sizeof said));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return said;
}

TEST(ShortSlices, AreTheShortestThereAre) {
  uint64_t usual = OwnSlice();
  uint64_t slice = InChild([] {
    PreferShortSlices();
    return OwnSlice();
  });
  if (usual == 0) {
    EXPECT_EQ(slice, 0u) << "a kernel without slices of one's own has them";
  } else {
    EXPECT_EQ(slice, 100'000u);
  }
}

// A program in a session gets the slices that it would have without us.
TEST(ShortSlices, AreNotInherited) {
  uint64_t usual = OwnSlice();
  EXPECT_EQ(InChild([] {
              PreferShortSlices();
              return InChild(OwnSlice);
            }),
            usual);
}

TEST(ShortSlices, LeaveANiceValueAsItIs) {
  auto niceness = [] { return static_cast<uint64_t>(nice(0)); };
  uint64_t nicer = InChild([] { return static_cast<uint64_t>(nice(5)); });
  EXPECT_EQ(InChild([&] {
              (void)!nice(5);
              PreferShortSlices();
              return InChild(niceness);
            }),
            nicer);
}

}  // namespace
}  // namespace glasstty
