#include "picture/apng_file.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_format.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr char kTrueColor[] = {8, 2, 0, 0, 0};  // bits, RGB, no interlacing

std::string Big(uint32_t value, int bytes = 4) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) {
    out += static_cast<char>(value >> (8 * i));
  }
  return out;
}
std::string Big(int value) { return Big(static_cast<uint32_t>(value)); }

void AddChunk(std::string_view type, std::string_view data, std::string* file) {
  *file += Big(static_cast<uint32_t>(data.size()));
  size_t begin = file->size();
  *file += type;
  *file += data;
  uLong sum = crc32(0, reinterpret_cast<const Bytef*>(file->data() + begin),
                    static_cast<uInt>(file->size() - begin));
  *file += Big(static_cast<uint32_t>(sum));
}

// A frame, as the compressed pixels that it changes.
struct Change {
  Box box;
  int milliseconds = 0;
  int64_t at_us = 0;
  std::string pixels;
};

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

// Uses no filters, so that repeated rows of text stay identical.
absl::StatusOr<std::string> Compress(const Canvas& canvas, Box box) {
  std::string raw;
  for (int y = box.top; y < box.bottom; ++y) {
    raw += '\0';
    for (int x = box.left; x < box.right; ++x) {
      Rgb color = canvas.At(x, y);
      for (int shift = 16; shift >= 0; shift -= 8) {
        raw += static_cast<char>(color >> shift);
      }
    }
  }
  uLongf size = compressBound(static_cast<uLong>(raw.size()));
  std::string packed(size, '\0');
  int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                         reinterpret_cast<const Bytef*>(raw.data()),
                         static_cast<uLong>(raw.size()), Z_DEFAULT_COMPRESSION);
  if (result != Z_OK) return Internal("zlib: error %d", result);
  packed.resize(size);
  return packed;
}

std::string MomentsOf(const std::vector<Change>& changes) {
  std::string text("Moments\0", 8);
  for (const Change& change : changes) {
    const char* blank = &change == &changes.front() ? "" : " ";
    text += absl::StrFormat("%s%.6f", blank,
                            static_cast<double>(change.at_us) / 1e6);
  }
  return text;
}

std::string FileOf(const Canvas& canvas, const std::vector<Change>& changes) {
  std::string file(kSignature);
  AddChunk("IHDR",
           Big(canvas.width()) + Big(canvas.height()) +
               std::string(kTrueColor, sizeof kTrueColor),
           &file);
  AddChunk("acTL", Big(static_cast<int>(changes.size())) + Big(0), &file);
  AddChunk("tEXt", MomentsOf(changes), &file);
  int sequence = 0;
  for (const Change& change : changes) {
    const Box& box = change.box;
    // Afterwards it stays, and it replaces what was there.
    AddChunk(
        "fcTL",
        Big(sequence++) + Big(box.right - box.left) +
            Big(box.bottom - box.top) + Big(box.left) + Big(box.top) +
            Big(static_cast<uint32_t>(std::min(change.milliseconds, 65'535)),
                2) +
            Big(1000, 2) + std::string(2, '\0'),
        &file);
    bool is_first = &change == &changes.front();
    if (is_first) {
      AddChunk("IDAT", change.pixels, &file);
    } else {
      AddChunk("fdAT", Big(sequence++) + change.pixels, &file);
    }
  }
  AddChunk("IEND", "", &file);
  return file;
}

}  // namespace

absl::StatusOr<DrawnMovie> DrawMovieFile(const std::vector<MovieFrame>& movie) {
  std::optional<Drawing> last;
  std::vector<Change> changes;
  int missing = 0;
  auto take = [&](Drawing drawing, const MovieFrame& frame) -> absl::Status {
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
    if (box.right <= box.left) {
      changes.back().milliseconds += frame.milliseconds;
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(std::string pixels, Compress(canvas, box));
    changes.push_back(
        {box, frame.milliseconds, frame.at_us, std::move(pixels)});
    last.emplace(std::move(drawing));
    return absl::OkStatus();
  };
  ASSIGN_OR_RETURN(Studio studio, Studio::Open(movie.front().job));
  for (const MovieFrame& frame : movie) {
    RETURN_IF_ERROR(take(studio.Draw(frame.job), frame));
  }
  std::string file = FileOf(last->canvas, changes);
  return DrawnMovie{std::move(file), *std::move(last), missing};
}

}  // namespace glasstty::picture
