// Frames of terminals that were fed some bytes.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "observe/frame.h"
#include "terminal/terminal.h"

namespace glasstty {

inline std::unique_ptr<Terminal> MakeTerminal(Size size) {
  Terminal::Options options;
  options.size = size;
  return std::move(*Terminal::Create(options));
}

inline Frame FrameAfter(Size size, std::string_view bytes) {
  auto terminal = MakeTerminal(size);
  terminal->Feed(bytes);
  return TakeFrame(*terminal);
}

}  // namespace glasstty
