#include "session/state.h"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

namespace glasstty::session {

using record::ShellPhase;

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Probed {
  wire::Waiting waiting;
  bool canonical;
  bool echo;
  const char* name;
  Duration quiet;
  const char* state;
};

TEST(State, IsJudgedByWhatTheKernelShows) {
  constexpr Duration kNow{}, kLong = seconds(1);
  constexpr Duration kShort = milliseconds(499), kEnough = milliseconds(500);
  const Probed cases[] = {
      // A shell that edits its line (raw) is at its prompt.
      {wire::Waiting::kRead, false, false, "bash", kNow, "prompt(kernel)"},
      {wire::Waiting::kPoll, false, false, "zsh", kNow, "prompt(kernel)"},
      // A shell that reads lines runs `read`, unless it never edits.
      {wire::Waiting::kRead, true, true, "bash", kNow, "input"},
      {wire::Waiting::kRead, true, true, "dash", kNow, "prompt(kernel)"},
      {wire::Waiting::kRead, true, true, "cat", kNow, "input"},
      {wire::Waiting::kPollTimeout, false, false, "vim", kNow, "input"},
      {wire::Waiting::kRead, true, false, "sudo", kNow, "secret"},
      {wire::Waiting::kRunning, true, true, "cc1plus", kLong, "busy(kernel)"},
      {wire::Waiting::kSleepOther, true, true, "sleep", kLong, "busy(kernel)"},
      {wire::Waiting::kStopped, true, true, "vim", kLong, "busy(kernel)"},
      // Asleep on something else, but in raw mode: a client of a server that
      // does the reading.
      {wire::Waiting::kSleepOther, false, false, "tmux: client", kLong,
       "input(guess)"},
      {wire::Waiting::kSleepOther, false, false, "tmux: client", kNow,
       "busy(guess)"},
      // It leaves the line, or the echo, to the kernel: nobody reads keys.
      {wire::Waiting::kSleepOther, true, false, "tmux: client", kLong,
       "busy(kernel)"},
      {wire::Waiting::kSleepOther, false, true, "tmux: client", kLong,
       "busy(kernel)"},
      // Between two programs.
      {wire::Waiting::kGone, true, true, "make", kLong, "busy(guess)"},
      // May not be looked into.
      {wire::Waiting::kOpaque, true, false, "su", kLong, "secret(guess)"},
      {wire::Waiting::kOpaque, true, true, "su", kLong, "input(guess)"},
      {wire::Waiting::kOpaque, true, true, "su", kNow, "busy(guess)"},
      {wire::Waiting::kOpaque, true, true, "su", kShort, "busy(guess)"},
      {wire::Waiting::kOpaque, true, true, "su", kEnough, "input(guess)"},
      // Nobody can see what the program at the far end waits for.
      {wire::Waiting::kPoll, false, false, "ssh", kLong, "input(guess)"},
      {wire::Waiting::kPoll, false, false, "ssh", kNow, "busy(guess)"},
      // Questions of its own, which it reads as lines.
      {wire::Waiting::kRead, true, false, "ssh", kNow, "secret"},
      {wire::Waiting::kRead, true, true, "ssh", kNow, "input"},
      // Without a terminal on the other side, it passes lines on.
      {wire::Waiting::kPoll, true, true, "ssh", kLong, "input(guess)"},
      {wire::Waiting::kRead, true, true, "nc", kLong, "input(guess)"},
      {wire::Waiting::kRead, true, true, "docker", kNow, "busy(guess)"},
      {wire::Waiting::kPoll, false, false, "qemu-system-x86", kNow,
       "busy(guess)"},
  };
  for (const Probed& c : cases) {
    wire::ProbeAnswer answer;
    answer.waiting = c.waiting;
    answer.canonical = c.canonical;
    answer.echo = c.echo;
    answer.settled = 1;
    answer.unread = 0;
    std::strncpy(answer.name, c.name, sizeof answer.name - 1);
    SessionState state = JudgeProbe(answer, c.quiet);
    EXPECT_EQ(StateText(state), c.state) << c.name;
    EXPECT_EQ(state.program, c.name);
  }
}

// tio, cu and minicom; socat with a serial line or another machine.
TEST(State, ANearEndThatHasNoKnownNameIsJudgedByItsLine) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kPoll;
  answer.settled = answer.near_end = 1;
  answer.unread = 0;
  std::strcpy(answer.name, "tio");
  EXPECT_EQ(StateText(JudgeProbe(answer, {})), "busy(guess)");
  EXPECT_EQ(StateText(JudgeProbe(answer, seconds(1))), "input(guess)");
  EXPECT_EQ(StateText(JudgeProbe(answer, seconds(1), {}, "root@board:~# ")),
            "prompt(guess)");
  // It leaves lines to the kernel, so it does not only pass on keys.
  answer.canonical = answer.echo = 1;
  EXPECT_EQ(StateText(JudgeProbe(answer, {})), "input");
  // A shell reads its own commands, whatever else it has open.
  answer.canonical = answer.echo = 0;
  std::strcpy(answer.name, "bash");
  EXPECT_EQ(StateText(JudgeProbe(answer, {})), "prompt(kernel)");
}

struct Marked {
  ShellView shell;
  bool is_leader;
  const char* state;
};

TEST(State, TheShellsOwnMarksKnowBetterWhatItReadsFor) {
  const Marked cases[] = {
      {{ShellPhase::kNone}, true, "prompt(kernel)"},
      {{ShellPhase::kReady}, true, "prompt"},
      {{ShellPhase::kContinuation}, true, "input"},
      // `read -e`, or a prompt that has lost its marks.
      {{ShellPhase::kRunning, true}, true, "input"},
      {{ShellPhase::kRunning}, true, "prompt(kernel)"},
      // A shell in the shell marks nothing.
      {{ShellPhase::kRunning}, false, "prompt(kernel)"},
      {{ShellPhase::kRunning, true}, false, "prompt(kernel)"},
      {{ShellPhase::kReady}, false, "prompt(kernel)"},
      {{ShellPhase::kDone}, true, "prompt(kernel)"},
  };
  for (const Marked& c : cases) {
    wire::ProbeAnswer answer;
    answer.waiting = wire::Waiting::kRead;
    answer.settled = 1;
    answer.leader_pid = 10;
    answer.foreground_pid = c.is_leader ? 10 : 11;
    std::strncpy(answer.name, "bash", sizeof answer.name - 1);
    EXPECT_EQ(StateText(JudgeProbe(answer, {}, c.shell)), c.state)
        << static_cast<int>(c.shell.phase);
  }
}

// `read -s` in a hook or a key binding of the shell.
TEST(State, AShellThatAsksForASecretIsNotAtAPromptWhateverItMarked) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kRead;
  answer.canonical = answer.settled = 1;
  answer.leader_pid = answer.foreground_pid = 10;
  std::strcpy(answer.name, "bash");
  for (ShellPhase phase :
       {ShellPhase::kReady, ShellPhase::kContinuation, ShellPhase::kRunning}) {
    SessionState state = JudgeProbe(answer, {}, {phase, true});
    EXPECT_EQ(StateText(state), "secret") << static_cast<int>(phase);
    EXPECT_EQ(state.evidence, Evidence::kKernel);
  }
}

// Holders may be newer than their server.
TEST(State, AWaitOfAnUnknownKindIsBusy) {
  wire::ProbeAnswer answer;
  answer.waiting = static_cast<wire::Waiting>(99);
  std::strcpy(answer.name, "make");
  SessionState state = JudgeProbe(answer, seconds(9));
  EXPECT_EQ(StateText(state), "busy(kernel)");
  EXPECT_EQ(state.program, "make");
}

TEST(State, TheNameOfAProgramHasNoControls) {
  wire::ProbeAnswer answer;
  std::strcpy(answer.name, "x\n[main]\x1b[m");
  EXPECT_EQ(JudgeProbe(answer, seconds(9)).program, R"(x\n[main]\e[m)");
}

TEST(State, NamesCommandsThatMayReadLines) {
  EXPECT_TRUE(MayReadLines("read -e x"));
  EXPECT_TRUE(MayReadLines("for x in 1; do vared y; done"));
  EXPECT_FALSE(MayReadLines("exec bash"));
}

TEST(State, FarAwayAPromptIsKnownByItsLooks) {
  struct Far {
    wire::Waiting waiting;
    const char* name;
  };
  for (const Far& far : {Far{wire::Waiting::kPoll, "ssh"},
                         // `sudo -i`, of another user.
                         Far{wire::Waiting::kOpaque, "sudo"},
                         // It shares the connection of another ssh.
                         Far{wire::Waiting::kSleepOther, "ssh"},
                         Far{wire::Waiting::kSleepOther, "screen"}}) {
    SCOPED_TRACE(far.name);
    wire::ProbeAnswer answer;
    answer.waiting = far.waiting;
    answer.settled = 1;
    answer.unread = 0;
    std::strncpy(answer.name, far.name, sizeof answer.name - 1);
    auto judged = [&](Duration quiet, bool run_ended, const char* line) {
      ShellView shell;
      shell.run_ended = run_ended;
      return StateText(JudgeProbe(answer, quiet, shell, line));
    };
    EXPECT_EQ(judged(seconds(1), false, "root@far:~# "), "prompt(guess)");
    EXPECT_EQ(judged(seconds(1), false, "Continue? "), "input(guess)");
    EXPECT_EQ(judged({}, false, "root@far:~# "), "busy(guess)");
    EXPECT_EQ(judged({}, true, "root@far:~# "), "prompt(guess)");
    EXPECT_EQ(judged({}, true, "Continue? "), "busy(guess)");
  }
}

// A program of another user that reads lines asks for one, whatever its
// question ends with.
TEST(State, ALineThatAnUnseenProgramReadsIsNoPrompt) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kOpaque;
  answer.canonical = answer.echo = answer.settled = 1;
  answer.unread = 0;
  std::strcpy(answer.name, "sudo");
  EXPECT_EQ(StateText(JudgeProbe(answer, seconds(1), {}, "Price in $ ")),
            "input(guess)");
}

// `read` in a script and at a prompt are the same call.
TEST(State, OfAShellWithoutJobControlIsNoPrompt) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kRead;
  answer.canonical = answer.echo = answer.settled = 1;
  std::strcpy(answer.name, "sh");
  EXPECT_EQ(StateText(JudgeProbe(answer, {})), "prompt(kernel)");
  answer.no_job_control = 1;
  EXPECT_EQ(StateText(JudgeProbe(answer, {})), "input");
}

// Its prompt and a script's `read -e` are the same call.
TEST(State, OfAShellInAnotherSessionIsAPromptIfItLooksSo) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kRead;
  answer.settled = answer.no_job_control = 1;
  answer.foreground_pid = answer.outside_pid = 7;
  std::strcpy(answer.name, "bash");
  EXPECT_EQ(StateText(JudgeProbe(answer, {}, {}, "bash-5.2$ ")),
            "prompt(guess)");
  EXPECT_EQ(StateText(JudgeProbe(answer, {}, {}, "Name: ")), "input");
  answer.outside_pid = 8;
  EXPECT_EQ(StateText(JudgeProbe(answer, {}, {}, "bash-5.2$ ")), "input");
}

// unbuffer(1) switches off the echo of the terminal that it makes.
TEST(State, OfATerminalInsideWithoutEchoIsNoSecretBeforeAQuestion) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kRead;
  answer.settled = answer.canonical = answer.is_inner = 1;
  std::strcpy(answer.name, "cat");
  EXPECT_EQ(StateText(JudgeProbe(answer, {}, {}, " ")), "input");
  EXPECT_EQ(StateText(JudgeProbe(answer, {}, {}, "Password: ")), "secret");
  answer.is_inner = 0;
  EXPECT_EQ(StateText(JudgeProbe(answer, {}, {}, "")), "secret");
}

// Raw mode alone is no sign of waiting: watch and curses programs sleep in it.
TEST(State, InRawModeIsNoInputWhenNobodyElseCanRead) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kSleepOther;
  answer.settled = answer.no_peer = 1;
  answer.unread = 0;
  std::strcpy(answer.name, "watch");
  EXPECT_EQ(StateText(JudgeProbe(answer, seconds(9))), "busy(kernel)");
  // Sleeps until a signal comes; its server reads the terminal.
  std::strcpy(answer.name, "screen");
  EXPECT_EQ(StateText(JudgeProbe(answer, seconds(9))), "input(guess)");
}

TEST(State, UnsettledWaitingIsBusy) {
  wire::ProbeAnswer answer;
  answer.waiting = wire::Waiting::kRead;
  answer.canonical = answer.echo = 1;
  EXPECT_EQ(StateText(JudgeProbe(answer, {})), "busy(kernel)");
}

TEST(State, WithoutAnyProbeItIsAGuess) {
  EXPECT_EQ(StateText(JudgeQuiet(milliseconds(499))), "busy(guess)");
  EXPECT_EQ(StateText(JudgeQuiet(milliseconds(500))), "input(guess)");
}

TEST(State, SaysExitStatusAndSignalByName) {
  EXPECT_EQ(ExitText(0), "0");
  EXPECT_EQ(ExitText(255 << 8), "255");
  EXPECT_EQ(ExitText(SIGSEGV), "signal=SEGV");
  EXPECT_EQ(ExitText(SIGABRT | 0x80), "signal=ABRT (core)");
  EXPECT_EQ(ExitText(SIGRTMIN), "signal=" + std::to_string(SIGRTMIN));
}

TEST(State, AWordNamesOneActivity) {
  for (Activity activity :
       {Activity::kPrompt, Activity::kInput, Activity::kSecret, Activity::kBusy,
        Activity::kExited}) {
    EXPECT_EQ(ActivityByName(ActivityName(activity)), activity);
  }
  EXPECT_EQ(ActivityName(Activity::kSecret), "secret");
  EXPECT_EQ(ActivityByName("idle"), std::nullopt);
}

TEST(Prompt, IsRecognisedByItsLook) {
  for (const char* line :
       {"me@host:~$ ", "root@host:/# ", "host% ", "➜  ~ ", "➜  src git:(main) ",
        "me@host ~> ", "me@host ~/src> ", "root@host /etc# ", "[N] me@host ~> ",
        "(venv) me@host ~> ", "~/src main ❯ ", "❯ ", "λ ", "╰─➤ ",
        " me  ~ \uE0B0 ", "~ » "}) {
    EXPECT_TRUE(LooksLikePrompt(line)) << line;
    EXPECT_TRUE(MayBePrompt(line)) << line;
  }
  for (const char* line : {"box ~/src (main) ", "me@box ", "[me@box src] ~ ",
                           "~ on main >> ", "[12:30] ~: ", "╰─ ", "└─ "}) {
    EXPECT_FALSE(LooksLikePrompt(line)) << line;
    EXPECT_TRUE(MayBePrompt(line)) << line;
  }
  EXPECT_TRUE(MayBePrompt("> ", "~/src on main"));
  // The shell asks for the rest of a command there.
  EXPECT_FALSE(MayBePrompt("> ", "me@host ~ $ echo 'a"));
}

TEST(Prompt, OfAProgramWithCommandsOfItsOwnIsNone) {
  for (const char* line : {"",
                           "   ",
                           ">>> ",
                           "... ",
                           "> ",
                           "PS C:\\> ",
                           "PS C:\\Users\\me@x> ",
                           "PS /home/me> ",
                           "mysql> ",
                           "MariaDB [(none)]> ",
                           "postgres=# ",
                           "db=> ",
                           "db-# ",
                           "db(# ",
                           "sqlite> ",
                           "sftp> ",
                           "ftp> ",
                           "lftp me@host:~> ",
                           "(gdb) ",
                           "(Pdb) ",
                           "In [1]: ",
                           "irb(main):001:0> ",
                           "iex(1)> ",
                           "127.0.0.1:6379> ",
                           "[bluetooth]# ",
                           "me@host's password: ",
                           "Overwrite ~/x? ",
                           "Directory [~/src] ",
                           "? Where › ~/src ",
                           "│ ~/src ",
                           "Enter your name ",
                           "me@host> "}) {
    EXPECT_FALSE(LooksLikePrompt(line)) << line;
    bool may_be = MayBePrompt(line);
    EXPECT_FALSE(may_be) << line;
  }
}

}  // namespace
}  // namespace glasstty::session
