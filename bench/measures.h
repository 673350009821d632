// Provides what all benchmarks of the server as a whole need.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "testing/mcp_client.h"

namespace glasstty::bench {

double Milliseconds(const std::function<void()>& work);
double Percentile(std::vector<double> values, double q);

// Ends a program that cannot continue, with a message: a wrong number is worse.
void Require(const testing::Reply& reply, const char* what);

// Prints one line of the report.
void Row(const char* what, const char* format, double value);

// Returns -1 if it cannot be read. Pages that several processes share are
// divided among them.
long PssKilobytes(pid_t pid);
// Counts user and system time together, since the process began.
double CpuMilliseconds(pid_t pid);
// Returns the holders of a server's sessions.
std::vector<pid_t> Holders(const testing::McpClient& client);

}  // namespace glasstty::bench
