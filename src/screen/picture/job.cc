#include "picture/job.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "absl/strings/str_format.h"
#include "support/status.h"
#include "terminal/terminal.h"

namespace glasstty::picture {
namespace {

constexpr std::string_view kMagic = "glasstty-picture 1";

// Replaces line ends: nothing else in a text or name can break the encoding.
std::string OneLine(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  return line;
}

// Takes lines from the front of the bytes, and numbers from the front of a
// line.
class JobReader {
 public:
  explicit JobReader(std::string_view bytes) : rest_(bytes) {}

  // Returns the line without its end, which must exist.
  std::string_view TakeLine() {
    size_t end = rest_.find('\n');
    if (end == std::string::npos) {
      failed_ = true;
      return "";
    }
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return line;
  }
  // Skips leading blanks. Fails, and returns the lowest value, if there is no
  // number or it is out of bounds.
  template <class Number>
  Number Take(std::string_view* line, Number lowest, Number highest) {
    size_t begin = line->find_first_not_of(' ');
    line->remove_prefix(begin == std::string_view::npos ? line->size() : begin);
    Number number = lowest;
    auto [end, error] =
        std::from_chars(line->data(), line->data() + line->size(), number);
    if (error != std::errc() || number < lowest || number > highest) {
      failed_ = true;
      *line = "";
      return lowest;
    }
    line->remove_prefix(static_cast<size_t>(end - line->data()));
    return number;
  }

  bool failed() const { return failed_; }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

// Parses one row: a line of text, and a line of styles. Runs may overlap or
// come in any order; the last one counts.
terminal::SnapshotRow TakeRow(int cols, JobReader* reader) {
  terminal::SnapshotRow row;
  row.text = reader->TakeLine();
  std::string_view styles = reader->TakeLine();
  constexpr uint32_t kMost = std::numeric_limits<uint32_t>::max();
  constexpr uint16_t kAll = std::numeric_limits<uint16_t>::max();
  while (!styles.empty()) {
    terminal::StyleRun run;
    run.col = reader->Take<int>(&styles, 0, cols - 1);
    run.cols = reader->Take<int>(&styles, 1, cols - run.col);
    run.style.foreground = reader->Take<uint32_t>(&styles, 0, kMost);
    run.style.background = reader->Take<uint32_t>(&styles, 0, kMost);
    run.style.attributes = reader->Take<uint16_t>(&styles, 0, kAll);
    row.styles.push_back(run);
  }
  return row;
}

// Few screens have joints, so all joints are in one optional line.
std::string JointsLine(const observe::Frame& frame) {
  std::string line;
  for (size_t row = 0; row < frame.rows.size(); ++row) {
    for (const terminal::Joint& joint : frame.rows[row].joints) {
      line += absl::StrFormat("%d %d %d %d ", row, joint.col, joint.bytes,
                              joint.cols);
    }
  }
  if (!line.empty()) line.back() = '\n';
  return line;
}

void TakeJoints(observe::Frame* frame, JobReader* reader) {
  std::string_view line = reader->TakeLine();
  while (!line.empty()) {
    int row = reader->Take<int>(&line, 0, frame->size.rows - 1);
    terminal::SnapshotRow& joined = frame->rows[static_cast<size_t>(row)];
    auto size = static_cast<int>(joined.text.size());
    terminal::Joint joint;
    joint.col = reader->Take<int>(&line, 0, frame->size.cols - 1);
    joint.bytes = reader->Take<int>(&line, 1, std::max(size, 1));
    joint.cols = reader->Take<int>(&line, 1, 2);
    joined.joints.push_back(joint);
  }
}

}  // namespace

// Encodes only what affects the picture, such as two of the modes.
std::string EncodeJob(const Job& job) {
  const observe::Frame& frame = job.frame;
  const Options& options = job.options;
  std::string out = absl::StrFormat(
      "%s\n%d %d %d %d %d %d %d %d %d %d\n%s\n", kMagic, frame.size.rows,
      frame.size.cols, frame.cursor.row, frame.cursor.col,
      frame.cursor.visible ? 1 : 0, frame.modes.cursor_style,
      frame.modes.reverse_screen ? 1 : 0, options.light ? 1 : 0, options.px,
      options.max_edge, OneLine(options.font));
  for (const terminal::SnapshotRow& row : frame.rows) {
    out += OneLine(row.text) + "\n";
    std::string_view blank;
    for (const terminal::StyleRun& run : row.styles) {
      out += absl::StrFormat("%s%d %d %d %d %d", blank, run.col, run.cols,
                             run.style.foreground, run.style.background,
                             run.style.attributes);
      blank = " ";
    }
    out += "\n";
  }
  return out + JointsLine(frame);
}

// Decoding is strict: a job comes from the same release, so an unexpected value
// is a bug, which a picture of a part of the screen would hide.
absl::StatusOr<Job> DecodeJob(std::string_view bytes) {
  JobReader reader(bytes);
  if (reader.TakeLine() != kMagic) {
    return InvalidArgument("not a picture job: it begins with '%s'", kMagic);
  }
  constexpr int kMost = 100'000;
  std::string_view head = reader.TakeLine();
  Job job;
  observe::Frame& frame = job.frame;
  frame.size.rows = reader.Take<int>(&head, 1, kMost);
  frame.size.cols = reader.Take<int>(&head, 1, kMost);
  RETURN_IF_ERROR(terminal::CheckSize(frame.size));
  frame.cursor.row = reader.Take<int>(&head, 0, frame.size.rows - 1);
  frame.cursor.col = reader.Take<int>(&head, 0, frame.size.cols - 1);
  frame.cursor.visible = reader.Take<int>(&head, 0, 1) == 1;
  frame.modes.cursor_style = reader.Take<int>(&head, 0, 6);
  frame.modes.reverse_screen = reader.Take<int>(&head, 0, 1) == 1;
  job.options.light = reader.Take<int>(&head, 0, 1) == 1;
  job.options.px = reader.Take<int>(&head, 0, kMaxPx);
  job.options.max_edge = reader.Take<int>(&head, 0, kMost);
  job.options.font = reader.TakeLine();
  for (int row = 0; row < frame.size.rows && !reader.failed(); ++row) {
    frame.rows.push_back(TakeRow(frame.size.cols, &reader));
  }
  if (!reader.failed() && !reader.done()) TakeJoints(&frame, &reader);
  if (reader.failed() || !reader.done()) {
    return InvalidArgument(
        "the picture job is truncated or malformed in row %d",
        std::ssize(frame.rows));
  }
  return job;
}

}  // namespace glasstty::picture
