// The kernel lists the operations that wait, but without their descriptors. An
// entry of the submission queue stays in memory until the queue wraps around.
// So the newest entries with the same operations are taken to be those that
// wait, and their descriptors are used.
#include "holder/ring.h"

#include <fcntl.h>
#include <linux/io_uring.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/fd.h"
#include "holder/proc.h"

namespace glasstty::holder {
namespace {

constexpr size_t kMaxEntries = 32768;  // io_uring_setup(2)

// The number of operations that wait, by their codes.
using ArmedCounts = std::array<int, 256>;

// The facts of /proc/PID/fdinfo about a ring.
struct RingInfo {
  uint32_t mask = 0;  // the number of entries less one
  uint32_t head = 0;  // the number of entries that the kernel has taken
  uint64_t inode = 0;
  ArmedCounts armed = {};
};

std::string ReadText(pid_t tid, const std::string& name) {
  std::string path = "/proc/" + std::to_string(tid) + "/" + name;
  std::string text;
  constexpr size_t kLimit = 4 << 20;
  return ReadFileAt(AT_FDCWD, path.c_str(), kLimit, &text) ? text : "";
}

std::optional<uint64_t> FieldOf(const std::string& text, const char* name) {
  const char* at = strstr(text.c_str(), name);
  if (at == nullptr) return std::nullopt;
  // The masks are hexadecimal and begin with "0x"; the other numbers are not.
  return strtoull(at + strlen(name), nullptr, 0);
}

std::optional<RingInfo> ReadRingInfo(pid_t tid, int ring) {
  std::string text = ReadText(tid, "fdinfo/" + std::to_string(ring));
  auto mask = FieldOf(text, "SqMask:"), head = FieldOf(text, "SqHead:"),
       inode = FieldOf(text, "ino:");
  if (!mask || !head || !inode || *mask >= kMaxEntries) return std::nullopt;
  RingInfo info{.mask = static_cast<uint32_t>(*mask),
                .head = static_cast<uint32_t>(*head),
                .inode = *inode,
                .armed = {}};
  const char* at = strstr(text.c_str(), "PollList:");
  while (at != nullptr && (at = strstr(at, "op=")) != nullptr) {
    at += strlen("op=");
    int operation = atoi(at);
    if (operation < 0 || operation >= static_cast<int>(info.armed.size())) {
      return std::nullopt;
    }
    ++info.armed[static_cast<size_t>(operation)];
  }
  return info;
}

// Returns the address at which the process has mapped the entries of the
// submission queue.
std::optional<uint64_t> FindEntries(pid_t tid, uint64_t inode) {
  std::string text = ReadText(tid, "maps");
  for (const char* line = text.c_str(); *line != '\0';) {
    uint64_t start = 0, offset = 0, number = 0;
    int fields = sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %" SCNu64,
                        &start, &offset, &number);
    if (fields == 3 && offset == IORING_OFF_SQES && number == inode) {
      return start;
    }
    const char* end = strchr(line, '\n');
    if (end == nullptr) break;
    line = end + 1;
  }
  return std::nullopt;
}

bool IsRead(int operation) {
  return operation == IORING_OP_READ || operation == IORING_OP_READV ||
         operation == IORING_OP_READ_FIXED;
}

bool MayWaitForInput(int operation) {
  return operation == IORING_OP_POLL_ADD || IsRead(operation);
}

bool AnyMayWaitForInput(const ArmedCounts& armed) {
  for (size_t operation = 0; operation < armed.size(); ++operation) {
    if (armed[operation] > 0 && MayWaitForInput(static_cast<int>(operation))) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::optional<std::vector<ArmedInput>> ReadArmedInputs(pid_t tid, int ring) {
  std::optional<RingInfo> info = ReadRingInfo(tid, ring);
  if (!info) return std::nullopt;
  std::vector<ArmedInput> inputs;
  if (!AnyMayWaitForInput(info->armed)) return inputs;
  std::optional<uint64_t> address = FindEntries(tid, info->inode);
  std::vector<io_uring_sqe> entries(info->mask + 1);
  if (!address || !ReadMemory(tid, *address, entries.data(),
                              entries.size() * sizeof entries[0])) {
    return std::nullopt;
  }
  size_t taken = std::min<size_t>(info->head, entries.size());
  for (uint32_t back = 1; back <= taken; ++back) {
    const io_uring_sqe& entry = entries[(info->head - back) & info->mask];
    int& armed = info->armed[entry.opcode];
    if (armed == 0) continue;
    --armed;
    if (!MayWaitForInput(entry.opcode)) continue;
    // Here, `fd` is an index into a table that only the kernel can read.
    if (entry.flags & IOSQE_FIXED_FILE) return std::nullopt;
    bool waits = IsRead(entry.opcode) || (entry.poll32_events & POLLIN) != 0;
    if (waits) inputs.push_back({entry.fd, IsRead(entry.opcode)});
  }
  if (AnyMayWaitForInput(info->armed)) return std::nullopt;
  return inputs;
}

}  // namespace glasstty::holder
