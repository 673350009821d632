// Measures the server as its client experiences it, beside the floor of the
// same machine in the same run: a bare pseudoterminal and a loop that reads it.
//
//   whole GLASSTTY
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bare_pty.h"
#include "base/fd.h"
#include "measures.h"
#include "testing/mcp_client.h"
#include "testing/system.h"

namespace glasstty::bench {
namespace {

using testing::McpClient;
using testing::Reply;
using testing::Seconds;
using testing::ServerOptions;
using testing::TempDir;

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

// Measures from a byte that makes a program print to the answer of a wait for
// it; the floor is the same program in a bare terminal.
void WakeUp(const ServerOptions& options) {
  McpClient client(options);
  TempDir folder;
  std::vector<double> ours, bare;
  for (bool is_ours : {false, true}) {
    std::string fifo = folder.Join(is_ours ? "ours" : "bare");
    mkfifo(fifo.c_str(), 0600);
    // Opens both ends, so that opening does not wait for the program.
    UniqueFd end(open(fifo.c_str(), O_RDWR | O_CLOEXEC));
    BarePty floor({"cat", is_ours ? "/dev/null" : fifo}, 40, 120);
    if (is_ours) {
      Require(client.Call("term_open", {{"name", "s"},
                                        {"argv", {"cat", fifo}},
                                        {"until", {{"quiet_s", 0.05}}}}),
              "term_open");
    }
    for (int i = 0; i < 300; ++i) {
      std::string word = "mark" + std::to_string(i) + ".";
      int id = 0;
      if (is_ours) {
        id = client.SendCall("term_wait",
                             {{"session", "s"}, {"until", {{"text", word}}}});
        client.Call("term_list");  // the wait is being waited for by then
      }
      (is_ours ? ours : bare).push_back(Milliseconds([&] {
        (void)!write(end.get(), (word + "\n").c_str(), word.size() + 1);
        if (is_ours) {
          Require(client.Await(id), "term_wait");
        } else {
          floor.ReadUntil(word);
        }
      }));
    }
  }
  Row("a program prints, bare reader, p50", "%8.3f ms", Percentile(bare, .5));
  Row("a program prints, term_wait answers, p50", "%8.3f ms",
      Percentile(ours, .5));
  Row("a program prints, term_wait answers, p99", "%8.3f ms",
      Percentile(ours, .99));
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
  long total = PssKilobytes(client.pid());
  for (pid_t holder : Holders(client))
    total += std::max(0L, PssKilobytes(holder));
  Row("idle server, PSS", "%8.1f MiB", static_cast<double>(idle) / 1024);
  Row("one session more (server and holder), PSS", "%8.2f MiB",
      static_cast<double>(total - idle) / 1024 / kSessions);
}

}  // namespace
}  // namespace glasstty::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: whole GLASSTTY\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  glasstty::bench::ServerOptions options;
  options.binary = argv[1];
  std::printf("The server as a whole\n");
  glasstty::bench::Start(options);
  glasstty::bench::OpenShell(options);
  glasstty::bench::Look(options);
  glasstty::bench::WakeUp(options);
  glasstty::bench::Memory(options);
}
