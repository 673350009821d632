// Jobs of terminals that were fed some bytes.
#pragma once

#include <string_view>

#include "observe/frames.h"
#include "picture/job.h"

namespace glasstty {

inline PictureJob JobAfter(Size size, std::string_view bytes,
                           PictureOptions options = {}) {
  return {FrameAfter(size, bytes), std::move(options)};
}

}  // namespace glasstty
