// Turns the fields of a message into the bytes of a packet, and back.
//
// A message lists its fields once, in a template Fields(io, m), which runs with
// a Writer or with a Reader as `io`. A, B and Halves access the two numbers of
// the header; the other functions access the payload, in the order of the
// calls. Reading cannot fail: fields that an older peer did not send keep their
// default values, and fields that a newer peer added are ignored. Plain values.
#pragma once

#include <string.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wire/packets.h"

namespace glasstty::wire {

class Writer {
 public:
  explicit Writer(PacketType type) { header.type = type; }
  // Copies a packet unchanged.
  explicit Writer(const Packet& packet)
      : header(packet.header), payload(packet.payload) {}
  Writer(const Writer&) = default;
  Writer& operator=(const Writer&) = default;
  // Wipes the payload, because it may contain a secret.
  ~Writer() { explicit_bzero(payload.data(), payload.size()); }

  void A(auto value) { header.a = static_cast<uint64_t>(value); }
  void B(auto value) { header.b = static_cast<uint64_t>(value); }
  // Puts two numbers of 32 bits into B.
  void Halves(auto high, auto low) {
    header.b = uint64_t{static_cast<uint32_t>(high)} << 32 |
               static_cast<uint32_t>(low);
  }
  void Head(const auto& value) { payload += AsBytes(value); }
  template <typename T>
  void Maybe(const std::optional<T>& value) {
    if (value) Head(*value);
  }
  template <typename T>
  void List(const std::vector<T>& values, size_t) {
    for (const T& value : values) Head(value);
  }
  // Adds a text and a NUL after it.
  void Name(std::string_view text) { (payload += text) += '\0'; }
  void Rest(std::string_view bytes) { payload += bytes; }

  // The result points into this Writer, which must outlive it.
  Packet packet() const { return {header, payload}; }

  PacketHeader header;
  std::string payload;
};

class Reader {
 public:
  explicit Reader(const Packet& packet)
      : header_(packet.header), rest_(packet.payload) {}

  template <typename T>
  void A(T& value) {
    value = static_cast<T>(header_.a);
  }
  template <typename T>
  void B(T& value) {
    value = static_cast<T>(header_.b);
  }
  template <typename High, typename Low>
  void Halves(High& high, Low& low) {
    high = static_cast<High>(header_.b >> 32);
    low = static_cast<Low>(header_.b & 0xFFFFFFFF);
  }
  void Head(auto& value) {
    value = HeadOf<std::remove_reference_t<decltype(value)>>(rest_);
    Drop(sizeof value);
  }
  template <typename T>
  void Maybe(std::optional<T>& value) {
    if (rest_.size() >= sizeof(T)) Head(value.emplace());
  }
  // Reads `count` values, or fewer if the payload ends earlier.
  template <typename T>
  void List(std::vector<T>& values, size_t count) {
    for (; count > 0 && rest_.size() >= sizeof(T); --count) {
      Head(values.emplace_back());
    }
  }
  void Name(std::string_view& text) {
    text = rest_.substr(0, std::min(rest_.find('\0'), rest_.size()));
    Drop(text.size() + 1);
  }
  void Rest(std::string_view& bytes) { bytes = rest_; }

 private:
  void Drop(size_t size) { rest_.remove_prefix(std::min(size, rest_.size())); }

  PacketHeader header_;
  std::string_view rest_;
};

}  // namespace glasstty::wire
