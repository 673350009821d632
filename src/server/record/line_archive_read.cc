// Reads lines back from disk.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <utility>

#include "record/line_archive.h"

namespace glasstty::record {
namespace {

UniqueFd OpenToRead(int dir_fd, const std::string& name) {
  return UniqueFd(
      openat(dir_fd, name.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
}

// Fills `block` from the first `size` bytes of a file, starting at `offset`;
// returns how many bytes it read.
size_t ReadFrom(int fd, uint64_t offset, uint64_t size, std::string* block) {
  if (fd < 0 || offset >= size) return 0;
  ssize_t n =
      pread(fd, block->data(), std::min<uint64_t>(block->size(), size - offset),
            static_cast<off_t>(offset));
  return n > 0 ? static_cast<size_t>(n) : 0;
}

// Only a truncated line with its note is longer than kMaxLineBytes, so printed
// text cannot be mistaken for the note.
void ReadNote(terminal::Line* line) {
  if (line->text.size() <= LineArchive::kMaxLineBytes) return;
  size_t at = line->text.rfind(" [... ");
  if (at == std::string::npos) return;
  long long characters = 0, bytes = 0;
  if (std::sscanf(line->text.c_str() + at, " [... %lld characters (%lld bytes)",
                  &characters, &bytes) != 2) {
    return;
  }
  auto note = static_cast<int64_t>(line->text.size() - at);
  line->missing_bytes = bytes - note;
  line->missing_characters = characters - note;
}

}  // namespace

int64_t LineArchive::SkipGap(int64_t line) const {
  for (const Gap& gap : gaps_) {
    if (line >= gap.begin && line < gap.end) return gap.end;
  }
  return line;
}

int64_t LineArchive::SkipGapBack(int64_t end) const {
  for (const Gap& gap : gaps_) {
    if (end > gap.begin && end <= gap.end) return gap.begin;
  }
  return end;
}

int64_t LineArchive::MissingIn(int64_t from, int64_t to) const {
  int64_t missing = 0;
  for (const Gap& gap : gaps_) {
    missing +=
        std::max<int64_t>(std::min(to, gap.end) - std::max(from, gap.begin), 0);
  }
  return missing;
}

void LineArchive::Failed() const {
  ++failed_reads_;
  failure_ = std::strerror(errno);
}

// Returns null if nothing is on disk at `start`.
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
  for (const Gap& gap : gaps_) {
    if (gap.end <= from) continue;
    if (gap.begin >= to) break;
    if (from < gap.begin &&
        !AppendStretch(from, gap.begin, max_bytes, &lines)) {
      return lines;
    }
    from = gap.end;
  }
  AppendStretch(from, to, max_bytes, &lines);
  return lines;
}

bool LineArchive::AppendStretch(int64_t from, int64_t to, size_t max_bytes,
                                std::vector<terminal::Line>* lines) const {
  auto after = std::upper_bound(
      index_.begin(), index_.end(), from,
      [](int64_t line, const Place& place) { return line < place.line; });
  if (from >= to || after == index_.begin()) return false;
  Place place = *std::prev(after);
  std::string text, block(kBlockBytes, '\0');
  size_t taken = lines->size();
  for (const terminal::Line& line : *lines) taken += line.text.size();
  Folder::Hold dir = folder_->Open();
  const File* file = nullptr;  // the one that is open
  UniqueFd fd;
  while (place.line < to) {
    // `text` holds unprocessed bytes; its first line is place.line.
    size_t begin = 0;
    for (size_t newline; place.line < to; begin = newline + 1, ++place.line) {
      newline = text.find('\n', begin);
      if (newline == std::string::npos) break;
      if (place.line < from) continue;
      lines->push_back(
          {.number = place.line, .text = text.substr(begin, newline - begin)});
      ReadNote(&lines->back());
      taken += newline - begin + 1;
      if (taken >= max_bytes) return false;
    }
    text.erase(0, begin);
    const File* next = FileAt(place.start);
    if (next != nullptr && next != file) {
      file = next;
      fd.Reset(
          OpenToRead(dir->get(), FileName(file->line, file->is_new)).Release());
    }
    size_t n = next == nullptr ? 0
                               : ReadFrom(fd.get(), place.start - next->start,
                                          next->size, &block);
    if (next != nullptr && n == 0) Failed();
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
  // The line that is still open comes last.
  bool is_open =
      place.line == open_line_ && place.line >= from && place.line < to;
  if (is_open) {
    if (cut_bytes_ > 0) text += NoteOfCut();
    lines->push_back({.number = place.line, .text = std::move(text)});
    ReadNote(&lines->back());
  }
  return place.line >= to;
}

// Pieces end at index entries, so that the numbers of their lines are known
// without counting.
LineArchive::Reader::Piece LineArchive::Reader::Read(int64_t line,
                                                     size_t bytes) {
  const std::deque<Place>& index = archive_->index_;
  auto after = std::upper_bound(
      index.begin(), index.end(), line,
      [](int64_t number, const Place& place) { return number < place.line; });
  if (line >= archive_->open_line_ || after == index.begin()) return {};
  if (archive_->SkipGap(line) != line) return {};
  const Place& begin = *std::prev(after);
  const std::string& pending = archive_->pending_;
  Place end{archive_->disk_end() + pending.rfind('\n') + 1,
            archive_->open_line_};
  auto next = std::lower_bound(
      after, index.end(), begin.start + bytes,
      [](const Place& place, uint64_t start) { return place.start < start; });
  if (next != index.end()) end = *next;
  // A piece must not span a gap, because callers number its lines by counting.
  for (const Gap& gap : archive_->gaps_) {
    if (gap.start <= begin.start || gap.start > end.start) continue;
    end = {gap.start, gap.begin};
    break;
  }
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
      fd_ =
          OpenToRead(dir->get(), archive_->FileName(file->line, file->is_new));
      if (!fd_.valid()) {
        archive_->Failed();
        return false;
      }
      line_ = file->line;
      is_new_ = file->is_new;
    }
    uint64_t at = start - file->start;
    ssize_t n = pread(fd_.get(), out, std::min<uint64_t>(size, file->size - at),
                      static_cast<off_t>(at));
    if (n <= 0) {
      archive_->Failed();
      return false;
    }
    start += static_cast<uint64_t>(n);
    out += n;
    size -= static_cast<size_t>(n);
  }
  std::string_view pending = archive_->pending_;
  if (size > 0) pending.substr(start - disk_end, size).copy(out, size);
  return true;
}

}  // namespace glasstty::record
