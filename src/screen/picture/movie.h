// The description of an animated picture, made from a film, and its encoding,
// which `glasstty-picture` reads instead of a job.
//
//   glasstty-movie 1, or for a GIF: glasstty-movie 1 gif
//   then for each frame its MILLISECONDS, its moment in MICROSECONDS and the
//   LENGTH of its job, on a line, and the job (picture/job.h)
//
// Pure functions and plain values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "observe/timed_frame.h"
#include "picture/job.h"

namespace glasstty::picture {

enum class MovieFormat { kApng, kGif };

struct MovieFrame {
  Job job;
  int milliseconds = 0;
  int64_t at_us = 0;
};

struct Movie {
  MovieFormat format = MovieFormat::kApng;
  std::vector<MovieFrame> frames;
};

// Encodes a movie of `film`. All frames get the largest number of rows and of
// columns.
std::string EncodeMovie(observe::Film film, const Options& options,
                        MovieFormat format = MovieFormat::kApng);
bool IsMovie(std::string_view bytes);
// REQUIRES: IsMovie. The error message describes what is wrong with `bytes`.
absl::StatusOr<Movie> DecodeMovie(std::string_view bytes);

}  // namespace glasstty::picture
