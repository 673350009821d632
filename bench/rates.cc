// Measures rates of one kind of output: P, the terminal core alone, the whole
// server.
//
//   rates files FOLDER RECORDINGS      writes all kinds into FOLDER:
//                                      NAME, and NAME.out as a terminal
//                                      delivers it, for other engines
//   rates measure GLASSTTY FILE ROWS COLS
//                                      one JSON object: MB/s of one round
//
// P is a bare pseudoterminal with a loop that drops what it reads; `core` the
// emulator fed from memory, `whole` a session from its start to its exit, which
// prints the file four times, as for P. They follow one another, so that they
// had the same machine. `core` is one thread that waits for nothing: it is
// measured in its processor time, which other programs on the machine disturb
// least.
//
// A round is a process of its own, for P depends on the reader's past, by up to
// a factor of two (README.md), and a session's holder is always a fresh one.
#include <time.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bare_pty.h"
#include "terminal/terminal.h"
#include "testing/mcp_client.h"
#include "testing/system.h"
#include "workloads.h"

namespace glasstty::bench {
namespace {

using testing::McpClient;
using testing::Reply;

constexpr size_t kFileBytes = 8 << 20;
constexpr size_t kSlice = 16 << 10;
// The start and the end of a program take 3 ms, those of one file 60 to 150.
constexpr int kTimes = 4;

double Seconds(const std::function<void()>& work) {
  auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

double CpuSeconds(const std::function<void()>& work) {
  auto used = [] {
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) +
           1e-9 * static_cast<double>(now.tv_nsec);
  };
  double start = used();
  work();
  return used() - start;
}

// Without echo, because the emulator's answers would come back as output.
std::vector<std::string> Printing(const std::string& file) {
  std::vector<std::string> argv = {"sh", "-c", "stty -echo; exec cat \"$@\"",
                                   "sh"};
  argv.insert(argv.end(), kTimes, file);
  return argv;
}

void Core(std::string_view delivered, terminal::Size size) {
  std::unique_ptr<terminal::Terminal> terminal =
      *terminal::Terminal::Create({.size = size});
  for (size_t at = 0; at < delivered.size(); at += kSlice) {
    terminal->Feed(delivered.substr(at, kSlice));
    terminal->TakeReplies();
    terminal->TakeEvents();
  }
}

void Whole(McpClient* client, const std::string& file, terminal::Size size) {
  Reply reply = client->Call("term_open", {{"name", "cat"},
                                           {"argv", Printing(file)},
                                           {"rows", size.rows},
                                           {"cols", size.cols},
                                           {"until", {{"state", "exited"}}},
                                           {"timeout_s", 45}});
  // A program that cannot continue says so: a wrong number is worse.
  if (reply.is_error || reply.header.find("exited=0") == std::string::npos) {
    std::fprintf(stderr, "%s\n", reply.text.c_str());
    std::exit(1);
  }
}

int WriteFiles(const std::string& folder, const std::string& recordings) {
  for (const Workload& workload : Workloads(kFileBytes, recordings)) {
    for (bool delivered : {false, true}) {
      std::string path = folder + "/" + workload.name;
      std::string bytes =
          delivered ? AsDelivered(workload.bytes) : workload.bytes;
      std::FILE* file =
          std::fopen((path + (delivered ? ".out" : "")).c_str(), "wb");
      if (file == nullptr) return 1;
      std::fwrite(bytes.data(), 1, bytes.size(), file);
      std::fclose(file);
    }
  }
  return 0;
}

int Measure(const std::string& glasstty, const std::string& file,
            terminal::Size size) {
  std::string delivered = AsDelivered(testing::ReadWholeFile(file));
  double megabytes = static_cast<double>(delivered.size()) / 1e6;
  testing::ServerOptions options;
  options.binary = glasstty;
  McpClient client(options);
  double bare =
      Seconds([&] { BarePty(Printing(file), size.rows, size.cols).Drain(); });
  // Run once before, because a processor that has waited runs slowly at first.
  Core(delivered, size);
  double core = CpuSeconds([&] { Core(delivered, size); });
  double whole = Seconds([&] { Whole(&client, file, size); });
  client.Call("term_close", {{"session", "cat"}, {"forget", true}});
  std::printf("{\"bare\": %.2f, \"core\": %.2f, \"whole\": %.2f}\n",
              kTimes * megabytes / bare, megabytes / core,
              kTimes * megabytes / whole);
  return 0;
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 3 && arguments[0] == "files") {
    return glasstty::bench::WriteFiles(arguments[1], arguments[2]);
  }
  if (arguments.size() == 5 && arguments[0] == "measure") {
    return glasstty::bench::Measure(arguments[1], arguments[2],
                                    {std::atoi(argv[4]), std::atoi(argv[5])});
  }
  std::fprintf(stderr,
               "usage: rates files FOLDER RECORDINGS\n"
               "       rates measure GLASSTTY FILE ROWS COLS\n");
  return 2;
}
