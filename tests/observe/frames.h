// Makes frames of terminals that were fed some bytes.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include "observe/frame.h"
#include "terminal/terminal.h"

namespace glasstty::observe {

inline std::unique_ptr<terminal::Terminal> MakeTerminal(terminal::Size size) {
  terminal::Terminal::Options options;
  options.size = size;
  return std::move(*terminal::Terminal::Create(options));
}

inline Frame FrameAfter(terminal::Size size, std::string_view bytes) {
  auto terminal = MakeTerminal(size);
  terminal->Feed(bytes);
  return TakeFrame(*terminal);
}

}  // namespace glasstty::observe
