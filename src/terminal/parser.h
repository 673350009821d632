// Cuts a stream of bytes into tokens: text, controls, escape and control
// sequences, strings. Decides nothing about their meaning (guard.h does).
//
// Keeps its state between calls, so the stream may be split anywhere and gives
// the same tokens, but that a run of text may come in several pieces. Memory is
// bounded whatever comes: a string keeps 4 KiB (OSC 8 and 52: 8 KiB) and is
// given up after 1 MiB. C1 controls are never obeyed, neither as bytes nor as
// code points: xterm does, and it is a way to smuggle sequences through
// programs that print UTF-8 unchecked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "terminal/csi.h"

namespace glasstty::terminal {

struct Token {
  enum class Kind {
    kNone,             // none yet
    kText,             // text: printable ASCII
    kGlyphs,           // glyphs: text that begins with another code point
    kControl,          // byte: C0 but ESC, CAN, SUB
    kEscape,           // text: intermediates, byte: final
    kCsi,              // Parser::csi()
    kString,           // byte: ] P _ ^ or X; text: payload, valid until Next()
    kDroppedSequence,  // ill-formed or cancelled
    kDroppedString,    // cancelled or endless
  };
  Kind kind = Kind::kNone;
  std::string_view text;
  std::u32string_view glyphs;  // valid until Next()
  uint8_t byte = 0;
  bool cut = false;      // kString: longer than what was kept
  bool by_bell = false;  // kString: BEL ended it, not ST
};

class Parser {
 public:
  static constexpr size_t kMaxRun = 64;  // code points of one token

  // Takes bytes off the front of `bytes` until a token is complete. False: they
  // ran out. Sets what the token's kind has, so that one may serve for all.
  bool Next(std::string_view* bytes, Token* token);
  // Of the token kCsi that came last.
  const Csi& csi() const { return csi_; }
  // True between tokens and not inside a code point.
  bool at_ground() const {
    return state_ == State::kGround && !decoder_.pending();
  }
  size_t MemoryBytes() const { return string_.capacity(); }

 private:
  enum class State {
    kGround,
    kEscape,
    kCsi,
    kCsiSkip,  // ill-formed: waits for the final byte
    kString,
    kStringEscape,  // ESC inside a string: ST or the string's end
  };

  // Each takes at least one byte, or changes the state and leaves the byte to
  // be looked at again. True: `token` is complete.
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
  // Bytes between ESC [ and the final one.
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
  size_t string_size_ = 0;  // kept or not
};

}  // namespace glasstty::terminal
