// A program that the tests run in a session. The first argument selects its
// part; see kParts at the end.
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "holder/pattern.h"

namespace {

void Put(const std::string& text) {
  for (size_t done = 0; done < text.size();) {
    ssize_t n = write(1, text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) _exit(99);
    done += n > 0 ? static_cast<size_t>(n) : 0;
  }
}

void Raw() {
  termios mode;
  if (tcgetattr(0, &mode) != 0) return;
  cfmakeraw(&mode);
  tcsetattr(0, TCSANOW, &mode);
}

void NoEcho() {
  termios mode;
  tcgetattr(0, &mode);
  mode.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(0, TCSANOW, &mode);
}

void Pause(int milliseconds) {
  timespec t{milliseconds / 1000, milliseconds % 1000 * 1'000'000L};
  while (nanosleep(&t, &t) != 0) {
  }
}

void PrintPattern(uint64_t bytes, uint32_t seed) {
  std::string block;
  for (uint64_t at = 0; at < bytes;) {
    block.clear();
    uint64_t end = std::min<uint64_t>(bytes, at + 65536);
    for (; at < end; ++at)
      block.push_back(glasstty::holder::PatternByte(at, seed));
    Put(block);
  }
}

// print BYTES SEED exit|signal NUMBER [HOLD_MS]: prints the whole pattern, then
// ends; a grandchild may hold the terminal for a while.
int Print(char** args) {
  Raw();
  int hold = args[4] != nullptr ? atoi(args[4]) : 0;
  if (hold > 0 && fork() == 0) {
    signal(SIGHUP, SIG_IGN);
    Pause(hold);
    _exit(0);
  }
  PrintPattern(strtoull(args[0], nullptr, 10),
               static_cast<uint32_t>(strtoul(args[1], nullptr, 10)));
  int number = atoi(args[3]);
  if (strcmp(args[2], "exit") == 0) _exit(number);
  signal(number, SIG_DFL);
  raise(number);
  _exit(98);
}

// state: prints what the program inherited, one "name=value" on each line.
int State(char**) {
  std::string text;
  for (int fd = 0; fd < 256; ++fd) {
    if (fcntl(fd, F_GETFD) >= 0) text += "fd=" + std::to_string(fd) + "\n";
  }
  for (int number = 1; number <= SIGRTMAX; ++number) {
    // Handlers do not outlive exec; ignored signals stay ignored.
    struct sigaction action;
    if (sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler == SIG_IGN) {
      text += "ignored=" + std::to_string(number) + "\n";
    }
  }
  sigset_t mask;
  sigprocmask(SIG_SETMASK, nullptr, &mask);
  for (int number = 1; number <= SIGRTMAX; ++number) {
    if (sigismember(&mask, number) == 1) {
      text += "blocked=" + std::to_string(number) + "\n";
    }
  }
  winsize size{};
  ioctl(0, TIOCGWINSZ, &size);
  rlimit core{1, 1};
  getrlimit(RLIMIT_CORE, &core);
  char oom[16] = {};
  int fd = open("/proc/self/oom_score_adj", O_RDONLY);
  if (read(fd, oom, sizeof oom - 1) < 0) oom[0] = '?';
  char cwd[4096] = {};
  if (getcwd(cwd, sizeof cwd) == nullptr) cwd[0] = '?';
  char line[8192];
  mode_t mask_of_files = umask(0);
  snprintf(line, sizeof line,
           "session_leader=%d\ngroup_leader=%d\nforeground=%d\ntty=%d\n"
           "dumpable=%d\nrows=%d\ncols=%d\ncore=%lu\numask=%03o\noom=%d\n"
           "subreaper=%d\ncwd=%s\nterm=%s\nend=1\n",
           getsid(0) == getpid(), getpgrp() == getpid(),
           tcgetpgrp(0) == getpid(), open("/dev/tty", O_RDWR) >= 0,
           prctl(PR_GET_DUMPABLE), size.ws_row, size.ws_col, core.rlim_cur,
           mask_of_files, atoi(oom), 0, cwd, getenv("TERM"));
  Put(text + line);
  return 0;
}

// late MS BYTES: raw; prints "ready", waits, then reads this many bytes, prints
// "read" with their sum and waits to be ended.
int Late(char** args) {
  Raw();
  Put("ready\n");
  Pause(atoi(args[0]));
  uint64_t left = strtoull(args[1], nullptr, 10), sum = 0;
  while (left > 0) {
    unsigned char buffer[4096];
    ssize_t n = read(0, buffer, std::min<uint64_t>(left, sizeof buffer));
    if (n <= 0) return 1;
    for (ssize_t i = 0; i < n; ++i) sum = sum * 31 + buffer[i];
    left -= static_cast<uint64_t>(n);
  }
  Put("read " + std::to_string(sum) + "\n");
  pause();
  return 0;
}

// flush MS: discards typed-ahead input after a while, then reads.
int Flush(char** args) {
  Raw();
  Put("ready\n");
  Pause(atoi(args[0]));
  tcflush(0, TCIFLUSH);
  Put("flushed\n");
  char c;
  while (read(0, &c, 1) > 0) Put(std::string("got ") + c + "\n");
  return 0;
}

// gate: raw; reads one byte at each SIGUSR1, so that a test decides when input
// is consumed. Prints "ready", then "N" for each byte read.
int Gate(char**) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  Raw();
  Put("ready\n");
  for (int count = 1;; ++count) {
    int number;
    sigwait(&set, &number);
    char c;
    if (read(0, &c, 1) != 1) return 1;
    Put(std::to_string(count) + "\n");
  }
}

// echo: raw; prints what it reads.
int Echo(char**) {
  Raw();
  Put("ready\n");
  char buffer[4096];
  ssize_t n;
  while ((n = read(0, buffer, sizeof buffer)) > 0) {
    Put(std::string(buffer, static_cast<size_t>(n)));
  }
  return 0;
}

// cooked [noecho]: prints the length of each line it reads.
int Cooked(char** args) {
  if (args[0] != nullptr) NoEcho();
  Put("ready\n");
  static char buffer[65536];
  for (;;) {
    ssize_t n = read(0, buffer, sizeof buffer);
    if (n <= 0) break;
    Put("line " + std::to_string(n) + "\n");
  }
  Put("eof\n");
  return 5;
}

// flood BYTES: prints the pattern for ever, or this many bytes of it.
int Flood(char** args) {
  Raw();
  PrintPattern(strtoull(args[0], nullptr, 10), 1);
  Put("END");
  pause();
  return 0;
}

// lines MS: prints a numbered line every MS milliseconds.
int Lines(char** args) {
  for (int i = 0;; ++i) {
    Put("line " + std::to_string(i) + "\n");
    Pause(atoi(args[0]));
  }
}

// winch: prints its size at the start and at each SIGWINCH.
int Winch(char**) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGWINCH);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  for (;;) {
    winsize size{};
    ioctl(0, TIOCGWINSZ, &size);
    Put("size " + std::to_string(size.ws_row) + "x" +
        std::to_string(size.ws_col) + ".\n");
    int number;
    sigwait(&set, &number);
  }
}

// tail MS: ends at once; its child prints a while later.
int Tail(char** args) {
  signal(SIGHUP, SIG_IGN);
  if (fork() == 0) {
    Pause(atoi(args[0]));
    Put("tail\n");
    _exit(0);
  }
  Put("head\n");
  return 3;
}

// reopen MS: closes the terminal, continues to live, opens it again and prints.
int Reopen(char** args) {
  Put("before\n");
  for (int fd = 0; fd < 3; ++fd) close(fd);
  Pause(atoi(args[0]));
  if (open("/dev/tty", O_RDWR) != 0) return 1;
  dup(0);
  Put("after\n");
  return 4;
}

// chain MARK MS: each process forks a successor in a session of its own and
// exits, for at most this time. The leader stays.
int Chain(char** args) {
  signal(SIGHUP, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  if (fork() != 0) {
    Put("ready\n");
    for (;;) pause();
  }
  setsid();
  do {
    pid_t pid = fork();
    if (pid > 0) _exit(0);
    if (pid == 0) setsid();
    for (volatile int i = 40'000; i > 0;) i = i - 1;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) * 1000 < atoi(args[1]));
  _exit(0);
}

// poll|select: waits for the terminal by that call, without a limit.
int Wait(char** args) {
  Raw();
  Put("ready\n");
  if (strcmp(args[0], "poll") == 0) {
    pollfd query{0, POLLIN, 0};
    poll(&query, 1, -1);
  } else if (strcmp(args[0], "poll-limit") == 0) {
    pollfd query{0, POLLIN, 0};
    poll(&query, 1, 3'600'000);
  } else if (strcmp(args[0], "select") == 0) {
    fd_set set;
    FD_ZERO(&set);
    FD_SET(0, &set);
    select(1, &set, nullptr, nullptr, nullptr);
  } else if (strcmp(args[0], "poll-output") == 0) {
    int ends[2];
    if (pipe(ends) != 0) return 1;
    pollfd query{ends[0], POLLIN, 0};
    poll(&query, 1, -1);
  }
  return 0;
}

// ring read|poll|pipe: waits for the terminal, or for a pipe, in a ring of
// io_uring(7). An operation that ends at once has the first slot.
int Ring(char** args) {
  Raw();
  io_uring_params params = {};
  int ring = static_cast<int>(syscall(SYS_io_uring_setup, 4, &params));
  if (ring < 0) {
    Put("refused\n");
    Pause(60'000);
    return 1;
  }
  size_t size = params.sq_off.array + params.sq_entries * sizeof(uint32_t);
  int access = PROT_READ | PROT_WRITE;
  char* queue = static_cast<char*>(
      mmap(nullptr, size, access, MAP_SHARED, ring, IORING_OFF_SQ_RING));
  auto* entries = static_cast<io_uring_sqe*>(
      mmap(nullptr, params.sq_entries * sizeof(io_uring_sqe), access,
           MAP_SHARED, ring, IORING_OFF_SQES));
  entries[0].opcode = IORING_OP_NOP;
  io_uring_sqe* entry = entries + 1;
  int ends[2];
  if (pipe(ends) != 0) return 1;
  static char buffer[16];
  bool polls = strcmp(args[0], "poll") == 0;
  entry->opcode = polls ? IORING_OP_POLL_ADD : IORING_OP_READ;
  entry->fd = strcmp(args[0], "pipe") == 0 ? ends[0] : 0;
  if (polls) {
    entry->poll32_events = POLLIN;
  } else {
    entry->addr = reinterpret_cast<uintptr_t>(buffer);
    entry->len = sizeof buffer;
  }
  auto* slots = reinterpret_cast<uint32_t*>(queue + params.sq_off.array);
  slots[1] = 1;
  auto* tail = reinterpret_cast<uint32_t*>(queue + params.sq_off.tail);
  __atomic_store_n(tail, 2, __ATOMIC_RELEASE);
  Put("ready\n");
  syscall(SYS_io_uring_enter, ring, 2, 2, IORING_ENTER_GETEVENTS, nullptr, 0);
  return 0;
}

// line: reads the terminal, and has another one open, as minicom has.
int Line(char**) {
  Raw();
  int master = posix_openpt(O_RDWR | O_NOCTTY);
  if (grantpt(master) != 0 || unlockpt(master) != 0) return 1;
  const char* name = ptsname(master);
  // A descendant holds the master, so that only the line is this program's.
  if (fork() == 0) {
    setsid();
    Pause(60'000);
    _exit(0);
  }
  int line = open(name, O_RDWR | O_NOCTTY);
  close(master);
  pollfd query[] = {{0, POLLIN, 0}, {line, POLLIN, 0}};
  Put("ready\n");
  poll(query, 2, -1);
  return 0;
}

// connection other|own: waits for the terminal and a socket, whose other end
// another process has, or this one.
int Connection(char** args) {
  Raw();
  int ends[2];
  if (strcmp(args[0], "own") == 0) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  } else {
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* name = reinterpret_cast<sockaddr*>(&address);
    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, name, size) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, name, &size) != 0 ||
        connect(ends[0], name, size) != 0) {
      return 1;
    }
  }
  pollfd query[] = {{0, POLLIN, 0}, {ends[0], POLLIN, 0}};
  Put("ready\n");
  poll(query, 2, -1);
  return 0;
}

// root obeys|ignores: becomes root for good (the file must be set-user-ID),
// like a program that sudo starts, for three seconds.
int Root(char** args) {
  if (setresgid(0, 0, 0) != 0 || setresuid(0, 0, 0) != 0) return 1;
  if (strcmp(args[0], "ignores") == 0) {
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
  }
  Put("ready\n");
  // Before that, only root can end it.
  Pause(3000);
  return 0;
}

struct Part {
  const char* name;
  int arguments;
  int (*play)(char** args);
};
constexpr Part kParts[] = {
    {"print", 4, Print},   {"state", 0, State}, {"late", 2, Late},
    {"flush", 1, Flush},   {"gate", 0, Gate},   {"echo", 0, Echo},
    {"cooked", 0, Cooked}, {"flood", 1, Flood}, {"lines", 1, Lines},
    {"winch", 0, Winch},   {"tail", 1, Tail},   {"reopen", 1, Reopen},
    {"root", 1, Root},     {"chain", 2, Chain}, {"wait", 1, Wait},
    {"ring", 1, Ring},     {"line", 0, Line},   {"connection", 1, Connection},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Part& part : kParts) {
    if (argc >= 2 + part.arguments && strcmp(argv[1], part.name) == 0) {
      return part.play(argv + 2);
    }
  }
  return 97;
}
