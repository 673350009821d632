// Tests how it is found out from outside what programs wait for, with real
// programs in real states.
#include <gtest/gtest.h>
#include <signal.h>

#include <string>
#include <string_view>
#include <utility>

#include "holder/holder_client.h"

namespace glasstty::holder {
namespace {

enum class Expected { kWaits, kSecret, kBusy, kStopped };

struct Program {
  const char* name;
  const char* command;  // a shell command; `./dev setup` installs its first
                        // word
  const char* type;     // nullptr: nothing
  Expected expected;
};

void PrintTo(const Program& program, std::ostream* out) {
  *out << program.name;
}

constexpr Program kPrograms[] = {
    {"bash", "bash --norc -i", nullptr, Expected::kWaits},
    {"bash runs sleep", "bash --norc -i", "sleep 50\r", Expected::kBusy},
    {"bash read -s", "bash --norc -i", "read -s -p 'Password: ' x\r",
     Expected::kSecret},
    {"bash read -p", "bash --norc -i", "read -p 'Go? ' x\r", Expected::kWaits},
    {"bash after ^Z", "bash --norc -i", "cat\r\x1a", Expected::kWaits},
    {"sh read", "sh -c 'printf name:; read x'", nullptr, Expected::kWaits},
    {"dash", "dash -i", nullptr, Expected::kWaits},
    {"zsh", "zsh -f", nullptr, Expected::kWaits},
    {"loop", "sh -c 'while :; do :; done'", nullptr, Expected::kBusy},
    {"sleep", "sleep 50", nullptr, Expected::kBusy},
    {"cat", "cat", nullptr, Expected::kWaits},
    {"sleep before cat", "sh -c 'sleep 50 | cat'", nullptr, Expected::kBusy},
    {"cat before sleep", "sh -c 'cat | sleep 50'", nullptr, Expected::kWaits},
    {"background reader", "bash --norc -i", "cat & sleep 50\r",
     Expected::kBusy},
    {"python", "/usr/bin/python3 -q", nullptr, Expected::kWaits},
    {"python input", "/usr/bin/python3 -c 'input(\"name? \")'", nullptr,
     Expected::kWaits},
    {"python getpass", "/usr/bin/python3 -c 'import getpass;getpass.getpass()'",
     nullptr, Expected::kSecret},
    {"python sleep", "/usr/bin/python3 -c 'import time;time.sleep(50)'",
     nullptr, Expected::kBusy},
    {"python socket",
     "/usr/bin/python3 -c 'import socket;socket.socketpair()[0].recv(1)'",
     nullptr, Expected::kBusy},
    {"python thread and input",
     "/usr/bin/python3 -c 'import threading,time;threading.Thread("
     "target=time.sleep,args=(99,),daemon=True).start();input()'",
     nullptr, Expected::kWaits},
    {"python polls an epoll descriptor",
     "/usr/bin/python3 -c 'import select;e=select.epoll();"
     "e.register(0,select.EPOLLIN);p=select.poll();"
     "p.register(e,select.POLLIN);p.poll()'",
     nullptr, Expected::kWaits},
    {"python selects an epoll descriptor of a pipe",
     "/usr/bin/python3 -c 'import os,select;e=select.epoll();"
     "e.register(os.pipe()[0],select.EPOLLIN);select.select([e],[],[])'",
     nullptr, Expected::kBusy},
    {"python whose first thread has ended",
     "/usr/bin/python3 -c 'import ctypes,os,threading;"
     "threading.Thread(target=os.read,args=(0,1)).start();"
     "ctypes.CDLL(None).pthread_exit(None)'",
     nullptr, Expected::kWaits},
    {"vim", "vim -u NONE -N x", nullptr, Expected::kWaits},
    {"less", "less /etc/passwd", nullptr, Expected::kWaits},
    {"htop", "htop", nullptr, Expected::kWaits},
    {"top", "top", nullptr, Expected::kWaits},
    {"gdb", "gdb -q", nullptr, Expected::kWaits},
    {"node", "node", nullptr, Expected::kWaits},
    {"node timer", "node -e 'setTimeout(()=>{},90000)'", nullptr,
     Expected::kBusy},
    {"script cat", "script -q /dev/null -c cat", nullptr, Expected::kWaits},
    {"script sleep", "script -q /dev/null -c 'sleep 50'", nullptr,
     Expected::kBusy},
    {"ssh-keygen", "ssh-keygen -t ed25519 -f /tmp/no-such-folder/key", nullptr,
     Expected::kSecret},
    {"stopped", "sh -c 'kill -STOP $$'", nullptr, Expected::kStopped},
};

bool Waits(const wire::ProbeAnswer& a) {
  return a.waiting >= wire::Waiting::kPollTimeout;
}

bool IsAsExpected(const wire::ProbeAnswer& a, Expected expected) {
  bool hidden = a.canonical && !a.echo;
  switch (expected) {
    case Expected::kWaits:
      return Waits(a) && !hidden;
    case Expected::kSecret:
      return Waits(a) && hidden;
    case Expected::kBusy:
      return a.waiting == wire::Waiting::kRunning ||
             a.waiting == wire::Waiting::kSleepOther;
    case Expected::kStopped:
      return a.waiting == wire::Waiting::kStopped;
  }
  return false;
}

class Foreground : public ::testing::TestWithParam<Program> {};

TEST_P(Foreground, IsSeenAsItIs) {
  const Program& program = GetParam();
  wire::LaunchSpec spec = ShellSpec(std::string("exec ") + program.command);
  spec.cwd = "/tmp";
  StartedHolder client(spec);
  if (program.type != nullptr) {
    // Shells that flush would lose it if it were typed ahead.
    ASSERT_TRUE(client.AwaitProbe(Waits));
    client.Write(1, program.type);
    ASSERT_TRUE(client.Await<wire::Consumed>());
  }
  auto expected = [&](const wire::ProbeAnswer& a) {
    return IsAsExpected(a, program.expected);
  };
  ASSERT_TRUE(client.AwaitProbe(expected, std::chrono::seconds(10)));
  auto answer = client.ProbeOnce();
  ASSERT_TRUE(answer);
  EXPECT_TRUE(IsAsExpected(*answer, program.expected))
      << "waiting " << int{static_cast<uint8_t>(answer->waiting)} << " in "
      << answer->name;
}

INSTANTIATE_TEST_SUITE_P(All, Foreground, ::testing::ValuesIn(kPrograms));

// script polls its terminal before its program has started.
TEST(Relay, WaitsForNothingBeforeItsProgramDoes) {
  for (int i = 0; i < 20; ++i) {
    StartedHolder client(ShellSpec("exec script -q /dev/null -c 'exec cat'"));
    auto answer = client.AwaitProbe(Waits);
    ASSERT_TRUE(answer);
    EXPECT_STREQ(answer->name, "cat");
  }
}

// Its first terminal has the number of another one outside.
TEST(Relay, OfASandboxHasTerminalsOfItsOwn) {
  constexpr char kSandbox[] =
      "unshare -m sh -c 'mount -t devpts -o newinstance,ptmxmode=666 x "
      "/dev/pts "
      "&& mount --bind /dev/pts/ptmx /dev/ptmx && exec ";
  StartedHolder probe(ShellSpec(std::string("exec ") + kSandbox + "echo may'"));
  if (!probe.AwaitText("may"))
    GTEST_SKIP() << "this user may not make a mount namespace";
  for (const char* command :
       {"stty -echo; printf ready:; read x", "printf ready:; read x"}) {
    StartedHolder client(
        ShellSpec(std::string("exec ") + kSandbox +
                  "script -q /dev/null -c \"" + command + "\"'"),
        "ready:");
    auto answer = client.AwaitProbe(Waits);
    ASSERT_TRUE(answer);
    Expected expected =
        command[0] == 's' ? Expected::kSecret : Expected::kWaits;
    EXPECT_TRUE(IsAsExpected(*answer, expected)) << command;
  }
}

// The session's own terminal is raw then, and proves nothing.
TEST(Relay, ShowsTheModeOfTheTerminalInside) {
  StartedHolder client(
      ShellSpec(
          "exec script -q /dev/null -c 'stty -echo; printf Password:; read x'"),
      "Password:");
  auto answer = client.AwaitProbe(Waits);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(IsAsExpected(*answer, Expected::kSecret));
}

class WaitingCall : public ::testing::TestWithParam<const char*> {};

TEST_P(WaitingCall, IsTheSameAfterStopAndContinue) {
  StartedHolder client(ActorSpec({"wait", GetParam()}), "ready");
  wire::Waiting wanted =
      std::string(GetParam()) == "poll-limit"    ? wire::Waiting::kPollTimeout
      : std::string(GetParam()) == "poll-output" ? wire::Waiting::kSleepOther
                                                 : wire::Waiting::kPoll;
  auto is = [&](wire::Waiting w) {
    return [w](const wire::ProbeAnswer& a) { return a.waiting == w; };
  };
  auto answer = client.AwaitProbe(is(wanted), std::chrono::seconds(5));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->waiting, wanted);
  kill(client.leader(), SIGSTOP);
  answer =
      client.AwaitProbe(is(wire::Waiting::kStopped), std::chrono::seconds(5));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->waiting, wire::Waiting::kStopped);
  kill(client.leader(), SIGCONT);
  answer = client.AwaitProbe(is(wanted), std::chrono::seconds(5));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->waiting, wanted);
}

INSTANTIATE_TEST_SUITE_P(All, WaitingCall,
                         ::testing::Values("poll", "poll-limit", "select",
                                           "poll-output"));

struct RingCase {
  const char* waits_for;
  wire::Waiting expected;
};

TEST(WaitingCall, OfARingIsSeenAsItIs) {
  constexpr RingCase kCases[] = {{"read", wire::Waiting::kRead},
                                 {"poll", wire::Waiting::kPoll},
                                 {"pipe", wire::Waiting::kSleepOther}};
  for (const RingCase& c : kCases) {
    StartedHolder client(ActorSpec({"ring", c.waits_for}), "re");
    if (client.AwaitText("refused", std::chrono::milliseconds(0))) {
      GTEST_SKIP() << "io_uring is not allowed here";
    }
    auto answer = client.AwaitProbe(
        [&](const wire::ProbeAnswer& a) { return a.waiting == c.expected; });
    ASSERT_TRUE(answer) << c.waits_for;
    EXPECT_EQ(answer->waiting, c.expected) << c.waits_for;
  }
}

struct NearEndCase {
  std::vector<std::string> play;
  bool is_near_end;
};

// Serial lines, and other machines.
TEST(NearEnd, IsAProgramThatHasALineOrAConnection) {
  const NearEndCase cases[] = {{{"line"}, true},
                               {{"connection", "other"}, true},
                               {{"connection", "own"}, false},
                               {{"wait", "poll"}, false}};
  for (const NearEndCase& c : cases) {
    StartedHolder client(ActorSpec(c.play), "ready");
    auto answer = client.AwaitProbe(Waits);
    ASSERT_TRUE(answer) << c.play.back();
    EXPECT_EQ(answer->near_end != 0, c.is_near_end) << c.play.back();
  }
}

// A program in read() with unread input is about to run, and does not wait.
TEST(Verdict, IsNotSettledWhileInputIsUnread) {
  StartedHolder client(ActorSpec({"gate"}), "ready");
  client.Write(1, "xy");
  for (int i = 0; i < 200; ++i) {
    auto answer = client.ProbeOnce();
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->settled);
    EXPECT_EQ(answer->unread, 2);
  }
}

TEST(Verdict, IsNeverWaitingBetweenAWriteAndItsEcho) {
  StartedHolder client(ActorSpec({"echo"}), "ready");
  for (uint64_t serial = 1; serial <= 500; ++serial) {
    uint64_t before = client.LogEnd();
    client.Write(serial, "abc");
    auto answer = client.ProbeOnce();
    ASSERT_TRUE(answer);
    // A settled "waits" must come when the echo is already in the log.
    if (answer->settled && answer->waiting == wire::Waiting::kRead) {
      EXPECT_GE(answer->offset, before + 3);
    }
    ASSERT_TRUE(
        client.AwaitUntil([&] { return client.LogEnd() >= before + 3; }));
  }
}

TEST(Verdict, TellsBehindWhatTheForegroundStands) {
  StartedHolder client(ShellSpec("exec bash --norc -i"));
  ASSERT_TRUE(client.AwaitProbe(Waits));
  // dash creates no group for the programs that it runs.
  client.Write(1, "dash -c 'cat; :'\r");
  auto answer = client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead && std::string(a.name) == "cat";
  });
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->lineage[0], answer->foreground_pgrp);
  EXPECT_NE(answer->lineage[0], client.leader());
  EXPECT_EQ(answer->lineage[1], client.leader());
  EXPECT_EQ(answer->lineage[2], 0);
}

// Programs that gpg-agent starts, and sandboxes, are in other sessions.
TEST(Outside, AReaderInAnotherSessionWaits) {
  for (auto [mode, expected] : {std::pair{"", Expected::kWaits},
                                std::pair{"stty -echo;", Expected::kSecret}}) {
    StartedHolder client(ShellSpec(std::string("exec setsid -w sh -c '") +
                                   mode + "printf ready:; read x; :'"),
                         "ready:");
    auto answer = client.AwaitProbe(Waits);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(IsAsExpected(*answer, expected)) << mode;
    EXPECT_STREQ(answer->name, "sh");
    EXPECT_EQ(answer->outside_pid, answer->foreground_pid);
  }
}

TEST(Outside, AReaderBesideAShellIsNamed) {
  StartedHolder client(ShellSpec("exec bash --norc -i"));
  ASSERT_TRUE(client.AwaitProbe(Waits));
  client.Write(1, "(setsid head -n 1 <&0 &)\r");
  auto answer = client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return Waits(a) && a.outside_pid != 0 && std::string(a.name) == "bash";
  });
  ASSERT_TRUE(answer);
  EXPECT_STREQ(answer->outside_name, "head");
  EXPECT_NE(answer->outside_pid, answer->foreground_pid);
}

TEST(Outside, AJobOfTheSameTerminalIsNoReader) {
  StartedHolder client(ShellSpec("exec bash --norc -i"));
  ASSERT_TRUE(client.AwaitProbe(Waits));
  client.Write(1, "cat & echo started\r");
  ASSERT_TRUE(client.AwaitText("started\r\n"));
  auto answer = client.AwaitProbe(Waits);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->outside_pid, 0);
}

// timeout(1) makes a group of its own, which is in the background of a script.
TEST(Outside, AProcessThatWantsTheTerminalInTheBackgroundIsNamed) {
  for (const char* reader : {"cat", "head -n 1", "stty -echo"}) {
    StartedHolder client(
        ShellSpec(std::string("true; timeout 50 ") + reader + "; true"));
    auto answer = client.AwaitProbe(
        [](const wire::ProbeAnswer& a) { return a.stopped_pid != 0; });
    ASSERT_TRUE(answer) << reader;
    EXPECT_EQ(std::string_view(reader).find(answer->stopped_name), 0u);
    EXPECT_EQ(answer->waiting, wire::Waiting::kSleepOther);
  }
}

TEST(Outside, AKeyThatIsNoSignalIsKnown) {
  for (auto [mode, is_letter] :
       {std::pair{"stty -isig", true}, std::pair{"stty isig", false}}) {
    StartedHolder client(
        ShellSpec(std::string(mode) + "; printf ready:; read x"), "ready:");
    auto answer = client.AwaitProbe(Waits);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->no_signals != 0, is_letter) << mode;
  }
}

TEST(Verdict, IsGoneAfterTheEnd) {
  StartedHolder client(ShellSpec("trap '' HUP; setsid sleep 100 & exit 0"));
  ASSERT_TRUE(client.Await<wire::Exit>());
  auto answer = client.ProbeOnce();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->waiting, wire::Waiting::kGone);
  EXPECT_EQ(answer->foreground_pgrp, 0);
}

}  // namespace
}  // namespace glasstty::holder
