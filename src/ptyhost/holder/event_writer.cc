// Calls no fsync(2): the page cache survives the death of every process, and a
// crash of the machine ends the sessions, too.
#include "holder/event_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/own_file.h"

namespace glasstty::holder {
namespace {

constexpr uint64_t kTimeStepNs = 50'000'000;
// The maximum step for thinning records. A longer one is not needed, because a
// year has only 4,380 steps of two hours.
constexpr uint64_t kMaxTimeStepNs = 7'200'000'000'000;
bool IsTime(const wire::EventRecord& record) {
  return record.type == wire::EventType::kTime;
}
bool IsTyped(const wire::EventRecord& record) {
  return record.type == wire::EventType::kTyped;
}

// Returns the records that are needed to read the log from `first_kept` on: the
// first record, which shows when the session began; the last size and the last
// time up to `first_kept`; all records about offsets from `first_kept` on; and
// the exit. REQUIRES: `all` is ordered by offset.
std::vector<wire::EventRecord> Needed(const std::vector<wire::EventRecord>& all,
                                      uint64_t first_kept) {
  size_t last_resize = all.size(), last_time = all.size();
  for (size_t i = 0; i < all.size() && all[i].offset <= first_kept; ++i) {
    if (all[i].type == wire::EventType::kResize) last_resize = i;
    if (IsTime(all[i])) last_time = i;
  }
  std::vector<wire::EventRecord> kept;
  for (size_t i = 0; i < all.size(); ++i) {
    bool current = i == 0 || all[i].offset >= first_kept ||
                   all[i].type == wire::EventType::kExit || i == last_resize ||
                   i == last_time;
    if (current) kept.push_back(all[i]);
  }
  return kept;
}

// Drops each kTime record less than `step_ns` after the last kept kTime record,
// and likewise each kTyped record. So the time of output after a longer pause
// is always kept.
std::vector<wire::EventRecord> Thinned(
    const std::vector<wire::EventRecord>& all, uint64_t step_ns) {
  std::vector<wire::EventRecord> kept;
  uint64_t last_time_ns = 0, last_typed_ns = 0;
  for (const wire::EventRecord& record : all) {
    if (IsTime(record) || IsTyped(record)) {
      uint64_t& last_ns = IsTime(record) ? last_time_ns : last_typed_ns;
      if (record.monotonic_ns - last_ns < step_ns) continue;
      last_ns = record.monotonic_ns;
    }
    kept.push_back(record);
  }
  return kept;
}

}  // namespace

uint64_t EventWriter::NowNs() const {
  return static_cast<uint64_t>(clock_->Now().time_since_epoch().count());
}

bool EventWriter::Open() {
  fd_.Reset(openat(
      dir_fd_, wire::kEventsName,
      O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  return fd_.valid();
}

bool EventWriter::Resume() {
  fd_ = OpenOwnFileAt(dir_fd_, wire::kEventsName, O_WRONLY | O_APPEND);
  if (!fd_.valid()) return false;
  CutTornRecord();
  return true;
}

void EventWriter::Append(wire::EventType type, uint64_t offset, uint32_t a,
                         uint32_t b) {
  wire::EventRecord record;
  record.offset = offset;
  record.monotonic_ns = NowNs();
  record.type = type;
  record.a = a;
  record.b = b;
  Write(record);
}

void EventWriter::Put(wire::EventRecord record, uint64_t first_kept) {
  Write(record);
  if (records_ >= trim_at_) Trim(first_kept);
}

void EventWriter::AppendTime(uint64_t offset, uint64_t first_kept) {
  uint64_t now = NowNs();
  if (now - last_time_ns_ < kTimeStepNs) return;
  last_time_ns_ = now;
  Append(wire::EventType::kTime, offset);
  if (records_ >= trim_at_) Trim(first_kept);
}

void EventWriter::Write(wire::EventRecord record) {
  record.crc = wire::Crc32c(&record, offsetof(wire::EventRecord, crc));
  ssize_t n = WriteSome(fd_.get(), &record, sizeof record);
  if (n == sizeof record) {
    ++records_;
    return;
  }
  if (n > 0) CutTornRecord();
}

// Removes a partial record at the end, which a full disk or a killed process
// has left. Otherwise all later records would be misaligned.
void EventWriter::CutTornRecord() {
  off_t size = lseek(fd_.get(), 0, SEEK_END);
  off_t torn = size % off_t{sizeof(wire::EventRecord)};
  if (torn > 0) (void)!ftruncate(fd_.get(), size - torn);
  records_ = static_cast<size_t>(size) / sizeof(wire::EventRecord);
}

void EventWriter::Trim(uint64_t first_kept) {
  auto all = wire::ReadEvents(dir_fd_);
  // If the events cannot be read, or the disk is full, the long file remains.
  // The next attempt follows when it is twice as long.
  trim_at_ = 2 * records_;
  if (!all) return;
  std::vector<wire::EventRecord> kept = Needed(*all, first_kept);
  for (uint64_t step = 2 * kTimeStepNs;
       kept.size() > kTrimAbove / 2 && step < kMaxTimeStepNs; step *= 2) {
    kept = Thinned(kept, step);
  }
  std::string_view bytes(reinterpret_cast<const char*>(kept.data()),
                         kept.size() * sizeof(wire::EventRecord));
  if (!ReplaceFileAt(dir_fd_, wire::kEventsName, bytes)) return;
  // Many records may be left, because only kTime and kTyped can be thinned.
  trim_at_ = std::max(kTrimAbove, 2 * kept.size());
  records_ = kept.size();
  // Close the old file first, so that a descriptor is free for the new one.
  fd_.Reset();
  fd_ = OpenOwnFileAt(dir_fd_, wire::kEventsName, O_WRONLY | O_APPEND);
}

}  // namespace glasstty::holder
