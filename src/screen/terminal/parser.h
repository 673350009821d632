// Splits a stream of bytes into tokens: text, controls, escape and control
// sequences, strings. The interpreter (interpreter.h) decides what they mean.
//
// Keeps its state between calls, so the stream may be split anywhere and gives
// the same tokens, except that a run of text may come in several pieces. Memory
// is bounded: at most 4 KiB of a string are kept (8 KiB of OSC 8 and 52), and a
// string is abandoned after 1 MiB. C1 controls are never obeyed, neither as
// bytes nor as code points: xterm obeys them, which allows sequences to be
// smuggled through programs that print unchecked UTF-8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "terminal/csi.h"
#include "terminal/state_codec.h"

namespace glasstty::terminal {

struct Token {
  enum class Kind {
    kNone,             // no token yet
    kText,             // text: printable ASCII
    kGlyphs,           // glyphs: text that begins with a non-ASCII code point
    kControl,          // byte: C0 except ESC, CAN, SUB
    kEscape,           // text: intermediates, byte: final
    kCsi,              // see Parser::csi()
    kString,           // byte: ] P _ ^ or X; text: payload, valid until Next()
    kDroppedSequence,  // ill-formed or cancelled
    kDroppedString,    // cancelled or too long
  };
  Kind kind = Kind::kNone;
  std::string_view text;
  std::u32string_view glyphs;  // valid until Next()
  uint8_t byte = 0;
  bool cut = false;      // kString: a part was not kept
  bool by_bell = false;  // kString: BEL ended it, not ST
};

class Parser {
 public:
  static constexpr size_t kMaxRun = 64;  // code points of a kGlyphs token
  static constexpr size_t kMaxIntermediates = 4;
  static constexpr size_t kLongestString = 8192;  // the maximum number of bytes
                                                  // kept of a string
  static constexpr size_t kStringGivenUp = 1 << 20;

  // Consumes bytes from the front of `bytes` until a token is complete. Returns
  // false if the bytes run out first. Sets only the members that the token's
  // kind uses, so that one Token may be reused.
  bool Next(std::string_view* bytes, Token* token);
  // Returns the sequence of the last kCsi token.
  const Csi& csi() const { return csi_; }
  // Returns true between tokens, outside of a code point.
  bool at_ground() const {
    return state_ == State::kGround && !decoder_.pending();
  }
  size_t MemoryBytes() const { return string_.capacity(); }
  // See saved_state.cc.
  void Carry(StateCodec* codec);

 private:
  enum class State {
    kGround,
    kEscape,
    kCsi,
    kCsiSkip,  // ill-formed: skips to the final byte
    kString,
    kStringEscape,  // after ESC in a string: a '\' completes it as ST, and
                    // anything else cancels the string
  };

  // The functions below with `bytes` and `token` consume at least one byte, or
  // change the state and leave the byte to be handled in the new state. Those
  // with `token` return true if the token is complete.
  bool Step(uint8_t byte, std::string_view* bytes, Token* token);
  bool Cancel(uint8_t byte, Token* token);
  bool TakeWholeCsi(std::string_view* bytes);
  bool Ground(std::string_view* bytes, Token* token);
  bool Glyphs(std::string_view* bytes, Token* token);
  size_t WholeGlyphs(std::string_view* bytes, size_t count);
  bool Glyph(std::string_view* bytes, char32_t* glyph);
  bool Escape(uint8_t byte, std::string_view* bytes, Token* token);
  bool ControlSequence(std::string_view* bytes, Token* token);
  bool String(std::string_view* bytes, Token* token);
  bool EndString(bool by_bell, Token* token);
  // Handles a byte between ESC [ and the final one.
  void CollectCsi(uint8_t byte);
  void Parameter(uint8_t byte);
  void TakeDigits(std::string_view* bytes);
  size_t StringLimit() const;

  State state_ = State::kGround;
  Utf8Decoder decoder_;
  std::array<char32_t, kMaxRun> run_;
  Csi csi_;
  std::string intermediates_;
  char string_kind_ = 0;
  std::string string_;
  size_t string_size_ = 0;  // includes bytes that are not kept
};

}  // namespace glasstty::terminal
