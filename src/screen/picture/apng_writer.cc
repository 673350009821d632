// Writes an animated PNG, which libpng does not support.
#include <zlib.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "picture/movie_writer.h"
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

// The compressed pixels that a frame changes.
struct Change {
  Box box;
  int milliseconds = 0;
  int64_t at_us = 0;
  std::string pixels;
};

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

std::string FileOf(const std::vector<Change>& changes) {
  const Box& whole = changes.front().box;
  std::string file(kSignature);
  AddChunk("IHDR",
           Big(whole.right) + Big(whole.bottom) +
               std::string(kTrueColor, sizeof kTrueColor),
           &file);
  AddChunk("acTL", Big(static_cast<int>(changes.size())) + Big(0), &file);
  AddChunk("tEXt", MomentsOf(changes), &file);
  int sequence = 0;
  for (const Change& change : changes) {
    const Box& box = change.box;
    // The frame is not disposed of afterwards, and replaces the pixels below
    // it.
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

class ApngWriter : public MovieWriter {
 public:
  absl::Status Add(const Canvas& canvas, const Box& box,
                   int64_t at_us) override {
    ASSIGN_OR_RETURN(std::string pixels, Compress(canvas, box));
    changes_.push_back({box, 0, at_us, std::move(pixels)});
    return absl::OkStatus();
  }
  void Show(int milliseconds) override {
    changes_.back().milliseconds += milliseconds;
  }
  absl::StatusOr<std::string> Finish() override { return FileOf(changes_); }

 private:
  std::vector<Change> changes_;
};

}  // namespace

std::unique_ptr<MovieWriter> NewApngWriter() {
  return std::make_unique<ApngWriter>();
}

}  // namespace glasstty::picture
