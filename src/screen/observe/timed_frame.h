// A screen with the time for which it is shown, as an element of a film.
#pragma once

#include <cstdint>
#include <vector>

#include "observe/frame.h"

namespace glasstty::observe {

struct TimedFrame {
  Frame frame;
  int64_t at_us = 0;     // the moment of the session that it shows
  int milliseconds = 0;  // the time for which it is shown; long pauses are cut
};
using Film = std::vector<TimedFrame>;

}  // namespace glasstty::observe
