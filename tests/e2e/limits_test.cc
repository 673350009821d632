// Tests what a long day of short sessions leaves behind: descriptors, entries
// in the list, files.
#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Starts a server behind `ulimit ARGUMENTS`.
std::unique_ptr<McpClient> StartLimited(const std::string& arguments) {
  ServerOptions options;
  options.binary = "/bin/sh";
  options.arguments = {
      "-c", "ulimit " + arguments + "; exec \"$0\" mcp --alone", ServerPath()};
  return std::make_unique<McpClient>(options);
}

int CountDescriptors(const McpClient& client) {
  int count = 0;
  std::string path = absl::StrFormat("/proc/%d/fd", client.pid());
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    (void)entry;
    ++count;
  }
  return count;
}

// Returns the soft limit of a process, from the file that proc(5) describes.
std::string SoftLimit(pid_t pid) {
  std::string limits = ReadWholeFile(absl::StrFormat("/proc/%d/limits", pid));
  size_t at = limits.find("Max open files");
  at = limits.find_first_of("0123456789", at);
  return limits.substr(at, limits.find(' ', at) - at);
}

TEST(Limits, TheServerMayHaveMoreDescriptorsThanItsPrograms) {
  auto client = StartLimited("-Sn 200 && ulimit -Hn 300");
  Reply run = client->Call("term_run",
                           {{"argv", {"sh", "-c", "ulimit -Sn; ulimit -Hn"}}});
  EXPECT_EQ(run.body, "200\n300") << run.text;
  EXPECT_EQ(SoftLimit(client->pid()), "300");
  Open(client.get(), "cat", {"cat"});
  int holders = 0;
  for (const ProcessRow& row : ProcessesWith(client->mark())) {
    if (row.command.find("glasstty-holder") == std::string::npos) continue;
    EXPECT_EQ(SoftLimit(row.pid), "200") << row.command;
    ++holders;
  }
  EXPECT_GE(holders, 1);
}

// The kernel would end a process that writes beyond the limit (SIGXFSZ).
TEST(Limits, TheServerAndTheNextOneOutliveALimitOfTheSizeOfFiles) {
  TempDir state, folder;
  ServerOptions options;
  options.state_dir = state.path();
  options.extra_environment = {"GLASSTTY_GRACE_S=60"};
  options.binary = "/bin/bash";
  options.arguments = {"-c", "ulimit -f 1024; exec \"$0\" mcp --alone",
                       ServerPath()};
  McpClient client(options);
  Reply written = client.Call(
      "term_write_file",
      {{"path", folder.Join("large")}, {"content", std::string(2 << 20, 'x')}});
  EXPECT_TRUE(written.is_error);
  EXPECT_TRUE(Shows(written, "File too large"));
  ASSERT_TRUE(Good(Open(&client, "s", {"bash", "--norc"})));
  Reply flood = RunIn(&client, "s", "seq 1 1000000 | tail -n +2; echo over");
  EXPECT_TRUE(Shows(flood, "over"));
  client.Signal(SIGKILL);
  ASSERT_TRUE(client.WaitForExit(Seconds(10)));
  // The end of the first object would kill the session.
  McpClient second(options);
  Reply next = RunIn(&second, "s", "echo still here");
  EXPECT_EQ(next.body, "still here") << next.text;
}

// The directory of a private server is made again when a session is opened.
TEST(Limits, AServerWhoseDirectoryWasDeletedOpensSessionsAgain) {
  for (const char* deleted : {"", "/ended"}) {
    TempDir state;
    ServerOptions options;
    options.state_dir = state.path();
    McpClient client(options);
    ASSERT_TRUE(Good(Open(&client, "it", {"cat"})));
    RemoveAll(state.path() + deleted);
    // Its log has gone with the directory, so its output may be lost.
    EXPECT_TRUE(Good(Keys(&client, "it", "still here<Enter>")));
    EXPECT_TRUE(Good(Open(&client, "new", {"cat"})));
    EXPECT_TRUE(Good(Keys(&client, "new", "new<Enter>")));
    EXPECT_TRUE(SeesOnScreen(&client, "new", "new"));
    EXPECT_TRUE(Shows(client.Call("term_close", {{"session", "new"}}),
                      "none of its processes is left"));
  }
}

// In a long run, it opens as many as in a day's work, at a common limit.
TEST(Limits, ShortSessionsOneAfterTheOtherUseNothingUp) {
  bool full = IsLongRun();
  const int runs = full ? 2'000 : 60, opened = full ? 500 : 30;
  auto client = StartLimited(full ? "-n 1024" : "-n 128");
  client->Call("term_list");
  int before = CountDescriptors(*client);
  for (int i = 0; i < runs; ++i) {
    Json command = {{"command", "true"}};
    if (i % 2 == 0) command = {{"argv", {"true"}}};
    Reply run = client->Call("term_run", command);
    ASSERT_TRUE(Shows(run, i % 2 == 0 ? "exited=0" : "exit=0")) << i;
  }
  for (int i = 0; i < opened; ++i) {
    ASSERT_TRUE(Good(Open(client.get(), "cat", {"cat"}))) << i;
    ASSERT_TRUE(Good(client->Call("term_close", {{"session", "cat"}}))) << i;
  }
  int after = CountDescriptors(*client);
  RecordProperty("descriptors", absl::StrFormat("%d, %d", before, after));
  EXPECT_LE(after, before + 20);
  EXPECT_LE(Lines(client->Call("term_list").text).size(), 160u);
}

// Returns the bytes of all files below it.
uintmax_t SizeBelow(const std::string& path) {
  uintmax_t size = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(path, error), end;
       entry != end; entry.increment(error)) {
    std::error_code gone;
    uintmax_t bytes = entry->is_regular_file(gone) ? entry->file_size(gone) : 0;
    if (!gone) size += bytes;
  }
  return size;
}

TEST(Limits, SessionsThatFloodStayWithinTheDiskSpaceOfAll) {
  ServerOptions options;
  options.extra_environment = {"GLASSTTY_STATE_MIB=64"};
  McpClient client(options);
  std::vector<std::string> names = {"a", "b"};
  if (IsLongRun()) names.push_back("c");
  for (const std::string& name : names) {
    // Each prints 30 MB, and would keep them all, and as much of its lines.
    Open(&client, name, {"sh", "-c", "seq -f %0100.0f 300000; echo done; cat"},
         {{"keep", true}});
  }
  for (const std::string& name : names) {
    // cat reads now.
    Reply done = client.Call("term_wait", {{"session", name},
                                           {"until", {{"state", "input"}}},
                                           {"timeout_s", 45}});
    ASSERT_TRUE(Shows(done, "] input"));
  }
  uintmax_t size = 0;
  EXPECT_TRUE(Eventually(Seconds(60), [&] {
    size = SizeBelow(client.state_dir());
    return size <= 64 << 20;
  })) << size;
  // None of them has been closed, and the last lines are there.
  for (const std::string& name : names) {
    Reply read = client.Call("term_read", {{"session", name},
                                           {"mode", "history"},
                                           {"from_line", -3},
                                           {"lines", 3}});
    EXPECT_TRUE(Shows(read, "00300000\ndone"));
  }
  client.Call("term_close", {{"all", true}});
}

}  // namespace
}  // namespace glasstty::testing
