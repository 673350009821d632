// Writes a GIF with giflib.
#include <gif_lib.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "picture/movie_writer.h"
#include "picture/palette.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

// Viewers show a frame with a shorter time for a tenth of a second instead.
constexpr int kShortest_cs = 2;
constexpr int kLongest_cs = 65'535;

struct GifFrame {
  Box box;
  int64_t begin_ms = 0;
  Indexed picture;
};

Indexed Cut(const Canvas& canvas, const Box& box) {
  std::vector<Rgb> pixels;
  for (int y = box.top; y < box.bottom; ++y) {
    for (int x = box.left; x < box.right; ++x)
      pixels.push_back(canvas.At(x, y));
  }
  return IndexColors(pixels);
}

// Returns null if there is not enough memory. The size of a palette must be a
// power of two.
ColorMapObject* MapOf(const std::vector<Rgb>& palette) {
  int size = 2;
  while (size < static_cast<int>(palette.size())) size *= 2;
  ColorMapObject* map = GifMakeMapObject(size, nullptr);
  for (size_t i = 0; map != nullptr && i < palette.size(); ++i) {
    map->Colors[i] = {static_cast<GifByteType>(palette[i] >> 16),
                      static_cast<GifByteType>(palette[i] >> 8),
                      static_cast<GifByteType>(palette[i])};
  }
  return map;
}

int Append(GifFileType* file, const GifByteType* bytes, int size) {
  static_cast<std::string*>(file->UserData)
      ->append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  return size;
}

// Writes the extension of Netscape 2.0 that makes all viewers repeat the movie
// for ever.
bool PutLoop(GifFileType* file) {
  constexpr GifByteType kForEver[] = {1, 0, 0};
  return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
         EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
         EGifPutExtensionBlock(file, sizeof kForEver, kForEver) == GIF_OK &&
         EGifPutExtensionTrailer(file) == GIF_OK;
}

bool PutFrame(GifFileType* file, const GifFrame& frame, int centiseconds) {
  const GraphicsControlBlock control = {
      .DisposalMode = DISPOSE_DO_NOT,
      .UserInputFlag = false,
      .DelayTime = std::clamp(centiseconds, kShortest_cs, kLongest_cs),
      .TransparentColor = NO_TRANSPARENT_COLOR};
  GifByteType extension[4];
  size_t size = EGifGCBToExtension(&control, extension);
  ColorMapObject* map = MapOf(frame.picture.palette);
  const Box& box = frame.box;
  const int width = box.right - box.left, height = box.bottom - box.top;
  bool good = map != nullptr &&
              EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE,
                               static_cast<int>(size), extension) == GIF_OK &&
              EGifPutImageDesc(file, box.left, box.top, width, height, false,
                               map) == GIF_OK;
  GifFreeMapObject(map);
  std::vector<GifByteType> pixels = frame.picture.pixels;
  for (int y = 0; good && y < height; ++y) {
    good = EGifPutLine(file, pixels.data() + static_cast<ptrdiff_t>(y) * width,
                       width) == GIF_OK;
  }
  return good;
}

class GifWriter : public MovieWriter {
 public:
  absl::Status Add(const Canvas& canvas, const Box& box, int64_t) override {
    frames_.push_back({box, shown_ms_, Cut(canvas, box)});
    return absl::OkStatus();
  }
  void Show(int milliseconds) override { shown_ms_ += milliseconds; }

  absl::StatusOr<std::string> Finish() override {
    std::string bytes;
    int error = 0;
    GifFileType* file = EGifOpen(&bytes, Append, &error);
    if (file == nullptr) return Failure(error);
    EGifSetGifVersion(file, true);
    const Box& whole = frames_.front().box;
    bool good = EGifPutScreenDesc(file, whole.right, whole.bottom, 8, 0,
                                  nullptr) == GIF_OK &&
                PutLoop(file);
    for (size_t i = 0; good && i < frames_.size(); ++i) {
      good = PutFrame(file, frames_[i], Centiseconds(i));
    }
    int failed = file->Error;
    good = EGifCloseFile(file, &error) == GIF_OK && good;
    if (!good) return Failure(failed != 0 ? failed : error);
    return bytes;
  }

 private:
  static absl::Status Failure(int error) {
    const char* why = GifErrorString(error);
    return Internal("no GIF could be made: %s",
                    why == nullptr ? "unknown error" : why);
  }
  // Rounds times rather than durations, so that errors do not accumulate.
  int Centiseconds(size_t i) const {
    int64_t end = i + 1 < frames_.size() ? frames_[i + 1].begin_ms : shown_ms_;
    return static_cast<int>((end + 5) / 10 - (frames_[i].begin_ms + 5) / 10);
  }

  std::vector<GifFrame> frames_;
  int64_t shown_ms_ = 0;  // the duration of all frames together
};

}  // namespace

std::unique_ptr<MovieWriter> NewGifWriter() {
  return std::make_unique<GifWriter>();
}

}  // namespace glasstty::picture
