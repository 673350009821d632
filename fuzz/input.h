// Turns a fuzzer's bytes into a terminal's life: a size, then feeds with other
// events between them.
//
// The first two bytes are the size. Then 0xFF R C resizes, 0xFE ends a write
// and looks at the screen, anything else is fed. Screens stay at 20x40 cells at
// most: what goes wrong goes wrong there too, and a hundred times as often.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "terminal/snapshot.h"

namespace glasstty {

class FuzzInput {
 public:
  static constexpr uint8_t kResize = 0xFF;
  static constexpr uint8_t kLook = 0xFE;

  FuzzInput(const uint8_t* data, size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {
    size_ = TakeSize();
  }

  terminal::Size size() const { return size_; }

  // Calls one of the three for each step.
  template <class Feed, class Resize, class Look>
  void Play(Feed feed, Resize resize, Look look) {
    constexpr std::string_view kSteps = "\xFE\xFF";
    while (!rest_.empty()) {
      size_t end = rest_.find_first_of(kSteps);
      if (end == std::string_view::npos) end = rest_.size();
      feed(rest_.substr(0, end));
      rest_.remove_prefix(end);
      if (rest_.empty()) break;
      bool is_resize = static_cast<uint8_t>(rest_[0]) == kResize;
      rest_.remove_prefix(1);
      if (is_resize) {
        resize(TakeSize());
      } else {
        look();
      }
    }
  }

 private:
  uint8_t Take() {
    if (rest_.empty()) return 0;
    auto byte = static_cast<uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return byte;
  }
  terminal::Size TakeSize() {
    int rows = 2 + Take() % 19;
    return {rows, 2 + Take() % 39};
  }

  std::string_view rest_;
  terminal::Size size_;
};

// Computes FNV-1a over plain values.
class Digest {
 public:
  void Add(std::string_view bytes) {
    for (char c : bytes) Mix(static_cast<uint8_t>(c));
    Mix(bytes.size());
  }
  void Mix(uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }
  uint64_t hash() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325u;
};

}  // namespace glasstty
