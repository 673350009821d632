// Runs the tests of a program, in a child, and then ends everything that they
// have left behind: servers that clients share, holders in their grace time,
// programs in sessions of their own. Those would slow down, and might disturb,
// the tests of other programs.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace {

// Waits until this child has ended, and returns its status in the form of
// waitpid(2). Orphans that end meanwhile are buried, as init would do.
int AwaitTests(pid_t tests) {
  int status = 0;
  while (waitpid(-1, &status, 0) != tests) {
  }
  return status;
}

// Each one that ends may leave us its children, so this goes on until there are
// none.
void EndOrphans() {
  for (;;) {
    std::ifstream children("/proc/thread-self/children");
    pid_t orphan = 0;
    if (!(children >> orphan)) return;
    do {
      kill(orphan, SIGKILL);
      waitpid(orphan, nullptr, 0);
    } while (children >> orphan);
  }
}

}  // namespace

int main(int argc, char** argv) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pid_t tests = fork();
  if (tests == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
  }
  int status = AwaitTests(tests);
  EndOrphans();
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  // Whoever runs us learns of a crash in the usual way.
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return EXIT_FAILURE;
}
