// Reads facts about processes from /proc. Keeps no state.
//
// Every result may be out of date when it is returned. For a process that is
// gone, the result is nothing, empty or false. These functions need the rights
// that an ancestor with the same user has.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace glasstty::holder {

struct ProcessStat {
  char state = '?';  // R S D T t Z X I, as in proc(5)
  pid_t parent = 0;
  pid_t pgrp = 0;
  int tty = 0;           // device number of the controlling terminal, packed
  pid_t tty_pgrp = 0;    // foreground group of that terminal
  uint64_t ignored = 0;  // bit N - 1 is set if signal N (up to 31) is ignored
  int threads = 0;
  // In ticks since boot. The pid and the start time together identify a
  // process.
  uint64_t start_time = 0;

  // A process whose first thread has ended lives on while it has other threads.
  bool IsDead() const { return (state == 'Z' || state == 'X') && threads <= 1; }
  bool Ignores(int signal) const { return ignored >> (signal - 1) & 1; }
};

// Large enough for every path below /proc that the holder reads.
inline constexpr size_t kProcPathSize = 96;

// Reads at most `size` - 1 bytes and appends a NUL. Returns the number of bytes
// without it, or -1 with errno.
ssize_t ReadProcFile(const char* path, char* buffer, size_t size);

// These return nothing if the process or thread has gone.
std::optional<ProcessStat> ReadProcessStat(pid_t pid);
std::optional<ProcessStat> ReadThreadStat(pid_t pid, pid_t tid);
// Returns the short name, at most 15 bytes.
std::string ReadProcessName(pid_t pid);
// Returns the arguments separated by blanks, at most `limit` bytes; the short
// name in brackets if there are none.
std::string ReadCommandLine(pid_t pid, size_t limit);

// The system call that a thread is in, or none (proc(5),
// /proc/PID/task/TID/syscall).
struct SystemCall {
  enum class Kind {
    kUnknown,  // the thread is gone, or cannot be inspected: it is another
               // user's or of a setuid program, or yama refuses
    kRunning,  // running or runnable, so no call can be read
    kAsleep,   // asleep in the call `number`, with `args`
  };
  Kind kind = Kind::kUnknown;
  long number = 0;
  uint64_t args[6] = {};
  uint64_t stack = 0;  // the stack pointer
};
SystemCall ReadSystemCall(pid_t pid, pid_t tid);

// Copies `size` bytes of the memory of `pid`, which must have the same real
// user, and be a descendant if yama restricts access. Returns false if any of
// the bytes cannot be read.
bool ReadMemory(pid_t pid, uint64_t address, void* out, size_t size);

// A descriptor that an epoll descriptor watches, and the watched events
// (poll(2)).
struct Watched {
  int fd = -1;
  unsigned events = 0;
};
// Returns what `epoll`, a descriptor of the thread, watches. Returns nothing if
// /proc cannot be read, and an empty list if `epoll` is something else.
std::optional<std::vector<Watched>> ReadWatched(pid_t tid, int epoll);

// Returns the numbers among the names in a directory (/proc/PID/task, .../fd).
std::vector<int> ReadNumberedEntries(const char* path);
// Returns the threads of a process that has `threads` of them. If there is only
// one, its id is the pid.
std::vector<pid_t> ReadThreads(pid_t pid, int threads);
// Appends the children of a process that has `threads` threads. The kernel
// lists a child under the thread that forked it.
void AppendChildren(pid_t pid, int threads, std::vector<pid_t>* out);

}  // namespace glasstty::holder
