#include "terminal/state_codec.h"

namespace glasstty::terminal {
namespace {

constexpr uint8_t kMore = 0x80;
constexpr int kBitsEach = 7;

}  // namespace

// Writes seven bits per byte, the lowest first. Nearly all numbers fit into one
// byte.
void StateCodec::Put(uint64_t value) {
  for (; value >= kMore; value >>= kBitsEach) {
    out_ += static_cast<char>(value | kMore);
  }
  out_ += static_cast<char>(value);
}

uint64_t StateCodec::Get() {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += kBitsEach) {
    if (rest_.empty()) break;
    auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    value |= uint64_t{byte & (kMore - 1u)} << shift;
    if (byte < kMore) return value;
  }
  Refuse();
  return 0;
}

void StateCodec::Carry(bool* value) {
  uint8_t number = *value ? 1 : 0;
  Carry(&number, 0, 1);
  *value = number != 0;
}

void StateCodec::Carry(std::string* text, size_t most) {
  size_t size = text->size();
  Carry(&size, 0, most);
  if (!reads_) {
    out_ += *text;
    return;
  }
  if (size > rest_.size()) Refuse();
  if (!ok_) size = 0;
  text->assign(rest_.substr(0, size));
  rest_.remove_prefix(size);
}

}  // namespace glasstty::terminal
