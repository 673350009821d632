// Converts values to bytes, or bytes to values, field by field.
//
// Each class of the emulator lists its fields once, in a function Carry that
// both reads and writes, so the two always match. Small numbers take few bytes.
// The bytes may come from a damaged file: after a number outside its bounds or
// a missing byte, ok() is false, and every value read later is its lower bound.
// A text that is read is never longer than the bytes that are left.
// Single-threaded.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace glasstty::terminal {

class StateCodec {
 public:
  // Creates a codec that writes; Take returns the bytes.
  StateCodec() = default;
  // Creates a codec that reads `bytes`, which must outlive it.
  explicit StateCodec(std::string_view bytes) : reads_(true), rest_(bytes) {}

  bool reads() const { return reads_; }
  // Returns true if everything read so far is valid.
  bool ok() const { return ok_; }
  void Refuse() { ok_ = false; }
  // Returns true if everything has been read.
  bool at_end() const { return rest_.empty(); }
  std::string Take() { return std::move(out_); }

  // Reads or writes a number within [least, most].
  template <class Number>
  void Carry(Number* value, std::type_identity_t<Number> least,
             std::type_identity_t<Number> most) {
    if (!reads_) return Put(static_cast<uint64_t>(*value));
    auto read = static_cast<Number>(Get());
    if (read < least || read > most) Refuse();
    *value = ok_ ? read : least;
  }
  // Reads or writes any non-negative number of the type.
  template <class Number>
  void Carry(Number* value) {
    Carry(value, Number{}, std::numeric_limits<Number>::max());
  }
  void Carry(bool* value);
  // Reads or writes a text of at most `most` bytes.
  void Carry(std::string* text, size_t most);

 private:
  void Put(uint64_t value);
  uint64_t Get();

  const bool reads_ = false;
  bool ok_ = true;
  std::string_view rest_;
  std::string out_;
};

}  // namespace glasstty::terminal
