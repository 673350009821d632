// Reads facts about processes from /proc. Keeps no state.
//
// Every answer may be out of date when it arrives. For a process that is gone,
// the answer is "no". An ancestor that belongs to the same user has all the
// rights that are needed here.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace glasstty::holder {

struct ProcessStat {
  char state = '?';  // R S D T t Z X I, as in proc(5)
  pid_t parent = 0;
  pid_t pgrp = 0;
  int tty = 0;           // device number of the controlling terminal, packed
  pid_t tty_pgrp = 0;    // foreground group of that terminal
  uint64_t ignored = 0;  // bit N - 1: signal N is ignored; up to 31
  // In ticks since boot; with the pid it names a process for ever.
  uint64_t start_time = 0;

  bool IsDead() const { return state == 'Z' || state == 'X'; }
  bool Ignores(int signal) const { return ignored >> (signal - 1) & 1; }
};

// Enough for every path below /proc that the holder reads.
inline constexpr size_t kProcPathSize = 96;

// Reads at most `size` - 1 bytes and ends them with a NUL; -1 with errno.
ssize_t ReadProcFile(const char* path, char* buffer, size_t size);

bool ReadProcessStat(pid_t pid, ProcessStat* stat);
bool ReadThreadStat(pid_t pid, pid_t tid, ProcessStat* stat);
// The short name, at most 15 bytes.
std::string ReadProcessName(pid_t pid);
// Arguments separated by blanks, at most `limit` bytes; the name in brackets
// if there are none.
std::string ReadCommandLine(pid_t pid, size_t limit);

// Names that are numbers in a directory such as /proc/PID/task or .../fd.
std::vector<int> ReadNumberedEntries(const char* path);
std::vector<pid_t> ReadThreads(pid_t pid);
void AppendChildren(pid_t pid, std::vector<pid_t>* out);

}  // namespace glasstty::holder
