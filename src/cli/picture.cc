// `glasstty picture FILE|NAME`: draws a screen, now or at an earlier moment, or
// a stretch of time as an animated picture: PNG by glasstty-picture, SVG by
// this program.
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/recorded_screen.h"
#include "picture/movie.h"
#include "picture/program.h"
#include "picture/svg.h"
#include "record/cast.h"
#include "record/file_writer.h"
#include "record/recording.h"
#include "support/status.h"
#include "watch/film.h"

namespace glasstty {
namespace {

// Error: no font can have this size.
absl::StatusOr<int> ParsePx(const std::string& text) {
  int px = 0;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), px);
  bool whole = error == std::errc() && end == text.data() + text.size();
  if (!whole || px < picture::kMinPx || px > picture::kMaxPx) {
    return InvalidArgument("--px '%s': give a number from %d to %d", text,
                           picture::kMinPx, picture::kMaxPx);
  }
  return px;
}

// Missing glyphs are reported but are no failure, because the rest of the
// picture is correct.
absl::StatusOr<std::string> FileOf(
    absl::StatusOr<picture::DrawnPicture> picture) {
  ASSIGN_OR_RETURN(picture::DrawnPicture drawn, std::move(picture));
  if (drawn.missing > 0) {
    PrintError(
        "glasstty picture: no installed font has %d of the glyphs "
        "(Debian: fonts-noto-color-emoji, fonts-noto-cjk, "
        "fonts-noto-core)\n",
        drawn.missing);
  }
  return std::move(drawn.png);
}

absl::Status WriteStdout(const std::string& bytes) {
  size_t done = std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  if (done == bytes.size() && std::fflush(stdout) == 0) return absl::OkStatus();
  return ErrnoStatus("write", "stdout");
}

// Writes everything or nothing.
absl::Status WriteTo(const std::string& path, const std::string& bytes) {
  std::error_code error;
  std::string here = std::filesystem::current_path(error).string();
  ASSIGN_OR_RETURN(
      record::FileWriter file,
      record::FileWriter::Open(AbsolutePath(path, here),
                               record::FileWriter::Mode::kReplace));
  RETURN_IF_ERROR(file.Write(bytes));
  return file.Commit();
}

// Returns the seconds that a flag gives. Error: it is not a number, or is out
// of bounds.
absl::StatusOr<double> ParseSeconds(const Options& options, const char* flag,
                                    double otherwise) {
  if (!options.Has(flag)) return otherwise;
  std::string text = options.Get(flag);
  char* rest = nullptr;
  double seconds = std::strtod(text.c_str(), &rest);
  if (text.empty() || *rest != '\0' || !(seconds >= 0 && seconds < 1e9)) {
    return InvalidArgument("--%s '%s': give seconds since the beginning", flag,
                           text);
  }
  return seconds;
}

// Error: the operand has no times, or no film can be made of it (watch/film.h).
absl::StatusOr<observe::Film> FilmOperand(const Options& options) {
  for (const char* flag : {"at", "svg", "size"}) {
    if (!options.Has(flag)) continue;
    return InvalidArgument("--from makes an animated picture: leave out --%s",
                           flag);
  }
  if (options.operands.size() != 1) {
    return InvalidArgument("give one file or session");
  }
  ASSIGN_OR_RETURN(double from, ParseSeconds(options, "from", 0));
  ASSIGN_OR_RETURN(double to, ParseSeconds(options, "to", 1e9));
  if (to < from) return InvalidArgument("--to is before --from");
  const std::string& source = options.operands[0];
  if (!IsFile(source)) {
    ASSIGN_OR_RETURN(record::RecordedSession session,
                     record::FindRecorded(source));
    return watch::FilmOf(session, from, to);
  }
  ASSIGN_OR_RETURN(std::string text, ReadInput(source));
  ASSIGN_OR_RETURN(bool is_cast, record::LooksLikeCast(text));
  if (!is_cast) {
    return InvalidArgument("--from: a file of plain bytes has no times");
  }
  ASSIGN_OR_RETURN(record::CastReading reading, ReadingOf(options, source));
  watch::FilmMaker maker(from, to);
  absl::Status begun;
  RETURN_IF_ERROR(record::ReadCast(
      text, reading,
      [&](const record::CastHeader& header) {
        begun = maker.Begin(header.size);
      },
      [&](const record::CastEvent& event) {
        return begun.ok() && maker.Take(event);
      }));
  RETURN_IF_ERROR(begun);
  return maker.Finish();
}

// The kind of the file, which the ending of its name determines.
enum class FileKind { kPng, kSvg, kGif };

// Error: nothing of this kind can be drawn.
absl::StatusOr<FileKind> KindOf(const Options& options) {
  bool moves = options.Has("from");
  std::string path = options.Get("o");
  std::string ending =
      absl::AsciiStrToLower(std::filesystem::path(path).extension().string());
  if (options.Has("svg") || (ending == ".svg" && !moves)) return FileKind::kSvg;
  if (ending == ".gif" && moves) return FileKind::kGif;
  // Other endings may mean nothing, as in the names that mktemp(1) makes.
  for (const char* other :
       {".svg", ".gif", ".jpg", ".jpeg", ".webp", ".bmp", ".mp4", ".webm"}) {
    if (ending != other) continue;
    return InvalidArgument(
        "-o '%s': %s", path,
        moves ? "an animated picture is a .png or a .gif"
              : "a picture is a .png or an .svg, and with --from an animated "
                ".png or .gif");
  }
  return FileKind::kPng;
}

absl::StatusOr<std::string> DrawFile(const Options& options,
                                     const picture::Options& look) {
  ASSIGN_OR_RETURN(FileKind kind, KindOf(options));
  if (options.Has("from")) {
    ASSIGN_OR_RETURN(observe::Film film, FilmOperand(options));
    auto format = kind == FileKind::kGif ? picture::MovieFormat::kGif
                                         : picture::MovieFormat::kApng;
    return FileOf(picture::DrawMovie(
        picture::EncodeMovie(std::move(film), look, format)));
  }
  picture::Job job = {.options = look};
  ASSIGN_OR_RETURN(std::unique_ptr<terminal::Terminal> terminal,
                   PlayOperand(options));
  job.frame = observe::TakeFrame(*terminal);
  if (kind == FileKind::kSvg) return picture::DrawSvg(job);
  return FileOf(picture::DrawPng(job));
}

// Error: the arguments are invalid (InvalidArgument), or drawing or writing
// fails.
absl::Status DrawOperand(const Options& options) {
  if (!options.Has("o") && isatty(STDOUT_FILENO) != 0) {
    return InvalidArgument(
        "a picture is not written to a terminal: use -o FILE, or redirect it");
  }
  picture::Options look = {.font = options.Get("font"),
                           .light = options.Has("light")};
  if (options.Has("px")) {
    ASSIGN_OR_RETURN(look.px, ParsePx(options.Get("px")));
  }
  ASSIGN_OR_RETURN(std::string bytes, DrawFile(options, look));
  std::string path = options.Get("o", "-");
  return path == "-" ? WriteStdout(bytes) : WriteTo(path, bytes);
}

}  // namespace

int RunPicture(const Options& options) {
  return Report(*FindCommand("picture"), DrawOperand(options));
}

}  // namespace glasstty
