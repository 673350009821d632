// Splits what a person types at a terminal into keys.
//
// A key is what one press sends: a character or an escape sequence. Pastes are
// returned as a whole, mouse events as numbers. A value that is fed bytes. It
// has no clock: its owner decides when an Escape is a key of its own (Flush).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glasstty::attach {

struct TypedKey {
  enum class Kind {
    kKey,    // bytes: as the terminal sent them
    kPaste,  // bytes: only the text
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

// Returns the bytes that an old terminal sends for a key which comes in kitty's
// protocol or that of modifyOtherKeys; other keys are returned unchanged. "": a
// key was released, or it is a modifier.
std::string PlainKey(const std::string& key);

class TypedKeys {
 public:
  // Returns the keys that are complete.
  std::vector<TypedKey> Feed(std::string_view bytes);
  // Returns whether there is an incomplete sequence that may be a key: an
  // Escape.
  bool waits() const { return !rest_.empty() && !in_paste_; }
  // Returns the incomplete sequence as a key, because nothing more comes.
  std::vector<TypedKey> Flush();

 private:
  // Returns the length of the key at the beginning of rest_; 0: it is
  // incomplete.
  size_t KeyLength() const;
  bool TakeKey(std::vector<TypedKey>* keys);
  bool TakePaste(std::vector<TypedKey>* keys);

  std::string rest_;
  bool in_paste_ = false;
};

}  // namespace glasstty::attach
