// Makes jobs of terminals that were fed some bytes.
#pragma once

#include <string_view>

#include "observe/frames.h"
#include "picture/job.h"

namespace glasstty::picture {

inline Job JobAfter(terminal::Size size, std::string_view bytes,
                    Options options = {}) {
  return {observe::FrameAfter(size, bytes), std::move(options)};
}

}  // namespace glasstty::picture
