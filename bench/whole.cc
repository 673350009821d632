// The server as its client feels it, beside the floor of the same machine in
// the same run: a bare pseudoterminal and a loop that reads it.
//
//   whole GLASSTTY
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bare_pty.h"
#include "testing/mcp_client.h"
#include "testing/system.h"
#include "workloads.h"

namespace glasstty::bench {
namespace {

using testing::McpClient;
using testing::ProcessRow;
using testing::Reply;
using testing::Seconds;
using testing::ServerOptions;
using testing::TempDir;

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

// A program that cannot go on says so and ends: a wrong number is worse.
void Require(const Reply& reply, const char* what) {
  if (!reply.is_error) return;
  std::fprintf(stderr, "%s: %s\n", what, reply.text.c_str());
  std::exit(1);
}

void Row(const char* what, const char* format, double value) {
  std::printf("  %-44s ", what);
  std::printf(format, value);
  std::printf("\n");
}

void Start(const ServerOptions& options) {
  std::vector<double> first, list;
  for (int i = 0; i < 20; ++i) {
    std::unique_ptr<McpClient> client;
    first.push_back(
        Milliseconds([&] { client = std::make_unique<McpClient>(options); }));
    list.push_back(Milliseconds([&] { client->Request("tools/list"); }));
    client->CloseStdin();
    client->WaitForExit(Seconds(5));
  }
  Row("start to first answer, p50", "%8.2f ms", Percentile(first, .5));
  Row("tools/list, p50", "%8.2f ms", Percentile(list, .5));
}

void OpenShell(const ServerOptions& options) {
  McpClient client(options);
  std::vector<double> ours, bare;
  for (int i = 0; i < 30; ++i) {
    bare.push_back(Milliseconds([] {
      BarePty({"bash", "--norc"}, 40, 120).ReadUntil("$ ");
    }));
    Reply reply;
    ours.push_back(Milliseconds([&] {
      reply = client.Call("term_open", {{"name", "shell"},
                                        {"argv", {"bash", "--norc"}},
                                        {"env", {{"PS1", "$ "}}}});
    }));
    Require(reply, "term_open");
    client.Call("term_close",
                {{"session", "shell"}, {"force", true}, {"forget", true}});
  }
  Row("bash to its prompt, bare fork and exec, p50", "%8.2f ms",
      Percentile(bare, .5));
  Row("bash to its prompt, term_open, p50", "%8.2f ms", Percentile(ours, .5));
}

void Look(const ServerOptions& options) {
  McpClient client(options);
  Require(client.Call("term_open", {{"name", "s"},
                                    {"argv", {"bash", "--norc"}},
                                    {"env", {{"PS1", "$ "}}}}),
          "term_open");
  client.Call(
      "term_send",
      {{"session", "s"}, {"input", "seq -s' ' 1 1000"}, {"enter", true}});
  std::vector<double> times;
  for (int i = 0; i < 3000; ++i) {
    times.push_back(Milliseconds([&] {
      client.Call("term_read", {{"session", "s"}, {"mode", "snapshot"}});
    }));
  }
  Row("look at a full screen (40x120), p50", "%8.3f ms", Percentile(times, .5));
  Row("look at a full screen (40x120), p99", "%8.3f ms",
      Percentile(times, .99));
  times.clear();
  for (int i = 0; i < 300; ++i) {
    times.push_back(Milliseconds([&] {
      client.Call("term_send", {{"session", "s"},
                                {"input", "echo hi"},
                                {"enter", true},
                                {"until", {{"state", "prompt"}}}});
    }));
  }
  Row("echo hi, typed to the prompt after it, p50", "%8.3f ms",
      Percentile(times, .5));
  times.clear();
  for (int i = 0; i < 200; ++i) {
    times.push_back(Milliseconds([&] {
      Require(
          client.Call("term_run", {{"session", "s"}, {"command", "echo hi"}}),
          "term_run");
    }));
  }
  Row("term_run echo hi, with its status, p50", "%8.3f ms",
      Percentile(times, .5));
  Row("term_run echo hi, with its status, p99", "%8.3f ms",
      Percentile(times, .99));
}

// Runs `cat FILE` to its end, in a bare terminal and in ours, in turns.
void Drain(McpClient* client, const Workload& workload) {
  TempDir folder;
  std::string file = folder.Write("data", workload.bytes);
  double bare = 1e9, ours = 1e9;
  for (int round = 0; round < 3; ++round) {
    bare = std::min(bare, Milliseconds([&] {
                      BarePty({"cat", file}, 40, 120).Drain();
                    }));
    Reply reply;
    ours = std::min(ours, Milliseconds([&] {
                      reply = client->Call("term_open",
                                           {{"name", "cat"},
                                            {"argv", {"cat", file}},
                                            {"until", {{"state", "exited"}}},
                                            {"timeout_s", 45}});
                    }));
    Require(reply, workload.name.c_str());
    client->Call("term_close", {{"session", "cat"}, {"forget", true}});
  }
  double megabytes = static_cast<double>(workload.bytes.size()) / 1e6;
  std::printf("  %-20s %8.1f MB/s  bare %8.1f MB/s  ratio %.2f\n",
              workload.name.c_str(), megabytes / ours * 1e3,
              megabytes / bare * 1e3, bare / ours);
}

long PssKilobytes(pid_t pid) {
  std::string text =
      testing::ReadWholeFile("/proc/" + std::to_string(pid) + "/smaps_rollup");
  size_t at = text.find("\nPss:");
  return at == std::string::npos ? -1 : std::atol(text.c_str() + at + 5);
}

void Memory(const ServerOptions& options) {
  McpClient client(options);
  client.Request("tools/list");
  long idle = PssKilobytes(client.pid());
  constexpr int kSessions = 20;
  for (int i = 0; i < kSessions; ++i) {
    Require(client.Call("term_open", {{"argv", {"sleep", "1000"}},
                                      {"until", {{"quiet_s", 0.01}}}}),
            "term_open");
  }
  // The holder of a session is its program's parent; other servers may run.
  std::set<pid_t> holders;
  for (const ProcessRow& row : testing::ProcessesWith(client.mark())) {
    if (row.command.rfind("sleep", 0) == 0) holders.insert(row.parent);
  }
  long total = PssKilobytes(client.pid());
  for (pid_t holder : holders) total += std::max(0L, PssKilobytes(holder));
  Row("idle server, PSS", "%8.1f MiB", static_cast<double>(idle) / 1024);
  Row("one session more (server and holder), PSS", "%8.2f MiB",
      static_cast<double>(total - idle) / 1024 / kSessions);
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  using namespace glasstty::bench;
  if (argc != 2) {
    std::fprintf(stderr, "usage: whole GLASSTTY\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  ServerOptions options;
  options.binary = argv[1];
  std::printf("The server as a whole\n");
  Start(options);
  OpenShell(options);
  Look(options);
  Memory(options);
  std::printf("A program's output, through to its exit\n");
  McpClient client(options);
  for (const Workload& workload : Workloads(8 << 20)) Drain(&client, workload);
}
