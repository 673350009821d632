// Each time is clamped between the previous one and now. So, whatever the clock
// of the other machine does, the times in both files never descend, except
// after a kBreak record. The file `input` has the same length on both machines,
// so its size here is the offset at which the far end continues.
#include "far/near_events.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/terminal_size.h"
#include "holder/input_log.h"
#include "wire/place_info.h"
#include "wire/session_files.h"

namespace glasstty::far {
namespace {

// The limit of `events`: enough for a person who resizes a window for an hour.
constexpr size_t kMostRecordsKept = 256 << 10;

}  // namespace

bool NearEvents::Create(uint16_t rows, uint16_t cols, bool records_input) {
  if (!writer_.Open()) return false;
  wire::EventRecord begin;
  begin.type = wire::EventType::kResize;
  begin.monotonic_ns = Now();
  begin.a = rows;
  begin.b = cols;
  writer_.Put(begin, 0);
  Note(begin);
  if (!records_input) return true;
  input_.Reset(openat(directory_, wire::kInputName,
                      O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      0600));
  return input_.valid();
}

bool NearEvents::Resume() {
  if (!writer_.Resume()) return false;
  auto events = wire::ReadEvents(directory_);
  if (!events) return false;
  for (const wire::EventRecord& record : *events) Note(record);
  input_.Reset(
      openat(directory_, wire::kInputName, O_RDWR | O_NOFOLLOW | O_CLOEXEC));
  if (!input_.valid()) return true;
  std::string text;
  // Read the whole file, which is truncated after its last complete record.
  if (!ReadFileAt(directory_, wire::kInputName, holder::InputLog::kMaxBytes,
                  &text)) {
    return false;
  }
  input_size_ = wire::WholeInput(text);
  return ftruncate(input_.get(), static_cast<off_t>(input_size_)) == 0;
}

uint64_t NearEvents::input_end() const {
  return input_.valid() ? input_size_ : wire::kNoInput;
}

uint64_t NearEvents::Now() const {
  return static_cast<uint64_t>(clock_->Now().time_since_epoch().count());
}

uint64_t NearEvents::TimeHere(uint64_t there_ns) const {
  uint64_t now = Now();
  uint64_t here = there_ns + static_cast<uint64_t>(shift_ns_);
  return std::clamp(here, std::min(last_ns_, now), now);
}

// After this, the far end sends all records at the newest offset again.
void NearEvents::SetShift(int64_t ns) {
  shift_ns_ = ns;
  keyboard_again_ = keyboard_at_newest_;
}

// Returns true if the record is not stored yet.
bool NearEvents::IsNews(const wire::EventRecord& record) {
  switch (record.type) {
    case wire::EventType::kTime:
      return !last_time_ || record.offset > *last_time_;
    case wire::EventType::kResize:
      return record.offset > last_resize_.offset ||
             (record.offset == last_resize_.offset &&
              (record.a != last_resize_.a || record.b != last_resize_.b));
    case wire::EventType::kExit:
      return !has_exit_;
    case wire::EventType::kTurn:
    case wire::EventType::kTyped:
      if (record.offset == newest_ && keyboard_again_ > 0) {
        --keyboard_again_;
        return false;
      }
      return record.offset >= newest_;
    case wire::EventType::kBreak:
      return false;  // concerns a connection of the other machine
  }
  return false;
}

void NearEvents::Note(const wire::EventRecord& record) {
  // Output from before the break may still arrive, and must keep its time.
  if (record.type == wire::EventType::kBreak) return;
  bool is_keyboard = record.type == wire::EventType::kTurn ||
                     record.type == wire::EventType::kTyped;
  if (record.offset > newest_) keyboard_at_newest_ = keyboard_again_ = 0;
  if (is_keyboard && record.offset >= newest_) ++keyboard_at_newest_;
  newest_ = std::max(newest_, record.offset);
  last_ns_ = std::max(last_ns_, record.monotonic_ns);
  if (record.type == wire::EventType::kTime) last_time_ = record.offset;
  if (record.type == wire::EventType::kResize) last_resize_ = record;
  if (record.type == wire::EventType::kExit) has_exit_ = true;
}

bool NearEvents::TakeEvents(std::string_view records, uint64_t most,
                            uint64_t first_kept) {
  if (records.size() % sizeof(wire::EventRecord) != 0) return false;
  for (; !records.empty(); records.remove_prefix(sizeof(wire::EventRecord))) {
    wire::EventRecord record;
    std::memcpy(&record, records.data(), sizeof record);
    if (record.offset > most) return false;
    // An older holder lets a person set a size that no terminal can show, and
    // sends the record again over each connection.
    if (record.type == wire::EventType::kResize &&
        !IsTerminalSize(record.a, record.b)) {
      continue;
    }
    if (!IsNews(record) || writer_.records() >= kMostRecordsKept) continue;
    record.monotonic_ns = TimeHere(record.monotonic_ns);
    record.flags = 0;
    writer_.Put(record, first_kept);
    Note(record);
  }
  return true;
}

bool NearEvents::TakeInput(uint64_t at, std::string_view records) {
  if (!input_.valid() || wire::WholeInput(records) != records.size())
    return false;
  // After a reconnection, the far end may send stored records again. Once the
  // disk has refused records, later ones do not fit until the next connection.
  if (at != input_size_) return true;
  std::string own(records);
  for (size_t begin = 0; begin < own.size();) {
    wire::InputRecord record;
    std::memcpy(&record, own.data() + begin, sizeof record);
    record.monotonic_ns = TimeHere(record.monotonic_ns);
    record.monotonic_ns = std::max(record.monotonic_ns, last_input_ns_);
    last_input_ns_ = record.monotonic_ns;
    std::memcpy(own.data() + begin, &record, sizeof record);
    begin += sizeof record + record.size;
  }
  if (input_size_ + own.size() > holder::InputLog::kMaxBytes) return true;
  // If the disk refuses the records, the next connection asks for them again.
  if (pwrite(input_.get(), own.data(), own.size(),
             static_cast<off_t>(input_size_)) ==
      static_cast<ssize_t>(own.size())) {
    input_size_ += own.size();
  }
  return true;
}

void NearEvents::NoteBreak() {
  if (has_exit_ || writer_.records() >= kMostRecordsKept) return;
  wire::EventRecord record;
  record.type = wire::EventType::kBreak;
  record.offset = newest_;
  record.monotonic_ns = Now();
  writer_.Put(record, 0);
}

void NearEvents::EnsureExit(uint64_t offset, int32_t status) {
  if (has_exit_) return;
  wire::EventRecord record;
  record.type = wire::EventType::kExit;
  record.offset = offset;
  record.monotonic_ns = Now();
  record.a = static_cast<uint32_t>(status);
  writer_.Put(record, 0);
  Note(record);
}

}  // namespace glasstty::far
