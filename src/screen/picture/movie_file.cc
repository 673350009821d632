#include "picture/movie_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "picture/movie_writer.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

// Returns the smallest box around all pixels that differ.
Box ChangedBox(const Canvas& before, const Canvas& after) {
  Box box = {after.width(), after.height(), 0, 0};
  for (int y = 0; y < after.height(); ++y) {
    for (int x = 0; x < after.width(); ++x) {
      if (before.At(x, y) == after.At(x, y)) continue;
      box = {std::min(box.left, x), std::min(box.top, y),
             std::max(box.right, x + 1), std::max(box.bottom, y + 1)};
    }
  }
  return box;
}

}  // namespace

absl::StatusOr<DrawnMovie> DrawMovieFile(const Movie& movie) {
  std::unique_ptr<MovieWriter> writer =
      movie.format == MovieFormat::kGif ? NewGifWriter() : NewApngWriter();
  std::optional<Drawing> last;
  int missing = 0;
  ASSIGN_OR_RETURN(Studio studio, Studio::Open(movie.frames.front().job));
  for (const MovieFrame& frame : movie.frames) {
    Drawing drawing = studio.Draw(frame.job);
    const Canvas& canvas = drawing.canvas;
    missing = std::max(missing, drawing.missing);
    Box box = {0, 0, canvas.width(), canvas.height()};
    if (last) {
      if (last->canvas.width() != canvas.width() ||
          last->canvas.height() != canvas.height()) {
        return InvalidArgument("the frames of the movie differ in size");
      }
      box = ChangedBox(last->canvas, canvas);
    }
    if (box.right > box.left) {
      RETURN_IF_ERROR(writer->Add(canvas, box, frame.at_us));
      last.emplace(std::move(drawing));
    }
    writer->Show(frame.milliseconds);
  }
  ASSIGN_OR_RETURN(std::string file, writer->Finish());
  return DrawnMovie{std::move(file), *std::move(last), missing};
}

}  // namespace glasstty::picture
