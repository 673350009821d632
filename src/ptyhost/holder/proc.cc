#include "holder/proc.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/fd.h"

namespace glasstty::holder {
namespace {

// A single read returns a consistent line, because the kernel creates the
// content when the file is read.
std::optional<ProcessStat> ParseStat(const char* path) {
  char text[1024];
  if (ReadProcFile(path, text, sizeof text) <= 0) return std::nullopt;
  // The name, in parentheses, may itself contain blanks and parentheses.
  const char* rest = strrchr(text, ')');
  if (rest == nullptr) return std::nullopt;
  ProcessStat stat;
  unsigned long long start = 0, ignored = 0;
  // These are the fields 3 to 5, 7, 8, 20, 22 and 33.
  int taken = sscanf(rest + 1,
                     " %c %d %d %*d %d %d %*u %*u %*u %*u %*u %*u %*u %*d %*d"
                     " %*d %*d %d %*d %llu %*u %*d %*u %*u %*u %*u %*u %*u"
                     " %*u %*u %llu",
                     &stat.state, &stat.parent, &stat.pgrp, &stat.tty,
                     &stat.tty_pgrp, &stat.threads, &start, &ignored);
  if (taken != 8) return std::nullopt;
  stat.start_time = start;
  stat.ignored = ignored;
  return stat;
}

// Parses "17 18 42 ", without a line end.
void AppendNumbers(const std::string& text, std::vector<pid_t>* out) {
  const char* at = text.c_str();
  for (;;) {
    char* end;
    long number = strtol(at, &end, 10);
    if (end == at) return;
    out->push_back(static_cast<pid_t>(number));
    at = end;
  }
}

// Returns the content of a file below /proc, usually after a single read. The
// kernel returns up to a page for one read, so a read that does not fill a
// buffer smaller than a page has returned everything.
std::optional<std::string> ReadWholeProcFile(const char* path, size_t limit) {
  char text[4000];
  ssize_t n = ReadProcFile(path, text, sizeof text);
  if (n < 0) return std::nullopt;
  std::string whole(text, static_cast<size_t>(n));
  bool is_whole = whole.size() < sizeof text - 1;
  if (is_whole || ReadFileAt(AT_FDCWD, path, limit, &whole)) return whole;
  return std::nullopt;
}

// For kernels without CONFIG_PROC_CHILDREN.
void AppendChildrenByScan(pid_t parent, std::vector<pid_t>* out) {
  for (int pid : ReadNumberedEntries("/proc")) {
    auto stat = ReadProcessStat(pid);
    if (stat && stat->parent == parent) out->push_back(pid);
  }
}

}  // namespace

ssize_t ReadProcFile(const char* path, char* buffer, size_t size) {
  UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return -1;
  ssize_t n = ReadSome(fd.get(), buffer, size - 1);
  if (n >= 0) buffer[n] = '\0';
  return n;
}

std::optional<ProcessStat> ReadProcessStat(pid_t pid) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  return ParseStat(path);
}

std::optional<ProcessStat> ReadThreadStat(pid_t pid, pid_t tid) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
  return ParseStat(path);
}

SystemCall ReadSystemCall(pid_t pid, pid_t tid) {
  char path[kProcPathSize], text[256];
  snprintf(path, sizeof path, "/proc/%d/task/%d/syscall", pid, tid);
  SystemCall call;
  if (ReadProcFile(path, text, sizeof text) <= 0) return call;
  if (strncmp(text, "running", 7) == 0) {
    call.kind = SystemCall::Kind::kRunning;
    return call;
  }
  unsigned long long args[6], stack;
  int taken = sscanf(text, "%ld %llx %llx %llx %llx %llx %llx %llx",
                     &call.number, &args[0], &args[1], &args[2], &args[3],
                     &args[4], &args[5], &stack);
  if (taken < 8) return call;
  std::copy(std::begin(args), std::end(args), call.args);
  call.stack = stack;
  call.kind = SystemCall::Kind::kAsleep;
  return call;
}

bool ReadMemory(pid_t pid, uint64_t address, void* out, size_t size) {
  iovec local{out, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  return process_vm_readv(pid, &local, 1, &remote, 1, 0) ==
         static_cast<ssize_t>(size);
}

std::string ReadProcessName(pid_t pid) {
  char path[kProcPathSize], text[64];
  snprintf(path, sizeof path, "/proc/%d/comm", pid);
  ssize_t n = ReadProcFile(path, text, sizeof text);
  if (n <= 0) return {};
  std::string name(text, static_cast<size_t>(n));
  if (name.back() == '\n') name.pop_back();
  return name;
}

// Returns the current arguments of the process, which some processes overwrite
// with their state.
std::string ReadCommandLine(pid_t pid, size_t limit) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
  std::string line;
  if (!ReadFileAt(AT_FDCWD, path, limit, &line) || line.empty()) {
    return "[" + ReadProcessName(pid) + "]";
  }
  while (!line.empty() && line.back() == '\0') line.pop_back();
  for (char& c : line) {
    if (c == '\0') c = ' ';
  }
  return line;
}

std::vector<int> ReadNumberedEntries(const char* path) {
  std::vector<int> numbers;
  DIR* dir = opendir(path);
  if (dir == nullptr) return numbers;
  while (dirent* entry = readdir(dir)) {
    char* end;
    long number = strtol(entry->d_name, &end, 10);
    if (end != entry->d_name && *end == '\0') {
      numbers.push_back(static_cast<int>(number));
    }
  }
  closedir(dir);
  return numbers;
}

// The kernel lists each watched descriptor on a line that begins with "tfd:".
std::optional<std::vector<Watched>> ReadWatched(pid_t tid, int epoll) {
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tid, epoll);
  constexpr size_t kLimit = 64 << 10;
  auto text = ReadWholeProcFile(path, kLimit);
  if (!text) return std::nullopt;
  std::vector<Watched> all;
  const char* at = text->c_str();
  for (; (at = strstr(at, "tfd:")) != nullptr; ++at) {
    Watched one;
    if (sscanf(at, "tfd: %d events: %x", &one.fd, &one.events) == 2) {
      all.push_back(one);
    }
  }
  return all;
}

std::vector<pid_t> ReadThreads(pid_t pid, int threads) {
  if (threads == 1) return {pid};
  char path[kProcPathSize];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  return ReadNumberedEntries(path);
}

void AppendChildren(pid_t pid, int threads, std::vector<pid_t>* out) {
  for (pid_t tid : ReadThreads(pid, threads)) {
    char path[kProcPathSize];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, tid);
    // This is enough for some 500,000 children, which no process has.
    constexpr size_t kLimit = 4u << 20;
    if (auto text = ReadWholeProcFile(path, kLimit)) {
      AppendNumbers(*text, out);
    } else if (errno == ENOENT &&
               access("/proc/thread-self/children", F_OK) != 0) {
      AppendChildrenByScan(pid, out);
      return;
    }
  }
}

}  // namespace glasstty::holder
