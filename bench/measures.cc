#include "measures.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "testing/system.h"

namespace glasstty::bench {

double Milliseconds(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now() - start)
      .count();
}

double Percentile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  size_t index = static_cast<size_t>(static_cast<double>(values.size()) * q);
  return values[std::min(index, values.size() - 1)];
}

void Require(const testing::Reply& reply, const char* what) {
  if (!reply.is_error) return;
  std::fprintf(stderr, "%s: %s\n", what, reply.text.c_str());
  std::exit(1);
}

void Row(const char* what, const char* format, double value) {
  std::printf("  %-44s ", what);
  std::printf(format, value);
  std::printf("\n");
}

long PssKilobytes(pid_t pid) {
  std::string text =
      testing::ReadWholeFile("/proc/" + std::to_string(pid) + "/smaps_rollup");
  size_t at = text.find("\nPss:");
  return at == std::string::npos ? -1 : std::atol(text.c_str() + at + 5);
}

double CpuMilliseconds(pid_t pid) {
  std::string text =
      testing::ReadWholeFile("/proc/" + std::to_string(pid) + "/stat");
  // The name is in parentheses and may contain anything; utime and stime are
  // the 12th and 13th field after it.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) * 1e3 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::vector<pid_t> Holders(const testing::McpClient& client) {
  std::vector<pid_t> holders;
  for (const auto& row : testing::ProcessesWith(client.state_dir())) {
    if (row.command.find("glasstty-holder") != std::string::npos) {
      holders.push_back(row.pid);
    }
  }
  return holders;
}

}  // namespace glasstty::bench
