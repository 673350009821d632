#include "wire/session_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "base/fd.h"
#include "base/own_file.h"

namespace glasstty::wire {
namespace {

constexpr size_t kOffsetDigits = 16;
// The limit for reading a file of records. It is far above the size at which
// the holder trims its events.
constexpr size_t kMaxEventBytes = 64u << 20;

constexpr std::array<uint32_t, 256> MakeCrcTable() {
  // The Castagnoli polynomial, bits reversed.
  constexpr uint32_t kPolynomial = 0x82F63B78;
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ (crc & 1 ? kPolynomial : 0);
    }
    table[i] = crc;
  }
  return table;
}
constexpr std::array<uint32_t, 256> kCrcTable = MakeCrcTable();

// Returns the offset in `name`, if that is the name of a segment of `stem`.
std::optional<uint64_t> SegmentOffset(const std::string& stem,
                                      const char* name) {
  if (strncmp(name, stem.c_str(), stem.size()) != 0) return std::nullopt;
  name += stem.size();
  if (*name++ != '.') return std::nullopt;
  if (strlen(name) != kOffsetDigits ||
      strspn(name, "0123456789abcdef") != kOffsetDigits) {
    return std::nullopt;
  }
  return strtoull(name, nullptr, 16);
}

// Reads a file of exactly one record; nullopt if it is missing or torn.
template <class T>
std::optional<T> ReadRecord(int dir_fd, const char* name) {
  std::string text;
  T record;
  if (!ReadFileAt(dir_fd, name, sizeof record + 1, &text) ||
      text.size() != sizeof record) {
    return std::nullopt;
  }
  std::memcpy(&record, text.data(), sizeof record);
  return record;
}

// Removes the next record from `rest`. Returns nothing if that record is
// invalid. Later records cannot be found then, because only the size in a
// record leads to the next.
std::optional<TypedInput> TakeTyped(std::string_view* rest) {
  InputRecord record;
  if (rest->size() < sizeof record) return std::nullopt;
  memcpy(&record, rest->data(), sizeof record);
  std::string_view bytes = rest->substr(sizeof record, record.size);
  if (bytes.size() < record.size ||
      record.crc != Crc32c(bytes.data(), bytes.size())) {
    return std::nullopt;
  }
  rest->remove_prefix(sizeof record + bytes.size());
  return TypedInput{record.monotonic_ns, std::string(bytes)};
}

}  // namespace

// A table is fast enough for a session's records, some twenty per second, and
// for the frames of a connection.
uint32_t Crc32c(const void* data, size_t size) {
  auto* bytes = static_cast<const uint8_t*>(data);
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; ++i) {
    crc = (crc >> 8) ^ kCrcTable[(crc ^ bytes[i]) & 0xFF];
  }
  return ~crc;
}

std::string SegmentName(const std::string& stem, uint64_t offset) {
  char digits[kOffsetDigits + 1];
  snprintf(digits, sizeof digits, "%016llx",
           static_cast<unsigned long long>(offset));
  return stem + "." + digits;
}

// Ignores other files in the directory.
std::optional<std::vector<uint64_t>> ListSegments(int dir_fd,
                                                  const std::string& stem) {
  // Open the directory again, because reading it moves a position that all
  // duplicates of `dir_fd` share.
  UniqueFd fd(openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) return std::nullopt;
  std::unique_ptr<DIR, int (*)(DIR*)> dir(fdopendir(fd.get()), closedir);
  if (dir == nullptr) return std::nullopt;
  fd.Release();  // the stream closes it
  std::vector<uint64_t> starts;
  // Only errno distinguishes the end of the directory from an error
  // (readdir(3)).
  errno = 0;
  while (dirent* entry = readdir(dir.get())) {
    auto start = SegmentOffset(stem, entry->d_name);
    if (start) starts.push_back(*start);
    errno = 0;
  }
  if (errno != 0) return std::nullopt;
  std::sort(starts.begin(), starts.end());
  return starts;
}

std::optional<uint64_t> LogEnd(int dir_fd, const std::string& stem) {
  auto starts = ListSegments(dir_fd, stem);
  if (!starts) return std::nullopt;
  if (starts->empty()) return 0;
  struct stat info;
  std::string last = SegmentName(stem, starts->back());
  if (fstatat(dir_fd, last.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
    // The segment may have been removed since the listing to enforce the cap.
    if (errno == ENOENT) return starts->back();
    return std::nullopt;
  }
  // If this is not a regular file, the reader of the log gets the error.
  return starts->back() + static_cast<uint64_t>(info.st_size);
}

std::optional<ExitRecord> ReadExit(int dir_fd) {
  return ReadRecord<ExitRecord>(dir_fd, kExitName);
}

std::optional<MarkRecord> ReadMarkFile(int dir_fd) {
  MarkRecord mark;
  std::string text;
  if (!ReadFileAt(dir_fd, kMarkName, sizeof mark + 1, &text) ||
      text.size() < sizeof mark.offset) {
    return std::nullopt;
  }
  std::memcpy(&mark, text.data(), std::min(text.size(), sizeof mark));
  return mark;
}

size_t WholeInput(std::string_view text) {
  std::string_view rest = text;
  while (TakeTyped(&rest)) {
  }
  return text.size() - rest.size();
}

std::vector<TypedInput> ReadTyped(int dir_fd) {
  std::vector<TypedInput> typed;
  std::string text;
  if (!ReadFileAt(dir_fd, kInputName, kMaxEventBytes, &text)) return typed;
  std::string_view rest = text;
  while (auto one = TakeTyped(&rest)) typed.push_back(*std::move(one));
  return typed;
}

// All records have the same size, so a damaged record is skipped without
// affecting the others.
std::optional<std::vector<EventRecord>> ReadEvents(int dir_fd) {
  std::vector<EventRecord> records;
  std::string text;
  if (!ReadFileAt(dir_fd, kEventsName, kMaxEventBytes, &text)) {
    if (errno == ENOENT) return records;
    return std::nullopt;
  }
  records.reserve(text.size() / sizeof(EventRecord));
  for (size_t at = 0; at + sizeof(EventRecord) <= text.size();
       at += sizeof(EventRecord)) {
    EventRecord record;
    memcpy(&record, text.data() + at, sizeof record);
    if (record.crc == Crc32c(&record, offsetof(EventRecord, crc))) {
      records.push_back(record);
    }
  }
  return records;
}

std::vector<HoleRecord> ReadHoles(int dir_fd, const std::string& stem) {
  std::vector<HoleRecord> holes;
  std::string text;
  if (!ReadFileAt(dir_fd, kHolesName, kMaxEventBytes, &text)) return holes;
  for (size_t at = 0; at + sizeof(HoleRecord) <= text.size();
       at += sizeof(HoleRecord)) {
    HoleRecord hole;
    memcpy(&hole, text.data() + at, sizeof hole);
    if ((hole.is_err != 0) == (stem == "err")) holes.push_back(hole);
  }
  return holes;
}

// Removes a partial record again, because it would misalign all later ones.
bool AppendHole(int dir_fd, const HoleRecord& hole) {
  UniqueFd fd =
      OpenOwnFileAt(dir_fd, kHolesName, O_WRONLY | O_CREAT | O_APPEND);
  struct stat info;
  if (!fd.valid() || fstat(fd.get(), &info) != 0) return false;
  ssize_t n = WriteSome(fd.get(), &hole, sizeof hole);
  if (n == static_cast<ssize_t>(sizeof hole)) return true;
  if (n > 0) (void)!ftruncate(fd.get(), info.st_size);
  return false;
}

bool IsElsewhere(int dir_fd) {
  return faccessat(dir_fd, kElsewhereName, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

}  // namespace glasstty::wire
