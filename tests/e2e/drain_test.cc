// Tests programs that print and end at once: no byte is lost, and the status is
// right.
#include <gtest/gtest.h>
#include <signal.h>

#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "e2e/printed_bytes.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

constexpr int kAtOnce = 10;

struct Case {
  std::string name;
  size_t size = 0;
  uint32_t seed = 0;
  int status = 0;
  int signal_number = 0;  // 0: ends by exit(status)
  int call = 0;
};

// The sizes are 1 B to 1 MB, evenly distributed on a logarithmic scale. Each
// exit status occurs once, then signals that end a program.
Case MakeCase(int number, std::mt19937* random) {
  static const int kSignals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,
                                 SIGABRT, SIGBUS,  SIGFPE,  SIGKILL,
                                 SIGUSR1, SIGSEGV, SIGPIPE, SIGTERM};
  Case row;
  row.name = "p" + std::to_string(number);
  double exponent = std::uniform_real_distribution<double>(0, 6)(*random);
  row.size = static_cast<size_t>(std::pow(10.0, exponent));
  row.seed = static_cast<uint32_t>((*random)());
  row.status = number % 256;
  if (number >= 256 && number % 2 == 0) {
    row.signal_number = kSignals[number / 2 % std::size(kSignals)];
  }
  return row;
}

Json OpenArguments(const Case& row) {
  bool by_signal = row.signal_number != 0;
  return {{"name", row.name},
          {"argv",
           {BuildPath("tests/e2e/print_and_exit"), std::to_string(row.size),
            std::to_string(row.seed), by_signal ? "signal" : "exit",
            std::to_string(by_signal ? row.signal_number : row.status)}},
          {"until", {{"state", "exited"}}},
          {"timeout_s", 40}};
}

std::string ExpectedExit(const Case& row) {
  if (row.signal_number == 0) return "exited=" + std::to_string(row.status);
  return std::string("exited signal=") + sigabbrev_np(row.signal_number);
}

void ExpectDrained(McpClient* client, const Case& row, const Reply& reply) {
  SCOPED_TRACE(row.name + ", " + std::to_string(row.size) + " bytes");
  ASSERT_TRUE(Good(reply));
  std::string expected = ExpectedExit(row);
  EXPECT_NE((reply.header + " ").find(expected + " "), std::string::npos)
      << "expected " << expected << " in " << reply.header;
  std::string log = RawLog(client->state_dir(), row.name);
  std::string printed = PrintedBytes(row.size, row.seed);
  EXPECT_EQ(log.size(), printed.size());
  EXPECT_TRUE(log == printed) << "the log differs from what was printed";
  EXPECT_TRUE(Good(client->Call("term_close", {{"session", row.name}})));
}

TEST(Drain, HundredsOfProgramsLoseNoByteAndNoStatus) {
  McpClient client;
  std::mt19937 random(20261121);
  const int programs = Rounds(40, 500);
  for (int number = 0; number < programs; number += kAtOnce) {
    std::vector<Case> rows;
    for (int i = number; i < number + kAtOnce; ++i) {
      rows.push_back(MakeCase(i, &random));
      rows.back().call =
          client.SendCall("term_open", OpenArguments(rows.back()));
    }
    for (const Case& row : rows) {
      ExpectDrained(&client, row, client.Await(row.call));
    }
    if (HasFailure()) break;
  }
}

TEST(Drain, TheLastLinesAreInTheReply) {
  McpClient client;
  Reply reply =
      Open(&client, "short", {"sh", "-c", "seq 1 5000; echo the end; exit 3"},
           {{"until", {{"state", "exited"}}}, {"timeout_s", 40}});
  EXPECT_TRUE(Shows(reply, "exited=3"));
  EXPECT_TRUE(Shows(reply, "5000\nthe end"));
}

}  // namespace
}  // namespace glasstty::testing
