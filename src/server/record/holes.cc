// The best evidence comes from the holder, which counts what it drops. If
// somebody else removed a part of the log, an earlier server may have noted the
// number of a line after it (LineArchive::AddPlace).
#include "record/holes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <vector>

#include "absl/strings/str_format.h"
#include "record/line_archive.h"
#include "wire/log_reader.h"
#include "wire/session_files.h"

namespace glasstty::record {
namespace {

// A line with a known number is used if it is at most this far after a hole.
// Positions are noted every 256 KiB; searching further is not worth a pause of
// the loop.
constexpr uint64_t kFarthestPlace = 1 << 20;

std::string ReasonOf(uint32_t error) {
  switch (error) {
    case 0:
      return "";
    case ENOSPC:
      return "the disk was full";
    case EDQUOT:
      return "the disk quota was used up";
    case EFBIG:
      return "files may not become larger";
  }
  return std::strerror(static_cast<int>(error));
}

std::optional<int64_t> CountNewlines(int dir_fd, const std::string& stem,
                                     uint64_t from, uint64_t to) {
  wire::LogReader reader(dir_fd, stem);
  std::vector<char> piece(64 << 10);
  int64_t count = 0;
  while (from < to) {
    ssize_t n = reader.Read(from, piece.data(),
                            std::min<uint64_t>(piece.size(), to - from));
    if (n <= 0) return std::nullopt;
    count += std::count(piece.begin(), piece.begin() + n, '\n');
    from += static_cast<uint64_t>(n);
  }
  return count;
}

// Estimates the lines in a hole from a line after it whose number is known:
// that number, less the lines in between and `cursor_line`. 0: there is no such
// line.
int64_t LinesByPlace(int dir_fd, const std::string& stem, uint64_t end,
                     int64_t cursor_line) {
  std::string archive = stem == "err" ? "errlines" : "lines";
  auto place = LineArchive::FirstPlace(dir_fd, archive, end);
  if (!place || place->offset - end > kFarthestPlace) return 0;
  auto between = CountNewlines(dir_fd, stem, end, place->offset);
  if (!between) return 0;
  return std::max<int64_t>(place->line - *between - cursor_line, 0);
}

}  // namespace

std::string Grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, ",");
  }
  return text;
}

std::string LogHole::Note() const {
  std::string text = absl::StrFormat("[... %s byte%s of output ",
                                     Grouped(bytes), bytes == 1 ? "" : "s");
  if (lines > 0) {
    text +=
        absl::StrFormat("(%s line%s) ", Grouped(static_cast<uint64_t>(lines)),
                        lines == 1 ? "" : "s");
  }
  text += bytes == 1 ? "was lost here" : "were lost here";
  return text + (why.empty() ? "]" : ": " + why + "]");
}

LogHole DescribeHole(int dir_fd, const std::string& stem, uint64_t offset,
                     uint64_t bytes, std::optional<int64_t> cursor_line,
                     const std::optional<wire::HoleRecord>& told) {
  LogHole hole{.offset = offset, .bytes = bytes};
  bool all_known = false;
  std::vector<wire::HoleRecord> records = wire::ReadHoles(dir_fd, stem);
  bool is_written = told && std::any_of(records.begin(), records.end(),
                                        [&told](const wire::HoleRecord& one) {
                                          return one.offset == told->offset;
                                        });
  if (told && !is_written) records.push_back(*told);
  for (const wire::HoleRecord& record : records) {
    bool inside = record.offset >= offset && record.bytes <= bytes &&
                  record.offset - offset <= bytes - record.bytes;
    if (!inside) continue;
    hole.why = ReasonOf(record.error);
    if (record.lines == wire::HoleRecord::kUnknownLines) continue;
    all_known = record.bytes == bytes;
    // A record of another machine may claim more lines than bytes.
    uint64_t lines = static_cast<uint64_t>(hole.lines) +
                     std::min(record.lines, record.bytes);
    hole.lines = static_cast<int64_t>(std::min(lines, bytes));
  }
  if (all_known) return hole;
  if (cursor_line) {
    int64_t lines = LinesByPlace(dir_fd, stem, offset + bytes, *cursor_line);
    hole.lines = std::max(hole.lines, lines);
  }
  if (hole.why.empty() && offset == 0) {
    hole.why = "the log keeps only the end (log-mib)";
  }
  return hole;
}

}  // namespace glasstty::record
