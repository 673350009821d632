// `glasstty cast NAME`: a session's log as an asciicast, or one version of the
// format made from the other.
//
// Every session can be turned into a recording, while it lives and for as
// long as its log is kept, up to a week. See docs/recording.md.
#include "record/cast.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "cli/command.h"
#include "cli/options.h"
#include "record/recording.h"
#include "support/status.h"

namespace glasstty {
namespace {

// Gathers lines and writes them in large pieces; remembers the first failure.
class LineFile {
 public:
  // "-": stdout. A recording may hold anything that was on the screen, so a new
  // file is for its owner alone.
  // Error: it cannot be opened.
  static absl::StatusOr<std::unique_ptr<LineFile>> Open(
      const std::string& path) {
    UniqueFd fd(path == "-"
                    ? dup(STDOUT_FILENO)
                    : open(path.c_str(),
                           O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!fd.valid()) return ErrnoStatus("open", path);
    return std::unique_ptr<LineFile>(new LineFile(path, std::move(fd)));
  }

  void Add(std::string_view line) {
    pending_ += line;
    if (pending_.size() >= 65536) Flush();
  }
  absl::Status Finish() {
    Flush();
    return status_;
  }
  bool ok() const { return status_.ok(); }

 private:
  LineFile(std::string path, UniqueFd fd)
      : path_(std::move(path)), fd_(std::move(fd)) {}

  void Flush() {
    if (status_.ok() && !WriteAll(fd_.get(), pending_)) {
      status_ = ErrnoStatus("write", path_);
    }
    pending_.clear();
  }

  const std::string path_;
  UniqueFd fd_;
  std::string pending_;
  absl::Status status_;
};

// Error: another word.
absl::StatusOr<int> ParseFormat(const std::string& word) {
  if (word == "v2" || word == "2") return 2;
  if (word == "v3" || word == "3") return 3;
  return InvalidArgument("--format '%s': give v2 or v3", word);
}

// Error: wrongly called (InvalidArgument), or it could not be done.
absl::Status Cast(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one session or file");
  }
  // v2 is what most players read.
  std::string format = options.Get("format", "v2");
  ASSIGN_OR_RETURN(int version, ParseFormat(format));
  std::string path = options.Get("o", "-");
  const std::string& source = options.operands[0];

  std::unique_ptr<LineFile> file;
  std::unique_ptr<record::CastWriter> writer;
  absl::Status opened;
  auto begin = [&](record::CastHeader header) {
    auto open = LineFile::Open(path);
    opened = open.status();
    if (!open.ok()) return;
    file = *std::move(open);
    header.version = version;
    writer = std::make_unique<record::CastWriter>(
        header, [&](std::string_view line) { file->Add(line); });
  };
  record::CastSink sink = [&](const record::CastEvent& event) {
    if (writer) writer->Write(event);
    return file != nullptr && file->ok();
  };
  if (IsFile(source)) {
    ASSIGN_OR_RETURN(std::string text, ReadInput(source));
    RETURN_IF_ERROR(record::ReadCast(text, begin, sink));
  } else {
    ASSIGN_OR_RETURN(record::RecordedSession session,
                     record::FindRecorded(source));
    RETURN_IF_ERROR(record::PlayRecorded(
        session, {.markers = true},
        [&](const record::RecordedBegin& recorded) { begin(recorded.header); },
        sink));
  }
  RETURN_IF_ERROR(opened);
  writer->Finish();
  return file->Finish();
}

}  // namespace

int RunCast(const Options& options) {
  return Report(*FindCommand("cast"), Cast(options));
}

}  // namespace glasstty
