// Tests that everything that was ever printed can be read by its number and
// searched, at a bounded cost.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_format.h"
#include "e2e/steps.h"
#include "testing/mcp_client.h"
#include "testing/rounds.h"

namespace glasstty::testing {
namespace {

// Returns the "Pss" of a process, in KiB.
int64_t PssOf(pid_t pid) {
  std::ifstream rollup(absl::StrFormat("/proc/%d/smaps_rollup", pid));
  std::string word;
  int64_t kib = 0;
  while (rollup >> word) {
    if (word == "Pss:") rollup >> kib;
  }
  return kib;
}

// Counts the server and its holders.
int64_t PssOfAll(const McpClient& client) {
  int64_t kib = PssOf(client.pid());
  for (const ProcessRow& process : ProcessesWith(client.mark())) {
    bool holder = process.command.find("glasstty-holder") != std::string::npos;
    if (holder) kib += PssOf(process.pid);
  }
  return kib;
}

std::string History(McpClient* client, int64_t from, int lines) {
  return client
      ->Call("term_read", {{"session", "main"},
                           {"mode", "history"},
                           {"from_line", from},
                           {"lines", lines}})
      .body;
}

// Prints once the file `go` exists, so that the call that opened the session
// has shown nothing of it.
void OpenWaiting(McpClient* client, const TempDir& folder,
                 const std::string& command) {
  Open(client, "main",
       {"sh", "-c",
        "until [ -e go ]; do sleep 0.01; done; " + command + "; cat"},
       {{"cwd", folder.path()}, {"until", {{"quiet_s", 0.01}}}});
  folder.Write("go", "");
}

TEST(History, AReadShowsOnlyTheLinesThatMatch) {
  McpClient client;
  auto read = [&client](Json arguments) {
    arguments["session"] = "main";
    return client.Call("term_read", std::move(arguments));
  };
  TempDir folder;
  Open(&client, "main",
       {"sh", "-c",
        "seq 100; printf part; until [ -e go ]; do sleep 0.01; done; echo; "
        "echo ial; cat"},
       {{"cwd", folder.path()}, {"until", {{"text", "part"}}}});
  folder.Write("go", "");
  ASSERT_TRUE(SeesOnScreen(&client, "main", "ial"));
  Reply news = read({{"grep", "part|al$|^10"}, {"mode", "stream"}});
  EXPECT_TRUE(Shows(news, "lines match"));
  // Lines that were shown before are not searched.
  EXPECT_EQ(news.body, "102: ial");
  EXPECT_EQ(read({{"grep", "."}}).body, "");
  // The whole history is, and a part of it, and what came since a line.
  EXPECT_EQ(read({{"grep", "^10"}, {"mode", "history"}}).body,
            "10: 10\n100: 100");
  EXPECT_EQ(read({{"grep", "9"}, {"from_line", 5}, {"lines", 10}}).body,
            "9: 9");
  EXPECT_EQ(read({{"grep", "0$"}, {"since", 90}, {"context", 1}}).body,
            "90: 90\n91- 91\n--\n99- 99\n100: 100\n101- part");
  EXPECT_EQ(read({{"grep", "0$"},
                  {"mode", "history"},
                  {"truncate", "head"},
                  {"max_lines", 1}})
                .body,
            "10: 10\n[9 matches left out: from_line=11]");
}

TEST(History, AReadOfACommandShowsOnlyTheLinesThatMatch) {
  McpClient client;
  client.Call("term_run", {{"command", "seq 30"}});
  client.Call("term_run", {{"command", "seq 9"}});
  Json call = {{"session", "main"}, {"mode", "command"}, {"grep", "9"}};
  EXPECT_EQ(client.Call("term_read", call).body, "41: 9");
  call["command"] = 1;
  Reply first = client.Call("term_read", call);
  EXPECT_EQ(first.body, "10: 9\n20: 19\n30: 29");
  EXPECT_TRUE(Shows(first, "3 of 30 lines match"));
}

TEST(History, AScreenIsNotReadByLines) {
  McpClient client;
  Open(&client, "main", {"vim", "-u", "NONE"});
  Reply read = client.Call("term_read", {{"session", "main"}, {"grep", "~"}});
  EXPECT_TRUE(read.is_error);
  EXPECT_TRUE(Shows(read, "give mode=stream, history or command"));
}

TEST(History, ThreeMillionLinesStayAddressableInLittleMemory) {
  McpClient client;
  Reply run = client.Call("term_run", {{"command", "seq 1 3000000"}});
  for (int i = 0; i < 20 && !Shows(run, "exit=0"); ++i) {
    run = client.Call("term_wait", {{"until", {{"state", "prompt"}}}});
  }
  // The first line is the prompt with the command.
  EXPECT_EQ(History(&client, 2, 3), "1\n2\n3");
  for (int64_t n : {1'000, 999'999, 1'500'000, 2'345'678, 2'999'999}) {
    EXPECT_EQ(History(&client, n + 1, 2), absl::StrFormat("%d\n%d", n, n + 1));
  }
  Reply search =
      client.Call("term_search", {{"regex", "^(1|77777|1234567|3000000)$"}});
  EXPECT_EQ(search.body,
            "2: 1\n77778: 77777\n1234568: 1234567\n3000001: 3000000")
      << search.text;
  Reply count = client.Call("term_search", {{"regex", "^[0-9]+$"}, {"max", 1}});
  EXPECT_TRUE(Shows(count, "3000000 matches")) << count.text;
  // Sanitizers keep freed memory.
  if (Slowness() == 1) {
    EXPECT_LE(PssOfAll(client), 40 << 10);
  }
}

TEST(History, UnreadLinesBeyondMemoryAreShownAtBothEnds) {
  TempDir folder;
  McpClient client;
  OpenWaiting(&client, folder, "seq 1 200000");
  Reply wait = client.Call("term_wait", {{"session", "main"},
                                         {"until", {{"regex", "^200000$"}}},
                                         {"show", "full"},
                                         {"max_lines", 4}});
  EXPECT_EQ(wait.body, "1\n2\n[... 199996 lines left out]\n199999\n200000")
      << wait.text;
  EXPECT_TRUE(Shows(wait, "left out: term_search"));
  EXPECT_EQ(History(&client, 3, 2), "3\n4");
}

TEST(History, TheCommandThatPrintedTooMuchIsReadFromItsBeginning) {
  McpClient client;
  client.Call("term_run", {{"command", "echo before"}});
  client.Call("term_run", {{"command", "seq 1 50000"}});
  client.Call("term_run", {{"command", "seq 1 50000 | tail -n 40000"}});
  Reply command = client.Call(
      "term_read", {{"mode", "command"}, {"command", 2}, {"max_lines", 4}});
  EXPECT_EQ(command.body, "1\n2\n[... 49996 lines left out]\n49999\n50000")
      << command.text;
}

TEST(History, ASizeGuardShowsAndConsumesNothing) {
  TempDir folder;
  McpClient client;
  OpenWaiting(&client, folder, "seq 1 20000; echo end");
  client.Call(
      "term_wait",
      {{"session", "main"}, {"until", {{"text", "end"}}}, {"show", "match"}});
  Reply guarded = client.Call("term_read", {{"max_bytes", 1000}});
  EXPECT_EQ(guarded.body, "") << guarded.text;
  EXPECT_TRUE(Shows(guarded, "all of it stays unread")) << guarded.text;
  Reply forced = client.Call(
      "term_read", {{"max_bytes", 1000}, {"force", true}, {"max_lines", 2}});
  EXPECT_EQ(forced.body, "1\n[... 19999 lines left out]\nend") << forced.text;
  EXPECT_EQ(client.Call("term_read", {{"max_bytes", 1000}}).body, "");
}

TEST(History, LinesKeepTheirNumbersWhenServerAndLogsBeginningHaveGone) {
  TempDir state, folder;
  ServerOptions options;
  options.state_dir = state.path();
  options.extra_environment = {"GLASSTTY_LOG_MIB=8", "GLASSTTY_GRACE_S=60"};
  auto first = std::make_unique<McpClient>(options);
  const int lines = Rounds(2'000'000, 4'000'000);
  const int near_end = lines - 100'000;
  OpenWaiting(first.get(), folder,
              absl::StrFormat("seq 1 %d; echo end", lines));
  Reply end = first->Call("term_wait",
                          {{"until", {{"text", "end"}}}, {"timeout_s", 45}});
  ASSERT_TRUE(Shows(end, "end")) << end.text;
  EXPECT_EQ(History(first.get(), near_end, 1), std::to_string(near_end));
  first->Signal(SIGKILL);
  ASSERT_TRUE(first->WaitForExit(Seconds(10)));

  McpClient second(options);
  EXPECT_EQ(History(&second, near_end, 1), std::to_string(near_end));
  EXPECT_EQ(History(&second, lines, 2), absl::StrFormat("%d\nend", lines));
  Reply lost = second.Call(
      "term_read", {{"mode", "history"}, {"from_line", 1}, {"lines", 1}});
  EXPECT_TRUE(Shows(lost, "no longer kept")) << lost.text;
}

// A small disk of its own, if the user may mount one.
class SmallDisk {
 public:
  SmallDisk()
      : mounted_(mount("none", place_.path().c_str(), "tmpfs", 0,
                       "size=1m,mode=0700") == 0) {}
  ~SmallDisk() {
    if (mounted_) umount2(place_.path().c_str(), MNT_DETACH);
  }
  bool mounted() const { return mounted_; }
  const TempDir& place() const { return place_; }

 private:
  TempDir place_;
  const bool mounted_;
};

// While the disk was full, no server was there to take the output.
// Below the last line that has ended stands the next, which is empty.
TEST(History, TheLastLinesInAListHaveText) {
  McpClient client;
  ASSERT_TRUE(
      Good(Open(&client, "job", {"sh", "-c", "printf 'one\ntwo\n'; exec cat"},
                {{"until", {{"text", "two"}}}})));
  EXPECT_TRUE(Shows(client.Call("term_list", {{"lines", 1}}), "\n  two"));
  EXPECT_TRUE(
      Shows(client.Call("term_list", {{"lines", 2}}), "\n  one\n  two"));
}

TEST(History, AListShowsTheLastRowsOfAFullScreenProgram) {
  McpClient client;
  ASSERT_TRUE(Good(
      Open(&client, "top",
           {"sh", "-c",
            "echo before; printf '\\033[?1049h\\033[Hone\\r\\ntwo\\r\\nthree'; "
            "exec cat"},
           {{"until", {{"text", "three"}}}})));
  Reply list = client.Call("term_list", {{"lines", 2}});
  EXPECT_TRUE(Shows(list, "\n  two\n  three"));
  EXPECT_FALSE(Shows(list, "before")) << list.text;
}

TEST(History, ASuggestionIsNamedBecauseNobodyHasTypedIt) {
  McpClient client;
  ASSERT_TRUE(Good(Open(
      &client, "edits",
      {"sh", "-c",
       "stty raw -echo; printf '> git\033[90m push\033[m\033[5D'; exec cat"},
      {{"until", {{"text", "push"}}}})));
  Reply reply = client.Call("term_read", {{"mode", "snapshot"}});
  EXPECT_TRUE(Shows(reply, " suggestion=\"push\""));
  reply = client.Call("term_read", {{"mode", "snapshot"}, {"format", "json"}});
  const Json& facts = reply.message["result"]["structuredContent"];
  EXPECT_EQ(facts["suggestion"], Json({"push"})) << reply.text;
}

TEST(History, ASearchLooksAtTheScreenOfAFullScreenProgram) {
  McpClient client;
  ASSERT_TRUE(Good(Open(&client, "page",
                        {"sh", "-c",
                         "printf 'before\\033[?1049h\\033[3;2Hname: "
                         "value'; exec cat"},
                        {{"until", {{"text", "value"}}}})));
  Reply reply = client.Call("term_search", {{"regex", "va.ue"}});
  EXPECT_EQ(reply.body, "row 3:  name: value") << reply.text;
  EXPECT_TRUE(Shows(reply, "0 matches in lines 1-1 of 1; 1 on the screen"));
  EXPECT_TRUE(Shows(client.Call("term_search", {{"regex", "before"}}),
                    "1 match in lines"));
}

TEST(History, AHoleIsALineAndIsCountedInWhatSpansIt) {
  SmallDisk disk;
  if (!disk.mounted()) GTEST_SKIP() << "may not mount a tmpfs";
  TempDir folder;
  ServerOptions options;
  options.state_dir = disk.place().path();
  options.extra_environment = {"GLASSTTY_GRACE_S=60"};
  auto first = std::make_unique<McpClient>(options);
  Json more = {{"cwd", folder.path()}, {"until", {{"text", "1000"}}}};
  Open(first.get(), "main",
       {"sh", "-c",
        "seq 1000; until [ -e go ]; do sleep 0.01; done; seq 1001 300000; "
        "touch printed; until [ -e end ]; do sleep 0.01; done; echo end; "
        "exec sleep 100"},
       more);
  first->Signal(SIGKILL);
  ASSERT_TRUE(first->WaitForExit(Seconds(10)));
  // This fails when the disk is full.
  std::ofstream(disk.place().Join("filler"), std::ios::binary)
      << std::string(1 << 20, 'f');
  folder.Write("go", "");
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    return std::filesystem::exists(folder.Join("printed"));
  }));
  std::filesystem::remove(disk.place().Join("filler"));

  McpClient second(options);
  folder.Write("end", "");
  Reply end = second.Call("term_wait",
                          {{"until", {{"text", "end"}}}, {"timeout_s", 20}});
  ASSERT_TRUE(Shows(end, "end"));
  // Numbers continue as if nothing were missing.
  EXPECT_EQ(History(&second, 1000, 1), "1000");
  EXPECT_EQ(History(&second, 300'000, 2), "300000\nend");
  Reply search = second.Call("term_search", {{"regex", "bytes of output"}});
  EXPECT_TRUE(Shows(search, "were lost here: the disk was full]"));
  EXPECT_TRUE(Shows(search, "lines) are lost in this range"));
  std::string path = folder.Join("all");
  Reply written =
      second.Call("term_write_file", {{"output", "all"}, {"path", path}});
  EXPECT_TRUE(Shows(written, "lines) are lost in this range"));
  EXPECT_NE(ReadWholeFile(path).find("were lost here: the disk was full]"),
            std::string::npos);
  EXPECT_TRUE(Shows(second.Call("term_read", {{"mode", "all"}}),
                    "lines) are lost in this range"));
}

}  // namespace
}  // namespace glasstty::testing
