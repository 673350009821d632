#include "picture/movie.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "absl/strings/str_format.h"
#include "support/status.h"

namespace glasstty::picture {
namespace {

// In the order of MovieFormat.
constexpr std::string_view kMagics[] = {"glasstty-movie 1\n",
                                        "glasstty-movie 1 gif\n"};
constexpr int64_t kLongest = 1'000'000'000;

// Removes a number and the character after it from the front of `bytes`.
// Returns -1 if there is no number.
int64_t TakeNumber(std::string_view* bytes) {
  int64_t number = -1;
  auto [end, error] =
      std::from_chars(bytes->data(), bytes->data() + bytes->size(), number);
  bool good = error == std::errc() && end != bytes->data() + bytes->size();
  if (!good) return -1;
  bytes->remove_prefix(static_cast<size_t>(end - bytes->data()) + 1);
  return number;
}

}  // namespace

std::string EncodeMovie(observe::Film film, const Options& options,
                        MovieFormat format) {
  terminal::Size size = {1, 1};
  for (const observe::TimedFrame& each : film) {
    size.rows = std::max(size.rows, each.frame.size.rows);
    size.cols = std::max(size.cols, each.frame.size.cols);
  }
  std::string bytes(kMagics[static_cast<size_t>(format)]);
  for (observe::TimedFrame& each : film) {
    Job job = {std::move(each.frame), options};
    job.frame.size = size;
    job.frame.rows.resize(static_cast<size_t>(size.rows));
    std::string encoded = EncodeJob(job);
    bytes += absl::StrFormat("%d %d %d\n", each.milliseconds, each.at_us,
                             encoded.size());
    bytes += encoded;
  }
  return bytes;
}

bool IsMovie(std::string_view bytes) {
  return std::ranges::any_of(kMagics, [bytes](std::string_view magic) {
    return bytes.starts_with(magic);
  });
}

absl::StatusOr<Movie> DecodeMovie(std::string_view bytes) {
  Movie movie;
  if (!bytes.starts_with(kMagics[0])) movie.format = MovieFormat::kGif;
  bytes.remove_prefix(kMagics[static_cast<size_t>(movie.format)].size());
  std::vector<MovieFrame>& frames = movie.frames;
  while (!bytes.empty()) {
    int64_t milliseconds = TakeNumber(&bytes);
    int64_t at_us = TakeNumber(&bytes);
    int64_t length = TakeNumber(&bytes);
    if (milliseconds < 0 || milliseconds > kLongest || at_us < 0 ||
        length < 0 || static_cast<size_t>(length) > bytes.size()) {
      return InvalidArgument("the movie is truncated or malformed in frame %d",
                             frames.size());
    }
    ASSIGN_OR_RETURN(Job job,
                     DecodeJob(bytes.substr(0, static_cast<size_t>(length))));
    bytes.remove_prefix(static_cast<size_t>(length));
    frames.push_back({std::move(job), static_cast<int>(milliseconds), at_us});
  }
  if (frames.empty()) return InvalidArgument("the movie has no frames");
  return movie;
}

}  // namespace glasstty::picture
