// Text goes to disk in pieces of kFlushBytes, because writing each piece of
// output separately would cost more than copying it. If the server dies, the
// next server rebuilds the unwritten text, as far as the log still has it.
#include "record/line_archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/own_file.h"
#include "base/utf8.h"
#include "support/log.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

// A file holds 64 of them (LineArchive::kFileBytes).
constexpr size_t kFlushBytes = 64 << 10;

// Counts in blocks of a fixed size, which compilers turn into a few wide
// instructions; with std::count, this would take half as long as all other
// processing of the text (parts_bench, history/long).
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

LineArchive::LineArchive(const Folder* folder, std::string stem, uint64_t cap)
    : folder_(folder), stem_(std::move(stem)), cap_(cap) {}

int64_t LineArchive::first_line() const {
  return index_.empty() ? open_line_ : index_.front().line;
}

std::string LineArchive::WhyNotKept() const {
  return first_line() <= refused_before_ ? refusal_ : "";
}

uint64_t LineArchive::disk_end() const {
  return files_.empty() ? 0 : files_.back().start + files_.back().size;
}

// ---- the files of an earlier server

// A complete log reproduces all lines. If its beginning is gone, or it is not
// read at all, only the files still have the earlier lines.
int64_t LineArchive::Restore(uint64_t* offset) {
  // These are the files of a server that died before EndRestore.
  RemoveNew();
  restoring_ = true;
  std::vector<Place> places = ReadPlaces();
  if (*offset == 0) {
    places_are_new_ = true;
    stale_ = ListFiles(false);
    Clear(0);
    return 0;
  }
  // Lines can be counted again from the first known position at or after
  // `*offset`.
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
    // Numbers continue after the last line that the files or the positions
    // show, although the earlier server may have counted further.
    AdoptFiles(std::numeric_limits<int64_t>::max());
  }
  SkipTo(next);
  return open_line_;
}

void LineArchive::RestoreAt(int64_t line) {
  RemoveNew();
  restoring_ = true;
  std::vector<Place> places = ReadPlaces();
  if (!places.empty()) last_place_ = places.back().start;
  AdoptFiles(line);
  SkipTo(line);
}

void LineArchive::EndRestore() {
  if (!std::exchange(restoring_, false)) return;
  Folder::Hold hold = folder_->Open();
  int dir = hold->get();
  // Rename the new files before deleting stale ones. A server that finds both
  // adopts the first of two files that hold the same lines; they are equal.
  for (File& file : files_) {
    if (file.is_cut) {
      UniqueFd fd(OpenOwnFileAt(dir, FileName(file.line, false), O_WRONLY));
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

// Deletes all files, and starts with an empty archive.
void LineArchive::Begin(int64_t first_line) {
  RemoveNew();
  stale_ = ListFiles(false);
  RemoveStale();
  Clear(first_line);
}

void LineArchive::Remove() {
  Close();
  Begin(open_line_);
  Folder::Hold dir = folder_->Open();
  unlinkat(dir->get(), PlacesName(false).c_str(), 0);
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

// Files are named by numbers, like the segments of the log.
std::vector<int64_t> LineArchive::ListFiles(bool is_new) const {
  Folder::Hold dir = folder_->Open();
  std::vector<int64_t> lines;
  auto listed = wire::ListSegments(dir->get(), is_new ? NewStem() : stem_);
  // The lines are rebuilt from the log where it still has them.
  if (!listed) Warn("history: %s: %s", stem_, std::strerror(errno));
  if (!listed) return lines;
  for (uint64_t line : *listed) lines.push_back(static_cast<int64_t>(line));
  return lines;
}

std::vector<LineArchive::Place> LineArchive::ReadPlaces() const {
  Folder::Hold dir = folder_->Open();
  return DecodePlaces(dir->get(), PlacesName(false));
}

std::optional<LineArchive::LinePlaceInLog> LineArchive::FirstPlace(
    int dir_fd, const std::string& stem, uint64_t offset) {
  for (const Place& place : DecodePlaces(dir_fd, stem + ".places")) {
    if (place.start >= offset) return LinePlaceInLog{place.start, place.line};
  }
  return std::nullopt;
}

// Drops a torn last pair. Also drops the first pair that does not ascend and
// all after it, because a full disk may have torn an earlier pair.
std::vector<LineArchive::Place> LineArchive::DecodePlaces(
    int dir_fd, const std::string& name) {
  // A pair takes 16 bytes per 256 KiB of output.
  constexpr size_t kMostBytes = 64 << 20;  // for 1 TiB of output
  std::string bytes;
  ReadFileAt(dir_fd, name, kMostBytes, &bytes);
  std::vector<Place> places(bytes.size() / sizeof(Place));
  // The same machine writes and reads the file, so byte order does not matter.
  // memcpy(3) must not get a null pointer, not even with size 0.
  if (!places.empty()) {
    std::memcpy(places.data(), bytes.data(), places.size() * sizeof(Place));
  }
  auto bad = std::adjacent_find(places.begin(), places.end(),
                                [](const Place& a, const Place& b) {
                                  return b.start <= a.start || b.line < a.line;
                                });
  if (bad != places.end()) places.erase(bad + 1, places.end());
  return places;
}

void LineArchive::AddPlace(uint64_t offset, int64_t line) {
  if (offset <= last_place_) return;
  last_place_ = offset;
  Place place{offset, line};
  Folder::Hold dir = folder_->Open();
  UniqueFd fd(OpenOwnFileAt(dir->get(), PlacesName(places_are_new_),
                            O_WRONLY | O_CREAT | O_APPEND));
  // If the write fails entirely, numbers merely begin anew once the log's
  // beginning is gone. A partial write would spoil all pairs that follow.
  struct stat info;
  bool known = fstat(fd.get(), &info) == 0;
  ssize_t n = write(fd.get(), &place, sizeof place);
  if (known && n > 0 && n < static_cast<ssize_t>(sizeof place)) {
    (void)!ftruncate(fd.get(), info.st_size);
  }
}

void LineArchive::AddGap(int64_t begin, int64_t end) {
  if (end > begin) coming_gaps_.push_back({begin, end, 0});
}

// A file is named by the number of its first line, so the lines after the gap
// begin a new file.
void LineArchive::PassGap() {
  if (!pending_.empty()) Flush();
  Gap gap = coming_gaps_.front();
  coming_gaps_.pop_front();
  writer_.Reset();
  open_line_ = gap.end;
  gap.start = end();
  // If nothing before the gap is left, the archive begins after it.
  if (!index_.empty()) gaps_.push_back(gap);
  if (index_.empty() && refused_before_ >= gap.begin) refused_before_ = gap.end;
  index_.push_back({end(), open_line_});
}

// Adopts the lines before `end_line`. Lines missing between two files become a
// gap.
void LineArchive::AdoptFiles(int64_t end_line) {
  stale_ = ListFiles(false);
  Clear(stale_.empty() ? 0 : stale_.front());
  while (!stale_.empty() && AdoptFile(stale_.front(), end_line)) {
    stale_.erase(stale_.begin());
  }
}

// Returns false if the file cannot be read, has no line before `end_line`, or
// begins before the end of the last file.
bool LineArchive::AdoptFile(int64_t line, int64_t end_line) {
  if (line < open_line_ || line >= end_line) return false;
  Folder::Hold dir = folder_->Open();
  std::string text;
  if (!ReadFileAt(dir->get(), FileName(line, false), SIZE_MAX, &text)) {
    return false;
  }
  uint64_t start = disk_end();
  uint64_t size = 0;
  int64_t before = std::exchange(open_line_, line);
  if (line > before) index_.push_back({start, line});
  while (size < text.size() && open_line_ < end_line) {
    size_t newline = text.find('\n', size);
    if (newline == std::string::npos) break;
    if (index_.empty() || start + size - index_.back().start >= kBlockBytes) {
      index_.push_back({start + size, open_line_});
    }
    size = newline + 1;
    ++open_line_;
  }
  if (size == 0) {
    if (line > before) index_.pop_back();
    open_line_ = before;
    return false;
  }
  if (line > before && !files_.empty()) {
    gaps_.push_back({before, line, start});
  }
  files_.push_back({.line = line,
                    .start = start,
                    .size = size,
                    .is_cut = size < text.size()});
  return true;
}

// Lines that were still in the dead server's memory, and that are not rebuilt,
// are missing; the others keep their numbers.
void LineArchive::SkipTo(int64_t line) {
  if (files_.empty()) {
    stale_ = ListFiles(false);
    return Clear(line);
  }
  if (line <= open_line_) return;
  coming_gaps_.push_back({open_line_, line, 0});
  PassGap();
}

void LineArchive::Clear(int64_t first_line) {
  files_.clear();
  writer_.Reset();
  index_.clear();
  pending_.clear();
  pending_.shrink_to_fit();
  gaps_.clear();
  coming_gaps_.clear();
  open_line_ = first_line;
  open_bytes_ = cut_bytes_ = cut_characters_ = 0;
}

// ---- writing

void LineArchive::Append(std::string_view text) {
  while (!text.empty()) {
    // No line that fits into a block has to be truncated.
    size_t whole = text.substr(0, kBlockBytes).rfind('\n') + 1;
    // Go line by line up to a gap, and skip the gap after the last line.
    if (!coming_gaps_.empty()) whole = 0;
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

// Appends whole lines in one copy: line by line, appending short ones would
// cost as much as emulating them (parts_bench, history/seq).
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

// Appends a piece of the open line.
void LineArchive::AppendPiece(std::string_view text) {
  if (open_bytes_ == 0) BeginLine();
  // Once the line is truncated, nothing more is kept of it, even if a narrow
  // character would fit.
  size_t room = cut_bytes_ > 0 ? 0 : kMaxLineBytes - open_bytes_;
  std::string_view kept = Utf8Prefix(text, std::min(room, text.size()));
  pending_ += kept;
  open_bytes_ += kept.size();
  text.remove_prefix(kept.size());
  if (text.empty()) return;
  cut_bytes_ += text.size();
  cut_characters_ += CountCodePoints(text);
}

std::string LineArchive::NoteOfCut() const {
  return absl::StrFormat(
      " [... %d characters (%d bytes) of this line are not kept ...] ",
      cut_characters_, cut_bytes_);
}

void LineArchive::EndLine() {
  if (cut_bytes_ > 0) pending_ += NoteOfCut();
  pending_ += '\n';
  ++open_line_;
  open_bytes_ = cut_bytes_ = cut_characters_ = 0;
  if (!coming_gaps_.empty() && coming_gaps_.front().begin <= open_line_) {
    return PassGap();
  }
  if (pending_.size() >= kFlushBytes) Flush();
}

// Writes whole lines only, so that each file begins with a whole line.
void LineArchive::Flush() {
  // This is called only at the end of a line, so there is a newline.
  size_t whole = pending_.rfind('\n') + 1;
  std::string_view lines = std::string_view(pending_).substr(0, whole);
  bool written = WriteToFile(lines);
  // The disk may be full because of the files that will be replaced.
  if (!written && !stale_.empty()) {
    RemoveStale();
    written = WriteToFile(lines);
  }
  if (!written) {
    refusal_ = std::strerror(errno);
    refused_before_ = open_line_;
    Warn("history: %s: %s; earlier lines are given up", stem_, refusal_);
    // Keep the gaps after the open line: without them, later lines would get
    // the numbers of the missing ones.
    std::deque<Gap> coming = std::move(coming_gaps_);
    Begin(open_line_);
    coming_gaps_ = std::move(coming);
    return;
  }
  pending_.erase(0, whole);
  EnforceCap();
}

void LineArchive::SetCap(uint64_t cap) {
  cap_ = cap;
  EnforceCap();
}

// Offsets do not restart when a file is removed, so the size on disk is
// disk_end() minus the first file's `start`.
void LineArchive::EnforceCap() {
  while (files_.size() > 1 && disk_end() - files_.front().start > cap_) {
    RemoveOldest();
  }
}

// Writes all lines or none.
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

// The first line of the new file is the first pending line.
bool LineArchive::OpenFile() {
  int64_t line = open_line_ - CountNewlines(pending_);
  Folder::Hold dir = folder_->Open();
  UniqueFd fd(OpenOwnFileAt(dir->get(), FileName(line, restoring_),
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
  // A line never spans two files, so no index entry points into two.
  while (!index_.empty() && index_.front().start < end) index_.pop_front();
  while (!gaps_.empty() && gaps_.front().start <= end) gaps_.pop_front();
}

}  // namespace glasstty::record
