// Tests how a program starts: what it inherits, and what is reported if it
// cannot.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "base/fd.h"
#include "holder/holder_client.h"
#include "holder/spawn.h"

namespace glasstty::holder {
namespace {

struct Failure {
  wire::StartStage stage{};
  int error = 0;
};

// Launches something that must fail; checks that nothing is left.
Failure FailureOf(const wire::LaunchSpec& spec) {
  HolderClient client(spec);
  EXPECT_TRUE(client.ok());
  EXPECT_FALSE(client.Greet());
  EXPECT_EQ(client.leader(), 0);
  EXPECT_TRUE(client.AwaitDeath());
  EXPECT_FALSE(client.dir().Has("ctl"));
  return {};
}

// Like FailureOf, and returns what the holder reported.
Failure Fails(const wire::LaunchSpec& spec) {
  HolderClient client(spec);
  client.Send(wire::Hello{wire::kWireVersion, wire::kWireVersion});
  auto started = client.Await<wire::Started>();
  if (!started) {
    ADD_FAILURE() << "nothing was said";
    return {};
  }
  EXPECT_EQ(started->pid, 0u);
  EXPECT_TRUE(client.AwaitDeath());
  EXPECT_FALSE(client.dir().Has("ctl"));
  return {started->stage, started->error};
}

void ExpectFailure(const wire::LaunchSpec& spec, wire::StartStage stage,
                   int error) {
  Failure failure = Fails(spec);
  EXPECT_EQ(failure.stage, stage);
  EXPECT_EQ(failure.error, error) << strerror(failure.error);
}

std::string StateOf(HolderClient* client) {
  EXPECT_TRUE(client->Greet());
  EXPECT_TRUE(client->AwaitText("end=1"));
  std::string text = client->Log();
  std::erase(text, '\r');
  return "\n" + text;
}

TEST(Start, SaysThatAProgramIsMissing) {
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {"no-such-program-771"};
  ExpectFailure(spec, wire::StartStage::kExec, ENOENT);
  spec.argv = {"/no/such/program"};
  ExpectFailure(spec, wire::StartStage::kExec, ENOENT);
  FailureOf(spec);
}

TEST(Start, SaysThatADirectoryIsMissing) {
  wire::LaunchSpec spec = ShellSpec("exit");
  spec.cwd = "/no/such/directory";
  ExpectFailure(spec, wire::StartStage::kDirectory, ENOENT);
  spec.cwd = "/dev/null";
  ExpectFailure(spec, wire::StartStage::kDirectory, ENOTDIR);
}

TEST(Start, SaysThatAFileIsNoProgram) {
  SessionDir place;
  std::ofstream(place.File("plain")) << "text\n";
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {place.File("plain")};
  ExpectFailure(spec, wire::StartStage::kExec, EACCES);
  spec.argv = {place.path()};
  ExpectFailure(spec, wire::StartStage::kExec, EACCES);
}

TEST(Start, SaysThatAnOrdinaryUserMayNot) {
  SessionDir place;
  std::ofstream(place.File("secret")) << "#!/bin/sh\n";
  chmod(place.File("secret").c_str(), 0700);
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {place.File("secret")};
  wire::LaunchSpec in_root = ShellSpec("exit");
  in_root.cwd = place.path();
  if (geteuid() != 0) GTEST_SKIP() << "needs a user that may not";
  EXPECT_TRUE(RunAsOrdinaryUser([&] {
    ExpectFailure(spec, wire::StartStage::kExec, EACCES);
    ExpectFailure(in_root, wire::StartStage::kDirectory, EACCES);
  }));
}

TEST(Start, SaysThatNoProcessIsToBeHad) {
  if (geteuid() != 0) GTEST_SKIP() << "needs a user without processes";
  EXPECT_TRUE(RunAsOrdinaryUser([] {
    // There is room for the holder and its clone, but not for a program.
    std::string path;
    UniqueFd executable = wire::OpenHolderExecutable(&path);
    rlimit few{1, 1};
    SessionDir dir;
    setrlimit(RLIMIT_NPROC, &few);
    EXPECT_FALSE(
        wire::LaunchHolder(executable.get(), dir.fd(), ShellSpec("exit"))
            .valid());
    EXPECT_EQ(errno, EAGAIN);
    EXPECT_TRUE(wire::HolderIsDead(dir.fd()));
  }));
}

TEST(Start, SaysThatTheLogCannotBeWritten) {
  std::string path;
  UniqueFd executable = wire::OpenHolderExecutable(&path);
  SessionDir dir;
  std::ofstream(dir.File(wire::SegmentName("out", 0))) << "there already";
  UniqueFd control =
      wire::LaunchHolder(executable.get(), dir.fd(), ShellSpec("exit"));
  ASSERT_TRUE(control.valid());
  wire::SendMessage(control.get(), wire::Hello{});
  ASSERT_TRUE(Eventually([&] { return wire::HolderIsDead(dir.fd()); }));
  char buffer[8192];
  wire::Packet packet;
  ASSERT_EQ(wire::ReceivePacket(control.get(), buffer, sizeof buffer, &packet),
            wire::Receive::kPacket);
  ASSERT_EQ(wire::ReceivePacket(control.get(), buffer, sizeof buffer, &packet),
            wire::Receive::kPacket);
  EXPECT_EQ(wire::DecodeAs<wire::Started>(packet),
            (wire::Started{0, wire::StartStage::kLog, EEXIST}));
}

TEST(Start, RefusesADirectoryThatOthersMayEnter) {
  std::string path;
  UniqueFd executable = wire::OpenHolderExecutable(&path);
  SessionDir dir;
  chmod(dir.path().c_str(), 0755);
  UniqueFd control =
      wire::LaunchHolder(executable.get(), dir.fd(), ShellSpec("exit"));
  ASSERT_TRUE(control.valid());
  EXPECT_TRUE(Eventually([&] { return wire::HolderIsDead(dir.fd()); }));
}

TEST(Start, SearchesThePathOfTheProgramsEnvironment) {
  SessionDir place;
  std::ofstream(place.File("glass-771")) << "#!/bin/sh\necho found \"$@\"\n";
  chmod(place.File("glass-771").c_str(), 0755);
  wire::LaunchSpec spec;
  spec.argv = {"glass-771", "it"};
  spec.environment = {"PATH=/no/such:/etc/passwd:" + place.path()};
  StartedHolder client(spec);
  EXPECT_TRUE(client.AwaitText("found it"));
}

TEST(Start, RunsAScriptWithoutAFirstLineByTheShell) {
  SessionDir place;
  std::ofstream(place.File("bare")) << "echo run by shell $1\n";
  chmod(place.File("bare").c_str(), 0755);
  wire::LaunchSpec spec = ActorSpec({});
  spec.argv = {place.File("bare"), "too"};
  StartedHolder client(spec);
  EXPECT_TRUE(client.AwaitText("run by shell too"));
}

TEST(Start, GivesACleanStateWhateverTheServerDidToItself) {
  // Sets ignored and blocked signals, a low core limit, descriptors, a umask.
  signal(SIGINT, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  sigset_t usr1, before;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigprocmask(SIG_BLOCK, &usr1, &before);
  UniqueFd stray(open("/dev/null", O_RDONLY));  // no O_CLOEXEC
  mode_t umask_before = umask(027);
  wire::LaunchSpec spec = ActorSpec({"state"});
  spec.rows = 33;
  spec.cols = 77;
  spec.cwd = "/usr";
  HolderClient client(spec);
  signal(SIGINT, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  umask(umask_before);

  std::string state = StateOf(&client);
  auto has = [&](const char* line) {
    return state.find("\n" + std::string(line) + "\n") != std::string::npos;
  };
  EXPECT_EQ(state.find("\nfd=0\nfd=1\nfd=2\nsession_leader"), 0u) << state;
  EXPECT_TRUE(has("session_leader=1"));
  EXPECT_TRUE(has("group_leader=1"));
  EXPECT_TRUE(has("foreground=1"));
  EXPECT_TRUE(has("tty=1"));
  EXPECT_TRUE(has("dumpable=1"));
  EXPECT_TRUE(has("rows=33"));
  EXPECT_TRUE(has("cols=77"));
  EXPECT_TRUE(has("core=0"));
  EXPECT_TRUE(has("umask=027"));
  EXPECT_TRUE(has("cwd=/usr"));
  EXPECT_TRUE(has("term=xterm-256color"));
  EXPECT_TRUE(has("oom=200")) << state;
}

TEST(Start, StartsInTheServersDirectoryWhenNoneIsNamed) {
  HolderClient client(ActorSpec({"state"}));
  char here[4096];
  ASSERT_NE(getcwd(here, sizeof here), nullptr);
  EXPECT_NE(StateOf(&client).find("cwd=" + std::string(here) + "\n"),
            std::string::npos);
}

TEST(Start, GivesAnOrdinaryUserTheSame) {
  if (geteuid() != 0) GTEST_SKIP() << "is one already";
  EXPECT_TRUE(RunAsOrdinaryUser([] {
    wire::LaunchSpec spec =
        ShellSpec("cat /proc/self/oom_score_adj; echo end=1; cat");
    HolderClient client(spec);
    EXPECT_NE(StateOf(&client).find("\n200\n"), std::string::npos);
    EXPECT_TRUE(
        client.AwaitProbe([](const wire::ProbeAnswer&) { return true; }));
    client.Send(wire::Kill{});
    EXPECT_TRUE(client.AwaitDeath());
  }));
}

TEST(Start, KeepsItsFilesPrivateWhateverTheUmask) {
  for (mode_t mask : {0, 0777}) {
    mode_t before = umask(mask);
    HolderClient client(ShellSpec("echo x; cat"));
    umask(before);
    ASSERT_TRUE(client.Greet());
    ASSERT_TRUE(client.AwaitText("x"));
    for (const std::string& name :
         {std::string("events"), std::string("lock"), std::string("ctl"),
          wire::SegmentName("out", 0)}) {
      struct stat info;
      ASSERT_EQ(stat(client.dir().File(name).c_str(), &info), 0) << name;
      // A mask of 0777 may remove the other bits; a file stays usable by its
      // owner's open descriptors.
      EXPECT_EQ(info.st_mode & 0177, 0u) << name;
    }
  }
}

// A directory can be opened but not read, like a pipe that fails.
TEST(Start, AChildOfWhichNothingCanBeHeardIsKilled) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    setsid();
    for (;;) pause();
  }
  UniqueFd unreadable(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  SpawnResult result = AwaitExec(unreadable.get(), child);
  EXPECT_EQ(result.pid, 0);
  EXPECT_EQ(result.error, EISDIR);
  EXPECT_EQ(kill(child, 0), -1);
}

}  // namespace
}  // namespace glasstty::holder
