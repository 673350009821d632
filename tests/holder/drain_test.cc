// Tests programs that print and end at once: no byte is lost, and the status is
// right.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <cmath>
#include <random>
#include <string>

#include "holder/holder_client.h"
#include "holder/pattern.h"
#include "testing/rounds.h"

namespace glasstty::holder {
namespace {

struct Ending {
  bool by_signal = false;
  int number = 0;
};

wire::LaunchSpec Printer(uint64_t bytes, uint32_t seed, Ending ending,
                         int hold_ms = 0) {
  return ActorSpec({"print", std::to_string(bytes), std::to_string(seed),
                    ending.by_signal ? "signal" : "exit",
                    std::to_string(ending.number), std::to_string(hold_ms)});
}

// Runs one program; returns true if log, exit offset and status are exact.
::testing::AssertionResult RunsExactly(uint64_t bytes, uint32_t seed,
                                       Ending ending, int hold_ms = 0) {
  HolderClient client(Printer(bytes, seed, ending, hold_ms));
  if (!client.Greet()) return ::testing::AssertionFailure() << "not started";
  auto exit = client.Await<wire::Exit>();
  if (!exit) return ::testing::AssertionFailure() << "no exit";
  int status = exit->status;
  int got = ending.by_signal ? WTERMSIG(status) : WEXITSTATUS(status);
  if (WIFSIGNALED(status) != ending.by_signal || got != ending.number) {
    return ::testing::AssertionFailure() << "wait status " << status;
  }
  if (exit->offset != bytes || client.Log() != Pattern(bytes, seed)) {
    return ::testing::AssertionFailure()
           << bytes << " bytes printed, exit at " << exit->offset << ", log of "
           << client.Log().size();
  }
  std::string file;
  wire::ExitRecord record;
  ReadFileAt(client.dir().fd(), wire::kExitName, sizeof record, &file);
  file.copy(reinterpret_cast<char*>(&record), sizeof record);
  if (record.offset != bytes || record.status != status) {
    return ::testing::AssertionFailure() << "the exit file says otherwise";
  }
  return ::testing::AssertionSuccess();
}

TEST(Drain, LosesNoByteOfAProgramThatPrintsAndExits) {
  std::mt19937 random(20261121);
  std::uniform_real_distribution<double> exponent(0, 6);
  for (int run = 0; run < Rounds(40, 400); ++run) {
    auto bytes = static_cast<uint64_t>(std::pow(10.0, exponent(random)));
    Ending ending{.by_signal = false, .number = run % 256};
    ASSERT_TRUE(RunsExactly(bytes, static_cast<uint32_t>(random()), ending))
        << "run " << run;
  }
}

TEST(Drain, LosesNoByteWhileAGrandchildHoldsTheTerminal) {
  std::mt19937 random(7);
  for (int run = 0; run < Rounds(20, 60); ++run) {
    uint64_t bytes = 1 + random() % 100'000;
    ASSERT_TRUE(RunsExactly(bytes, static_cast<uint32_t>(run), {false, 7}, 30))
        << bytes << " bytes";
  }
}

TEST(Drain, KnowsEveryExitStatus) {
  for (int status = 0; status < 256; status += Rounds(15, 1)) {
    ASSERT_TRUE(RunsExactly(10, 1, {false, status})) << "status " << status;
  }
}

TEST(Drain, KnowsEverySignalThatEndsAProgram) {
  for (int number = 1; number <= 31; ++number) {
    bool ends = number != SIGCHLD && number != SIGCONT && number != SIGSTOP &&
                number != SIGTSTP && number != SIGTTIN && number != SIGTTOU &&
                number != SIGURG && number != SIGWINCH;
    if (!ends) continue;
    ASSERT_TRUE(RunsExactly(5000, 1, {true, number})) << strsignal(number);
  }
}

TEST(Drain, ReportsTheExitWhileAChildStillWrites) {
  StartedHolder client(ActorSpec({"tail", "1000"}));
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(WEXITSTATUS(exit.status), 3);
  EXPECT_EQ(client.Log(), "head\r\n");
  auto empty = Expect<wire::Empty>(&client);
  EXPECT_EQ(client.Log(), "head\r\ntail\r\n");
  EXPECT_EQ(empty.end, client.Log().size());
}

TEST(Drain, TakesAHungUpTerminalForNoMoreThanItIs) {
  StartedHolder client(ActorSpec({"reopen", "300"}));
  auto exit = Expect<wire::Exit>(&client);
  EXPECT_EQ(WEXITSTATUS(exit.status), 4);
  EXPECT_EQ(client.Log(), "before\r\nafter\r\n");
}

}  // namespace
}  // namespace glasstty::holder
