// `glasstty cast NAME`: writes a session's log as an asciicast, or converts
// between the versions of the format.
//
// Every session can be turned into a recording while it lives and, afterwards,
// as long as its log is kept (up to a week). See docs/recording.md.
#include "record/cast.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_format.h"
#include "base/fd.h"
#include "cli/command.h"
#include "cli/options.h"
#include "observe/painter.h"
#include "record/file_writer.h"
#include "record/recording.h"
#include "support/status.h"
#include "terminal/terminal.h"

namespace glasstty {
namespace {

// Collects lines and writes them in large pieces; remembers the first failure.
class LineFile {
 public:
  // "-" is stdout. A file is replaced in Finish, so that it may be the source
  // and stays as it is if anything fails; pipes and devices are written
  // immediately. A recording may contain anything that was on the screen, so
  // only its owner can read a new file. Error: it cannot be opened.
  static absl::StatusOr<std::unique_ptr<LineFile>> Open(
      const std::string& path) {
    std::unique_ptr<LineFile> file(new LineFile(path));
    struct stat info;
    bool exists = path != "-" && stat(path.c_str(), &info) == 0;
    if (path == "-" || (exists && !S_ISREG(info.st_mode))) {
      file->fd_ =
          UniqueFd(path == "-" ? dup(STDOUT_FILENO)
                               : open(path.c_str(), O_WRONLY | O_CLOEXEC));
      if (!file->fd_.valid()) return ErrnoStatus("open", path);
      return file;
    }
    std::error_code error;
    std::string here = std::filesystem::current_path(error).string();
    mode_t mask = umask(0077);
    auto writer = record::FileWriter::Open(AbsolutePath(path, here),
                                           record::FileWriter::Mode::kReplace);
    umask(mask);
    RETURN_IF_ERROR(writer.status());
    file->writer_.emplace(*std::move(writer));
    return file;
  }

  void Add(std::string_view line) {
    pending_ += line;
    if (pending_.size() >= 65536) Flush();
  }
  absl::Status Finish() {
    Flush();
    RETURN_IF_ERROR(status_);
    return writer_ ? writer_->Commit() : absl::OkStatus();
  }
  bool ok() const { return status_.ok(); }

 private:
  explicit LineFile(std::string path) : path_(std::move(path)) {}

  void Flush() {
    if (status_.ok() && writer_) {
      status_ = writer_->Write(pending_);
    } else if (status_.ok() && !WriteAll(fd_.get(), pending_)) {
      status_ = ErrnoStatus("write", path_);
    }
    pending_.clear();
  }

  const std::string path_;
  // Exactly one of the two is set.
  UniqueFd fd_;
  std::optional<record::FileWriter> writer_;
  std::string pending_;
  absl::Status status_;
};

// Error: the word names no version.
absl::StatusOr<int> ParseFormat(const std::string& word) {
  if (word == "v2" || word == "2") return 2;
  if (word == "v3" || word == "3") return 3;
  return InvalidArgument("--format '%s': give v2 or v3", word);
}

// Returns the terminal's answer to DECRQSS as the sequence that restores the
// setting.
std::string SettingOf(terminal::Terminal* terminal, std::string_view what) {
  terminal->TakeReplies();
  terminal->Feed(absl::StrFormat("\x1bP$q%s\x1b\\", what));
  std::string reply = terminal->TakeReplies();
  constexpr std::string_view kBefore = "\x1bP1$r", kBehind = "\x1b\\";
  if (!reply.starts_with(kBefore) || !reply.ends_with(kBehind)) return "";
  reply.resize(reply.size() - kBehind.size());
  return "\x1b[" + reply.substr(kBefore.size());
}

// Returns bytes that paint the recording's initial screen on the player's
// terminal. Returns "" if the screen was blank or is unknown.
std::string PaintStart(const record::RecordedBegin& recorded) {
  if (!recorded.start.state) return "";
  auto made = terminal::Terminal::Create({.size = recorded.header.size});
  if (!made.ok() ||
      !(*made)->RestoreState(recorded.start.state->terminal).ok() ||
      !(*made)->Resize(recorded.header.size).ok()) {
    return "";
  }
  terminal::Terminal* terminal = made->get();
  terminal::Modes modes = terminal->modes();
  std::string out = modes.alternate_screen ? "\x1b[?1049h" : "";
  // Margins move the cursor, which the picture restores.
  out += SettingOf(terminal, "r");
  out += observe::Paint(nullptr, observe::TakeFrame(*terminal));
  out += SettingOf(terminal, "m");
  if (modes.insert) out += "\x1b[4h";
  if (!modes.autowrap) out += "\x1b[?7l";
  return out;
}

// Error: the arguments are invalid (InvalidArgument), or something cannot be
// read or written.
absl::Status Cast(const Options& options) {
  if (options.operands.size() != 1) {
    return InvalidArgument("give one session or file");
  }
  // Most players read v2.
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
    // A compressed file gets an error of its own.
    RETURN_IF_ERROR(record::LooksLikeCast(text).status());
    ASSIGN_OR_RETURN(record::CastReading reading, ReadingOf(options, source));
    RETURN_IF_ERROR(record::ReadCast(text, reading, begin, sink));
  } else {
    ASSIGN_OR_RETURN(record::RecordedSession session,
                     record::FindRecorded(source));
    RETURN_IF_ERROR(record::PlayRecorded(
        session, {.markers = true},
        [&](const record::RecordedBegin& recorded) {
          begin(recorded.header);
          std::string picture = PaintStart(recorded);
          if (picture.empty()) return;
          record::CastEvent event;
          event.data = std::move(picture);
          sink(event);
        },
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
