// Tests that programs outlive the server: the next one finds them unchanged. If
// none comes, they end after the grace time.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "e2e/steps.h"
#include "testing/mcp_client.h"

namespace glasstty::testing {
namespace {

class Adoption : public ::testing::Test {
 protected:
  std::unique_ptr<McpClient> Start(const std::string& grace_s = "60") {
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {"GLASSTTY_GRACE_S=" + grace_s};
    return std::make_unique<McpClient>(options);
  }

  void Crash(McpClient* client) {
    client->Signal(SIGKILL);
    ASSERT_TRUE(client->WaitForExit(Seconds(10)));
  }

  // Returns the parent of the client's process whose command begins so; 0 if
  // there is none.
  static pid_t HolderOf(const McpClient& client, const std::string& command) {
    for (const ProcessRow& row : ProcessesWith(client.mark())) {
      if (row.command.rfind(command, 0) == 0) return row.parent;
    }
    return 0;
  }
  // Kills the holder of the session in which `command` runs, as soon as it is
  // that command.
  static void KillHolder(McpClient* client, const std::string& command) {
    pid_t holder = 0;
    ASSERT_TRUE(Eventually(Seconds(20), [&] {
      holder = HolderOf(*client, command);
      return holder > 1;
    }));
    kill(holder, SIGKILL);
    ASSERT_TRUE(Eventually(Seconds(20), [&] {
      return client->Call("term_list").text.find("lost") != std::string::npos;
    })) << client->Call("term_list").text;
  }

  TempDir state_;
};

TEST_F(Adoption, TheNextServerHasTheSameNamesScreensAndUnreadOutput) {
  TempDir folder;
  std::string go = folder.Join("go");
  std::unique_ptr<McpClient> first = Start();
  Json more = {{"cwd", folder.path()}, {"env", {{"PS1", "$ "}}}};
  ASSERT_TRUE(Good(Open(first.get(), "main", {"bash", "--norc"}, more)));
  ASSERT_TRUE(Good(
      Open(first.get(), "editor", {"vim", "-u", "NONE", "-n", "file"}, more)));
  Keys(first.get(), "editor", "iunsaved text<Esc>");
  Keys(first.get(), "main", "echo seen<Enter>");
  ASSERT_TRUE(SeesOnScreen(first.get(), "main", "seen"));
  std::vector<std::string> editor = Screen(first.get(), "editor");
  // This prints once the first server is dead.
  Keys(first.get(), "main",
       "until [ -e go ]; do sleep 0.01; done; echo un''read<Enter>");
  ASSERT_TRUE(SeesOnScreen(first.get(), "main", "until"));
  Crash(first.get());
  folder.Write("go", "");

  std::unique_ptr<McpClient> second = Start();
  Reply list = second->Call("term_list");
  EXPECT_TRUE(Shows(list, "main"));
  EXPECT_TRUE(Shows(list, "editor"));
  EXPECT_EQ(Join(Screen(second.get(), "editor")), Join(editor));
  Reply reply = second->Call("term_wait", {{"session", "main"},
                                           {"until", {{"text", "unread"}}},
                                           {"timeout_s", 20}});
  EXPECT_TRUE(Shows(reply, "unread"));
  EXPECT_EQ(reply.body.find("seen"), std::string::npos)
      << "what the first client had read is shown again:\n"
      << reply.text;
  ASSERT_TRUE(SeesOnScreen(second.get(), "main", "seen"));

  // The program is as alive as before.
  Keys(second.get(), "main", "echo $((6 * 7))<Enter>");
  EXPECT_TRUE(SeesOnScreen(second.get(), "main", "42"));
  Keys(second.get(), "editor", ":wq<Enter>");
  EXPECT_TRUE(Eventually(Seconds(20), [&] {
    return ReadWholeFile(folder.Join("file")) == "unsaved text\n";
  }));
}

TEST_F(Adoption, AProgramThatEndedInBetweenIsReportedWithItsStatus) {
  TempDir folder;
  std::unique_ptr<McpClient> first = Start();
  Open(first.get(), "job",
       {"sh", "-c", "until [ -e go ]; do sleep 0.01; done; echo done; exit 7"},
       {{"cwd", folder.path()}});
  Crash(first.get());
  std::string log = SessionDirectory(state_.path(), "job");
  folder.Write("go", "");
  ASSERT_TRUE(Eventually(
      Seconds(20), [&] { return !ReadWholeFile(log + "/exit").empty(); }));

  std::unique_ptr<McpClient> second = Start();
  EXPECT_TRUE(Shows(second->Call("term_list"), "exited=7"));
  Reply reply = second->Call("term_read", {{"session", "job"}});
  EXPECT_TRUE(Shows(reply, "done"));
}

TEST_F(Adoption, WithoutANewServerAllIsGoneAfterTheGraceTime) {
  std::unique_ptr<McpClient> first = Start("0.5");
  Open(first.get(), "main", {"bash", "--norc"});
  Open(first.get(), "daemon",
       {"bash", "-c", "setsid sleep 100 & trap '' HUP TERM; echo up; wait"},
       {{"until", {{"text", "up"}}}});
  EXPECT_EQ(LiveHolders(state_.path()).size(), 2u);
  Crash(first.get());
  EXPECT_TRUE(Eventually(Seconds(15), [&] {
    return ProcessesWith(first->mark()).empty() &&
           LiveHolders(state_.path()).empty();
  })) << Describe(ProcessesWith(first->mark()));
  EXPECT_TRUE(SocketsBelow(state_.path()).empty());
}

TEST_F(Adoption, BesideAnotherServerTheFirstCommandRunsInAShellOfItsOwn) {
  std::unique_ptr<McpClient> first = Start();
  ASSERT_TRUE(Good(RunIn(first.get(), "main", "A=first")));
  ASSERT_TRUE(Good(RunIn(first.get(), "build", "A=first")));
  std::unique_ptr<McpClient> second = Start();
  for (const char* session : {"main", "build"}) {
    Reply reply = RunIn(second.get(), session, "echo \"<$A>\"");
    EXPECT_TRUE(Good(reply));
    EXPECT_EQ(reply.body, "<>");
  }
  EXPECT_TRUE(Good(second->Call("term_run", {{"command", "true"}})));
}

TEST_F(Adoption, ASessionOfAnotherServerIsTakenOverOnceThatHasDied) {
  std::unique_ptr<McpClient> first = Start();
  ASSERT_TRUE(Good(RunIn(first.get(), "build", "A=first")));
  std::unique_ptr<McpClient> second = Start();
  EXPECT_TRUE(Good(second->Call("term_read", {{"session", "build"}})));
  Crash(first.get());
  EXPECT_TRUE(Good(second->Call("term_read", {{"session", "build"}})));
  EXPECT_EQ(RunIn(second.get(), "build", "echo \"<$A>\"").body, "<first>");
}

TEST_F(Adoption, ASessionOfALiveServerIsNotTakenOver) {
  std::unique_ptr<McpClient> first = Start();
  ASSERT_TRUE(Good(Open(first.get(), "main", {"bash", "--norc"})));
  std::unique_ptr<McpClient> second = Start();
  EXPECT_TRUE(Shows(second->Call("term_list"), "open in another server"));
  // Both may have a `main`.
  EXPECT_TRUE(Good(Open(second.get(), "main", {"bash", "--norc"})));
  Keys(first.get(), "main", "echo fir''st<Enter>");
  EXPECT_TRUE(SeesOnScreen(first.get(), "main", "first"));
  EXPECT_EQ(Join(Screen(second.get(), "main")).find("first"),
            std::string::npos);
}

// Makes a kept shell print this many lines, all of which the client reads.
void PrintAndRead(McpClient* client, const std::string& name, int lines) {
  ASSERT_TRUE(Good(Open(client, name, {"bash", "--norc"}, {{"keep", true}})));
  Reply run = client->Call(
      "term_run",
      {{"session", name}, {"command", "seq 1 " + std::to_string(lines)}});
  for (int i = 0; i < 20 && !Shows(run, "exit=0"); ++i) {
    run = client->Call("term_wait",
                       {{"session", name}, {"until", {{"state", "prompt"}}}});
  }
  ASSERT_TRUE(Shows(run, "exit=0"));
  client->Call("term_read", {{"session", name}});
}

TEST_F(Adoption, TheFirstListIsOfSessionsWhoseLogsHaveBeenRead) {
  std::unique_ptr<McpClient> first = Start();
  for (const char* name : {"one", "two"}) {
    PrintAndRead(first.get(), name, 100'000);
  }
  Crash(first.get());

  std::unique_ptr<McpClient> second = Start();
  Reply list = second->Call("term_list");
  EXPECT_TRUE(Shows(list, "[one] prompt"));
  EXPECT_TRUE(Shows(list, "[two] prompt"));
  EXPECT_EQ(list.text.find("unread"), std::string::npos) << list.text;
  for (const char* name : {"one", "two"}) {
    Reply read = second->Call("term_read", {{"session", name}});
    EXPECT_EQ(read.body.find("99999"), std::string::npos) << read.text;
  }
  second->Call("term_close", {{"all", true}});
}

TEST_F(Adoption, ASecondCrashWhileTheLogIsReadLosesNoLine) {
  std::unique_ptr<McpClient> server = Start();
  PrintAndRead(server.get(), "main", 800'000);
  std::string log = SessionDirectory(state_.path(), "main");
  Crash(server.get());
  // A server is killed in the middle of the adoption. A machine that is busy
  // with other things may miss the moment.
  bool met = false;
  for (int i = 0; i < 20 && !met; ++i) {
    server = Start();
    server->SendCall("term_list", Json::object());
    std::string adopting = log + "/adopting";
    met = Eventually(Seconds(0.5),
                     [&] { return access(adopting.c_str(), F_OK) == 0; });
    server->Signal(SIGSTOP);
    met = met && access(adopting.c_str(), F_OK) == 0;
    Crash(server.get());
  }
  ASSERT_TRUE(met) << "no server was ever in the middle of it";

  server = Start();
  Reply read = server->Call("term_read", {{"session", "main"},
                                          {"mode", "history"},
                                          {"from_line", 2},
                                          {"lines", 2}});
  EXPECT_EQ(read.body, "1\n2") << read.text;
  Reply search = server->Call(
      "term_search", {{"session", "main"}, {"regex", "^(1|400000|800000)$"}});
  EXPECT_TRUE(Shows(search, "400001: 400000")) << search.text;
  EXPECT_TRUE(Shows(search, "800001: 800000"));
  server->Call("term_close", {{"all", true}});
}

TEST_F(Adoption, AHolderThatWasKilledIsReportedAndItsLogStaysReadable) {
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main", {"sh", "-c", "echo last words; exec sleep 100"},
       {{"until", {{"text", "last words"}}}});
  // Its last words may be there before it is a sleep.
  ASSERT_NO_FATAL_FAILURE(KillHolder(client.get(), "sleep"));
  EXPECT_TRUE(Shows(
      client->Call("term_read", {{"session", "main"}, {"mode", "history"}}),
      "last words"));
}

// The server knows nothing then, so it must not say that nothing is left.
TEST_F(Adoption, WhatAKilledHolderLeftIsNotDeniedForLackOfDescriptors) {
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main",
       {"bash", "-c", "trap '' HUP; echo up; exec sleep 1007"},
       {{"until", {{"text", "up"}}}});
  ASSERT_NO_FATAL_FAILURE(KillHolder(client.get(), "sleep 1007"));
  rlimit before{};
  ASSERT_EQ(prlimit(client->pid(), RLIMIT_NOFILE, nullptr, &before), 0);
  rlimit none{0, before.rlim_max};
  ASSERT_EQ(prlimit(client->pid(), RLIMIT_NOFILE, &none, nullptr), 0);
  Reply reply = client->Call("term_close", {{"session", "main"}});
  EXPECT_TRUE(Shows(reply, "could not be seen")) << reply.text;
  EXPECT_TRUE(Shows(reply, "Too many open files")) << reply.text;
  ASSERT_EQ(prlimit(client->pid(), RLIMIT_NOFILE, &before, nullptr), 0);
  reply = client->Call("term_close", {{"session", "main"}, {"force", true}});
  EXPECT_TRUE(Shows(reply, "no process of it was found")) << reply.text;
}

// Nobody has looked after its processes since.
TEST_F(Adoption, WhatAKilledHolderLeftBehindIsListedAndKilledOnRequest) {
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main",
       {"bash", "-c",
        "trap '' HUP; for i in 1 2 3; do setsid -f sleep 1000; done; "
        "echo up; exec sleep 1001"},
       {{"until", {{"text", "up"}}}});
  ASSERT_NO_FATAL_FAILURE(KillHolder(client.get(), "sleep 1001"));
  Reply reply = client->Call("term_close", {{"session", "main"}});
  EXPECT_TRUE(Shows(reply, "4 still running")) << reply.text;
  EXPECT_TRUE(Shows(reply, "sleep 1000")) << reply.text;
  reply =
      client->Call("term_close", {{"session", "main"}, {"survivors", "kill"}});
  EXPECT_TRUE(Shows(reply, "no process of it was found")) << reply.text;
  for (const ProcessRow& row : ProcessesWith(client->mark())) {
    EXPECT_EQ(row.command.find("sleep 100"), std::string::npos) << row.command;
  }
}

TEST_F(Adoption, AHolderThatIsKilledDuringACloseLeavesNoFalseReport) {
  TempDir folder;
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main",
       {"bash", "-c",
        "trap '' TERM; trap ': >asked' HUP; "
        "(trap '' HUP; exec sleep 1003) & echo up; while :; do wait; done"},
       {{"until", {{"text", "up"}}}, {"cwd", folder.path()}});
  pid_t holder = HolderOf(*client, "bash -c");
  ASSERT_GT(holder, 1);
  int close =
      client->SendCall("term_close", {{"session", "main"}, {"grace_s", 6}});
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    return access(folder.Join("asked").c_str(), F_OK) == 0;
  }));
  kill(holder, SIGKILL);
  Reply reply = client->Await(close);
  EXPECT_TRUE(Shows(reply, "2 still running")) << reply.text;
  EXPECT_FALSE(Shows(reply, "ended with it")) << reply.text;
  reply = client->Call("term_close", {{"session", "main"}, {"force", true}});
  EXPECT_TRUE(Shows(reply, "no process of it was found")) << reply.text;
}

TEST_F(Adoption, ADaemonIsFoundThoughProgramAndHolderAreGone) {
  std::unique_ptr<McpClient> client = Start();
  // Without the trap, the hangup might come before setsid() has been called.
  Open(client.get(), "main",
       {"bash", "-c", "trap '' HUP; setsid -f sleep 1004; echo up"},
       {{"until", {{"state", "exited"}}}});
  pid_t holder = 0;
  ASSERT_TRUE(Eventually(Seconds(20), [&] {
    holder = HolderOf(*client, "sleep 1004");
    return holder > 1;
  }));
  kill(holder, SIGKILL);
  ASSERT_TRUE(Eventually(
      Seconds(20), [this] { return LiveHolders(state_.path()).empty(); }));
  // It does not depend on when the server hears of that.
  Reply reply = client->Call("term_close", {{"session", "main"}});
  EXPECT_TRUE(Shows(reply, "1 still running")) << reply.text;
  EXPECT_TRUE(Shows(reply, "sleep 1004")) << reply.text;
  // Nor does the next server believe what nobody has told it.
  Crash(client.get());
  std::unique_ptr<McpClient> second = Start();
  reply = second->Call("term_close", {{"session", "main"}});
  EXPECT_TRUE(Shows(reply, "1 still running")) << reply.text;
  reply =
      second->Call("term_close", {{"session", "main"}, {"survivors", "kill"}});
  EXPECT_TRUE(Shows(reply, "no process of it was found")) << reply.text;
  EXPECT_EQ(HolderOf(*client, "sleep 1004"), 0);
}

// Its name is in the file, so only its id is known.
TEST_F(Adoption, ASessionWhoseFileIsTornCanBeEnded) {
  std::unique_ptr<McpClient> first = Start();
  Open(first.get(), "main", {"bash", "-c", "sleep 1006 & echo up; wait"},
       {{"until", {{"text", "up"}}}});
  std::string directory = SessionDirectory(state_.path(), "main");
  std::string id = directory.substr(directory.rfind('/') + 1);
  Crash(first.get());
  std::ofstream(directory + "/meta.json") << "{\"format\"";

  std::unique_ptr<McpClient> second = Start();
  Reply reply = second->Call("term_close", {{"session", id}});
  EXPECT_TRUE(Shows(reply, "term_close force=true ends it")) << reply.text;
  EXPECT_NE(HolderOf(*first, "sleep 1006"), 0);
  reply = second->Call("term_close", {{"session", id}, {"force", true}});
  EXPECT_TRUE(Shows(reply, "closed; no process of it was found"));
  EXPECT_EQ(HolderOf(*first, "sleep 1006"), 0);
  EXPECT_EQ(second->Call("term_list").text.find(id), std::string::npos);
}

// It is a session as long as its holder lives.
TEST_F(Adoption, ASessionIsListedWhateverItsFileIsLike) {
  const char* const kContents[] = {"{\"format\"", "", "[]",
                                   "{\"format\": 99, \"name\": \"new\"}"};
  std::unique_ptr<McpClient> first = Start();
  std::vector<std::string> files, ids;
  for (int i = 0; i < 6; ++i) {
    std::string name = "s" + std::to_string(i);
    ASSERT_TRUE(Good(Open(first.get(), name, {"cat", "-v"})));
    files.push_back(SessionDirectory(state_.path(), name));
    ids.push_back(files[i].substr(files[i].rfind('/') + 1));
    files[i] += "/meta.json";
  }
  Crash(first.get());
  for (int i = 0; i < 4; ++i) std::ofstream(files[i]) << kContents[i];
  std::filesystem::remove(files[4]);
  std::filesystem::remove(files[5]);
  std::filesystem::create_directory(files[5]);

  auto glasstty = [this](std::vector<std::string> words) {
    words.insert(words.begin(), ServerPath());
    return RunCommand(words, {"GLASSTTY_STATE_DIR=" + state_.path()});
  };
  const std::vector<std::string> kLists[] = {
      {"ls"}, {"ls", "-a"}, {"ls", "--json"}, {"doctor"}, {"serve", "--stop"}};
  for (const std::vector<std::string>& words : kLists) {
    CommandResult list = glasstty(words);
    for (const std::string& id : ids) {
      EXPECT_NE(list.output.find(id), std::string::npos)
          << words.back() << ": " << list.output;
    }
  }
  EXPECT_NE(glasstty({"replay", ids[0]}).output.find("--force` ends it"),
            std::string::npos);

  std::unique_ptr<McpClient> second = Start();
  Reply list = second->Call("term_list");
  Reply all = second->Call("term_close", {{"all", true}});
  for (const std::string& id : ids) {
    EXPECT_TRUE(Shows(list, "[" + id + "] left: "));
    EXPECT_TRUE(Shows(all, "[" + id + "] not closed: "));
    Reply one = second->Call("term_close", {{"session", id}, {"force", true}});
    EXPECT_TRUE(Shows(one, "closed; no process of it was found"));
  }
  EXPECT_EQ(HolderOf(*first, "cat -v"), 0);
  EXPECT_EQ(second->Call("term_list").text.find("left"), std::string::npos);
  EXPECT_NE(glasstty({"ls"}).output.find("no sessions"), std::string::npos);
}

TEST_F(Adoption, ASessionThatWasEndedDoesNotKeepRunningInLists) {
  std::unique_ptr<McpClient> first = Start();
  ASSERT_TRUE(Good(Open(first.get(), "main", {"cat"})));
  std::string events = SessionDirectory(state_.path(), "main") + "/events";
  Crash(first.get());
  std::filesystem::remove(events);
  std::filesystem::create_directory(events);
  std::unique_ptr<McpClient> second = Start();
  EXPECT_TRUE(Shows(second->Call("term_list"), "[main] left: "));
  Reply closed =
      second->Call("term_close", {{"session", "main"}, {"force", true}});
  EXPECT_TRUE(Shows(closed, "closed; no process of it was found"));
  EXPECT_TRUE(Shows(second->Call("term_list"), "no sessions"));
}

TEST_F(Adoption, ASessionThatEndedByItselfHasNoOrphans) {
  std::unique_ptr<McpClient> first = Start();
  Open(first.get(), "main", {"true"}, {{"until", {{"state", "exited"}}}});
  ASSERT_TRUE(Eventually(
      Seconds(20), [this] { return LiveHolders(state_.path()).empty(); }));
  Crash(first.get());
  std::unique_ptr<McpClient> second = Start();
  Reply reply = second->Call("term_close", {{"session", "main"}});
  EXPECT_TRUE(Shows(reply, "none of its processes is left")) << reply.text;
}

TEST_F(Adoption, EveryLineThatAKilledHolderHasLoggedIsShown) {
  std::unique_ptr<McpClient> client = Start();
  Open(client.get(), "main", {"seq", "1", "100000000"},
       {{"until", {{"text", "\n1000\n"}}}});
  pid_t holder = 0;
  for (const ProcessRow& row : ProcessesWith(client->mark())) {
    if (row.command.rfind("seq", 0) == 0) holder = row.parent;
  }
  ASSERT_GT(holder, 1);
  // This is as much as may come between two doorbells.
  ASSERT_TRUE(Eventually(Seconds(20), [this] {
    return RawLog(state_.path(), "main").size() > 1'000'000;
  }));
  kill(holder, SIGKILL);
  ASSERT_TRUE(Eventually(Seconds(60), [&] {
    return client->Call("term_list").text.find("lost") != std::string::npos;
  }));
  // The log may end within a line.
  std::string log = RawLog(state_.path(), "main");
  std::string last = Lines(log).back();
  Reply read = client->Call("term_read", {{"session", "main"},
                                          {"mode", "history"},
                                          {"from_line", -2},
                                          {"lines", 2}});
  ASSERT_FALSE(read.body.empty()) << read.text;
  EXPECT_EQ(Lines(read.body).back(), last.substr(0, last.find('\r')))
      << read.text;
}

// A program that draws once and then keeps printing into a part of its screen
// until the log has lost the drawing.
class AdoptionAfterMuchOutput : public Adoption {
 protected:
  std::unique_ptr<McpClient> StartWithSmallLog() {
    ServerOptions options;
    options.state_dir = state_.path();
    options.extra_environment = {"GLASSTTY_GRACE_S=60", "GLASSTTY_LOG_MIB=8"};
    return std::make_unique<McpClient>(options);
  }

  void OpenProgram(McpClient* client) {
    std::string program = folder_.Join("program.sh");
    folder_.Write("program.sh", R"(
printf '\033]2;kept title\007\033[?1049h\033[?1h\033=\033[?2004;1000;1006h'
printf '\033[1;1Hthe header\033[24;1Hthe \033[31mfooter\033[m\033[3;9r\033[4;1H'
head -c 12000000 /dev/zero | tr '\0' . | fold -w 60
stty raw -echo
printf '\033[20;1Hready'
exec cat -v
)");
    ASSERT_TRUE(
        Good(Open(client, "main", {"bash", program},
                  {{"until", {{"text", "ready"}}}, {"timeout_s", 60}})));
  }

  std::vector<std::string> SavedFiles() {
    std::vector<std::string> names;
    for (const std::string& name :
         FileNames(SessionDirectory(state_.path(), "main"))) {
      if (name.rfind("state.", 0) == 0) names.push_back(name);
    }
    return names;
  }
  static std::vector<std::string> FileNames(const std::string& directory) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  TempDir folder_;
};

TEST_F(AdoptionAfterMuchOutput, ScreenModesAndTitleAreThoseOfBefore) {
  std::unique_ptr<McpClient> first = StartWithSmallLog();
  ASSERT_NO_FATAL_FAILURE(OpenProgram(first.get()));
  std::vector<std::string> screen = Screen(first.get(), "main");
  ASSERT_EQ(screen[0], "the header");
  // There are at most as many as segments of the log, and one that is being
  // removed.
  EXPECT_LE(SavedFiles().size(), 6u);
  Crash(first.get());

  std::unique_ptr<McpClient> second = StartWithSmallLog();
  EXPECT_EQ(Join(Screen(second.get(), "main")), Join(screen));
  Reply read =
      second->Call("term_read", {{"session", "main"}, {"mode", "snapshot"}});
  EXPECT_EQ(read.text.find("missing"), std::string::npos) << read.text;
  // Text on the screen is not gone.
  Reply gone = second->Call("term_wait", {{"session", "main"},
                                          {"until", {{"gone", "the header"}}},
                                          {"timeout_s", 0.1}});
  EXPECT_TRUE(Shows(gone, "timeout"));
  Keys(second.get(), "main", "<Up>");
  EXPECT_TRUE(SeesOnScreen(second.get(), "main", "^[OA"));
  second->Call("term_send",
               {{"session", "main"}, {"input", {{{"paste", "a\nb"}}}}});
  EXPECT_TRUE(SeesOnScreen(second.get(), "main", "^[[200~a"));
  second->Call("term_send",
               {{"session", "main"}, {"input", {{{"click", "the header"}}}}});
  EXPECT_TRUE(SeesOnScreen(second.get(), "main", "^[[<0;"));
  // This also applies to a reader of the files: the first byte that is kept has
  // the screen of that time.
  uint64_t kept = ~uint64_t{0};
  for (const std::string& name :
       FileNames(SessionDirectory(state_.path(), "main"))) {
    if (name.rfind("out.", 0) == 0) {
      kept = std::min<uint64_t>(
          kept, std::strtoull(name.substr(4).c_str(), nullptr, 16));
    }
  }
  ASSERT_GT(kept, 0u);
  Reply past =
      second->Call("term_read", {{"session", "main"}, {"at", kept + 7}});
  EXPECT_TRUE(Shows(past, "the header"));
  EXPECT_TRUE(Shows(past, "the footer"));
  EXPECT_EQ(past.text.find("missing"), std::string::npos) << past.text;
  for (const char* command : {"replay", "cast"}) {
    CommandResult result = RunCommand({ServerPath(), command, "main"},
                                      {"GLASSTTY_STATE_DIR=" + state_.path()});
    EXPECT_NE(result.output.find("the header"), std::string::npos) << command;
  }
}

TEST_F(AdoptionAfterMuchOutput,
       WithoutSavedStatesRepliesSayThatPartsAreMissing) {
  std::unique_ptr<McpClient> first = StartWithSmallLog();
  ASSERT_NO_FATAL_FAILURE(OpenProgram(first.get()));
  Crash(first.get());
  std::string directory = SessionDirectory(state_.path(), "main");
  std::vector<std::string> states = SavedFiles();
  ASSERT_FALSE(states.empty());
  for (const std::string& name : states) {
    std::string path = directory;
    path.append("/").append(name);
    std::string bytes = ReadWholeFile(path);
    bytes[bytes.size() / 2] ^= 1;
    std::ofstream(path) << bytes;
  }

  std::unique_ptr<McpClient> second = StartWithSmallLog();
  Reply read =
      second->Call("term_read", {{"session", "main"}, {"mode", "snapshot"}});
  EXPECT_TRUE(Shows(read, "ready"));
  EXPECT_TRUE(Shows(read, "parts of the screen"));
}

}  // namespace
}  // namespace glasstty::testing
