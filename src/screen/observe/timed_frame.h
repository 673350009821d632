// A screen and how long it is shown: what a film of a terminal consists of.
#pragma once

#include <cstdint>
#include <vector>

#include "observe/frame.h"

namespace glasstty::observe {

struct TimedFrame {
  Frame frame;
  int64_t at_us = 0;     // the moment that it shows
  int milliseconds = 0;  // how long, without the rest of a long pause
};
using Film = std::vector<TimedFrame>;

}  // namespace glasstty::observe
