// Keeps the title of the terminal's window, and the stack on which programs
// save it (CSI 22 t and 23 t) while they show their own.
//
// Titles are for showing only; the program never gets one back. Bounded: a
// program that saves more than ten loses the oldest, as in xterm.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "terminal/state_codec.h"

namespace glasstty::terminal {

class Titles {
 public:
  // The part of a title that a sequence means; icons have no name here.
  enum class Part { kBoth = 0, kIcon = 1, kWindow = 2 };

  // Blanks around the title say nothing, and are removed.
  void Set(std::string_view title);
  const std::string& title() const { return title_; }

  // An icon's name takes a place on the stack, but the title stays out of it.
  void Push(Part part);
  // Returns whether the title has changed.
  bool Pop(Part part);

  void Carry(StateCodec* codec);

 private:
  static constexpr size_t kMaxPushed = 10;

  std::string title_;
  std::deque<std::optional<std::string>> pushed_;  // oldest first
};

}  // namespace glasstty::terminal
