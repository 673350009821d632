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
#include <limits>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/utf8.h"
#include "support/log.h"
#include "wire/session_files.h"

namespace glasstty::record {
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

UniqueFd OpenAt(int dir_fd, const std::string& name, int flags) {
  return UniqueFd(
      openat(dir_fd, name.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0600));
}

// Reads as much as fits into `block` of the first `size` bytes of a file, from
// `offset` on; returns how much that was.
size_t ReadFrom(int fd, uint64_t offset, uint64_t size, std::string* block) {
  if (offset >= size) return 0;
  ssize_t n =
      pread(fd, block->data(), std::min<uint64_t>(block->size(), size - offset),
            static_cast<off_t>(offset));
  return n > 0 ? static_cast<size_t>(n) : 0;
}

}  // namespace

LineArchive::LineArchive(const Folder* folder, std::string stem, uint64_t cap)
    : folder_(folder), stem_(std::move(stem)), cap_(cap) {}

int64_t LineArchive::first_line() const {
  return index_.empty() ? open_line_ : index_.front().line;
}

uint64_t LineArchive::disk_end() const {
  return files_.empty() ? 0 : files_.back().start + files_.back().size;
}

// ---- what an earlier server has left

// A log that is whole makes all lines anew. Where its beginning has gone, or it
// is not read at all, the files are the only place that has them.
int64_t LineArchive::Restore(uint64_t* offset) {
  // Of a server that died before it was through.
  RemoveNew();
  restoring_ = true;
  std::vector<Place> places = ReadPlaces();
  if (*offset == 0) {
    places_are_new_ = true;
    stale_ = ListFiles(false);
    Clear(0);
    return 0;
  }
  // From the first place at or behind `*offset` on lines can be counted again.
  auto known =
      std::find_if(places.begin(), places.end(),
                   [&](const Place& place) { return place.start >= *offset; });
  int64_t next = places.empty() ? 0 : places.back().line;
  if (!places.empty()) last_place_ = places.back().start;
  if (known != places.end()) {
    *offset = known->start;
    next = known->line;
    AdoptFiles(next);
  } else {
    // Numbers go on from the last one that is known, though lines behind it
    // were counted before.
    AdoptFiles(std::numeric_limits<int64_t>::max());
  }
  FillUpTo(next);
  return open_line_;
}

void LineArchive::EndRestore() {
  if (!std::exchange(restoring_, false)) return;
  Folder::Hold hold = folder_->Open();
  int dir = hold->get();
  // New files first: a server that finds both takes the first of the two that
  // hold the same lines, and they are the same.
  for (File& file : files_) {
    if (file.is_cut) {
      UniqueFd fd(OpenAt(dir, FileName(file.line, false), O_WRONLY));
      (void)!ftruncate(fd.get(), static_cast<off_t>(file.size));
    }
    if (file.is_new) {
      renameat(dir, FileName(file.line, true).c_str(), dir,
               FileName(file.line, false).c_str());
      std::erase(stale_, file.line);
    }
    file.is_new = file.is_cut = false;
  }
  if (std::exchange(places_are_new_, false)) {
    std::string places = PlacesName(false);
    unlinkat(dir, places.c_str(), 0);
    renameat(dir, PlacesName(true).c_str(), dir, places.c_str());
  }
  RemoveStale();
}

// With nothing.
void LineArchive::Begin(int64_t first_line) {
  RemoveNew();
  stale_ = ListFiles(false);
  RemoveStale();
  Clear(first_line);
}

void LineArchive::RemoveNew() {
  Folder::Hold dir = folder_->Open();
  for (int64_t line : ListFiles(true)) {
    unlinkat(dir->get(), FileName(line, true).c_str(), 0);
  }
  unlinkat(dir->get(), PlacesName(true).c_str(), 0);
}

void LineArchive::RemoveStale() {
  Folder::Hold dir = folder_->Open();
  for (int64_t line : stale_) {
    unlinkat(dir->get(), FileName(line, false).c_str(), 0);
  }
  stale_.clear();
}

std::string LineArchive::FileName(int64_t line, bool is_new) const {
  return wire::SegmentName(is_new ? NewStem() : stem_,
                           static_cast<uint64_t>(line));
}

std::string LineArchive::PlacesName(bool is_new) const {
  return (is_new ? NewStem() : stem_) + ".places";
}

// Segments are named by numbers, as those of the log.
std::vector<int64_t> LineArchive::ListFiles(bool is_new) const {
  Folder::Hold dir = folder_->Open();
  std::vector<int64_t> lines;
  for (uint64_t line :
       wire::ListSegments(dir->get(), is_new ? NewStem() : stem_)) {
    lines.push_back(static_cast<int64_t>(line));
  }
  return lines;
}

// A torn last pair is left out.
std::vector<LineArchive::Place> LineArchive::ReadPlaces() const {
  // 16 bytes for each 256 KiB.
  constexpr size_t kMostBytes = 64 << 20;  // 4 TiB of output
  std::string bytes;
  Folder::Hold dir = folder_->Open();
  ReadFileAt(dir->get(), PlacesName(false), kMostBytes, &bytes);
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
  Folder::Hold dir = folder_->Open();
  UniqueFd fd(OpenAt(dir->get(), PlacesName(places_are_new_),
                     O_WRONLY | O_CREAT | O_APPEND));
  // Without it numbers begin anew once the log's beginning has gone.
  (void)!write(fd.get(), &place, sizeof place);
}

// Takes the lines before `end_line`, from the first that is kept to the first
// that is missing.
void LineArchive::AdoptFiles(int64_t end_line) {
  stale_ = ListFiles(false);
  Clear(stale_.empty() ? 0 : stale_.front());
  while (!stale_.empty() && AdoptFile(stale_.front(), end_line)) {
    stale_.erase(stale_.begin());
  }
}

// False when the file has none of the lines before `end_line`, or does not go
// on where the last one ended.
bool LineArchive::AdoptFile(int64_t line, int64_t end_line) {
  if (line != open_line_ || line >= end_line) return false;
  Folder::Hold dir = folder_->Open();
  std::string text;
  if (!ReadFileAt(dir->get(), FileName(line, false), SIZE_MAX, &text)) {
    return false;
  }
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
  if (size == 0) return false;
  files_.push_back({.line = line,
                    .start = start,
                    .size = size,
                    .is_cut = size < text.size()});
  return true;
}

// Those that had not left the dead server's memory, and are not made again,
// have a number all the same; without them the others would have no place.
void LineArchive::FillUpTo(int64_t line) {
  // As many as a terminal holds at most. Of more, something else is wrong.
  constexpr int64_t kMost = 1'000'000;
  if (files_.empty() || line - open_line_ > kMost) {
    stale_ = ListFiles(false);
    return Clear(line);
  }
  while (open_line_ < line) Append("[not kept]\n");
}

void LineArchive::Clear(int64_t first_line) {
  files_.clear();
  writer_.Reset();
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
  std::string_view lines = std::string_view(pending_).substr(0, whole);
  bool written = WriteToFile(lines);
  // The disk may be full of what is to be replaced.
  if (!written && !stale_.empty()) {
    RemoveStale();
    written = WriteToFile(lines);
  }
  if (!written) {
    Warn("history: %s: %s; earlier lines are given up", stem_,
         std::strerror(errno));
    return Begin(open_line_);
  }
  pending_.erase(0, whole);
  EnforceCap();
}

void LineArchive::SetCap(uint64_t cap) {
  cap_ = cap;
  EnforceCap();
}

// Offsets count on when a file goes: `start` never changes, and disk_end()
// minus the first one is what the disk holds.
void LineArchive::EnforceCap() {
  while (files_.size() > 1 && disk_end() - files_.front().start > cap_) {
    RemoveOldest();
  }
}

// All or nothing.
bool LineArchive::WriteToFile(std::string_view lines) {
  bool next = !writer_.valid() || files_.back().size >= kFileBytes;
  if (next && !OpenFile()) return false;
  File& file = files_.back();
  if (!WriteAll(writer_.get(), lines)) {
    int error = errno;
    (void)!ftruncate(writer_.get(), static_cast<off_t>(file.size));
    errno = error;
    return false;
  }
  file.size += lines.size();
  return true;
}

// The line in it is the first of what is pending.
bool LineArchive::OpenFile() {
  int64_t line = open_line_ - CountNewlines(pending_);
  Folder::Hold dir = folder_->Open();
  UniqueFd fd(OpenAt(dir->get(), FileName(line, restoring_),
                     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND));
  if (!fd.valid()) return false;
  files_.push_back({.line = line, .start = disk_end(), .is_new = restoring_});
  writer_ = std::move(fd);
  return true;
}

void LineArchive::RemoveOldest() {
  File& oldest = files_.front();
  Folder::Hold dir = folder_->Open();
  unlinkat(dir->get(), FileName(oldest.line, oldest.is_new).c_str(), 0);
  uint64_t end = oldest.start + oldest.size;
  files_.pop_front();
  // A line stands in one file whole, so no entry points into two.
  while (!index_.empty() && index_.front().start < end) index_.pop_front();
}

// ---- reading

// Null where nothing is on disk.
const LineArchive::File* LineArchive::FileAt(uint64_t start) const {
  auto after = std::upper_bound(
      files_.begin(), files_.end(), start,
      [](uint64_t at, const File& file) { return at < file.start; });
  if (after == files_.begin() || start >= disk_end()) return nullptr;
  return &*std::prev(after);
}

std::vector<terminal::Line> LineArchive::Lines(int64_t from, int64_t to,
                                               size_t max_bytes) const {
  std::vector<terminal::Line> lines;
  from = std::max(from, first_line());
  to = std::min(to, open_line_ + 1);
  auto after = std::upper_bound(
      index_.begin(), index_.end(), from,
      [](int64_t line, const Place& place) { return line < place.line; });
  if (from >= to || after == index_.begin()) return lines;
  Place place = *std::prev(after);
  std::string text, block(kBlockBytes, '\0');
  size_t taken = 0;
  Folder::Hold dir = folder_->Open();
  const File* file = nullptr;  // the one that is open
  UniqueFd fd;
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
    const File* next = FileAt(place.start);
    if (next != nullptr && next != file) {
      file = next;
      fd.Reset(OpenAt(dir->get(), FileName(file->line, file->is_new), O_RDONLY)
                   .Release());
    }
    size_t n = next == nullptr ? 0
                               : ReadFrom(fd.get(), place.start - next->start,
                                          next->size, &block);
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

// The pieces end where entries of the index begin, so that the numbers of their
// lines are known without counting.
LineArchive::Reader::Piece LineArchive::Reader::Read(int64_t line,
                                                     size_t bytes) {
  const std::deque<Place>& index = archive_->index_;
  auto after = std::upper_bound(
      index.begin(), index.end(), line,
      [](int64_t number, const Place& place) { return number < place.line; });
  if (line >= archive_->open_line_ || after == index.begin()) return {};
  const Place& begin = *std::prev(after);
  const std::string& pending = archive_->pending_;
  Place end{archive_->disk_end() + pending.rfind('\n') + 1,
            archive_->open_line_};
  auto next = std::lower_bound(
      after, index.end(), begin.start + bytes,
      [](const Place& place, uint64_t start) { return place.start < start; });
  if (next != index.end()) end = *next;
  size_t size = end.start - begin.start;
  if (text_.size() < size) text_.resize(size);
  if (!ReadBytes(begin.start, text_.data(), size)) return {};
  return {begin.line, end.line, {text_.data(), size}};
}

bool LineArchive::Reader::ReadBytes(uint64_t start, char* out, size_t size) {
  uint64_t disk_end = archive_->disk_end();
  while (size > 0 && start < disk_end) {
    const File* file = archive_->FileAt(start);
    if (file == nullptr) return false;
    if (!fd_.valid() || line_ != file->line || is_new_ != file->is_new) {
      Folder::Hold dir = archive_->folder_->Open();
      fd_ = OpenAt(dir->get(), archive_->FileName(file->line, file->is_new),
                   O_RDONLY);
      line_ = file->line;
      is_new_ = file->is_new;
    }
    uint64_t at = start - file->start;
    ssize_t n = pread(fd_.get(), out, std::min<uint64_t>(size, file->size - at),
                      static_cast<off_t>(at));
    if (n <= 0) return false;
    start += static_cast<uint64_t>(n);
    out += n;
    size -= static_cast<size_t>(n);
  }
  std::string_view pending = archive_->pending_;
  if (size > 0) pending.substr(start - disk_end, size).copy(out, size);
  return true;
}

}  // namespace glasstty::record
