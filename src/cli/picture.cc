// `glasstty picture FILE|NAME`: a screen as a picture, now or at an earlier
// moment: PNG by glasstty-picture, SVG by this program.
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/play.h"
#include "picture/program.h"
#include "picture/svg.h"
#include "record/file_writer.h"
#include "support/status.h"

namespace glasstty {
namespace {

// Error: not a size that a font can have.
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

// Missing glyphs are told and are no failure: the rest of the picture is right.
absl::StatusOr<std::string> Draw(const picture::Job& job, bool svg) {
  if (svg) return picture::DrawSvg(job);
  ASSIGN_OR_RETURN(picture::DrawnPicture drawn, picture::DrawPng(job));
  if (drawn.missing > 0) {
    std::fprintf(stderr,
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

// Whole or not at all.
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

// Error: wrongly called (InvalidArgument), or it could not be done.
absl::Status DrawOperand(const Options& options) {
  bool svg = options.Has("svg");
  if (!options.Has("o") && isatty(STDOUT_FILENO) != 0) {
    return InvalidArgument(
        "a picture is not written to a terminal: use -o FILE, or redirect it");
  }
  picture::Job job;
  if (options.Has("px")) {
    ASSIGN_OR_RETURN(job.options.px, ParsePx(options.Get("px")));
  }
  job.options.font = options.Get("font");
  job.options.light = options.Has("light");
  ASSIGN_OR_RETURN(std::unique_ptr<terminal::Terminal> terminal,
                   PlayOperand(options));
  job.frame = observe::TakeFrame(*terminal);
  ASSIGN_OR_RETURN(std::string bytes, Draw(job, svg));
  std::string path = options.Get("o", "-");
  return path == "-" ? WriteStdout(bytes) : WriteTo(path, bytes);
}

}  // namespace

int RunPicture(const Options& options) {
  return Report(*FindCommand("picture"), DrawOperand(options));
}

}  // namespace glasstty
