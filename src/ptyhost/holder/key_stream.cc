#include "holder/key_stream.h"

#include "base/utf8.h"

namespace glasstty::holder {
namespace {

// The length of "200~" and "201~".
constexpr size_t kBracketLength = 4;

int BytesBehind(unsigned char lead) {
  if (lead >= 0xF0) return 3;
  if (lead >= 0xE0) return 2;
  return lead >= 0xC0 ? 1 : 0;
}

}  // namespace

void KeyStream::Feed(std::string_view typed) {
  for (char c : typed) Feed(c);
}

// A byte that is invalid in a sequence ends the sequence, as in most programs.
void KeyStream::Feed(char c) {
  auto byte = static_cast<unsigned char>(c);
  if (state_ == State::kCharacter && IsContinuation(c)) {
    if (--missing_ == 0) state_ = State::kGround;
    return;
  }
  if (state_ == State::kSequence && byte >= 0x20 && byte < 0x7F) {
    if (sequence_.size() <= kBracketLength) sequence_ += c;
    if (byte < 0x40) return;
    if (sequence_ == "200~") in_paste_ = true;
    if (sequence_ == "201~") in_paste_ = false;
    state_ = State::kGround;
    return;
  }
  if (state_ == State::kEscape && (c == '[' || c == 'O')) {
    state_ = c == '[' ? State::kSequence : State::kShift;
    sequence_.clear();
    return;
  }
  missing_ = BytesBehind(byte);
  state_ = c == '\x1b'    ? State::kEscape
           : missing_ > 0 ? State::kCharacter
                          : State::kGround;
}

// Counts the bytes after an Escape, which begins a sequence or a key with Alt.
size_t KeyStream::Unfinished(std::string_view rest) const {
  KeyStream ahead = *this;
  size_t used = 0;
  while (used < rest.size() && ahead.state_ != State::kGround) {
    ahead.Feed(rest[used++]);
  }
  return used;
}

}  // namespace glasstty::holder
