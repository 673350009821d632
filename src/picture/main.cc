// `glasstty-picture`: a job on stdin (picture/job.h), a PNG on stdout, what is
// to be said of it on stderr. Ends after two seconds at most, whatever it was
// given. A process of its own, because fonts need libraries and memory that a
// server without pictures should not pay for.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>

#include "picture/draw.h"
#include "picture/job.h"
#include "picture/png_file.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

constexpr unsigned kSeconds = 2;
// Of a job: the largest screen with a style of its own in each cell has 10 MB.
constexpr size_t kMostBytes = 32u << 20;

// Error: too long.
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

// The last line on stderr is for PictureRun::Finish: width, height and pixels
// of the font, rows and columns shown, glyphs without a font.
absl::Status Run() {
  if (isatty(STDIN_FILENO) != 0 || isatty(STDOUT_FILENO) != 0) {
    return InvalidArgument(
        "glasstty starts this program itself; use `glasstty picture`");
  }
  ASSIGN_OR_RETURN(std::string bytes, ReadStdin());
  ASSIGN_OR_RETURN(Job job, DecodeJob(bytes));
  ASSIGN_OR_RETURN(Drawing picture, DrawPicture(job));
  ASSIGN_OR_RETURN(std::string png, EncodePng(picture.canvas));
  std::fwrite(png.data(), 1, png.size(), stdout);
  if (std::fflush(stdout) != 0) return Internal("stdout cannot be written");
  std::fprintf(stderr, "%d %d %d %d %d %d\n", picture.canvas.width(),
               picture.canvas.height(), picture.px, picture.shown.rows,
               picture.shown.cols, picture.missing);
  return absl::OkStatus();
}

}  // namespace
}  // namespace glasstty::picture

// Limits before anything is read: of time as it passes, so that a program which
// waits ends as well, and of memory.
int main() {
  alarm(glasstty::picture::kSeconds);
// Both map more than any limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  rlimit memory = {512u << 20, 512u << 20};
  setrlimit(RLIMIT_DATA, &memory);
#endif
  absl::Status status = glasstty::picture::Run();
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", glasstty::Message(status).c_str());
  return 1;
}
