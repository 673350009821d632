// What all benchmarks of the server as a whole need.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "testing/mcp_client.h"

namespace glasstty::bench {

double Milliseconds(const std::function<void()>& work);
double Percentile(std::vector<double> values, double q);

// A program that cannot go on says so and ends: a wrong number is worse.
void Require(const testing::Reply& reply, const char* what);

// One line of the report.
void Row(const char* what, const char* format, double value);

// -1 when it cannot be read. Pages that several processes share are shared out.
long PssKilobytes(pid_t pid);
// Of user and system together, since the process began.
double CpuMilliseconds(pid_t pid);
// The holders of a server's sessions.
std::vector<pid_t> Holders(const testing::McpClient& client);

}  // namespace glasstty::bench
