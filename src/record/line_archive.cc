// Text goes to disk in pieces of kFlushBytes: a write for each piece of output
// would cost more than the copying. Nothing is lost with what is not written
// yet, because the next server makes it again from the log.
#include "record/line_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/log.h"
#include "wire/session_files.h"

namespace glasstty {
namespace {

// 64 of them make a file (LineArchive::kFileBytes).
constexpr size_t kFlushBytes = 64 << 10;

// In blocks of a fixed size, which compilers turn into a few wide instructions;
// std::count takes as long as half of what becomes of the text (parts_bench,
// history/long).
int64_t CountNewlines(std::string_view text) {
  constexpr size_t kBlock = 32;
  int64_t count = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; end - at >= std::ptrdiff_t{kBlock}; at += kBlock) {
    uint8_t in_block = 0;
    for (size_t i = 0; i < kBlock; ++i) in_block += at[i] == '\n';
    count += in_block;
  }
  return count + std::count(at, end, '\n');
}

}  // namespace

LineArchive::LineArchive(int dir_fd, std::string stem, uint64_t cap)
    : dir_fd_(dir_fd), stem_(std::move(stem)), cap_(cap) {}

int64_t LineArchive::first_line() const {
  return index_.empty() ? open_line_ : index_.front().line;
}

uint64_t LineArchive::disk_end() const {
  return files_.empty() ? 0 : files_.back().start + files_.back().size;
}

// ---- what an earlier server has left

// A log that is whole makes all lines anew.
int64_t LineArchive::Restore(uint64_t* offset) {
  // The first place at or behind the log's beginning: from there on lines can
  // be counted again.
  std::vector<Place> places = ReadPlaces();
  auto known =
      std::find_if(places.begin(), places.end(),
                   [&](const Place& place) { return place.start >= *offset; });
  if (*offset == 0) {
    // AddPlace only appends, and every place will be passed again.
    unlinkat(dir_fd_, PlacesName().c_str(), 0);
    places.clear();
    Begin(0);
  } else if (known == places.end()) {
    // No place in what is left of the log: numbers go on from the last one that
    // is known, though lines behind it were counted before.
    Begin(places.empty() ? 0 : places.back().line);
  } else {
    *offset = known->start;
    std::vector<int64_t> lines = ListFiles();
    Clear(lines.empty() ? 0 : lines.front());
    for (int64_t line : lines) {
      // Files come in ascending order; those from the place on are made anew.
      if (line >= known->line || !AdoptFile(line, known->line)) break;
    }
    // With a gap the lines before it would have no place.
    if (open_line_ != known->line) Begin(known->line);
  }
  if (!places.empty()) last_place_ = places.back().start;
  return open_line_;
}

// With nothing.
void LineArchive::Begin(int64_t first_line) {
  for (int64_t line : ListFiles()) {
    unlinkat(dir_fd_, FileName(line).c_str(), 0);
  }
  Clear(first_line);
}

std::string LineArchive::FileName(int64_t line) const {
  return SegmentName(stem_, static_cast<uint64_t>(line));
}

// Segments are named by numbers, as those of the log.
std::vector<int64_t> LineArchive::ListFiles() const {
  std::vector<int64_t> lines;
  for (uint64_t line : ListSegments(dir_fd_, stem_)) {
    lines.push_back(static_cast<int64_t>(line));
  }
  return lines;
}

// A torn last pair is left out.
std::vector<LineArchive::Place> LineArchive::ReadPlaces() const {
  // 16 bytes for each 256 KiB.
  constexpr size_t kMostBytes = 64 << 20;  // 4 TiB of output
  std::string bytes;
  ReadFileAt(dir_fd_, PlacesName(), kMostBytes, &bytes);
  std::vector<Place> places(bytes.size() / sizeof(Place));
  // Written and read by one machine: no byte order to agree on.
  // memcpy(3) takes no null, whatever the size.
  if (!places.empty()) {
    std::memcpy(places.data(), bytes.data(), places.size() * sizeof(Place));
  }
  return places;
}

void LineArchive::AddPlace(uint64_t offset, int64_t line) {
  if (offset <= last_place_) return;
  last_place_ = offset;
  Place place{offset, line};
  UniqueFd fd(openat(dir_fd_, PlacesName().c_str(),
                     O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
                     0600));
  // Without it numbers begin anew once the log's beginning has gone.
  (void)!write(fd.get(), &place, sizeof place);
}

// Takes the lines before `end_line` of one file and cuts off the others. False
// when it does not go on where the last one ended.
bool LineArchive::AdoptFile(int64_t line, int64_t end_line) {
  if (line != open_line_) return false;
  std::string name = FileName(line);
  UniqueFd fd(openat(dir_fd_, name.c_str(),
                     O_RDWR | O_APPEND | O_NOFOLLOW | O_CLOEXEC));
  std::string text;
  if (!fd.valid() || !ReadFileAt(dir_fd_, name, SIZE_MAX, &text)) return false;
  uint64_t start = disk_end();
  uint64_t size = 0;
  while (size < text.size() && open_line_ < end_line) {
    size_t newline = text.find('\n', size);
    if (newline == std::string::npos) break;
    if (index_.empty() || start + size - index_.back().start >= kBlockBytes) {
      index_.push_back({start + size, open_line_});
    }
    size = newline + 1;
    ++open_line_;
  }
  // The file is appended to later on, so the rest must go, not only be ignored.
  if (size < text.size() && ftruncate(fd.get(), static_cast<off_t>(size)) != 0)
    return false;
  files_.push_back({line, start, size, std::move(fd)});
  return true;
}

void LineArchive::Clear(int64_t first_line) {
  files_.clear();
  index_.clear();
  pending_.clear();
  pending_.shrink_to_fit();
  open_line_ = first_line;
  open_bytes_ = 0;
}

// ---- writing

void LineArchive::Append(std::string_view text) {
  while (!text.empty()) {
    // What fits into a block holds no line that must be cut.
    size_t whole = text.substr(0, kBlockBytes).rfind('\n') + 1;
    if (open_bytes_ == 0 && whole > 0) {
      AppendLines(text.substr(0, whole));
      text.remove_prefix(whole);
      continue;
    }
    size_t newline = text.find('\n');
    AppendPiece(text.substr(0, newline));
    if (newline == std::string_view::npos) return;
    EndLine();
    text.remove_prefix(newline + 1);
  }
}

// Whole lines, in one copy: line by line they cost as much as the emulation of
// short ones (parts_bench, history/seq).
void LineArchive::AppendLines(std::string_view lines) {
  BeginLine();
  pending_ += lines;
  open_line_ += CountNewlines(lines);
  if (pending_.size() >= kFlushBytes) Flush();
}

void LineArchive::BeginLine() {
  bool block_full =
      index_.empty() || end() - index_.back().start >= kBlockBytes;
  if (block_full) index_.push_back({end(), open_line_});
}

// A piece of the open line.
void LineArchive::AppendPiece(std::string_view text) {
  if (open_bytes_ == 0) BeginLine();
  // What is cut off a line is still counted, for the note at its end.
  size_t room = kMaxLineBytes - std::min(open_bytes_, kMaxLineBytes);
  pending_ += Utf8Prefix(text, std::min(room, text.size()));
  open_bytes_ += text.size();
}

void LineArchive::EndLine() {
  if (open_bytes_ > kMaxLineBytes) {
    // "About", since the cut keeps characters whole and may drop up to three
    // bytes more.
    pending_ += absl::StrFormat(" [about %d more bytes of this line]",
                                open_bytes_ - kMaxLineBytes);
  }
  pending_ += '\n';
  ++open_line_;
  open_bytes_ = 0;
  if (pending_.size() >= kFlushBytes) Flush();
}

// Whole lines only, so that each file begins with one.
void LineArchive::Flush() {
  // Called at the end of a line only, so there is one.
  size_t whole = pending_.rfind('\n') + 1;
  if (files_.empty() || files_.back().size >= kFileBytes) OpenFile();
  File& file = files_.back();
  if (!WriteAll(file.fd.get(), std::string_view(pending_).substr(0, whole))) {
    Warn("history: %s: %s; earlier lines are given up", stem_,
         std::strerror(errno));
    return Begin(open_line_);
  }
  file.size += whole;
  pending_.erase(0, whole);
  // Offsets count on when a file goes: `start` never changes, and disk_end()
  // minus the first one is what the disk holds.
  while (files_.size() > 1 && disk_end() - files_.front().start > cap_) {
    RemoveOldest();
  }
}

// The line in it is the first of what is pending.
void LineArchive::OpenFile() {
  int64_t line = open_line_ - CountNewlines(pending_);
  UniqueFd fd(openat(
      dir_fd_, FileName(line).c_str(),
      O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
  files_.push_back({line, disk_end(), 0, std::move(fd)});
}

void LineArchive::RemoveOldest() {
  File& oldest = files_.front();
  unlinkat(dir_fd_, FileName(oldest.line).c_str(), 0);
  uint64_t end = oldest.start + oldest.size;
  files_.pop_front();
  // A line stands in one file whole, so no entry points into two.
  while (!index_.empty() && index_.front().start < end) index_.pop_front();
}

// ---- reading

size_t LineArchive::Read(uint64_t start, char* buffer, size_t size) const {
  auto after = std::upper_bound(
      files_.begin(), files_.end(), start,
      [](uint64_t at, const File& file) { return at < file.start; });
  if (after == files_.begin()) return 0;
  const File& file = *std::prev(after);
  uint64_t at = start - file.start;
  if (at >= file.size) return 0;
  ssize_t n =
      pread(file.fd.get(), buffer, std::min<uint64_t>(size, file.size - at),
            static_cast<off_t>(at));
  return n > 0 ? static_cast<size_t>(n) : 0;
}

std::vector<Line> LineArchive::Lines(int64_t from, int64_t to,
                                     size_t max_bytes) const {
  std::vector<Line> lines;
  from = std::max(from, first_line());
  to = std::min(to, open_line_ + 1);
  auto after = std::upper_bound(
      index_.begin(), index_.end(), from,
      [](int64_t line, const Place& place) { return line < place.line; });
  if (from >= to || after == index_.begin()) return lines;
  Place place = *std::prev(after);
  std::string text, block(kBlockBytes, '\0');
  size_t taken = 0;
  while (place.line < to) {
    // `text` holds what has been read and belongs to lines from place.line on.
    size_t begin = 0;
    for (size_t newline; place.line < to; begin = newline + 1, ++place.line) {
      newline = text.find('\n', begin);
      if (newline == std::string::npos) break;
      if (place.line < from) continue;
      lines.push_back(
          {.number = place.line, .text = text.substr(begin, newline - begin)});
      taken += newline - begin;
      if (taken >= max_bytes) return lines;
    }
    text.erase(0, begin);
    size_t n = Read(place.start, block.data(), block.size());
    if (n > 0) {
      text.append(block, 0, n);
    } else if (place.start >= disk_end() && place.start < end()) {
      size_t done = place.start - disk_end();
      n = pending_.size() - done;
      text.append(pending_, done, n);
    } else {
      break;
    }
    place.start += n;
  }
  // The open one.
  if (place.line == open_line_ && place.line >= from && place.line < to) {
    lines.push_back({.number = place.line, .text = std::move(text)});
  }
  return lines;
}

}  // namespace glasstty
