// `glasstty-picture` reads a job (picture/job.h) or a movie (picture/movie.h)
// from stdin, and writes a PNG, or a GIF, to stdout and facts about it to
// stderr. It ends after at most two seconds, or a minute for a movie. It is a
// separate process, so that a server that draws no pictures needs neither the
// libraries nor the memory for fonts.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "picture/draw.h"
#include "picture/job.h"
#include "picture/movie.h"
#include "picture/movie_file.h"
#include "picture/png_file.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

constexpr unsigned kSeconds = 2;
constexpr unsigned kMovieSeconds = 60;
// The limit for a job or a movie: the largest screen, with a different style in
// each cell, takes 10 MB. A movie of a thousand usual screens takes less.
constexpr size_t kMostBytes = 32u << 20;

absl::StatusOr<std::string> ReadStdin() {
  std::string bytes;
  char part[65536];
  size_t count = 0;
  while ((count = std::fread(part, 1, sizeof part, stdin)) > 0) {
    bytes.append(part, count);
    if (bytes.size() > kMostBytes)
      return InvalidArgument("the job is too long");
  }
  return bytes;
}

// The last line on stderr is for PictureRun::Finish: width and height of the
// picture, size of the font, rows and columns shown, glyphs without a font.
absl::Status Write(const std::string& png, const Drawing& picture,
                   int missing) {
  std::fwrite(png.data(), 1, png.size(), stdout);
  if (std::fflush(stdout) != 0) return Internal("stdout cannot be written");
  std::fprintf(stderr, "%d %d %d %d %d %d\n", picture.canvas.width(),
               picture.canvas.height(), picture.px, picture.shown.rows,
               picture.shown.cols, missing);
  return absl::OkStatus();
}

absl::Status Run() {
  if (isatty(STDIN_FILENO) != 0 || isatty(STDOUT_FILENO) != 0) {
    return InvalidArgument(
        "glasstty starts this program itself; use `glasstty picture`");
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadStdin());
  if (IsMovie(bytes)) {
    alarm(kMovieSeconds);
    ASSIGN_OR_RETURN(Movie movie, DecodeMovie(bytes));
    ASSIGN_OR_RETURN(DrawnMovie drawn, DrawMovieFile(movie));
    return Write(drawn.file, drawn.last, drawn.missing);
  }
  ASSIGN_OR_RETURN(Job job, DecodeJob(bytes));
  ASSIGN_OR_RETURN(Drawing picture, DrawPicture(job));
  ASSIGN_OR_RETURN(std::string png, EncodePng(picture.canvas));
  return Write(png, picture, picture.missing);
}

}  // namespace
}  // namespace glasstty::picture

#ifdef GLASSTTY_SANITIZES_ADDRESS
// fontconfig keeps its configuration for the life of the process.
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libfontconfig";
}
#endif

// Limits memory and elapsed time before anything is read. Unlike a limit of CPU
// time, alarm(2) also ends a process that only waits.
int main() {
  alarm(glasstty::picture::kSeconds);
// Both sanitizers reserve more memory than any limit allows.
#if !defined(GLASSTTY_SANITIZES_ADDRESS) && !defined(GLASSTTY_SANITIZES_THREAD)
  rlimit memory = {512u << 20, 512u << 20};
  setrlimit(RLIMIT_DATA, &memory);
#endif
  absl::Status status = glasstty::picture::Run();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", glasstty::Message(status).c_str());
  return 1;
}
