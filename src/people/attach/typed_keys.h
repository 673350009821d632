// Splits what a person types at a terminal into keys.
//
// A key consists of the bytes of one press: a character or an escape sequence.
// A paste is returned as a whole, or in parts of about a mebibyte, and a mouse
// event as numbers. TypedKeys is a value without a clock: its owner decides
// when an Escape is a key of its own (Flush).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::attach {

struct TypedKey {
  enum class Kind {
    kKey,    // bytes: as the terminal sent them
    kPaste,  // bytes: the text without the brackets
    kMouse,  // the members below
  };
  Kind kind = Kind::kKey;
  std::string bytes;
  // As encoded by DECSET 1006 (xterm's ctlseqs, "Extended coordinates").
  int button = 0;  // includes modifiers and motion
  int row = 0;     // 0-based
  int col = 0;
  bool release = false;
};

// Converts a key in kitty's protocol or that of modifyOtherKeys to the bytes of
// the legacy encoding; other keys are returned unchanged. Returns "" for the
// release of a key, and for a key without an ASCII character, such as a
// modifier.
std::string PlainKey(const std::string& key);

class TypedKeys {
 public:
  // Returns the keys that are complete.
  std::vector<TypedKey> Feed(std::string_view bytes);
  // Returns true if there is an incomplete sequence, such as an Escape, that
  // may be a key of its own.
  bool waits() const { return !rest_.empty() && !in_paste_; }
  // Returns the incomplete sequence as a key; nothing unless waits(). Must be
  // called when no more bytes arrive.
  std::vector<TypedKey> Flush();

 private:
  // Returns the length of the key at the beginning of rest_; 0 if it is
  // incomplete.
  size_t KeyLength() const;
  bool TakeKey(std::vector<TypedKey>* keys);
  bool TakePaste(std::vector<TypedKey>* keys);

  std::string rest_;
  bool in_paste_ = false;
};

}  // namespace glasstty::attach
