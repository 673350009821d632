// Measures many sessions, and one that prints without end.
//
//   crowd GLASSTTY           200 flooding sessions, 1 to 1,000 idle ones
//   crowd GLASSTTY --floods  the first of these only
//   crowd GLASSTTY --long     10 GB of `yes` through one session
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "measures.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::bench {
namespace {

using testing::McpClient;
using testing::Seconds;
using testing::ServerOptions;

void Open(McpClient* client, const std::string& name, const Json& argv) {
  Require(client->Call("term_open", {{"name", name},
                                     {"argv", argv},
                                     {"until", {{"quiet_s", 0.01}}},
                                     {"timeout_s", 0.05}}),
          "term_open");
}

// Measures how long a look takes beside sessions that print as fast as they
// may. It pauses before each look: then the last known state of a program is
// out of date, and the server has gone back to its floods.
void Flood(const ServerOptions& options) {
  constexpr int kSessions = 200;
  McpClient client(options);
  Open(&client, "quiet", {"sleep", "1000"});
  for (int i = 0; i < kSessions; ++i) {
    Open(&client, "flood-" + std::to_string(i), {"yes"});
  }
  std::vector<double> quiet, flooding;
  for (int i = 0; i < 1000; ++i) {
    auto look = [&](const std::string& name) {
      client.NextMessage(Seconds(0.005));  // nothing comes
      return Milliseconds([&] {
        Require(
            client.Call("term_read", {{"session", name}, {"mode", "snapshot"}}),
            "term_read");
      });
    };
    quiet.push_back(look("quiet"));
    flooding.push_back(look("flood-" + std::to_string(i % kSessions)));
  }
  Row("200 floods: look at a quiet session, p50", "%8.2f ms",
      Percentile(quiet, .5));
  Row("200 floods: look at a quiet session, p99", "%8.2f ms",
      Percentile(quiet, .99));
  Row("200 floods: look at a flooding one, p50", "%8.2f ms",
      Percentile(flooding, .5));
  Row("200 floods: look at a flooding one, p99", "%8.2f ms",
      Percentile(flooding, .99));
}

// Measures memory and processor time of sessions in which nothing happens.
void Idle(const ServerOptions& options) {
  McpClient client(options);
  client.Request("tools/list");
  long alone = PssKilobytes(client.pid());
  int open = 0;
  std::vector<pid_t> all;
  for (int sessions : {1, 10, 100, 1000}) {
    for (; open < sessions; ++open) {
      Open(&client, "idle-" + std::to_string(open), {"sleep", "3000"});
    }
    all = Holders(client);
    all.push_back(client.pid());
    long total = 0;
    for (pid_t pid : all) total += std::max(0L, PssKilobytes(pid));
    std::printf("  %4d idle: %8.1f MiB in all, %6.3f MiB each (PSS)\n",
                sessions, static_cast<double>(total) / 1024,
                static_cast<double>(total - alone) / 1024 / sessions);
  }
  auto cpu = [&all] {
    double sum = 0;
    for (pid_t pid : all) sum += CpuMilliseconds(pid);
    return sum;
  };
  double before = cpu();
  client.NextMessage(Seconds(10));  // nothing comes
  Row("1000 idle: processor time in 10 s, all", "%8.1f ms", cpu() - before);
}

// Counts the files of a session whose names begin with `stem`.
double Megabytes(const std::string& folder, const std::string& stem) {
  uintmax_t bytes = 0;
  std::error_code gone;  // files come and go while we look
  for (const auto& entry : std::filesystem::directory_iterator(folder, gone)) {
    std::string name = entry.path().filename();
    if (name.rfind(stem + ".", 0) != 0) continue;
    uintmax_t size = entry.file_size(gone);
    if (!gone) bytes += size;
  }
  return static_cast<double>(bytes) / (1 << 20);
}

int Long(const ServerOptions& options) {
  McpClient client(options);
  auto start = std::chrono::steady_clock::now();
  Open(&client, "long",
       {"sh", "-c",
        "yes 'a line as programs print them, neither short nor long, but one "
        "of many' | head -c 10000000000"});
  std::string folder = testing::SessionDirectory(client.state_dir(), "long");
  // A full scrollback and a full log do not count as growth.
  double least = 1e9, most = 0, log = 0, lines = 0;
  bool exited = false;
  for (int looks = 0; !exited; ++looks) {
    testing::Reply reply =
        client.Call("term_wait", {{"session", "long"},
                                  {"until", {{"state", "exited"}}},
                                  {"timeout_s", 5}});
    Require(reply, "term_wait");
    exited = reply.header.find("exited=0") != std::string::npos;
    double total = static_cast<double>(PssKilobytes(client.pid()));
    for (pid_t pid : Holders(client)) {
      total += static_cast<double>(std::max(0L, PssKilobytes(pid)));
    }
    if (looks < 3 || exited) continue;
    least = std::min(least, total / 1024);
    most = std::max(most, total / 1024);
    log = std::max(log, Megabytes(folder, "out"));
    lines = std::max(lines, Megabytes(folder, "lines"));
  }
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  Row("10 GB of yes, rate", "%8.1f MB/s", 1e4 / seconds);
  Row("memory, server and holder (PSS), least", "%8.1f MiB", least);
  Row("memory, server and holder (PSS), most", "%8.1f MiB", most);
  Row("log on disk, most (cap 64)", "%8.1f MiB", log);
  Row("lines on disk, most (cap 64)", "%8.1f MiB", lines);
  return most - least <= 8 ? 0 : 1;
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  std::string mode = argc > 2 ? argv[2] : "";
  if (argc < 2 || (argc > 2 && mode != "--long" && mode != "--floods")) {
    std::fprintf(stderr, "usage: crowd GLASSTTY [--floods | --long]\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  glasstty::bench::ServerOptions options;
  options.binary = argv[1];
  options.extra_environment = {"GLASSTTY_MAX_SESSIONS=1024"};
  if (mode == "--long") return glasstty::bench::Long(options);
  std::printf("Many sessions\n");
  glasstty::bench::Flood(options);
  if (mode != "--floods") glasstty::bench::Idle(options);
}
