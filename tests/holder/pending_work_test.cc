// Tests how it is found out from outside what programs are about to do by
// themselves.
#include "holder/pending_work.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "holder/holder_client.h"

namespace glasstty::holder {
namespace {

using wire::PendingWork;

bool Has(const PendingWork& work, int least, int most) {
  return std::any_of(std::begin(work.due_ms), std::end(work.due_ms),
                     [=](int ms) { return ms >= least && ms <= most; });
}

// Python that makes `t` a timer which ends after 70 ms, again and again.
constexpr char kTimer[] =
    "import ctypes, os, select, struct\nc = ctypes.CDLL(None)\n"
    "t = c.timerfd_create(1, 0)\n"
    "c.timerfd_settime(t, 0, struct.pack(\"4q\", 0, 70000000, 0, 70000000), "
    "None)\n";

struct Sleeper {
  const char* name;
  const char* code;
  // The range of the time-out that is found at one moment or another.
  int least, most;
  bool has_timer = false;  // the code needs kTimer
};
void PrintTo(const Sleeper& sleeper, std::ostream* out) {
  *out << sleeper.name;
}
constexpr Sleeper kSleepers[] = {
    {"poll",
     "import select\np = select.poll(); p.register(0, select.POLLIN)\n"
     "while not p.poll(70): pass",
     70, 70},
    {"select", "import select\nwhile not select.select([0], [], [], .07)[0]: 0",
     70, 70},
    {"epoll",
     "import select\np = select.epoll(); p.register(0, select.EPOLLIN)\n"
     "while not p.poll(.07): pass",
     70, 70},
    {"sleep", "import time\nwhile True: time.sleep(.07)", 1, 70},
    {"thread",
     "import threading, time\n"
     "def go():\n while True: time.sleep(.07)\n"
     "threading.Thread(target=go).start()\nopen(0).read(1)",
     1, 70},
    // This waits for a lock with a limit: a futex.
    {"lock",
     "import threading\nlock = threading.Lock(); lock.acquire()\n"
     "while not lock.acquire(timeout=.07): pass",
     1, 70},
    {"timer_in_epoll",
     "p = select.epoll(); p.register(0, select.EPOLLIN)\n"
     "p.register(t, select.EPOLLIN)\n"
     "while not any(fd == 0 for fd, _ in p.poll()): os.read(t, 8)",
     1, 70, true},
    {"timer_in_poll",
     "p = select.poll(); p.register(0, select.POLLIN)\n"
     "p.register(t, select.POLLIN)\n"
     "while not any(fd == 0 for fd, _ in p.poll()): os.read(t, 8)",
     1, 70, true},
    {"timer_in_select",
     "while 0 not in select.select([0, t], [], [])[0]: os.read(t, 8)", 1, 70,
     true},
    {"timer_in_an_epoll_in_select",
     "p = select.epoll(); p.register(t, select.EPOLLIN)\n"
     "while 0 not in select.select([0, p], [], [])[0]: os.read(t, 8)",
     1, 70, true},
};

class PendingTimeOut : public ::testing::TestWithParam<Sleeper> {};

TEST_P(PendingTimeOut, IsFound) {
  const Sleeper& sleeper = GetParam();
  StartedHolder client(ShellSpec(
      std::string("exec /usr/bin/python3 -c 'import tty; tty.setraw(0)\n") +
      (sleeper.has_timer ? kTimer : "") + sleeper.code + "'"));
  EXPECT_TRUE(client.AwaitWork([&](const PendingWork& work) {
    return Has(work, sleeper.least, sleeper.most);
  }));
}

INSTANTIATE_TEST_SUITE_P(All, PendingTimeOut, ::testing::ValuesIn(kSleepers),
                         [](const auto& row) { return row.param.name; });

TEST(PendingWork, OfAProgramThatOnlyWaitsThereIsNone) {
  StartedHolder client(ShellSpec("stty raw; exec cat"));
  auto work = client.AwaitWork(
      [](const PendingWork& w) { return w.is_alone && !w.runs; });
  ASSERT_TRUE(work);
  EXPECT_EQ(work->due_ms[0], 0);
  EXPECT_FALSE(work->has_started);
}

TEST(PendingWork, IsNotLookedForUnlessAskedFor) {
  StartedHolder client(ShellSpec("exec cat"));
  auto answer = client.ProbeOnce();
  ASSERT_TRUE(answer);
  EXPECT_FALSE(answer->work.known);
}

TEST(PendingWork, LongTimeOutsAreNotTold) {
  StartedHolder client(ShellSpec(
      "exec /usr/bin/python3 -c 'import select; select.select([0],[],[],9)'"));
  ASSERT_TRUE(client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kPollTimeout;
  }));
  auto answer = client.ProbeOnce(wire::kProbeWork);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->work.known);
  EXPECT_EQ(answer->work.due_ms[0], 0);
}

TEST(PendingWork, AThreadThatRunsBesideTheReaderIsSeen) {
  StartedHolder client(
      ShellSpec("exec /usr/bin/python3 -c 'import hashlib, threading\n"
                "def go():\n while True: hashlib.sha256(bytes(1 << 24))\n"
                "threading.Thread(target=go).start()\nopen(0).read(1)'"));
  uint64_t cpu = 0;
  EXPECT_TRUE(client.AwaitWork([&](const PendingWork& w) {
    bool grew = cpu > 0 && w.cpu_ns > cpu;
    cpu = w.cpu_ns;
    return w.runs && grew && !w.is_alone;
  }));
}

TEST(PendingWork, AProcessCountsThatWasStartedSinceTheLastInput) {
  // It starts one process at once and another for the key, in a group of its
  // own, like the processes that draw previews.
  StartedHolder client(
      ShellSpec("stty raw; exec /usr/bin/python3 -c 'import os, subprocess\n"
                "s = [\"sleep\", \"100\"]\n"
                "subprocess.Popen(s, start_new_session=True); print(\"ready\", "
                "flush=1)\n"
                "os.read(0, 1); print(\"again\", flush=1)\n"
                "os.read(0, 1); subprocess.Popen(s, start_new_session=True)\n"
                "os.read(0, 1)'"),
      "ready");
  // Wait for a tick of the clock in which start times are given.
  const auto start = TicksSinceBoot();
  ASSERT_TRUE(Eventually([&] { return TicksSinceBoot() > start + 1; }));
  client.Write(1, "x");
  ASSERT_TRUE(client.AwaitText("again"));
  EXPECT_TRUE(client.AwaitWork(
      [](const PendingWork& w) { return !w.runs && !w.has_started; }));
  client.Write(2, "x");
  EXPECT_TRUE(
      client.AwaitWork([](const PendingWork& w) { return w.has_started; }));
}

// A script has started dialog for the next question, so it is no child that
// draws for somebody else.
TEST(PendingWork, TheReaderItselfIsNotTakenForOne) {
  StartedHolder client(ShellSpec("cat; stty raw; cat"));
  client.Write(1, "\x04");
  ASSERT_TRUE(client.AwaitProbe([](const wire::ProbeAnswer& a) {
    return a.waiting == wire::Waiting::kRead && !a.canonical &&
           std::string(a.name) == "cat";
  }));
  // The shell may not have reaped stty yet.
  EXPECT_TRUE(client.AwaitWork([](const wire::PendingWork& work) {
    return !work.has_started && work.is_alone;
  }));
}

}  // namespace
}  // namespace glasstty::holder
