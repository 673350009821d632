// When `events` has grown long, the holder replaces it by a shorter file. In
// that file, only the records with a later time than the last handled record
// are new, because no two records have the same time.
#include "far/far_events.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace glasstty::far {
namespace {

constexpr size_t kMostRecordsPerFrame = 512;
constexpr size_t kMostInput = 32 << 10;

std::string ReadAt(int fd, off_t at, size_t size) {
  std::string bytes(size, '\0');
  ssize_t n = pread(fd, bytes.data(), size, at);
  bytes.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return bytes;
}

}  // namespace

void FarEvents::Begin(const wire::AttachInfo& from) {
  from_ = from.events;
  wants_input_ = from.input != wire::kNoInput;
  input_at_ = wants_input_ ? static_cast<off_t>(from.input) : 0;
}

bool FarEvents::Send(uint64_t offset) {
  bool more = SendEvents(offset);
  return SendInput() || more;
}

// Opens the file that is called `events` now, unless it is open already.
// Returns false on failure, or if the file contains no complete new record.
bool FarEvents::OpenEvents() {
  struct stat info;
  if (fstatat(directory_, wire::kEventsName, &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return false;
  }
  // While a file is open, no other file gets its inode number.
  if (!events_.valid() || info.st_ino != inode_) {
    events_.Reset(openat(directory_, wire::kEventsName,
                         O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!events_.valid() || fstat(events_.get(), &info) != 0) return false;
    inode_ = info.st_ino;
    events_at_ = 0;
  }
  return info.st_size - events_at_ >= off_t{sizeof(wire::EventRecord)};
}

bool FarEvents::SendEvents(uint64_t offset) {
  if (!OpenEvents()) return false;
  std::string bytes = ReadAt(events_.get(), events_at_,
                             kMostRecordsPerFrame * sizeof(wire::EventRecord));
  std::string chosen;
  size_t at = 0;
  for (; at + sizeof(wire::EventRecord) <= bytes.size();
       at += sizeof(wire::EventRecord)) {
    wire::EventRecord record;
    std::memcpy(&record, bytes.data() + at, sizeof record);
    bool whole =
        record.crc == wire::Crc32c(&record, offsetof(wire::EventRecord, crc));
    if (!whole || record.monotonic_ns <= last_sent_ns_) continue;
    if (record.offset > offset) break;
    last_sent_ns_ = record.monotonic_ns;
    if (record.offset < from_) continue;
    chosen.append(bytes, at, sizeof record);
  }
  events_at_ += static_cast<off_t>(at);
  if (!chosen.empty()) {
    stream_->Send({.type = FrameType::kNotes,
                   .part = static_cast<uint16_t>(FarNotes::kEvents),
                   .session = number_},
                  chosen);
  }
  return at == kMostRecordsPerFrame * sizeof(wire::EventRecord);
}

// Sends complete records only, because the holder may still be writing the last
// one.
bool FarEvents::SendInput() {
  if (!wants_input_) return false;
  if (!input_.valid()) {
    input_.Reset(openat(directory_, wire::kInputName,
                        O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (!input_.valid()) return false;
  }
  std::string bytes = ReadAt(input_.get(), input_at_, kMostInput);
  size_t whole = wire::WholeInput(bytes);
  if (whole == 0) return false;
  stream_->Send({.type = FrameType::kNotes,
                 .part = static_cast<uint16_t>(FarNotes::kInput),
                 .session = number_,
                 .number = static_cast<uint64_t>(input_at_)},
                std::string_view(bytes).substr(0, whole));
  input_at_ += static_cast<off_t>(whole);
  return bytes.size() == kMostInput;
}

}  // namespace glasstty::far
