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
    kPaste,  // bytes: the text alone
    kMouse,  // the members below
  };
  Kind kind = Kind::kKey;
  std::string bytes;
  // As DECSET 1006 spells them (xterm's ctlseqs, "Extended coordinates").
  int button = 0;  // with modifiers and motion
  int row = 0;     // 0-based
  int col = 0;
  bool release = false;
};

class TypedKeys {
 public:
  // The keys that are complete.
  std::vector<TypedKey> Feed(std::string_view bytes);
  // Something was begun that may be a key by itself: an Escape.
  bool waits() const { return !rest_.empty() && !in_paste_; }
  // Nothing more comes: what was begun is a key.
  std::vector<TypedKey> Flush();

 private:
  // The length of the key at the beginning of rest_; 0: more has to come.
  size_t KeyLength() const;
  bool TakeKey(std::vector<TypedKey>* keys);
  bool TakePaste(std::vector<TypedKey>* keys);

  std::string rest_;
  bool in_paste_ = false;
};

}  // namespace glasstty::attach
